"""A group that has laid the real island already tells the start form how it lies."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from companion.ports import TagArrived
from companion.rules.game import Thing
from companion.rules.registry import GAMES
from tests.journeys.conftest import PHONE, Opening
from tests.journeys.pages import connected, region
from tests.journeys.test_accessible import faults, too_wide
from tests.web.stand import RunningTable, running

LAYOUT = next(choice for choice in GAMES["forbidden_island"].choices() if choice.key == "layout")
TILES = LAYOUT.options
LAID = TILES[::-1]


@pytest.fixture
def island(tmp_path: Path) -> Iterator[RunningTable]:
    with running(tmp_path, games=GAMES) as table:
        yield table


def question(page: Page, key: str) -> Locator:
    return page.locator(f"details.naming:has([data-key={key}])")


def unfold(page: Page, key: str) -> Locator:
    question(page, key).locator("summary").click()
    return question(page, key)


def tap(asked: Locator, *names: str) -> None:
    for name in names:
        asked.locator(f"label:has([value={name}])").click()


def set_up(table: RunningTable) -> dict[str, Any]:
    return table.on_loop(lambda session: dict(session.snapshot.seated.setup) if session.snapshot.seated else {})


def scan(table: RunningTable, *names: str) -> None:
    def scans(session: Any) -> None:
        for name in names:
            if name not in session.tags():
                session.bind(name, Thing("place" if "tiny" in table.desk.games else "tile", name))
            session.observe(TagArrived("left", name))

    table.on_loop(scans)


def start(page: Page) -> None:
    page.get_by_role("button", name="Start", exact=True).click()
    page.wait_for_url("**/host")


def test_the_island_is_named_by_tapping(island: RunningTable, open_page: Opening) -> None:
    page = open_page(f"{island.address}/host/games", PHONE).page
    asked = unfold(page, "layout")
    tap(asked, *LAID)
    expect(asked.locator(".count")).to_have_text("24 of 24 · Fools’ Landing")
    tap(unfold(page, "flooded"), *TILES[:6])
    start(page)
    setup = set_up(island)
    assert setup["layout"] == list(LAID)
    assert sorted(setup["flooded"]) == sorted(TILES[:6])


def test_what_is_taken_back_leaves_its_number_to_the_next_name(island: RunningTable, open_page: Opening) -> None:
    page = open_page(f"{island.address}/host/games", PHONE).page
    asked = unfold(page, "layout")
    tap(asked, LAID[0], LAID[2], LAID[1])
    tap(asked, LAID[2])
    expect(asked.locator(".count")).to_have_text("2 of 24")
    expect(asked.get_by_role("checkbox", checked=True)).to_have_count(2)
    tap(asked, LAID[3])
    expect(asked.get_by_role("checkbox", name="2 ", checked=True)).to_have_value(LAID[3])
    expect(asked.locator(".lot.filled")).to_have_count(3)
    expect(asked.locator(".lot").nth(1)).to_have_text("Observ.")
    asked.get_by_role("button", name="Take all back").click()
    expect(asked.get_by_role("checkbox", checked=True)).to_have_count(0)
    expect(asked.locator(".lot.next")).to_have_text("1")
    start(page)
    assert sorted(set_up(island)["layout"]) == sorted(TILES)


def test_the_board_to_name_has_the_chosen_shape(island: RunningTable, open_page: Opening) -> None:
    page = open_page(f"{island.address}/host/games", PHONE).page
    asked = unfold(page, "layout")
    rows = asked.locator(".lots .board > *")
    expect(rows).to_have_count(36)
    page.locator("select[name=island]").select_option("bone_island")
    expect(rows).not_to_have_count(36)
    tap(asked, "watchtower")
    expect(asked.locator(".lot[data-number='1']")).to_have_text("Tower")


def test_a_late_board_of_the_shape_chosen_before_is_not_drawn(island: RunningTable, open_page: Opening) -> None:
    page = open_page(f"{island.address}/host/games", PHONE).page
    held: list[Route] = []

    def hold_back(route: Route) -> None:
        if "classic" in route.request.url:
            held.append(route)
        else:
            route.continue_()

    page.route("**/host/lots*", hold_back)
    with page.expect_request("**/host/lots*"):
        asked = unfold(page, "layout")
    page.locator("select[name=island]").select_option("bone_island")
    rows = asked.locator(".lots .board > *")
    expect(rows).not_to_have_count(0)
    shown = rows.count()
    with page.expect_response("**/host/lots*"):
        held[0].continue_()
    page.wait_for_timeout(50)
    assert rows.count() == shown != 36


@pytest.mark.parametrize(
    ("language", "send", "sentence"),
    [
        ("en", "Start", "Name all 24, or none."),
        ("pt-BR", "Começar", "Indique todos os 24, ou nenhum."),
        ("bg", "Започни", "Посочете всичките 24 или нито едно."),
    ],
)
def test_a_half_named_island_is_refused_with_a_sentence(
    island: RunningTable, open_page: Opening, language: str, send: str, sentence: str
) -> None:
    page = open_page(f"{island.address}/host/games", PHONE, locale=language).page
    connected(page)
    asked = unfold(page, "layout")
    tap(asked, *LAID[:23])
    asked.locator("summary").click()
    page.get_by_role("button", name=send, exact=True).click()
    expect(asked.get_by_role("alert")).to_have_text(sentence)
    expect(asked.get_by_role("alert")).to_be_in_viewport()
    expect(asked.get_by_role("checkbox", checked=False)).to_be_focused()
    assert set_up(island) == {}
    tap(asked, LAID[23])
    expect(asked.get_by_role("alert")).to_be_hidden()
    page.get_by_role("button", name=send, exact=True).click()
    page.wait_for_url("**/host")


def test_the_island_is_scanned_in_reading_order(island: RunningTable, open_page: Opening) -> None:
    page = open_page(f"{island.address}/host/games", PHONE).page
    connected(page)
    scan(island, LAID[23])
    expect(region(page, "notice")).to_contain_text("Scanned: Fools’ Landing")
    asked = unfold(page, "layout")
    unfold(page, "flooded")
    scan(island, *LAID[:20])
    expect(asked.locator(".count")).to_contain_text("20 of 24")
    scan(island, LAID[19], *LAID[20:])
    expect(asked.locator(".count")).to_have_text("24 of 24 · Fools’ Landing")
    expect(question(page, "flooded").locator(".count")).to_have_text("0 of 6")
    scan(island, *LAID[:6])
    expect(question(page, "flooded").locator(".count")).to_contain_text("6 of 6")
    start(page)
    setup = set_up(island)
    assert setup["layout"] == list(LAID)
    assert sorted(setup["flooded"]) == sorted(LAID[:6])


def test_the_next_island_is_scanned_while_an_ended_game_still_lies_there(
    table: RunningTable, open_page: Opening
) -> None:
    table.on_loop(lambda session: session.start("tiny", {}))
    table.on_loop(lambda session: session.play({"do": "correct", "storm": 4}))
    page = open_page(f"{table.address}/host/games", PHONE).page
    connected(page)
    asked = unfold(page, "stacked")
    scan(table, "mill", "pier")
    expect(asked.locator(".count")).to_have_text("2 of 6 · pier")


def test_a_scan_names_nothing_in_a_question_that_is_closed(table: RunningTable, open_page: Opening) -> None:
    page = open_page(f"{table.address}/host/games", PHONE).page
    connected(page)
    scan(table, "mill")
    expect(region(page, "notice")).to_contain_text("Scanned: mill")
    asked = unfold(page, "stacked")
    expect(asked.locator(".count")).to_have_text("0 of 6")
    scan(table, "pier")
    expect(asked.locator(".count")).to_have_text("1 of 6 · pier")


def test_where_one_is_wanted_the_others_wait_until_it_is_taken_back(table: RunningTable, open_page: Opening) -> None:
    page = open_page(f"{table.address}/host/games", PHONE).page
    connected(page)
    asked = unfold(page, "dark")
    tap(asked, "mill")
    expect(asked.get_by_label("dune")).to_be_disabled()
    tap(asked, "mill")
    expect(asked.get_by_label("dune")).to_be_enabled()
    tap(asked, "tower")
    start(page)
    assert set_up(table)["dark"] == "tower"


def test_names_can_be_told_by_the_keyboard_alone(table: RunningTable, open_page: Opening) -> None:
    page = open_page(f"{table.address}/host/games", PHONE).page
    connected(page)
    question(page, "stacked").locator("summary").focus()
    for key in ("Enter", "Tab", "Space", "Tab", "Tab", "Space", "Shift+Tab", "Space"):
        page.keyboard.press(key)
    asked = question(page, "stacked")
    expect(asked.get_by_role("status")).to_contain_text("3 of 6")
    names = [box.input_value() for box in asked.get_by_role("checkbox").all()[:3]]
    start(page)
    assert set_up(table)["stacked"] == [names[0], names[2], names[1]]


@pytest.mark.parametrize("language", ["en", "pt-BR", "bg"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_half_named_island_is_accessible_and_fits_a_small_phone(
    island: RunningTable, open_page: Opening, language: str, scheme: str
) -> None:
    page = open_page(f"{island.address}/host/games", PHONE, locale=language, color_scheme=scheme).page
    connected(page)
    tap(unfold(page, "flooded"), *TILES[:6])
    asked = unfold(page, "layout")
    tap(asked, *LAID[:12])
    page.locator("form[data-order=start] [type=submit]").click()
    expect(asked.get_by_role("alert")).to_be_visible()
    expect(asked.locator(".lot.filled")).to_have_count(12)
    assert faults(page) == []
    assert too_wide(page) == []


def test_tapping_moves_no_name_from_under_the_finger(island: RunningTable, open_page: Opening) -> None:
    page = open_page(f"{island.address}/host/games", PHONE).page
    asked = unfold(page, "layout")
    expect(asked.locator(".lot")).to_have_count(24)
    places = "(field) => [...field.querySelectorAll('label')].map((label) => [label.offsetLeft, label.offsetTop])"
    before = asked.evaluate(places)
    tap(asked, *LAID)
    assert asked.evaluate(places) == before

"""Teaching tags on a phone, while a reader tells what lies on it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from companion.ports import TagArrived, TagGone, TagReadAgain
from companion.rules.registry import GAMES
from companion.table.tag_file import tag_file
from tests.journeys.conftest import PHONE, Opening
from tests.journeys.pages import connected, region
from tests.journeys.test_accessible import faults, too_wide, unfold
from tests.web.stand import RunningTable, running


@pytest.fixture
def table(tmp_path: Path) -> Iterator[RunningTable]:
    with running(tmp_path, games=GAMES) as table:
        yield table


def lay(table: RunningTable, tag: str) -> None:
    for happening in (TagArrived, TagReadAgain, TagGone):
        table.on_loop(lambda session, happening=happening: session.observe(happening("reader", tag)))  # type: ignore[misc]


def enrol(page: Page) -> None:
    connected(page)
    region(page, "enrol").get_by_role("button", name="Begin").click()
    expect(region(page, "enrol")).to_contain_text("Scan the tag of")


def test_pieces_are_taught_one_after_another_on_a_phone(table: RunningTable, open_page: Opening) -> None:
    page = open_page(f"{table.address}/host/tags", PHONE).page
    enrol(page)
    named = page.locator(".named")
    expect(named).to_have_text("Fools’ Landing")
    lay(table, "04A1")
    expect(region(page, "enrol")).to_contain_text("Taught: 1 of 110")
    expect(named).to_have_text("Bronze Gate")
    lay(table, "04A1")
    expect(region(page, "notice")).to_contain_text("used already, for: Fools’ Landing")
    page.get_by_role("button", name="Skip", exact=True).click()
    expect(named).to_have_text("Copper Gate")
    page.get_by_role("button", name="Back", exact=True).click()
    expect(named).to_have_text("Bronze Gate")
    page.get_by_label("Piece or command").select_option(label="Undo")
    page.get_by_role("button", name="Name it next").click()
    expect(named).to_have_text("Undo")
    lay(table, "04C1")
    page.get_by_role("button", name="Stop").click()
    expect(region(page, "enrol").get_by_role("button", name="Go on")).to_be_visible()
    assert {tag: str(meaning) for tag, meaning in table.desk.session.taught().items()} == {
        "04A1": "tile:fools_landing",
        "04C1": "undo",
    }


def test_a_tag_is_done_again_and_forgotten_from_the_list(table: RunningTable, open_page: Opening) -> None:
    table.on_loop(lambda session: session.enrol("forbidden_island", "tile:watchtower"))
    lay(table, "04A1")
    page = open_page(f"{table.address}/host/tags", PHONE).page
    connected(page)
    page.get_by_role("button", name="Redo Watchtower").click()
    expect(region(page, "enrol")).to_contain_text("It takes the place of the tag 04A1")
    lay(table, "04A2")
    expect(region(page, "tags")).to_contain_text("04A2")
    expect(region(page, "tags")).not_to_contain_text("04A1")
    region(page, "tags").get_by_role("button", name="Forget").click()
    expect(region(page, "tags")).to_contain_text("No tag is known yet.")


def test_tags_are_downloaded_and_taken_in_and_labels_printed(
    table: RunningTable, open_page: Opening, tmp_path: Path
) -> None:
    table.on_loop(lambda session: session.enrol("forbidden_island", "tile:watchtower"))
    lay(table, "04A1")
    known = table.desk.session.taught()
    watched = open_page(f"{table.address}/host/tags", PHONE)
    page = watched.page
    connected(page)
    with page.expect_download() as saved:
        page.get_by_role("link", name="Download").click()
    assert saved.value.path().read_text() == tag_file(known)
    with page.expect_download() as printed:
        page.get_by_role("button", name="Make the PDF").click()
    assert printed.value.path().read_bytes().startswith(b"%PDF")
    watched.forgiven.append("422")
    wrong = tmp_path / "wrong.json"
    wrong.write_text(tag_file(known).replace("watchtower", "watchtowr"))
    page.get_by_label("File of tags").set_input_files(wrong)
    page.get_by_role("button", name="Take in").click()
    expect(region(page, "exchange")).to_contain_text("is “tile:watchtower” meant?")
    other = tmp_path / "other.json"
    other.write_text(json.dumps({**json.loads(tag_file({})), "tags": [{"tag": "04B7", "command": "undo"}]}))
    page.get_by_label("File of tags").set_input_files(other)
    page.get_by_label("is forgotten").check()
    page.get_by_role("button", name="Take in").click()
    expect(region(page, "exchange")).to_contain_text("1 new or changed, 1 forgotten")
    expect(region(page, "tags")).to_contain_text("04B7")


@pytest.mark.parametrize("language", ["en", "pt-BR", "bg"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_is_accessible_while_tags_are_taught(
    table: RunningTable, open_page: Opening, language: str, scheme: str
) -> None:
    table.on_loop(lambda session: session.enrol("forbidden_island", "treasure:earth_stone"))
    lay(table, "04A1B2C3D4E5F6")
    table.on_loop(lambda session: session.observe(TagArrived("reader", "04A1B2C3D4E5F7")))
    watched = open_page(f"{table.address}/host/tags", PHONE, locale=language, color_scheme=scheme)
    page = watched.page
    unfold(page)
    assert faults(page) == []
    assert too_wide(page) == []
    small = page.evaluate(
        """() => [...document.querySelectorAll('main button, summary, select, .button, input[type=file]')]
          .filter((part) => part.offsetParent)
          .map((part) => [part.outerHTML.slice(0, 80), part.getBoundingClientRect()])
          .filter(([, box]) => box.width < 44 || box.height < 43.5).map(([html]) => html)"""
    )
    assert small == []
    page.evaluate("document.documentElement.dataset.size = 'largest'")
    assert too_wide(page) == []

"""The pages of those who act, as players and hosts see them, by axe and at 320 pixels."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from companion.rules.registry import GAMES
from tests.journeys.conftest import PHONE, Opening
from tests.journeys.phones import AFAR, scan_the_code, sit
from tests.journeys.test_accessible import SETUP, faults, too_wide, unfold
from tests.web.stand import RunningTable, running

LANGUAGES = ("en", "pt-BR", "bg")


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningTable]:
    folder: Path = tmp_path_factory.mktemp("phones")
    with running(folder, games=GAMES, join_url=lambda: "http://192.168.100.137:8000/") as table:
        table.on_loop(lambda session: session.start("forbidden_island", SETUP))
        table.on_loop(lambda _session: table.desk.phones.let_in("Bartholomäus the Third", host=True))
        yield table


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_pages_of_a_player_are_accessible(
    table: RunningTable, open_page: Opening, language: str, scheme: str
) -> None:
    looks = {"locale": language, "color_scheme": scheme, "reduced_motion": "reduce"}
    page = scan_the_code(table, open_page, **looks).page
    found = {"no seat": (faults(page), too_wide(page))}
    sit(page, "explorer")
    unfold(page)
    found["seated"] = (faults(page), too_wide(page))
    page.evaluate("document.getElementById('preferences').open = false")
    page.locator("#region-controls .options [data-steps]").first.click()
    expect(page.locator("#regions")).to_have_attribute("data-asking", "yes")
    found["asked"] = (faults(page), too_wide(page))
    page.evaluate("document.documentElement.dataset.size = 'largest'")
    found["largest"] = ([], too_wide(page))
    assert {what: said for what, said in found.items() if said != ([], [])} == {}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_pages_of_a_host_are_accessible(
    table: RunningTable, open_page: Opening, language: str, scheme: str
) -> None:
    looks = {"locale": language, "color_scheme": scheme, "reduced_motion": "reduce"}
    page = open_page(f"{table.address}/host/phones", PHONE, **looks).page
    found = {"phones": (faults(page), too_wide(page))}
    page.locator("[data-command*=strike_all]").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    found["question"] = (faults(page), too_wide(page))
    page.evaluate("document.documentElement.dataset.size = 'largest'")
    found["largest"] = ([], too_wide(page))
    assert {what: said for what, said in found.items() if said != ([], [])} == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_that_asks_for_the_pin_is_accessible(table: RunningTable, open_page: Opening, language: str) -> None:
    watched = open_page(f"{table.address}/", PHONE, extra_http_headers=AFAR, locale=language)
    watched.forgiven.append("403")
    watched.page.goto(f"{table.address}/host")
    assert (faults(watched.page), too_wide(watched.page)) == ([], [])

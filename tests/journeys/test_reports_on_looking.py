"""What others' users reported of looking at a table on a phone, each as a test under the name of what went wrong."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from starlette.testclient import TestClient

from companion.i18n import LANGUAGES, negotiate
from companion.ports import DeviceState, DeviceStatus, TagArrived
from companion.rules.registry import GAMES
from companion.views.panel import Join, screen_for
from companion.web.app import create_app
from companion.web.assets import STATIC, read_assets
from tests.journeys.conftest import PHONE, Opening
from tests.journeys.pages import connected, region
from tests.journeys.test_accessible import faults
from tests.web.conftest import ADDRESS, ELSEWHERE
from tests.web.stand import RunningTable, open_desk, running

SETUP = {"players": ["explorer", "pilot"], "difficulty": "novice", "seed": "7"}
(ISLAND,) = GAMES


@pytest.fixture
def island(tmp_path: Path) -> Iterator[RunningTable]:
    with running(tmp_path, games=GAMES) as table:
        table.on_loop(lambda session: session.start(ISLAND, SETUP))
        yield table


def test_a_one_off_notice_reappeared_at_each_update(island: RunningTable, open_page: Opening) -> None:
    """Once told is told: https://github.com/Tarmslitaren/FrosthavenAssistant/issues/65."""
    page = open_page(f"{island.address}/", PHONE).page
    connected(page)
    island.on_loop(lambda session: session.observe(TagArrived("reader", "04AABBCC")))
    notice = page.locator("[data-notice]")
    expect(notice).to_be_visible()
    expect(notice).to_contain_text("04AABBCC")
    island.on_loop(lambda session: session.observe(DeviceStatus("reader", DeviceState.LOST)))
    expect(region(page, "devices")).to_be_visible()
    page.reload()
    connected(page)
    expect(page.locator("[data-notice]:visible")).to_have_count(0)
    island.on_loop(lambda session: session.observe(TagArrived("reader", "04DDEEFF")))
    expect(page.locator("[data-notice]:visible")).to_contain_text("04DDEEFF")


def test_displays_fed_by_several_observers_diverged(tmp_path: Path) -> None:
    """One publisher, many readers: https://github.com/lukasmonk/lucaschessR2/issues/165.

    https://github.com/Tarmslitaren/FrosthavenAssistant/issues/271: the server's own screen stopped updating.
    """
    with open_desk(tmp_path, GAMES) as desk, TestClient(create_app(desk), ADDRESS, client=ELSEWHERE) as phone:
        desk.session.start(ISLAND, SETUP)
        for act in (desk.session.deal, desk.session.undo, desk.session.redo, desk.session.pause, desk.session.resume):
            revision = act().revision
            screen = screen_for(desk.session.snapshot, Join(""))
            assert screen.footer.revision == revision
            assert phone.get("/table.json").json()["revision"] == revision
            for language in LANGUAGES:
                page = phone.get("/table", headers={"accept-language": language}).text
                assert f'data-revision="{revision}"' in page


def test_a_double_tap_stranded_the_page_in_a_zoom(island: RunningTable, open_page: Opening) -> None:
    """Two taps are two taps, and two fingers zoom: https://github.com/openfrontio/OpenFrontIO/issues/4609 and
    https://github.com/MikhaD/wordle/issues/18."""
    page = open_page(f"{island.address}/check", PHONE).page
    for part in ("html", "body"):
        assert page.evaluate(f"getComputedStyle(document.querySelector('{part}')).touchAction") == "manipulation"
    told = page.locator("meta[name=viewport]").get_attribute("content")
    assert told == "width=device-width, initial-scale=1"


def test_an_old_script_was_kept_in_spite_of_its_version(tmp_path: Path) -> None:
    """The version is in the path: https://github.com/sabeechen/hassio-google-drive-backup/issues/466."""
    shutil.copytree(STATIC, tmp_path / "static")
    before = read_assets(tmp_path / "static")
    (tmp_path / "static" / "look.js").write_text("// another build\n", encoding="utf-8")
    after = read_assets(tmp_path / "static")
    assert before.address("page.js") != after.address("page.js")
    assert "?" not in after.address("page.js")


@pytest.mark.parametrize("path", ["/", "/check", "/games/1"])
def test_redraws_were_read_out_again_and_again(island: RunningTable, open_page: Opening, path: str) -> None:
    """One line tells what happened, one interrupts: the rest is silent. https://github.com/lichess-org/lila/issues/7084."""
    page = open_page(f"{island.address}{path}", PHONE).page
    speaking = page.evaluate(
        """() => [...document.querySelectorAll('[role="status"], [role="alert"], [aria-live]')]
          .filter((part) => part.checkVisibility() || part.classList.contains('unseen')).map((part) => part.id)"""
    )
    assert speaking == ["status", "alert"]


def test_a_board_for_the_eyes_served_no_screen_reader(island: RunningTable, open_page: Opening) -> None:
    """The board is a list as well, row by row: https://github.com/lichess-org/lila/issues/7084."""
    page = open_page(f"{island.address}/preferences?board=list&back=/", PHONE).page
    rows = page.locator(".listed h3")
    assert rows.count() == 6
    assert page.locator(".listed ul").count() == 6
    assert page.locator(".listed li").count() == 24
    assert page.locator(".listed [aria-hidden]").count() == 0


COLOURLESS = """() => [...document.querySelectorAll('.sea .space')].map((space) => [
  space.querySelector('.condition span').textContent,
  getComputedStyle(space).borderStyle,
  Boolean(space.querySelector('.condition:not(.unseen)')),
])"""


def test_what_was_told_by_colour_alone_was_lost_on_some(island: RunningTable, open_page: Opening) -> None:
    """Every state is a word and a shape as well: https://github.com/Tarmslitaren/FrosthavenAssistant/issues/153."""
    island.on_loop(lambda session: session.play({"do": "correct", "tiles": {"watchtower": "sunk"}}))
    page = open_page(f"{island.address}/", PHONE, forced_colors="active").page
    shown = page.evaluate(COLOURLESS)
    assert {(word, border, said) for word, border, said in shown} == {
        ("dry", "solid", False),
        ("flooded", "solid", True),
        ("sunk", "dashed", True),
    }
    assert page.locator(".pawn[data-colour]").first.inner_text().strip() != ""


def _lines(page: Page) -> list[str]:
    dashes: list[str] = page.evaluate(
        "() => [...document.querySelectorAll('.chart svg[role] .line')].map((l) => getComputedStyle(l).strokeDasharray)"
    )
    return dashes


def test_lines_of_a_chart_differed_by_colour_alone(island: RunningTable, open_page: Opening) -> None:
    """They differ by dashes and by markers as well: https://github.com/Tarmslitaren/FrosthavenAssistant/issues/153."""
    island.on_loop(lambda session: session.play({"do": "correct", "tiles": {"watchtower": "sunk"}}))
    page = open_page(f"{island.address}/games/1", PHONE).page
    assert len(set(_lines(page)[1:4])) == 3


def test_text_could_not_be_made_larger(island: RunningTable, open_page: Opening) -> None:
    """A switch for it stands on every page: https://github.com/Lurkars/gloomhavensecretariat/issues/461."""
    page = open_page(f"{island.address}/check", PHONE).page
    before = page.evaluate("getComputedStyle(document.body).fontSize")
    page.locator("#preferences summary").click()
    page.get_by_role("link", name="Largest").click()
    expect(page.locator("html")).to_have_attribute("data-size", "largest")
    assert page.url.endswith("/check")
    assert page.evaluate("getComputedStyle(document.body).fontSize") != before


def test_nothing_moves_for_those_whom_it_makes_sick(island: RunningTable, open_page: Opening) -> None:
    """WCAG 2.2, 2.3.3: an animation can be switched off, here in the phone's own settings."""
    page = open_page(f"{island.address}/", PHONE, reduced_motion="reduce").page
    moving = page.evaluate(
        """() => [...document.querySelectorAll('*')].map((part) => getComputedStyle(part))
          .filter((style) => parseFloat(style.transitionDuration) > 0 || style.animationName !== 'none').length"""
    )
    assert moving == 0


def test_portuguese_of_portugal_got_english() -> None:
    """Babel alone finds none of ours for it: https://github.com/python-babel/babel (negotiate_locale)."""
    assert negotiate("pt-PT,pt;q=0.9,en;q=0.5") == "pt-BR"


def test_a_game_that_is_over_left_a_screen_that_axe_faults(island: RunningTable, open_page: Opening) -> None:
    """The last screen is looked at longest; here with a loss on it, in the dark."""
    island.on_loop(lambda session: session.play({"do": "correct", "water": 10}))
    page = open_page(f"{island.address}/", PHONE, color_scheme="dark", reduced_motion="reduce").page
    expect(page.get_by_role("link", name="Look back at the game")).to_be_visible()
    assert faults(page) == []

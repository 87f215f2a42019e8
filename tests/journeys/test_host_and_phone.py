from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import expect

from companion.web.bell import Bell
from tests.journeys.conftest import PHONE, Opening
from tests.journeys.pages import (
    connected,
    give,
    order_button,
    press,
    region,
    revision,
    step_button,
    tell_more,
)
from tests.ports import free_port
from tests.web.stand import PIN, RunningTable, running


def start_tiny(table: RunningTable) -> None:
    table.on_loop(lambda session: session.start("tiny", {"players": ["otter", "heron"], "seed": "1", "dark": "dune"}))


def test_a_host_starts_a_game_and_plays_a_turn_while_a_phone_looks_on(table: RunningTable, open_page: Opening) -> None:
    phone = open_page(f"{table.address}/", PHONE).page
    expect(region(phone, "turn")).to_contain_text("No game is on the table yet")
    phone.evaluate("window.loadedOnce = true")

    host = open_page(f"{table.address}/host/games").page
    host.get_by_label("Seat 2").select_option("badger")
    host.get_by_label("rough").check()
    host.get_by_text("Repeat a known game").click()
    host.get_by_label(re.compile("Seed")).fill("1")
    host.get_by_role("button", name="Start").click()
    host.wait_for_url("**/host")

    expect(region(phone, "turn")).to_contain_text("otter")
    expect(region(phone, "seats")).to_contain_text("badger")
    press(host, region(host, "controls").get_by_role("button", name="walk"))
    expect(region(phone, "seats").locator(".seat").first).to_contain_text("dune")
    give(host, kind="deal")
    expect(region(phone, "turn")).to_contain_text("badger")
    expect(region(phone, "log").locator("li")).to_have_count(3)
    assert phone.evaluate("window.loadedOnce")
    assert phone.evaluate("document.documentElement.scrollWidth") <= 320


def test_nobody_is_seated_twice(table: RunningTable, open_page: Opening) -> None:
    host = open_page(f"{table.address}/host/games").page
    seats = [host.get_by_label(f"Seat {number}") for number in (1, 2, 3)]
    seats[1].select_option("otter")
    assert [seat.input_value() for seat in seats] == ["heron", "otter", ""]
    seats[2].select_option("heron")
    assert [seat.input_value() for seat in seats] == ["", "otter", "heron"]
    host.get_by_role("button", name="Start").click()
    expect(seats[0]).to_be_focused()
    assert host.url.endswith("/host/games")
    seats[0].select_option("heron")
    assert [seat.input_value() for seat in seats] == ["heron", "otter", ""]
    seats[2].select_option("heron")
    host.get_by_role("button", name="Draw lots").click()
    assert sorted(seat.input_value() for seat in seats) == ["badger", "heron", "otter"]


def test_a_game_that_is_taken_up_again_is_played_on(table: RunningTable, open_page: Opening) -> None:
    start_tiny(table)
    table.on_loop(lambda session: session.leave())
    host = open_page(f"{table.address}/host/games").page
    connected(host)
    host.get_by_role("button", name="Take up again").click()
    host.wait_for_url("**/host")
    expect(region(host, "turn")).to_contain_text("otter")


def test_the_newest_result_is_read_out_once_in_one_status_line(table: RunningTable, open_page: Opening) -> None:
    start_tiny(table)
    phone = open_page(f"{table.address}/", PHONE).page
    expect(phone.get_by_role("status")).to_have_count(1)
    phone.evaluate(
        """() => {
          window.heard = [];
          const status = document.getElementById('status');
          new MutationObserver(() => window.heard.push(status.textContent))
            .observe(status, {subtree: true, childList: true, characterData: true});
        }"""
    )
    table.ring()
    table.on_loop(lambda session: session.play({"do": "walk", "places": ["dune"]}))
    expect(phone.get_by_role("status")).to_contain_text("tiny.walked")
    table.ring()
    phone.wait_for_timeout(150)
    assert len(phone.evaluate("window.heard")) == 1


def test_a_loss_interrupts_once_and_not_again_after_a_reload(table: RunningTable, open_page: Opening) -> None:
    start_tiny(table)
    phone = open_page(f"{table.address}/", PHONE).page
    expect(phone.get_by_role("alert")).to_be_empty()
    table.on_loop(lambda session: session.play({"do": "correct", "storm": 4}))
    expect(phone.get_by_role("alert")).to_have_text("tiny.ending.storm")
    phone.reload()
    expect(region(phone, "turn")).to_contain_text("You lost")
    table.ring()
    phone.wait_for_timeout(150)
    expect(phone.get_by_role("alert")).to_be_empty()


def test_pointing_at_the_board_plays(table: RunningTable, open_page: Opening) -> None:
    start_tiny(table)
    host = open_page(f"{table.address}/host").page
    tell_more(host, region(host, "board").get_by_role("button", name="dune"))
    expect(region(host, "controls")).to_contain_text("choose:")
    press(host, region(host, "controls").locator(".options button").first)
    assert table.on_loop(lambda session: session.snapshot.seated is not None and session.snapshot.seated.can_undo)


def test_undo_and_redo_go_through_the_page_to_every_phone(table: RunningTable, open_page: Opening) -> None:
    start_tiny(table)
    host = open_page(f"{table.address}/host").page
    phone = open_page(f"{table.address}/", PHONE).page
    expect(order_button(host, kind="undo")).to_be_disabled()
    give(host, kind="deal")
    give(host, kind="undo")
    expect(region(phone, "log").locator(".retracted")).to_have_count(1)
    expect(region(phone, "log")).to_contain_text("taken back")
    give(host, kind="redo")
    expect(region(phone, "log").locator(".retracted")).to_have_count(0)


def test_what_is_half_told_on_a_phone_is_shown_there_alone_and_can_be_taken_back(
    table: RunningTable, open_page: Opening
) -> None:
    start_tiny(table)
    host, other = (open_page(f"{table.address}/host").page for _ in range(2))
    table.on_loop(lambda session: session.play({"do": "walk", "places": ["dune"]}))
    before = table.on_loop(lambda session: session.snapshot.revision)
    tell_more(host, step_button(host, "do:walk"))
    expect(region(host, "board").locator(".asked")).to_have_count(2)
    expect(region(other, "board").locator(".asked")).to_have_count(0)
    host.get_by_role("button", name="Back").click()
    expect(region(host, "board").locator(".asked")).to_have_count(0)
    assert table.on_loop(lambda session: session.snapshot.revision) == before


def test_what_was_begun_at_the_table_is_gone_on_with_on_any_phone_or_dropped(
    table: RunningTable, open_page: Opening
) -> None:
    start_tiny(table)
    host = open_page(f"{table.address}/host").page
    table.on_loop(lambda session: session.play({"do": "walk", "places": ["dune"]}))
    table.on_loop(lambda session: session.pick("do:walk"))
    expect(region(host, "board").locator(".asked")).to_have_count(2)
    give(host, kind="cancel")
    expect(region(host, "board").locator(".asked")).to_have_count(0)
    table.on_loop(lambda session: session.pick("do:walk"))
    press(host, region(host, "board").get_by_role("button", name="mill"))
    assert table.on_loop(lambda session: session.snapshot.seated and session.snapshot.seated.state.at[0]) == "mill"


def test_a_paused_table_goes_on_where_it_was(table: RunningTable, open_page: Opening) -> None:
    start_tiny(table)
    host = open_page(f"{table.address}/host").page
    phone = open_page(f"{table.address}/", PHONE).page
    give(host, kind="pause")
    expect(region(phone, "turn")).to_contain_text("paused")
    expect(order_button(host, kind="deal")).to_have_count(0)
    give(host, kind="resume")
    expect(order_button(host, kind="deal")).to_be_enabled()


def test_the_table_overrules_the_companion(table: RunningTable, open_page: Opening) -> None:
    start_tiny(table)
    phone = open_page(f"{table.address}/", PHONE).page
    host = open_page(f"{table.address}/host/correct").page
    host.get_by_text("lamps").click()
    host.locator("[data-part=lamps][data-key=dune]").select_option("lit")
    host.get_by_text("storm").first.click()
    host.locator("[data-part=storm]").select_option("3")
    host.get_by_role("button", name="Correct").click()
    expect(region(phone, "board").locator("[data-condition=dark]")).to_have_count(0)
    expect(region(phone, "meters")).to_contain_text("mark 3 of 4")
    assert table.on_loop(lambda session: session.snapshot.seated and session.snapshot.seated.state.at) == (
        "pier",
        "pier",
    )
    expect(host.locator("[data-part=storm]")).to_have_value("3")


def test_a_form_that_is_being_filled_in_is_not_taken_away(table: RunningTable, open_page: Opening) -> None:
    start_tiny(table)
    host = open_page(f"{table.address}/host/correct").page
    host.get_by_text("storm").first.click()
    host.locator("[data-part=storm]").select_option("3")
    table.on_loop(lambda session: session.play({"do": "walk", "places": ["dune"]}))
    expect(host.locator(".moved-on")).to_contain_text("The table has moved on")
    expect(host.locator("[data-part=storm]")).to_have_value("3")
    host.get_by_role("button", name="Start over").click()
    expect(host.locator(".moved-on")).to_have_count(0)
    expect(host.locator("[data-part=storm]")).to_have_value("1")


def test_two_hosts_at_once_are_told_that_the_table_moved_on(table: RunningTable, open_page: Opening) -> None:
    start_tiny(table)
    opened = open_page(f"{table.address}/host")
    opened.forgiven += ["409", "503"]
    host = opened.page
    host.route("**/host/live/play", lambda route: route.fulfill(status=503))
    with host.expect_response(lambda response: response.status == 503):
        table.ring()
    table.on_loop(lambda session: session.play({"do": "walk", "places": ["dune"]}))
    order_button(host, kind="deal").click()
    expect(host.get_by_role("status")).to_contain_text("The table has moved on. Look again, then decide.")
    host.unroute("**/host/live/play")
    table.ring()
    expect(region(host, "seats")).to_contain_text("dune")
    expect(region(host, "turn")).to_contain_text("otter")
    give(host, kind="deal")
    expect(host.get_by_role("status")).not_to_contain_text("The table has moved on")


def test_a_phone_recovers_by_itself_when_the_companion_starts_again(tmp_path: Path, open_page: Opening) -> None:
    port = free_port()
    with running(tmp_path, port) as table:
        start_tiny(table)
        watched = open_page(f"{table.address}/host", PHONE)
        watched.forgiven += ["ERR_CONNECTION_REFUSED", "ERR_INCOMPLETE_CHUNKED_ENCODING", "ERR_CONNECTION_RESET"]
        connected(watched.page)
    page = watched.page
    expect(page.locator("#link")).to_have_text("Connecting…")
    expect(order_button(page, kind="deal")).to_have_attribute("aria-disabled", "true")
    with running(tmp_path, port) as table:
        connected(page)
        give(page, kind="deal")
        expect(region(page, "turn")).to_contain_text("heron")


def test_silence_greys_the_page_and_a_beat_heals_it(tmp_path: Path, open_page: Opening) -> None:
    bell = Bell(beat_seconds=600)
    with running(tmp_path, bell=bell) as table:
        page = open_page(f"{table.address}/", PHONE).page
        page.clock.install(time=0)
        page.clock.pause_at(600_000)  # only the test's own seconds pass from here
        page.reload()
        connected(page)
        page.clock.fast_forward(24_000)
        connected(page)
        table.desk.bell.listen = _deaf  # type: ignore[method-assign, assignment]  # a link that looks open and is dead
        page.clock.fast_forward(3_000)
        expect(page.locator("#link")).to_contain_text(re.compile(r"Not connected since \d+:\d\d"))
        del table.desk.bell.listen
        page.clock.fast_forward(30_000)
        connected(page)


async def _deaf() -> None:  # pragma: no cover - replaced before anyone listens
    raise NotImplementedError


def test_a_sleeping_phone_hangs_up_and_is_right_when_it_wakes(table: RunningTable, open_page: Opening) -> None:
    start_tiny(table)
    phone = open_page(f"{table.address}/", PHONE).page
    connected(phone)
    phone.evaluate(
        """() => {
          Object.defineProperty(document, 'hidden', {configurable: true, get: () => window.asleep === true});
          window.asleep = true;
          document.dispatchEvent(new Event('visibilitychange'));
        }"""
    )
    expect_listeners(table, 0)
    before = revision(phone)
    table.on_loop(lambda session: session.deal())
    phone.wait_for_timeout(100)
    assert revision(phone) == before
    phone.evaluate("() => { window.asleep = false; document.dispatchEvent(new Event('visibilitychange')); }")
    expect(region(phone, "turn")).to_contain_text("heron")
    expect_listeners(table, 1)


def expect_listeners(table: RunningTable, count: int) -> None:
    for _ in range(300):
        if table.on_loop(lambda _session: table.desk.bell.listeners) == count:
            return
    raise AssertionError(f"{table.desk.bell.listeners} phones listen, not {count}")


def test_a_page_of_another_build_reloads_itself(table: RunningTable, open_page: Opening) -> None:
    phone = open_page(f"{table.address}/", PHONE).page
    connected(phone)
    phone.evaluate("() => { window.old = true; document.getElementById('main').dataset.build = 'older'; }")
    with phone.expect_navigation():
        table.ring()
    connected(phone)
    assert phone.evaluate("window.old") is None


def test_focus_stays_where_it_was_when_the_table_changes(table: RunningTable, open_page: Opening) -> None:
    start_tiny(table)
    host = open_page(f"{table.address}/host").page
    order_button(host, kind="pause").focus()
    table.on_loop(lambda session: session.play({"do": "walk", "places": ["dune"]}))
    expect(order_button(host, kind="undo")).to_be_enabled()
    expect(order_button(host, kind="pause")).to_be_focused()


def test_a_phone_is_let_in_with_the_pin(table: RunningTable, open_page: Opening) -> None:
    watched = open_page(f"{table.address}/", PHONE, extra_http_headers={"X-Forwarded-For": "192.168.1.20"})
    watched.forgiven += ["403"]
    phone = watched.page
    expect(phone.get_by_role("link", name="Play")).to_have_count(0)
    phone.get_by_role("link", name="Act for the table").click()
    phone.get_by_label("PIN").fill("000000")
    phone.get_by_role("button", name="Let me in").click()
    expect(phone.get_by_role("status")).to_contain_text("That is not the PIN on the panel.")
    phone.get_by_label("PIN").fill(PIN)
    phone.get_by_role("button", name="Let me in").click()
    phone.locator("#more-pages > summary").click()
    expect(phone.get_by_role("link", name="Correct")).to_be_visible()


def test_language_and_looks_are_chosen_on_the_phone(table: RunningTable, open_page: Opening) -> None:
    phone = open_page(f"{table.address}/", PHONE, color_scheme="light").page
    expect(region(phone, "turn")).to_contain_text("No game is on the table yet")
    light = phone.evaluate("getComputedStyle(document.body).backgroundColor")
    for choice in ("Български", "Тъмни", "Най-голям"):
        phone.locator("#preferences summary").click()
        phone.get_by_role("link", name=choice).click()
    expect(region(phone, "turn")).to_contain_text("На масата още няма игра")
    assert phone.evaluate("document.documentElement.lang") == "bg"
    assert phone.evaluate("getComputedStyle(document.body).backgroundColor") != light
    assert phone.evaluate("parseFloat(getComputedStyle(document.documentElement).fontSize)") > 20
    assert phone.evaluate("document.documentElement.scrollWidth") <= 320

"""What went wrong on other tables' phones, as their users reported it, does not here: each test names the report."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Route, expect

from tests.journeys.conftest import PHONE, Opening
from tests.journeys.pages import connected, order_button, region, revision
from tests.journeys.phones import RESTART, fall_asleep, scan_the_code, wake
from tests.ports import free_port
from tests.web.stand import RunningTable, running


def start_tiny(table: RunningTable) -> None:
    table.on_loop(lambda session: session.start("tiny", {"players": ["otter", "heron"], "seed": "1", "dark": "dune"}))


def test_what_is_pressed_without_a_link_is_said_to_be_unsent_and_is_never_sent_later(
    tmp_path: Path, open_page: Opening
) -> None:
    """https://github.com/boardgameio/boardgame.io/issues/672 and 713, and
    https://github.com/freeboardgames/FreeBoardGames.org/issues/551: moves of a lost link were applied, never sent."""
    port = free_port()
    with running(tmp_path, port) as table:
        start_tiny(table)
        watched = scan_the_code(table, open_page)
        watched.forgiven += RESTART
        page = watched.page
        before = revision(page)
    expect(order_button(page, kind="deal")).to_have_attribute("aria-disabled", "true")
    order_button(page, kind="deal").dispatch_event("click")
    expect(page.locator(".said-here")).to_contain_text("nothing was sent")
    assert revision(page) == before
    with running(tmp_path, port) as table:
        connected(page)
        expect(page.locator(".said-here")).to_have_count(0)
        expect(page.locator("#regions")).not_to_have_attribute("data-revision", before)
        assert table.on_loop(lambda session: session.snapshot.seated and not session.snapshot.seated.can_undo)


def test_an_order_that_is_not_answered_is_told_at_its_button(table: RunningTable, open_page: Opening) -> None:
    """https://github.com/boardgameio/boardgame.io/issues/828: a move was rejected and its player never knew."""
    start_tiny(table)
    watched = scan_the_code(table, open_page)
    watched.forgiven += ["ERR_FAILED"]
    page = watched.page
    page.route("**/commands", lambda route: route.abort())
    order_button(page, kind="deal").click()
    expect(page.locator(".said-here")).to_contain_text("The table does not answer")
    page.unroute("**/commands")
    connected(page)
    order_button(page, kind="deal").click()
    expect(page.locator(".said-here")).to_have_count(0)


def test_a_double_tap_plays_once(table: RunningTable, open_page: Opening) -> None:
    """https://github.com/boardgameio/boardgame.io/issues/1091: a move ran twice, and a random card was drawn twice."""
    start_tiny(table)
    page = scan_the_code(table, open_page).page
    page.evaluate(
        """() => {
          const button = document.querySelector('#region-controls [data-command*=\\'"deal"\\']');
          for (let taps = 0; taps < 5; taps++) button.click();
        }"""
    )
    expect(region(page, "turn")).to_contain_text("heron")
    assert table.on_loop(lambda session: session.snapshot.seated and session.snapshot.seated.state.turn) == 2


def test_a_page_that_wakes_takes_a_new_stream_and_looks_again(table: RunningTable, open_page: Opening) -> None:
    """https://github.com/rcarmo/piclaw/pull/65, https://github.com/catatafishen/agentbridge/pull/165 and
    https://github.com/bigskysoftware/htmx/pull/3640: iOS wakes with a stream that looks open and is dead."""
    start_tiny(table)
    page = scan_the_code(table, open_page).page
    with page.expect_request("**/bell"), page.expect_request("**/host/live/play*"):
        fall_asleep(page)
        wake(page)
    with page.expect_request("**/bell"), page.expect_request("**/host/live/play*"):
        page.evaluate("window.dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))")
    connected(page)


def test_a_page_never_gives_the_table_up(table: RunningTable, open_page: Opening) -> None:
    """https://github.com/GoogleCloudPlatform/scion/pull/1258: a page gave up after ten tries and was deaf for ever."""
    watched = open_page(f"{table.address}/", PHONE)
    watched.forgiven += ["ERR_FAILED", "ERR_"]
    page = watched.page
    page.clock.install()
    tries: list[str] = []

    def refuse(route: Route) -> None:
        tries.append(route.request.url)
        route.abort()

    page.route("**/bell", refuse)
    page.reload()
    for _ in range(14):
        seen = len(tries)
        page.clock.fast_forward(5000)
        page.wait_for_timeout(1)
        while len(tries) == seen:
            page.wait_for_timeout(20)
    expect(page.locator("#link")).not_to_have_attribute("data-state", "live")
    page.unroute("**/bell")
    page.clock.fast_forward(5000)
    connected(page)


def test_pages_that_nobody_sees_hold_no_stream(table: RunningTable, open_page: Opening) -> None:
    """https://github.com/freenet/freenet-core/issues/5213: the seventh tab hung: six connections are all."""
    first = open_page(f"{table.address}/").page
    for _ in range(8):
        connected(first)
        fall_asleep(first)
        another = first.context.new_page()
        another.goto(f"{table.address}/")
        first = another
    connected(first)


def test_the_page_works_where_only_http_is(table: RunningTable, open_page: Opening) -> None:
    """https://github.com/richtr/NoSleep.js/issues/148 and
    https://github.com/mdn/dom-examples/issues/83: what browsers offer to https alone is missing here."""
    start_tiny(table)
    ticket = table.on_loop(lambda _session: table.desk.pins.ticket)
    page = open_page(f"{table.address}/", PHONE, extra_http_headers={"X-Forwarded-For": "192.168.1.20"}).page
    page.add_init_script(
        """Object.defineProperty(window, 'isSecureContext', {get: () => false});
        delete Crypto.prototype.randomUUID; delete Crypto.prototype.subtle;
        for (const name of ['wakeLock', 'serviceWorker', 'clipboard', 'share']) {
          Object.defineProperty(Navigator.prototype, name, {get: () => undefined});
        }"""
    )
    page.goto("about:blank")
    page.goto(f"{table.address}/#{ticket}")
    page.wait_for_url("**/host")
    connected(page)
    order_button(page, kind="deal").click()
    expect(region(page, "turn")).to_contain_text("heron")


def test_a_notice_is_read_out_once_however_often_the_page_looks_again(table: RunningTable, open_page: Opening) -> None:
    """https://github.com/Tarmslitaren/FrosthavenAssistant/issues/65: a one-off alert came again with each update."""
    start_tiny(table)
    page = scan_the_code(table, open_page).page
    table.on_loop(lambda session: session.play({"do": "correct", "storm": 4}))
    expect(page.locator("#alert")).not_to_be_empty()
    page.reload()
    connected(page)
    table.ring()
    expect(page.locator("#alert")).to_be_empty()


def test_the_ticket_leaves_the_address_at_once(table: RunningTable, open_page: Opening) -> None:
    """A photo of a phone's screen, or its history, lets nobody in: the ticket is gone before anything is shown."""
    page = scan_the_code(table, open_page).page
    assert "#" not in page.url
    page.go_back()
    assert table.desk.pins.ticket not in page.url

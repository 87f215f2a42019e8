"""Phones of people at the table: let in by the QR code, seated, asleep, played on."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect

from tests.journeys.conftest import PHONE, Opening, Watched
from tests.journeys.pages import connected, region
from tests.web.stand import RunningTable

AFAR = {"X-Forwarded-For": "192.168.1.20"}
"""What makes a browser on this machine a phone elsewhere."""
RESTART = ["ERR_CONNECTION_REFUSED", "ERR_INCOMPLETE_CHUNKED_ENCODING", "ERR_CONNECTION_RESET", "ERR_EMPTY_RESPONSE"]


def scan_the_code(table: RunningTable, open_page: Opening, **options: Any) -> Watched:
    """A phone that scanned the QR code: it is let in, and on the page to play."""
    ticket = table.on_loop(lambda _session: table.desk.pins.ticket)
    watched = open_page(f"{table.address}/#{ticket}", PHONE, extra_http_headers=AFAR, **options)
    watched.page.wait_for_url("**/host")
    connected(watched.page)
    return watched


def sit(page: Page, seat: str) -> None:
    """Take a seat on the page."""
    button = page.locator(f"""#region-me [data-command='{{"kind": "sit", "seat": "{seat}"}}']""")
    if not button.is_visible():
        page.locator("#seats-of-all > summary, #choose-seat > summary").click()
    button.click()
    expect(region(page, "me").locator(".mine")).not_to_have_count(0)


def fall_asleep(page: Page) -> None:
    """Switch the phone's screen off, as far as the page can tell."""
    page.evaluate(
        """() => {
          Object.defineProperty(document, 'hidden', {configurable: true, get: () => window.asleep === true});
          window.asleep = true;
          document.dispatchEvent(new Event('visibilitychange'));
        }"""
    )


def wake(page: Page) -> None:
    """Switch it on again."""
    page.evaluate("() => { window.asleep = false; document.dispatchEvent(new Event('visibilitychange')); }")


PRESS_ONE = """async ([others, seed]) => {
  let chance = seed;
  const next = () => (chance = (chance * 1103515245 + 12345) % 2147483648) / 2147483648;
  const pause = () => new Promise((resume) => setTimeout(resume, 10));
  const regions = () => document.getElementById('regions').dataset;
  const began = regions().revision;
  const late = Date.now() + 60000;
  const ready = async () => {
    while (document.querySelector('[data-held]')) {
      if (Date.now() > late) throw new Error('the buttons stay held');
      await pause();
    }
  };
  for (let presses = 0; presses < 10 && regions().revision === began; presses++) {
    await ready();
    const room = document.getElementById('region-controls');
    const folded = room.querySelector('#for-others');
    const here = (button) => !folded?.contains(button) === !others || regions().asking === 'yes';
    const all = [...room.querySelectorAll('.options button, .others > button, .primary[data-command]')].filter(here);
    if (!all.length) return 'nothing';
    const deal = all.find((button) => button.dataset.command?.includes('"deal"'));
    const button = deal && next() < 0.5 ? deal : all[Math.floor(next() * all.length)];
    const before = room.dataset.rev;
    button.click();
    while (regions().revision === began && document.getElementById('region-controls').dataset.rev === before) {
      if (Date.now() > late) throw new Error(`nothing came of ${button.outerHTML}`);
      await pause();
    }
  }
  await ready();
  return 'played';
}"""


def press_one(page: Page, seed: int, *, for_others: bool = False) -> bool:
    """Press buttons until a command is played, for the own seat or for someone else; False: there are none."""
    return bool(page.evaluate(PRESS_ONE, [for_others, seed]) == "played")

"""What the journeys do on a page, in their own words."""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import Locator, Page, expect


def revision(page: Page) -> str:
    shown: str = page.locator("#regions").get_attribute("data-revision") or ""
    return shown


def region(page: Page, name: str) -> Locator:
    return page.locator(f"#region-{name}")


def order_button(page: Page, **order: Any) -> Locator:
    """The button that gives exactly this order."""
    text = json.dumps(order)
    return page.locator(f"#region-controls [data-command={json.dumps(text)}]")


def give(page: Page, **order: Any) -> None:
    """Press the button of an order and wait until the page shows what came of it."""
    press(page, order_button(page, **order))


def press(page: Page, button: Locator) -> None:
    before = revision(page)
    button.click()
    page.wait_for_function("before => document.getElementById('regions').dataset.revision !== before", arg=before)


def tell_more(page: Page, button: Locator) -> None:
    """Press a button that leads on to more buttons; only this page shows it."""
    button.click()
    expect(page.locator("#regions")).to_have_attribute("data-asking", "yes")


def step_button(page: Page, *steps: str) -> Locator:
    """The button that tells exactly these steps."""
    return page.locator(f"#region-controls [data-steps={json.dumps(json.dumps(steps))}]")


def connected(page: Page) -> None:
    expect(page.locator("#link")).to_have_attribute("data-state", "live")

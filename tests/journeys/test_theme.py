"""The reader's wish decides between light and dark; without a wish, the device does."""

from __future__ import annotations

import pytest

from tests.journeys.conftest import PHONE, Opening
from tests.web.stand import RunningTable

BRIGHTNESS = """() => getComputedStyle(document.body).backgroundColor.match(/\\d+/g).slice(0, 3)
  .reduce((sum, part) => sum + Number(part), 0) / 3"""


@pytest.mark.parametrize("device", ["light", "dark"])
@pytest.mark.parametrize("wish", ["auto", "light", "dark"])
def test_a_wish_decides_and_else_the_device(table: RunningTable, open_page: Opening, device: str, wish: str) -> None:
    page = open_page(f"{table.address}/", PHONE, color_scheme=device).page
    page.goto(f"{table.address}/preferences?theme={wish}&back=/")
    expected = device if wish == "auto" else wish
    assert (page.evaluate(BRIGHTNESS) < 128) == (expected == "dark")

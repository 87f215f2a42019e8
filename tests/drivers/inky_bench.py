"""The library's own drivers on a bench, with a faked panel at the end of their wires."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from PIL import Image

from companion.ports import PanelModel
from drivers.inky_models import INKY_DRIVERS
from drivers.inky_panel import InkyPanel
from simulator.fake_spi import FakePanel

MODULES = sorted({driver.module for driver in INKY_DRIVERS.values()})
ONE_A_MODULE = [next(name for name, driver in INKY_DRIVERS.items() if driver.module == module) for module in MODULES]


@dataclass
class Bench:
    """A panel under test and the fake at the end of its wires."""

    panel: InkyPanel
    fake: FakePanel


Make = Callable[..., Bench]


def noisy_picture(model: PanelModel, size: tuple[int, int] | None = None) -> Image.Image:
    """Random pixels in all inks, so that a wrong turn, shift or index cannot go unseen."""
    size = size or model.size
    return Image.frombytes("P", size, noise(bytes(index for _, index in model.palette.inks), size[0] * size[1]))


@cache
def noise(inks: bytes, length: int) -> bytes:
    return bytes(random.Random(7).choices(inks, k=length))

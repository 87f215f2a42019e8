"""What several tests of drivers start from."""

from __future__ import annotations

import importlib
from typing import Any

import pytest

from companion.ports import PANEL_MODELS, Ink
from drivers.inky_panel import InkyPanel, PanelWires
from simulator.fake_spi import FakePanel, VirtualTime
from tests.drivers.inky_bench import MODULES, Bench, Make


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> VirtualTime:
    """The time of every inky driver, which passes by sleeping only."""
    virtual = VirtualTime()
    for module in MODULES:
        monkeypatch.setattr(importlib.import_module(module), "time", virtual)
    return virtual


@pytest.fixture
def make(time: VirtualTime) -> Make:
    def connect(name: str, *, auto: bool = False, rotation: Any = 0, border: Ink = Ink.WHITE, **fake: Any) -> Bench:
        model = PANEL_MODELS[name]
        far_end = FakePanel(model, time, **fake)
        wires = PanelWires(far_end.gpio, far_end.spi, far_end.i2c)
        panel = InkyPanel(
            None if auto else model,
            rotation=rotation,
            border=border,
            wires=wires,
            clock=time.monotonic,
            sleep=time.sleep,
        )
        return Bench(panel, far_end)

    return connect

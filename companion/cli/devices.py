"""The devices of a table: the settings' real ones, or the simulator's stand-ins behind the same drivers."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from fastapi import APIRouter

from companion.cli.readers import scanner
from companion.i18n.translator import Translator
from companion.panel.worker import Clockwork
from companion.ports import PANEL_MODELS, Buttons, Happening, Panel, PanelModel, Scanner, Signal
from companion.reader_settings import AUTO, LINE, ReaderSettings
from companion.rules.game import AnyGame
from companion.settings import (
    AUTO_PANEL,
    NO_PANEL,
    SOFTWARE_PANEL,
    ButtonSettings,
    PanelSettings,
    Settings,
)
from companion.table.box import box_of
from companion.table.meaning import Meaning, label_of
from companion.table.table import Clocks

if TYPE_CHECKING:
    from drivers.clockwork import Clockwork as DriverClockwork
    from simulator.recording import Recorder

CODES = "codes"
"""What a simulated code scanner speaks."""

SIMULATED_SLOWNESS = 0.1
"""A simulated picture takes a tenth of a real one's time: e-ink's slowness shows, and nobody waits for it."""


@dataclass(frozen=True, slots=True)
class TableClocks:
    """The time in which the table lives."""

    session: Clocks = field(default_factory=Clocks)
    panel: Clockwork = field(default_factory=Clockwork)


@dataclass(frozen=True, slots=True)
class Devices:
    """Everything beside the table; ``tags`` are known from the start, ``pages`` are the simulator's."""

    scanners: tuple[Scanner, ...] = ()
    buttons: Buttons | None = None
    panel: Panel | None = None
    signal: Signal | None = None
    tags: Mapping[str, Meaning] | None = None
    pages: tuple[APIRouter, ...] = ()
    clocks: TableClocks = field(default_factory=TableClocks)
    heard: Callable[[Happening], None] | None = None
    """Hears all that the devices tell, in their threads."""

    def stop(self) -> None:
        """Release readers, buttons and signal; the panel is closed by the thread that uses it."""
        for device in (*self.scanners, self.buttons, self.signal):
            if device is not None:
                device.stop()


def real_devices(settings: Settings, recorder: Recorder | None = None) -> Devices:
    """The devices that the settings name; ``recorder`` writes down what they send."""
    model = _model(settings)
    return Devices(
        scanners=tuple(scanner(reader, recorder) for reader in settings.readers),
        buttons=_buttons(settings.buttons, model, recorder) if settings.buttons.enabled else None,
        panel=_panel(settings.panel),
        signal=_signal(settings, model),
        heard=_heard(recorder, settings.readers),
    )


def _heard(recorder: Recorder | None, readers: tuple[ReaderSettings, ...]) -> Callable[[Happening], None] | None:
    from companion.cli.recording import describe, heard

    if recorder is None:
        return None
    describe(recorder, readers)
    return heard(recorder)


def _buttons(settings: ButtonSettings, model: PanelModel | None, recorder: Recorder | None) -> Buttons:
    from drivers.buttons import GpioButtons

    time = _edges(recorder)
    return GpioButtons(settings.pins(model), taken=_taken(model), chip=settings.chip, clockwork=time)


def _edges(recorder: Recorder | None) -> DriverClockwork:
    from companion.cli.recording import recorded_edges
    from drivers.clockwork import REAL

    return REAL if recorder is None else recorded_edges(recorder)


def _signal(settings: Settings, model: PanelModel | None) -> Signal | None:
    signal = settings.signal
    if signal.light is None and signal.buzzer is None:
        return None
    from drivers.signal import GpioSignal

    return GpioSignal(
        light=signal.light,
        buzzer=signal.buzzer,
        tones=signal.tones,
        taken=_taken(model),
        chip=settings.buttons.chip,
    )


def _taken(model: PanelModel | None) -> frozenset[int]:
    return model.pins if model is not None else frozenset()


def _model(settings: Settings) -> PanelModel | None:
    """The panel that needs pins of its own; None where there is none, or none can be told (which it says itself).

    It is asked what it is only where anything else is on the pins.
    """
    panel, signal = settings.panel, settings.signal
    if panel.model != AUTO_PANEL:
        return PANEL_MODELS.get(panel.model)
    if not settings.buttons.enabled and signal.light is None and signal.buzzer is None:
        return None
    from drivers.inky_models import PanelMissing, identify

    try:
        return identify()
    except PanelMissing:
        return None


def _panel(settings: PanelSettings) -> Panel | None:
    if settings.model == NO_PANEL:
        return None
    if settings.model == SOFTWARE_PANEL:
        from simulator.software_panel import SoftwarePanel

        return SoftwarePanel(PANEL_MODELS[settings.like], slowness=SIMULATED_SLOWNESS)
    from drivers.inky_panel import InkyPanel

    model = None if settings.model == AUTO_PANEL else PANEL_MODELS[settings.model]
    return InkyPanel(model, rotation=settings.rotation, border=settings.border)


@dataclass(frozen=True, slots=True)
class Simulation:
    """What simulated devices are for: the boxes of games; ``recorder`` writes down what they send."""

    games: Mapping[str, AnyGame]
    translator: Translator
    recorder: Recorder | None = None


def simulated_devices(settings: Settings, simulation: Simulation, put_away: ExitStack) -> Devices:
    """Readers on a pty, mock pins and a software panel, read and pressed by the real drivers; their page at /sim.

    The readers are those of the settings, each in the protocol that it has there; one of lines where there is none.
    """
    from companion.cli.simulation.stand import tags_of
    from drivers.buttons import GpioButtons
    from simulator.page import router
    from simulator.table import ONE_READER, SimulatedTable
    from simulator.tags import Piece, fake_tag

    games, translator, recorder = simulation.games, simulation.translator, simulation.recorder
    meanings = dict.fromkeys(piece.meaning for game in games.values() for piece in box_of(game).pieces)
    pieces = [Piece(fake_tag(str(each)), each.kind, str(each), translator.say(label_of(each))) for each in meanings]
    folder = Path(put_away.enter_context(tempfile.TemporaryDirectory(prefix="simulated-table-")))
    speaking = {reader.name: _spoken(reader) for reader in settings.readers} or ONE_READER
    model = PANEL_MODELS[settings.panel.like]
    table = SimulatedTable(pieces, folder, model, slowness=SIMULATED_SLOWNESS, speaking=speaking)
    put_away.callback(table.close)
    usual = (ReaderSettings("reader", "", LINE, gone_after=0.5),)
    read = tuple(replace(each, port=str(table.readers[each.name].port)) for each in settings.readers or usual)
    return Devices(
        scanners=tuple(scanner(reader, recorder) for reader in read),
        buttons=GpioButtons(table.buttons.pins, pin_factory=table.buttons.factory, clockwork=_edges(recorder)),
        panel=table.panel,
        signal=table.signal,
        tags=tags_of(games),
        pages=(router(table),),
        heard=_heard(recorder, read),
    )


def _spoken(reader: ReaderSettings) -> str:
    """What a simulated reader of these settings speaks."""
    if reader.protocol in (AUTO, LINE):
        return CODES if reader.format == "text" else LINE
    return reader.protocol

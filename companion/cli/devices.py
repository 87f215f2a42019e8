"""The devices of a table: the settings' real ones, or the simulator's stand-ins behind the same drivers."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from fastapi import APIRouter

from companion.i18n.translator import Translator
from companion.ports import PANEL_MODELS, Buttons, Panel, PanelModel, Scanner, Signal
from companion.rules.game import AnyGame, Thing
from companion.settings import (
    AUTO_PANEL,
    NO_PANEL,
    SOFTWARE_PANEL,
    PanelSettings,
    ReaderSettings,
    Settings,
)

SIMULATED_SLOWNESS = 0.1
"""A simulated picture takes a tenth of a real one's time: e-ink's slowness shows, and nobody waits for it."""


@dataclass(frozen=True, slots=True)
class Devices:
    """Everything beside the table; ``tags`` are known from the start, ``pages`` are the simulator's."""

    scanners: tuple[Scanner, ...] = ()
    buttons: Buttons | None = None
    panel: Panel | None = None
    signal: Signal | None = None
    tags: Mapping[str, Thing] | None = None
    pages: tuple[APIRouter, ...] = ()

    def stop(self) -> None:
        """Release readers, buttons and signal; the panel is closed by the thread that uses it."""
        for device in (*self.scanners, self.buttons, self.signal):
            if device is not None:
                device.stop()


def real_devices(settings: Settings) -> Devices:
    """The devices that the settings name."""
    from drivers.signal import GpioSignal, SilentSignal

    buttons = settings.buttons
    lit = settings.signal.light is not None or settings.signal.buzzer is not None
    signal = GpioSignal(light=settings.signal.light, buzzer=settings.signal.buzzer, chip=buttons.chip)
    return Devices(
        scanners=tuple(_reader(reader) for reader in settings.readers),
        buttons=_buttons(settings) if buttons.enabled else None,
        panel=_panel(settings.panel),
        signal=signal if lit else SilentSignal(),
    )


def _reader(settings: ReaderSettings) -> Scanner:
    from drivers.line_decoder import LineDecoder, LineFormat
    from drivers.presence import PassingTags, RestingTags
    from drivers.serial_port import PortSettings
    from drivers.serial_reader import SerialReader

    decoder = LineDecoder(LineFormat(settings.format), settings.idle)
    port = PortSettings(settings.port, settings.baud)
    if settings.mode == "once":
        return SerialReader(settings.name, port, decoder, PassingTags(settings.name, settings.repeat_gap))
    return SerialReader(settings.name, port, decoder, RestingTags(settings.name, settings.gone_after))


def _buttons(settings: Settings) -> Buttons:
    from drivers.buttons import GpioButtons

    buttons = settings.buttons
    return GpioButtons(buttons.pins(_model(settings.panel)), chip=buttons.chip)


def _model(settings: PanelSettings) -> PanelModel | None:
    """The panel that the buttons are beside; None where it is none, or cannot be told (which the panel says itself)."""
    if settings.model != AUTO_PANEL:
        return PANEL_MODELS.get(settings.model)
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
    return InkyPanel(model, rotation=settings.rotation)


def simulated_devices(
    settings: Settings, games: Mapping[str, AnyGame], translator: Translator, put_away: ExitStack
) -> Devices:
    """A reader on a pty, mock pins and a software panel, read and pressed by the real drivers; its page at /sim."""
    from drivers.buttons import GpioButtons
    from simulator.page import router
    from simulator.table import SimulatedTable
    from simulator.tags import Piece, fake_tag

    things = [Thing(tagged.kind, name) for game in games.values() for tagged in game.tagged() for name in tagged.names]
    pieces = [Piece(fake_tag(str(thing)), thing.kind, thing.name, translator.name(thing.name)) for thing in things]
    folder = Path(put_away.enter_context(tempfile.TemporaryDirectory(prefix="simulated-table-")))
    table = SimulatedTable(pieces, folder, PANEL_MODELS[settings.panel.like], slowness=SIMULATED_SLOWNESS)
    put_away.callback(table.close)
    return Devices(
        scanners=(_reader(ReaderSettings("reader", str(table.reader.port))),),
        buttons=GpioButtons(table.buttons.pins, pin_factory=table.buttons.factory),
        panel=table.panel,
        tags={fake_tag(str(thing)): thing for thing in things},
        pages=(router(table),),
    )

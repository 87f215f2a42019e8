"""Playing a record again: its bytes and edges go through the real drivers in virtual time, which must tell the same."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import zip_longest

from companion.cli.readers import interpreter
from companion.cli.recording import FIELDS, NOT_SET, told
from companion.ports import Button, Buttons, DeviceStatus, Happening, Scanner, button_pins
from companion.reader_settings import AUTO, MANNERS, ReaderSettings
from drivers.buttons import GpioButtons
from drivers.clockwork import Clockwork
from drivers.serial_reader import SerialReader
from simulator.recording import FIRST_LINE, Line, RecordError, read_record
from simulator.script import ScriptError
from simulator.sim_buttons import SimButtons
from simulator.virtual_reader import MutePort
from simulator.world import World

AFTERWARDS_SECONDS = 0.05
"""How long the drivers may still tell of what came last; then the companion that was recorded had ended."""


def is_record(text: str) -> bool:
    """Whether a text is a record, and not a script."""
    return text.startswith(FIRST_LINE)


def replay(text: str) -> str | None:
    """Play a record again; the first thing that was told otherwise than then, None where there is none.

    Raises ScriptError for a record that cannot be read.
    """
    try:
        heads, lines = read_record(text)
        readers = [_settings(words) for words in heads if words[0] == "reader"]
    except RecordError as fault:
        raise ScriptError(str(fault)) from None
    return _difference(_then(lines), _Replay(readers).play(lines))


def _settings(words: tuple[str, ...]) -> ReaderSettings:
    given = dict(zip(FIELDS, words[2:], strict=False))
    if len(given) != len(FIELDS) or given["protocol"] not in (AUTO, *MANNERS):
        raise RecordError(f"expected `reader NAME {' '.join(FIELDS).upper()}`, not `{' '.join(words)}`")

    def number(key: str) -> float | None:
        return None if given[key] == NOT_SET else float(given[key])

    return ReaderSettings(
        words[1],
        f"/dev/{words[1]}",
        given["protocol"],
        format=given["format"],  # type: ignore[arg-type]  # the decoder refuses any other
        baud=None if given["baud"] == NOT_SET else int(given["baud"]),
        mode=None if given["mode"] == NOT_SET else given["mode"],  # type: ignore[arg-type]  # as above
        gone_after=number("gone_after"),
        repeat_gap=number("repeat_gap") or 0.0,
        idle=number("idle"),
    )


class _Replay:
    """The drivers of the table that was recorded, in virtual time."""

    def __init__(self, readers: Iterable[ReaderSettings]) -> None:
        self._world = world = World()
        self._time = Clockwork(world.clock, world.wait, world.take, world.rest, world.thread)
        self._buttons = SimButtons(button_pins(None))
        self._told: list[tuple[str, ...]] = []
        self._ports = {reader.name: MutePort(world) for reader in readers}
        self._drivers = [self._reader(reader) for reader in readers]

    def _reader(self, settings: ReaderSettings) -> SerialReader:
        opening = self._ports[settings.name].open_port
        return SerialReader(
            settings.name, settings.port, interpreter(settings), open_port=opening, clockwork=self._time
        )

    def play(self, lines: list[Line]) -> list[tuple[str, ...]]:
        """What the drivers tell of the lines."""
        buttons = GpioButtons(self._buttons.pins, pin_factory=self._buttons.factory, clockwork=self._time)
        began = self._world.now
        for line in lines:
            self._world.at(began + line.at, self._happening(line))
        drivers: tuple[Scanner | Buttons, ...] = (*self._drivers, buttons)
        for driver in drivers:
            driver.start(self._hear)
        self._world.live((lines[-1].at if lines else 0.0) + AFTERWARDS_SECONDS)
        for driver in drivers:
            driver.stop()
        self._buttons.close()
        return self._told

    def _hear(self, happening: Happening) -> None:
        self._told.append(told(happening))

    def _happening(self, line: Line) -> Callable[[], object]:
        match line.words:
            case ("open", name, _baud) if name in self._ports:
                return self._ports[name].plug
            case ("lost", name) if name in self._ports:
                return self._ports[name].unplug
            case ("<", name, received) if name in self._ports:
                sent = bytes.fromhex(received)
                return lambda: self._ports[name].say(sent)
            case ("button", button, "down" | "up" as way) if button in tuple(Button):
                return lambda: self._touch(Button(button), way == "down")
            case (">", *_):
                return lambda: None
        raise ScriptError(f"line {line.number}: `{' '.join(line.words)}` is nothing that a record tells")

    def _touch(self, button: Button, down: bool) -> None:
        self._buttons.touch(button, down)
        self._world.stir()


def _then(lines: Iterable[Line]) -> list[tuple[int, tuple[str, ...]]]:
    return [(line.number, line.words[1:]) for line in lines if line.words[:1] == (">",)]


def _difference(then: list[tuple[int, tuple[str, ...]]], now: list[tuple[str, ...]]) -> str | None:
    """The first difference, device by device: which of two devices spoke first is not the drivers' doing.

    How devices are is left out: a record does not say what port was there when.
    """
    status = DeviceStatus.__name__
    wanted = [(number, words) for number, words in then if words[0] != status]
    heard = [words for words in now if words[0] != status]
    for device in dict.fromkeys(words[1] for _, words in wanted):
        of_then = [(number, words) for number, words in wanted if words[1] == device]
        of_now = [words for words in heard if words[1] == device]
        for told_then, told_now in zip_longest(of_then, of_now):
            if told_then is None:
                return f"after the last that was told of {device}: now `{' '.join(told_now)}` is told too"
            if told_now != told_then[1]:
                instead = f"`{' '.join(told_now)}`" if told_now else "nothing"
                return f"line {told_then[0]}: `{' '.join(told_then[1])}` was told then, now {instead}"
    unasked = [words for words in heard if words[1] not in {words[1] for _, words in wanted}]
    return f"nothing was told then of {unasked[0][1]}, now `{' '.join(unasked[0])}`" if unasked else None

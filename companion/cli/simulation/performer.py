"""Performing a script's acts at a table, and the mishaps that its faults bring between them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from companion.cli.simulation.stand import Answer, Table
from companion.ports import Button
from simulator.faults import Fault
from simulator.fingers import LONG_PRESS, SHORT_PRESS
from simulator.script import PLAIN, Act, ScriptError, piece_of, read_act
from simulator.tags import fake_tag
from simulator.virtual_reader import tags_seen

TAP_SECONDS = 0.8
TAKEN_IN = 0.2
"""Seconds until what a hand did is taken in."""

PHONES = 2
"""So many phones may fall asleep by chance."""


class Performer:
    """Performs acts at a table; ``answers`` are the phones' last, ``since`` is the revision before the last act.

    ``pieces`` are the text forms of everything that has a tag.
    """

    def __init__(self, table: Table, pieces: frozenset[str]) -> None:
        self.table = table
        self.answers: dict[int, Answer] = {}
        self.since = 0
        self._pieces = pieces
        self._cures: list[tuple[float, Act]] = []
        self._acts: dict[str, Callable[[Act], object]] = {
            "place": self._place,
            "lift": self._lift,
            "tap": self._tap,
            "press": self._press,
            "hold": self._hold,
            "stick": lambda act: self._touch(act, True),
            "free": lambda act: self._touch(act, False),
            "wait": lambda act: table.live(act.number("seconds", 0)),
            "unplug": self._reader_does,
            "plug": self._reader_does,
            "reset": self._reader_does,
            "noise": self._reader_does,
            "cut_power": lambda _act: table.crash(power=True),
            "kill": lambda _act: table.crash(power=False),
            "fill_disk": lambda _act: table.fill_disk(True),
            "empty_disk": lambda _act: table.fill_disk(False),
            "panel_dies": lambda _act: table.panel_is(dead=True),
            "panel_revives": lambda _act: table.panel_is(dead=False),
            "panel_ages": lambda act: table.panel_is(ageing=act.number("percent", 100) / 100),
            "clock_jumps": lambda act: table.jump_clock(act.number("change", 0)),
            "order_play": lambda act: self._order(act, {"kind": "play", "command": json.loads(act.given["json"])}),
            "order_plain": lambda act: self._order(act, {"kind": PLAIN[act.given["order"]]}),
            "order_pick": lambda act: self._order(act, {"kind": "pick", "option": act.given["word"]}),
            "order_start": self._start,
            "order_raw": lambda act: self._order(act, json.loads(act.given["json"])),
            "repeat": self._repeat,
            "sleep": lambda act: table.sleep(_phone(act), True),
            "wake": lambda act: table.sleep(_phone(act), False),
            "fault": self._fault,
            "no_fault": self._fault,
        }

    def perform(self, act: Act) -> None:
        """Perform one act, after the mishaps that come before it. Raises ScriptError for what is not there."""
        self._befall()
        self.since = self.table.revision()
        self._acts[act.name](act)

    def check(self, act: Act) -> None:
        """Raise ScriptError for a reader or a piece that is not there."""
        self._reader(act)
        if "piece" in act.given:
            self._tag(act, self._reader(act))

    # -- the reader
    def _place(self, act: Act) -> None:
        reader = self._reader(act)
        self.table.place(reader, self._tag(act, reader))
        if self.table.chances.strikes(Fault.TWO_TAGS):
            other = self.table.chances.dice(Fault.TWO_TAGS).choice(sorted(self._pieces))
            self.table.place(reader, self._seen(fake_tag(other), reader))

    def _lift(self, act: Act) -> None:
        reader = self._reader(act)
        self.table.lift(reader, self._tag(act, reader) if "piece" in act.given else None)

    def _tap(self, act: Act) -> None:
        self._place(act)
        self.table.live(act.number("seconds", TAP_SECONDS))
        self.table.lift(self._reader(act), None)
        self.table.live(TAKEN_IN)

    def _reader_does(self, act: Act) -> None:
        self.table.reader_does(self._reader(act), act.name)
        self.table.live(TAKEN_IN)

    def _reader(self, act: Act) -> str:
        names = [reader.name for reader in self.table.readers]
        name = act.given.get("reader", names[0])
        if name not in names:
            raise ScriptError(f"{act}: there is no reader {name!r} here, only {', '.join(names)}")
        return name

    def _tag(self, act: Act, reader: str) -> str:
        piece = piece_of(act, self._pieces)
        return act.given["piece"].split()[1].upper() if piece is None else self._seen(fake_tag(piece), reader)

    def _seen(self, tag: str, reader: str) -> str:
        protocol = next(each.protocol for each in self.table.readers if each.name == reader)
        return tags_seen(protocol, tag)[0]

    # -- the buttons
    def _press(self, act: Act) -> None:
        for _ in range(int(act.number("n", 1))):
            self.table.hold(Button(act.given["button"]), SHORT_PRESS, self.table.chances.bounces)
            self.table.live(TAKEN_IN)

    def _hold(self, act: Act) -> None:
        seconds = act.number("seconds", LONG_PRESS)
        self.table.hold(Button(act.given["button"]), seconds, self.table.chances.bounces)
        self.table.live(TAKEN_IN)

    def _touch(self, act: Act, closed: bool) -> None:
        self.table.touch(Button(act.given["button"]), closed)
        self.table.live(TAKEN_IN)

    # -- phones
    def _order(self, act: Act, order: Mapping[str, object]) -> None:
        self.answers[_phone(act)] = self.table.order(_phone(act), order)
        self.table.live(TAKEN_IN)

    def _start(self, act: Act) -> None:
        self._order(act, {"kind": "start", "game": act.given["word"], "setup": json.loads(act.given["json"])})

    def _repeat(self, act: Act) -> None:
        self.answers[_phone(act)] = self.table.repeat(_phone(act))
        self.table.live(TAKEN_IN)

    # -- mishaps
    def _fault(self, act: Act) -> None:
        self.table.set_chance(Fault(act.given["fault"]), act.number("percent", 0) / 100)

    def _befall(self) -> None:
        """What the chances bring before an act, and the cures of earlier mishaps that are due."""
        due = [cure for at, cure in self._cures if at <= self.table.now]
        self._cures = [(at, cure) for at, cure in self._cures if at > self.table.now]
        for cure in due:
            self._acts[cure.name](cure)
        for fault in Fault:
            if fault in _BETWEEN and self.table.chances.strikes(fault):
                self._strike(fault)

    def _strike(self, fault: Fault) -> None:
        dice = self.table.chances.dice(fault)
        reader = dice.choice([each.name for each in self.table.readers])
        slots = {
            "READER": reader,
            "BUTTON": dice.choice(list(Button)).value,
            "N": str(dice.randint(1, PHONES)),
            "SECONDS": str(dice.choice((-86400, -60, 3600, 90000))),
        }
        mishap, cure = _BETWEEN[fault]
        self._acts[(act := read_act(_filled(mishap, slots))).name](act)
        if cure:
            self._cures.append((self.table.now + dice.uniform(2, 20), read_act(_filled(cure, slots))))


_BETWEEN: Mapping[Fault, tuple[str, str]] = {
    Fault.STUCK: ("stick BUTTON", "free BUTTON"),
    Fault.UNPLUGGED: ("unplug READER", "plug READER"),
    Fault.DEAD: ("panel dies", "panel revives"),
    Fault.SLOW: ("panel takes 250 % of its time", "panel takes 100 % of its time"),
    Fault.FULL: ("fill the disk", "empty the disk"),
    Fault.KILLED: ("kill the process", ""),
    Fault.JUMPING: ("clock jumps SECONDS s", ""),
    Fault.ASLEEP: ("phone N sleeps", "phone N wakes"),
}
"""The mishap that each fault brings between two acts, and the act that cures it."""


def mishaps() -> Mapping[Fault, tuple[str, str]]:
    """What befalls a table between two acts, by the fault, and what cures it."""
    return _BETWEEN


def _filled(form: str, slots: Mapping[str, str]) -> str:
    return " ".join(slots.get(word, word) for word in form.split())


def _phone(act: Act) -> int:
    return int(act.given["n"])

"""What stands on a simulated table, and what whoever performs a script can do to it, in virtual and in real time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from companion.ports import PANEL_MODELS, Button
from companion.reader_settings import LINE, ReaderSettings
from companion.rules.game import AnyGame, JsonObject
from companion.table.box import box_of
from companion.table.meaning import Meaning
from simulator.faults import Chances, Fault
from simulator.script import Act, ScriptError
from simulator.table import DIALECTS
from simulator.tags import fake_tag
from simulator.virtual_reader import tags_seen

CODES = "codes"
USUAL_PANEL = "phat-red"


@dataclass(frozen=True, slots=True)
class ReaderKind:
    """A reader: its name, its protocol, and what it stands for, if anything."""

    name: str = "reader"
    protocol: str = LINE
    place: str | None = None

    def settings(self, port: str) -> ReaderSettings:
        """The settings of a reader of this kind at a port."""
        if self.protocol == CODES:
            return ReaderSettings(self.name, port, LINE, format="text", place=self.place)
        return ReaderSettings(self.name, port, self.protocol, place=self.place)


@dataclass(frozen=True, slots=True)
class Stand:
    """How a table is put together; with no readers named there is one that sends lines."""

    seed: int = 0
    language: str = "en"
    panel: str = USUAL_PANEL
    readers: tuple[ReaderKind, ...] = ()

    @property
    def all_readers(self) -> tuple[ReaderKind, ...]:
        """The readers, one at least."""
        return self.readers or (ReaderKind(),)


def stand_of(acts: Iterable[Act]) -> Stand:
    """What a script says of its table. Raises ScriptError for a panel that nobody makes and for a name given twice."""
    stand = Stand()
    for act in acts:
        match act.name:
            case "seed":
                stand = replace(stand, seed=int(act.given["n"]))
            case "language":
                stand = replace(stand, language=act.given["word"])
            case "panel_model":
                stand = replace(stand, panel=act.given["word"])
            case "reader":
                kind = ReaderKind(act.given["reader"], act.given["protocol"], act.given.get("word"))
                stand = replace(stand, readers=(*stand.readers, kind))
    _check(stand)
    return stand


def _check(stand: Stand) -> None:
    if stand.panel not in PANEL_MODELS:
        raise ScriptError(f"panel like {stand.panel}: expected one of {', '.join(PANEL_MODELS)}")
    names = [reader.name for reader in stand.readers]
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise ScriptError(f"reader {twice[0]}: there are two readers of that name")


@dataclass(frozen=True, slots=True)
class Answer:
    """What a phone was answered: the status of HTTP, and the JSON, empty where there was none."""

    status: int
    body: Mapping[str, Any] = field(default_factory=dict)

    @property
    def taken(self) -> bool:
        """Whether the order was carried out."""
        return self.status == 200


class Table(Protocol):
    """A simulated table at work. What a phone asks and what a hand does has been taken in when the call returns."""

    chances: Chances
    readers: tuple[ReaderKind, ...]

    @property
    def now(self) -> float:
        """The table's own seconds."""
        ...

    def live(self, seconds: float) -> None:
        """Let time pass."""
        ...

    def live_until(self, reached: Callable[[], bool], seconds: float) -> bool:
        """Let time pass until something is so, at most for so long; whether it came to be."""
        ...

    def place(self, reader: str, tag: str) -> None:
        """Lay a tag on a reader."""
        ...

    def lift(self, reader: str, tag: str | None) -> None:
        """Take a tag off a reader, or all."""
        ...

    def reader_does(self, reader: str, what: str) -> None:
        """``plug``, ``unplug``, ``reset`` it, or have it make ``noise``."""
        ...

    def hold(self, button: Button, seconds: float, bounces: int) -> None:
        """Hold a button for so long."""
        ...

    def touch(self, button: Button, closed: bool) -> None:
        """Put something on a button, or take it away."""
        ...

    def crash(self, *, power: bool) -> None:
        """Kill the process, or cut all power, and start again."""
        ...

    def set_chance(self, fault: Fault, chance: float) -> None:
        """Let a fault of the wire or of the contacts strike with a chance from 0 to 1."""
        ...

    def fill_disk(self, full: bool) -> None:
        """Leave no room on the disk, or make room."""
        ...

    def panel_is(self, *, dead: bool | None = None, ageing: float | None = None) -> None:
        """Kill the panel or revive it; let its pictures take so many times as long."""
        ...

    def jump_clock(self, seconds: float) -> None:
        """Set the machine's clock forward or back."""
        ...

    def order(self, phone: int, order: JsonObject) -> Answer:
        """Have a phone send an order; what it lacks (id, revision) is what the phone's page would send."""
        ...

    def repeat(self, phone: int) -> Answer:
        """Have a phone send its last order once more, as it was."""
        ...

    def sleep(self, phone: int, asleep: bool) -> None:
        """Put a phone to sleep, or wake it."""
        ...

    def revision(self) -> int:
        """The table's newest revision."""
        ...

    def look(self) -> Mapping[str, Any]:
        """The table's JSON as it is now."""
        ...

    def seen(self, phone: int) -> Mapping[str, Any]:
        """The table's JSON as a phone shows it, empty before it showed any."""
        ...

    def panel_words(self) -> Sequence[str]:
        """The texts that can be read on the panel."""
        ...

    def panel_has_ghost(self) -> bool:
        """Whether an earlier picture shines through."""
        ...

    def panel_is_current(self) -> bool:
        """Whether the panel shows all that it shall show."""
        ...

    def troubles(self) -> Sequence[str]:
        """What went wrong that must not: tracebacks, failed threads."""
        ...


def meanings_of(games: Mapping[str, AnyGame]) -> tuple[Meaning, ...]:
    """Everything in the boxes that has a tag on it."""
    return tuple(dict.fromkeys(piece.meaning for game in games.values() for piece in box_of(game).pieces))


def tags_of(games: Mapping[str, AnyGame]) -> dict[str, Meaning]:
    """The tags of all boxes, by each id that any reader knows them by."""
    found: dict[str, Meaning] = {}
    for meaning in meanings_of(games):
        for protocol in DIALECTS:
            found |= dict.fromkeys(tags_seen(protocol, fake_tag(str(meaning))), meaning)
    return found

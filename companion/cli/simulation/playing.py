"""Playing a script from its first act to its last, or to the first thing that is not as it should be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from companion.cli.simulation.expecting import Expectations, Missed
from companion.cli.simulation.performer import Performer
from companion.cli.simulation.stand import Stand, meanings_of, stand_of
from companion.cli.simulation.virtual_table import VirtualTable
from companion.cli.simulation.watch import Watch, Wrong
from companion.rules.game import AnyGame
from simulator.script import Act, ScriptError, Sort

Games = Mapping[str, AnyGame]


@dataclass(frozen=True, slots=True)
class Fault:
    """Where a script failed: its act, the check that found it (``missed`` for an expectation), and what was there."""

    act: Act
    check: str
    told: str

    def __str__(self) -> str:
        where = f"line {self.act.line}: " if self.act.line else ""
        return f"{where}{self.act}\n  {self.told}"


@dataclass(frozen=True, slots=True)
class Player:
    """What plays acts at a table, and what looks on."""

    table: VirtualTable
    performer: Performer
    watch: Watch
    expectations: Expectations

    def play(self, act: Act) -> Fault | None:
        """Play one line; what was not as it should be, if anything."""
        try:
            if act.name == "sound":
                self.watch.heal()
            elif act.sort is Sort.EXPECTATION:
                self.expectations.meet(act)
            elif act.sort is Sort.ACT:
                self.watch.perform(act)
        except Wrong as wrong:
            return Fault(act, wrong.check, str(wrong))
        except Missed as missed:
            return Fault(act, "missed", str(missed))
        return None


@contextmanager
def virtual_player(stand: Stand, games: Games) -> Iterator[Player]:
    """A fresh virtual table with its player."""
    with TemporaryDirectory(prefix="virtual-table-") as folder:
        table = VirtualTable(stand, games, Path(folder))
        try:
            performer = Performer(table, pieces_of(games))
            yield Player(table, performer, Watch(performer, table), Expectations(performer))
        finally:
            table.close()


def pieces_of(games: Games) -> frozenset[str]:
    """The text forms of everything that has a tag."""
    return frozenset(map(str, meanings_of(games)))


def play_virtually(acts: Sequence[Act], games: Games) -> Fault | None:
    """Play a script in virtual time. Raises ScriptError for what is not there."""
    with virtual_player(stand_of(acts), games) as player:
        check(player.performer, acts)
        for act in acts:
            fault = player.play(act)
            if fault is not None:
                return fault
    return None


def check(performer: Performer, acts: Sequence[Act]) -> None:
    """Raise ScriptError for every act that speaks of what is not there."""
    faults: list[str] = []
    for act in acts:
        try:
            if act.sort is Sort.ACT:
                performer.check(act)
        except ScriptError as fault:
            faults.append(f"line {act.line}: {fault}")
    if faults:
        raise ScriptError("\n".join(faults))

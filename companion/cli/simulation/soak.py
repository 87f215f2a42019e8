"""The soak: evening after evening of random people at a table where everything breaks, watched all the time.

An evening depends on its seed alone. What goes wrong is shrunk to a small script that shows it again.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from companion.cli.simulation.people import People
from companion.cli.simulation.playing import Fault, Games, play_virtually, virtual_player
from companion.cli.simulation.stand import stand_of
from simulator.faults import ON_THE_WIRE
from simulator.faults import Fault as Mishap
from simulator.script import Act, Sort, read_act
from simulator.shrinking import shrunk
from simulator.table import DIALECTS

ACTS = 120
"""Acts in an evening."""

PANELS = ("phat-red", "phat2-black", "phat-black", "what-four-colour", "phat-four-colour")
PERCENT = (0, 0, 1, 3, 8)


@dataclass(frozen=True, slots=True)
class Evening:
    """What came of one evening: all its acts as they were performed, and what was wrong, if anything.

    ``seconds`` is how much virtual time went by; ``trace`` are the revisions after each act.
    """

    seed: int
    acts: tuple[Act, ...]
    seconds: float
    trace: tuple[int, ...]
    fault: Fault | None = None


def evening(seed: int, games: Games, faults: Sequence[Mishap], acts: int = ACTS) -> Evening:
    """Live one evening to its end, or to the first thing that is wrong."""
    opening = [read_act(line) for line in _opening(seed, faults)]
    performed = [act for act in opening if act.sort is Sort.SETUP]
    with virtual_player(stand_of(performed), games) as player:
        people = People(player.table, seed, faults)
        began = player.table.now
        lines = [str(act) for act in opening if act.sort is not Sort.SETUP]
        trace: list[int] = []
        fault = None
        for number in range(acts + 1):
            line = "all is well" if number == acts else lines.pop(0) if lines else people.next_act()
            act = read_act(line)
            performed.append(act)
            fault = player.play(act)
            trace.append(player.table.life.house.session.snapshot.revision)
            if fault is not None:
                break
        return Evening(seed, tuple(performed), player.table.now - began, tuple(trace), fault)


def _opening(seed: int, faults: Sequence[Mishap]) -> list[str]:
    """The table of an evening, and the chances of its wire."""
    dice = random.Random(f"opening {seed}")
    names = dice.sample(("reader", "box", "second"), dice.randint(1, 2))
    readers = [f"reader {name} speaks {dice.choice(sorted(DIALECTS))}" for name in names]
    chances = {fault: dice.choice(PERCENT) for fault in (*ON_THE_WIRE, Mishap.TWO_TAGS, Mishap.BOUNCING)}
    wire = [f"fault {fault} {percent} %" for fault, percent in chances.items() if percent and fault in faults]
    return [f"seed {seed}", f"panel like {dice.choice(PANELS)}", *readers, *wire]


def small_script(found: Evening, games: Games, tried: Callable[[int], object] = lambda _acts: None) -> tuple[Act, ...]:
    """The fewest acts of an evening that show the same fault again; ``tried`` hears how many are left."""
    if found.fault is None:
        raise ValueError("nothing was wrong in this evening")
    kept = [act for act in found.acts if act.sort is Sort.SETUP]
    acts = [act for act in found.acts if act.sort is not Sort.SETUP]
    check = found.fault.check

    def fails(some: Sequence[Act]) -> bool:
        fault = play_virtually((*kept, *some), games)
        same = fault is not None and fault.check == check
        if same:
            tried(len(some))
        return same

    return (*kept, *shrunk(acts, fails))


def as_script(acts: Sequence[Act], found: Evening) -> str:
    """A script of acts, with what it shows."""
    told = str(found.fault).splitlines()[-1].strip() if found.fault else "nothing"
    lines = (f"# found by the soak, seed {found.seed}", f"# {told}", *map(str, acts))
    return "".join(f"{line}\n" for line in lines)

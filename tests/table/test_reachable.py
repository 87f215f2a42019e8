"""Every legal command of every game can be told by buttons alone, by scans, and by a phone's picks."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice, permutations
from typing import Any

import pytest

from companion.rules.game import Thing
from companion.table.gestures import Candidate, candidates
from companion.table.session import Session
from tests.table.sittings import line_of, picks, press, scan, seated, sit_down, state

STEPS_AT_MOST = 8
ORDERS_AT_MOST = 150

ROLES = (["engineer", "navigator"], ["pilot", "messenger", "explorer"], ["diver", "engineer"])
NOVICE = {"difficulty": "novice", "tracking": "everything", "decks": "companion"}
SETUPS: list[tuple[str, dict[str, Any]]] = [
    ("tiny", {"players": ["otter", "heron"]}),
    ("tiny", {"players": ["otter"], "decks": "table"}),
    *(("forbidden_island", {**NOVICE, "players": players}) for players in ROLES),
    *(("forbidden_island", {**NOVICE, "players": ROLES[0], "tracking": how}) for how in ("cards", "island")),
    ("forbidden_island", {**NOVICE, "players": ROLES[1], "decks": "table"}),
]


def positions(game: str, setup: dict[str, Any], seed: int, every: int) -> Iterator[Session]:
    """A session at every so-manieth position of a random game; what is done with it must be undone."""
    session, chance = sit_down(), random.Random(seed)
    session.start(game, {**setup, "seed": seed})
    for thing in [Thing(kind.kind, name) for kind in seated(session).game.tagged() for name in kind.names]:
        session.bind(str(thing), thing)
    for number in range(120):
        legal = session.legal()
        if not legal:
            return
        if number % every == 0:
            yield session
        draws = [command for command in legal if command["do"].startswith("draw")]
        session.play(chance.choice(draws or legal))


def sample(session: Session, chance: random.Random) -> list[Candidate]:
    """Some commands of every verb that can be told now."""
    by_verb: dict[str, list[Candidate]] = {}
    for one in candidates(line_of(session)):
        by_verb.setdefault(one.mentions.verb, []).append(one)
    return [one for group in by_verb.values() for one in chance.sample(group, min(2, len(group)))]


def choose(session: Session, pick: str) -> None:
    """Step the cursor to an option by B, then press C."""
    while picks(session.snapshot)[_cursor(session)] != pick:
        press(session, "B")
    press(session, "C")


def _cursor(session: Session) -> int:
    assert session.snapshot.gesture is not None
    return session.snapshot.gesture.cursor


def wanted(session: Session, one: Candidate) -> str:
    """The option on offer that leads on to a command."""
    told = {str(thing) for thing in one.mentions.things | one.mentions.implied}
    ways = [f"command:{one.index}", f"do:{one.mentions.verb}", *sorted(told)]
    offered = picks(session.snapshot)
    return next(way for way in ways if way in offered)


def asked(session: Session, one: Candidate) -> bool:
    """Whether the gesture asks something whose answer can be this command."""
    if session.snapshot.gesture is None:
        return False
    ways = {f"command:{one.index}", f"do:{one.mentions.verb}"}
    return bool(ways & set(picks(session.snapshot)))


def played(session: Session, moves: int) -> Any:
    """The first command played since the line had so many moves, all taken back; None where none was."""
    line = line_of(session)
    for _ in line.moves[moves:]:
        session.undo()
    return line.moves[moves].command if len(line.moves) > moves else None


def by_buttons(session: Session, one: Candidate) -> Any:
    moves = len(line_of(session).moves)
    press(session, "C")
    for _ in range(STEPS_AT_MOST):
        choose(session, wanted(session, one))
        if len(line_of(session).moves) > moves:
            break
    return played(session, moves)


def by_picks(session: Session, one: Candidate) -> Any:
    moves = len(line_of(session).moves)
    session.pick(f"do:{one.mentions.verb}")
    for _ in range(STEPS_AT_MOST):
        if len(line_of(session).moves) > moves:
            break
        session.pick(wanted(session, one))
    return played(session, moves)


def by_scans(session: Session, one: Candidate) -> Any:
    """Scan what the command mentions, in the first order that tells it; C chooses where the table asks."""
    moves = len(line_of(session).moves)
    for order in islice(permutations(sorted(one.mentions.things)), ORDERS_AT_MOST):
        for thing in order:
            scan(session, str(thing))
            if len(line_of(session).moves) > moves:
                break
        while len(line_of(session).moves) == moves and asked(session, one):
            choose(session, wanted(session, one))
        if played(session, moves) == one.command:
            return one.command
        session.cancel()
    return None


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("game", "setup"), SETUPS)
def test_every_command_is_told_by_buttons_by_picks_and_by_scans(game: str, setup: dict[str, Any], seed: int) -> None:
    chance, told = random.Random(seed), 0
    for session in positions(game, setup, seed, every=1 if game == "tiny" else 3):
        before = state(session)
        for one in sample(session, chance):
            assert by_buttons(session, one) == one.command
            assert by_picks(session, one) == one.command
            if one.mentions.things:
                assert by_scans(session, one) == one.command
            assert state(session) == before
            told += 1
    assert told > 5


READY = {
    "pawns": {"engineer": "fools_landing", "navigator": "fools_landing"},
    "hands": {"engineer": ["earth_stone"] * 5, "navigator": ["helicopter_lift", "sandbags", "helicopter_lift"]},
    "tiles": {"observatory": "flooded", "fools_landing": "flooded"},
}
AT_THE_TEMPLE = {"pawns": {"engineer": "temple_of_the_moon"}}
ALL_CAPTURED = {"captured": ["crystal_of_fire", "earth_stone", "oceans_chalice", "statue_of_the_wind"]}


@pytest.mark.parametrize(
    ("corrections", "verbs"),
    [
        ([READY], {"shore_up", "helicopter_lift", "sandbags", "give", "move", "end_actions"}),
        ([READY, AT_THE_TEMPLE], {"capture"}),
        ([READY, ALL_CAPTURED], {"lift_off"}),
    ],
)
def test_the_rare_commands_are_told_too(corrections: list[dict[str, Any]], verbs: set[str]) -> None:
    session = next(positions("forbidden_island", SETUPS[2][1], 1, every=1))
    for correction in corrections:
        session.play({"do": "correct", **correction})
    told = candidates(line_of(session))
    assert verbs <= {one.mentions.verb for one in told}
    for one in told:
        assert by_buttons(session, one) == by_picks(session, one) == one.command
        assert not one.mentions.things or by_scans(session, one) == one.command


@pytest.mark.parametrize(("game", "setup"), SETUPS)
def test_where_the_companion_deals_a_press_stands_for_every_draw(game: str, setup: dict[str, Any]) -> None:
    for session in positions(game, setup, 3, every=1):
        rules, now = seated(session).game, state(session)
        offered = [option.pick for option in session.menu()]
        dealt = setup.get("decks") != "table"
        assert ("deal" in offered) == (dealt and (rules.due(now) is not None or rules.ready_to_deal(now) is not None))
        if dealt and rules.due(now) is not None:
            moves = len(line_of(session).moves)
            press(session, "C")
            choose(session, "deal")
            assert len(line_of(session).moves) > moves
            while len(line_of(session).moves) > moves:
                session.undo()

"""How games ended, by what was chosen before them. Whatever a game asks at its start can be counted by."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from companion.rules.game import AnyGame, Choice, JsonObject
from companion.table.snapshot import PastGame


@dataclass(frozen=True, slots=True)
class Tally:
    """Ended games with one answer to a question: ``option`` is a name, or a number where ``counted``."""

    option: str
    played: int
    won: int
    counted: bool = False


@dataclass(frozen=True, slots=True)
class Breakdown:
    """All ended games of one kind by the answers to the question ``key``."""

    key: str
    tallies: tuple[Tally, ...]


@dataclass(frozen=True, slots=True)
class Statistics:
    """One game's record: ended games and wins; unfinished games stand apart and count nowhere else."""

    game: str
    ended: int
    won: int
    unfinished: int
    breakdowns: tuple[Breakdown, ...]


def statistics(history: Sequence[PastGame], games: Mapping[str, AnyGame]) -> tuple[Statistics, ...]:
    """The record of every game that was ever begun."""
    played = {name: [past for past in history if past.game == name] for name in games}
    return tuple(_of(games[name], past) for name, past in played.items() if past)


def _of(game: AnyGame, history: Sequence[PastGame]) -> Statistics:
    ended = [past for past in history if past.outcome is not None]
    asked = [choice for choice in game.choices() if not choice.optional]
    breakdowns = [breakdown for choice in asked for breakdown in _breakdowns(choice, ended)]
    return Statistics(game.name, len(ended), _won(ended), len(history) - len(ended), tuple(breakdowns))


def _breakdowns(choice: Choice, ended: Sequence[PastGame]) -> Iterable[Breakdown]:
    """By each option; by how many were picked as well where that may differ. Answers that nobody gave are left out."""
    if choice.least != choice.most:
        numbers = range(choice.least, choice.most + 1)
        by_number = ((str(n), [past for past in ended if len(_answer(past.setup, choice)) == n]) for n in numbers)
        yield from _breakdown(f"{choice.key}.number", by_number, counted=True)
    by_option = ((option, [p for p in ended if option in _answer(p.setup, choice)]) for option in choice.options)
    yield from _breakdown(choice.key, by_option, counted=False)


def _breakdown(key: str, groups: Iterable[tuple[str, list[PastGame]]], *, counted: bool) -> Iterable[Breakdown]:
    tallies = tuple(Tally(option, len(past), _won(past), counted) for option, past in groups if past)
    if tallies:
        yield Breakdown(key, tallies)


def _answer(setup: JsonObject, choice: Choice) -> tuple[str, ...]:
    """What a set-up answers to a question; nothing where it does not."""
    answer = setup.get(choice.key, ())
    return (answer,) if isinstance(answer, str) else tuple(answer)


def _won(past: Iterable[PastGame]) -> int:
    return sum(one.outcome is not None and one.outcome.won for one in past)

"""The questions a host answers before the start, made from what a game says it must be told."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from companion.rules.game import AnyGame, Choice, JsonObject
from companion.rules.portrait import Board
from companion.views.table import grid


class Asking(StrEnum):
    """How a question is put: ``one`` of the options, ``several`` of them, or ``seats`` to fill in order.

    What may be left to chance is ``named``, all of it or nothing.
    """

    ONE = "one"
    SEVERAL = "several"
    SEATS = "seats"
    NAMED = "named"


@dataclass(frozen=True, slots=True)
class Place:
    """One place to fill in an ordered question, from 1; ``chosen`` is the default, None where it stays empty."""

    number: int
    chosen: str | None
    required: bool


@dataclass(frozen=True, slots=True)
class Question:
    """A choice with how it is asked; ``places`` only where the order matters."""

    choice: Choice
    asking: Asking
    places: tuple[Place, ...] = ()


@dataclass(frozen=True, slots=True)
class SetUpForm:
    """All questions of one game."""

    game: str
    questions: tuple[Question, ...]


def set_up_form(game: AnyGame) -> SetUpForm:
    """The questions of a game, in its own order."""
    return SetUpForm(game.name, tuple(map(_question, game.choices())))


def _question(choice: Choice) -> Question:
    if choice.optional:
        return Question(choice, Asking.NAMED)
    if choice.single:
        return Question(choice, Asking.ONE)
    if not choice.ordered:
        return Question(choice, Asking.SEVERAL)
    filled = (*choice.default, *[None] * choice.most)[: choice.most]
    places = tuple(Place(number, chosen, number <= choice.least) for number, chosen in enumerate(filled, start=1))
    return Question(choice, Asking.SEATS, places)


Lots = tuple[tuple[int | None, ...], ...]
"""A board row by row: the number, from 1, of the name that comes to lie at each place; None off the board."""


def lots(game: AnyGame, setup: JsonObject, key: str) -> Lots:
    """Where the names of an optional choice come to lie with the set-up's other answers.

    Empty where they are not the places of the board. Refused as the game refuses the other answers.
    """
    asked = {choice.key: choice for choice in game.choices()}
    named = asked.get(key)
    if named is None or not (named.optional and named.ordered and named.least == len(named.options)):
        return ()
    answers = {key: answer for key, answer in setup.items() if key in asked and not asked[key].optional}
    full = game.complete({**answers, key: list(named.options)}, lambda _purpose, options: options[0])
    return _numbered(game.portray(game.start(full), ()).board, named.options)


def _numbered(board: Board | None, names: tuple[str, ...]) -> Lots:
    numbers = {name: number for number, name in enumerate(names, start=1)}
    if board is None or {space.name for space in board.spaces} != set(numbers):
        return ()
    return tuple(tuple(numbers[space.name] if space else None for space in row) for row in grid(board))

"""The questions a host answers before the start, made from what a game says it must be told."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from companion.rules.game import AnyGame, Choice


class Asking(StrEnum):
    """How a question is put: ``one`` of the options, ``several`` of them, or ``seats`` to fill in order."""

    ONE = "one"
    SEVERAL = "several"
    SEATS = "seats"


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
    if choice.least == choice.most == 1:
        return Question(choice, Asking.ONE)
    if not choice.ordered:
        return Question(choice, Asking.SEVERAL)
    filled = (*choice.default, *[None] * choice.most)[: choice.most]
    places = tuple(Place(number, chosen, number <= choice.least) for number, chosen in enumerate(filled, start=1))
    return Question(choice, Asking.SEATS, places)

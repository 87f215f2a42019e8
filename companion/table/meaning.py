"""What a tag can mean: a piece of a game, or what a button or a menu says.

Commands are a class of their own: an :class:`Act` is never a thing of a game, so that no piece acts and no command is
taken for a piece.
"""

from __future__ import annotations

from dataclasses import dataclass

from companion.rules.game import AnyGame, Thing
from companion.rules.portrait import Phrase

VERB = "do:"
"""What stands before a verb where it is picked."""
PRESSES = ("deal", "next", "choose", "back", "undo", "redo", "cancel", "pause")
"""What a command tag can say in every game; ``pause`` lets a paused game go on."""

PRESS_KIND, VERB_KIND = "press", "do"


@dataclass(frozen=True, slots=True, order=True)
class Act:
    """What a command tag says; ``text`` is one of PRESSES, or ``do:VERB`` for a verb of a game."""

    text: str

    def __str__(self) -> str:
        return self.text

    @property
    def verb(self) -> str | None:
        """The game's verb, None for what can be said in every game."""
        return self.text.removeprefix(VERB) if self.text.startswith(VERB) else None

    @property
    def kind(self) -> str:
        """Which list of commands it stands in."""
        return PRESS_KIND if self.verb is None else VERB_KIND

    @property
    def label(self) -> Phrase:
        """What it says, in words."""
        return Phrase(f"verb.{self.verb or self.text}")


Meaning = Thing | Act
"""What a tag stands for."""


def read_meaning(text: str) -> Meaning:
    """Read the text form of a thing or an act; ValueError where it is neither."""
    if text in PRESSES or (text.startswith(VERB) and text != VERB):
        return Act(text)
    return Thing.parse(text)


def label_of(meaning: Meaning) -> Phrase:
    """A meaning in words."""
    return meaning.label if isinstance(meaning, Act) else Phrase(f"name.{meaning.name}")


def acts_of(game: AnyGame) -> tuple[Act, ...]:
    """Every command that a tag can say in a game."""
    return tuple(map(Act, (*PRESSES, *(f"{VERB}{verb}" for verb in game.verbs()))))

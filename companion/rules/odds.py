"""What the zones of the decks say about the draws to come: exact chances, for those who count cards.

Every chance is a :class:`fractions.Fraction` from 0 to 1 and supposes that the turn is played out with the cards as
they lie: nobody plays another card or turns a place over before, and every card that is due is drawn, even one that
would come after the game has been lost.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from companion.rules.portrait import Tone


@dataclass(frozen=True, slots=True)
class NextCard:
    """A card that can be the next of its pile: ``n`` equal ones may lie there."""

    card: str
    n: int
    chance: Fraction


@dataclass(frozen=True, slots=True)
class Prospect:
    """A pile whose cards are due this turn: each card that can be its next, the likeliest first.

    ``draws`` is how many cards are due as things stand.
    """

    pile: str
    draws: int
    cards: tuple[NextCard, ...]


@dataclass(frozen=True, slots=True)
class Fate:
    """What may become of something this turn: ``effect`` is worded as ``effect.<effect>``."""

    effect: str
    tone: Tone
    chance: Fraction


@dataclass(frozen=True, slots=True)
class Risk:
    """A place of the board with all that can become of it this turn; an effect that cannot come is left out."""

    name: str
    fates: tuple[Fate, ...]


@dataclass(frozen=True, slots=True)
class Alarm:
    """Something that matters more than one card, worded as ``<game>.odds.<code>``."""

    code: str
    tone: Tone
    chance: Fraction


@dataclass(frozen=True, slots=True)
class Odds:
    """The rest of this turn in chances; the likeliest risks come first."""

    prospects: tuple[Prospect, ...] = ()
    risks: tuple[Risk, ...] = ()
    alarms: tuple[Alarm, ...] = ()

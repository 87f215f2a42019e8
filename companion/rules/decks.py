"""Decks whose order nobody knows: zones of cards, top zone first."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

Zone = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Deck:
    """A draw pile as zones, top first; each zone is the sorted tuple of the cards that lie there in unknown order.

    A fresh deck is one zone. No zone is empty. Cards are names; equal cards repeat.
    """

    zones: tuple[Zone, ...] = ()

    @classmethod
    def of(cls, *zones: Iterable[str]) -> Deck:
        """A deck of these zones, top first; empty ones are left out."""
        return cls(tuple(tuple(sorted(zone)) for zone in map(tuple, zones) if zone))

    @property
    def top(self) -> Zone:
        """The cards that can come next; empty for an empty deck."""
        return self.zones[0] if self.zones else ()

    @property
    def cards(self) -> Zone:
        """All cards, zone after zone."""
        return tuple(card for zone in self.zones for card in zone)

    def __len__(self) -> int:
        return sum(map(len, self.zones))

    def without(self, card: str) -> Deck:
        """The deck after ``card`` left it, from the topmost zone that holds it; ValueError where none does."""
        for index, zone in enumerate(self.zones):
            if card in zone:
                at = zone.index(card)
                rest = zone[:at] + zone[at + 1 :]
                kept = (rest,) if rest else ()
                return Deck(self.zones[:index] + kept + self.zones[index + 1 :])
        raise ValueError(f"{card} is not in the deck")

    def topped(self, cards: Iterable[str]) -> Deck:
        """The deck with ``cards`` shuffled and put on top."""
        zone = tuple(sorted(cards))
        return Deck((zone, *self.zones)) if zone else self

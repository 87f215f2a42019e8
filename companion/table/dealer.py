"""The dealer: chance that can be repeated, so that an undo gains nobody a second try."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from hashlib import sha256


class Dealer:
    """Chance that depends only on the seed and on what is asked for.

    Choices come from SHA-256, so that a seed means the same cards on every machine and with every Python.
    """

    def __init__(self, seed: int | str) -> None:
        self.seed = str(seed)
        self._chances = 0

    @classmethod
    def secure(cls) -> Dealer:
        """A dealer that nobody can foresee."""
        return cls(secrets.token_hex(16))

    def pick(self, deck: str, nth: int, zone: Sequence[str]) -> str:
        """The card of ``zone`` that comes as the ``nth`` draw (from 0) of ``deck`` on the line that is played."""
        return self._choose(("draw", deck, str(nth), *zone), zone)

    def chance(self, purpose: str, options: Sequence[str]) -> str:
        """Settle one chance of a set-up (a :data:`companion.rules.game.Pick`); each call is a chance of its own."""
        self._chances += 1
        return self._choose(("chance", purpose, str(self._chances), *options), options)

    def _choose(self, told: tuple[str, ...], options: Sequence[str]) -> str:
        digest = sha256("\x1f".join((self.seed, *told)).encode()).digest()
        return options[int.from_bytes(digest) % len(options)]

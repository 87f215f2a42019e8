"""What a request to begin a game says besides the game's own set-up: the seed, and whose the decks are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.rules.game import JsonObject, Refused
from companion.table.dealer import Dealer

COMPANION, TABLE = "companion", "table"


@dataclass(frozen=True, slots=True)
class Opening:
    """A request's parts: ``dealer`` settles the set-up's chances; at the table's own decks it deals nothing after."""

    setup: Mapping[str, Any]
    dealer: Dealer
    decks: str


def read_opening(request: JsonObject) -> Opening:
    """Read ``seed`` (whole number or text, left out: unforeseeable) and ``decks``. Refused: bad_request."""
    setup = dict(request)
    seed, decks = setup.pop("seed", None), setup.pop("decks", COMPANION)
    if decks not in (COMPANION, TABLE):
        raise Refused("bad_request", field="decks")
    if isinstance(seed, bool) or not isinstance(seed, int | str | None) or not _is_text(str(seed)):
        raise Refused("bad_request", field="seed")
    return Opening(setup, Dealer.secure() if seed is None else Dealer(seed), decks)


def _is_text(seed: str) -> bool:
    """Whether a seed can be written as UTF-8; JSON can escape halves of characters, which cannot."""
    return not any("\ud800" <= letter <= "\udfff" for letter in seed)


def dealer_at(dealer: Dealer, decks: str) -> Dealer | None:
    """Who names the cards of the draws: nobody where the decks are the table's."""
    return dealer if decks == COMPANION else None

"""Beginning a game in memory from a request: the protocol's ``new``, a scenario's ``setup``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.rules.game import AnyGame, JsonObject, Refused
from companion.table.dealer import Dealer
from companion.table.line import Line

OURS = ("game", "seed", "decks")
DECKS = ("companion", "table")


def game_named(games: Mapping[str, AnyGame], request: JsonObject) -> AnyGame:
    """The game that ``request["game"]`` names. Refused: bad_request, unknown_game."""
    name = request.get("game")
    if not isinstance(name, str):
        raise Refused("bad_request", field="game")
    if name not in games:
        raise Refused("unknown_game", name=name)
    return games[name]


def dealer_for(request: JsonObject) -> Dealer:
    """The dealer of a request's ``seed``, or one that nobody can foresee. Refused: bad_request."""
    seed = request.get("seed")
    if seed is None:
        return Dealer.secure()
    if isinstance(seed, bool) or not isinstance(seed, int | str) or not _is_text(str(seed)):
        raise Refused("bad_request", field="seed")
    return Dealer(seed)


def _is_text(seed: str) -> bool:
    """Whether a seed can be written as UTF-8; JSON can escape halves of characters, which cannot."""
    return not any("\ud800" <= letter <= "\udfff" for letter in seed)


def table_deals(request: JsonObject) -> bool:
    """Whether real cards are drawn at the table. Refused: bad_request."""
    decks = request.get("decks", DECKS[0])
    if decks not in DECKS:
        raise Refused("bad_request", field="decks")
    return bool(decks == DECKS[1])


def open_game(games: Mapping[str, AnyGame], request: JsonObject, parts: JsonObject | None = None) -> Line:
    """A line from a set-up's first position, with the named ``parts`` put in place. Refused as the game refuses."""
    game = game_named(games, request)
    dealer = dealer_for(request)
    chosen: dict[str, Any] = {key: value for key, value in request.items() if key not in OURS}
    state = game.start(game.complete(chosen, dealer.chance))
    if parts:
        state = game.arrange(state, parts)
    return Line(game, state, None if table_deals(request) else dealer)

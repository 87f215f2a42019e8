"""Beginning a game in memory from a request: the protocol's ``new`` and ``load``, a scenario's ``setup``."""

from __future__ import annotations

from collections.abc import Mapping

from companion.rules.game import AnyGame, JsonObject, Refused
from companion.rules.portrait import Phrase
from companion.table.line import Line
from companion.table.opening import dealer_at, read_opening


def game_named(games: Mapping[str, AnyGame], request: JsonObject) -> AnyGame:
    """The game that ``request["game"]`` names. Refused: bad_request, unknown_game."""
    name = request.get("game")
    if not isinstance(name, str):
        raise Refused("bad_request", field="game")
    if name not in games:
        raise Refused("unknown_game", name=name)
    return games[name]


def open_game(games: Mapping[str, AnyGame], request: JsonObject, parts: JsonObject | None = None) -> Line:
    """A line from a set-up's first position, with the named ``parts`` put in place. Refused as the game refuses."""
    game = game_named(games, request)
    opening = read_opening({key: value for key, value in request.items() if key != "game"})
    state = game.start(game.complete(opening.setup, opening.dealer.chance))
    if parts:
        state = game.arrange(state, parts)
    return Line(game, state, dealer_at(opening.dealer, opening.decks))


def open_position(games: Mapping[str, AnyGame], request: JsonObject) -> Line:
    """A line from the position ``request["state"]``. Refused: bad_request, unknown_game, bad_state."""
    position = request.get("state")
    if not isinstance(position, dict):
        raise Refused("bad_request", field="state")
    if not isinstance(position.get("game"), str):
        raise Refused("bad_state", fault=Phrase("refusal.bad_request.field", {"field": "game"}))
    game = game_named(games, position)
    opening = read_opening({key: value for key, value in request.items() if key != "state"})
    return Line(game, game.read_state(position), dealer_at(opening.dealer, opening.decks))

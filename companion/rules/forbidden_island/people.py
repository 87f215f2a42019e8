"""Commands and events for people: what they mention, how they are told, what can be corrected."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from companion.rules.forbidden_island import commands as c
from companion.rules.forbidden_island import events as e
from companion.rules.forbidden_island.components import (
    ACTIONS_A_TURN,
    SKULL,
    TREASURE_DECK,
    Card,
    Condition,
    Role,
    Tile,
    Tracking,
    Treasure,
    flood_cards_at,
)
from companion.rules.forbidden_island.state import State
from companion.rules.forbidden_island.text import NAME, message_code, verb
from companion.rules.game import Adjustable, Mentions, Tagged, Thing
from companion.rules.portrait import Phrase, Word
from companion.rules.wire import plain, write

SPECIALS = (Card.HELICOPTER_LIFT, Card.SANDBAGS)


def tagged() -> tuple[Tagged, ...]:
    """All things of the box that can carry a tag."""
    return (
        Tagged("tile", tuple(Tile)),
        Tagged("treasure", tuple(Card), {card.value: n for card, n in TREASURE_DECK.items()}),
        Tagged("flood", tuple(Tile)),
        Tagged("role", tuple(Role)),
        Tagged("figure", tuple(Treasure)),
    )


def _tile(tile: Tile) -> Thing:
    return Thing("tile", tile.value)


def _card(card: Card) -> Thing:
    return Thing("treasure", card.value)


def _roles(*roles: Role | None) -> frozenset[Thing]:
    return frozenset(Thing("role", role.value) for role in roles if role)


def _lift(command: c.HelicopterLift) -> tuple[frozenset[Thing], frozenset[Thing]]:
    pointed = {_card(Card.HELICOPTER_LIFT), _tile(command.to)} | _roles(*command.pawns)
    return frozenset(pointed), _roles(command.player)


def _discard(command: c.Discard) -> tuple[frozenset[Thing], frozenset[Thing]]:
    """A special card may be meant to be used, so that its discard needs the player pointed at too."""
    if command.card in SPECIALS:
        return frozenset({_card(command.card)}) | _roles(command.player), frozenset()
    return frozenset({_card(command.card)}), _roles(command.player)


NOTHING: frozenset[Thing] = frozenset()

POINTED: dict[type, Callable[[Any], tuple[frozenset[Thing], frozenset[Thing]]]] = {
    c.Move: lambda command: (frozenset({_tile(command.to)}), NOTHING),
    c.Fly: lambda command: (frozenset({_tile(command.to)}), NOTHING),
    c.Navigate: lambda command: (frozenset({_tile(command.to)}) | _roles(command.player), NOTHING),
    c.ShoreUp: lambda command: (frozenset(map(_tile, command.tiles)), NOTHING),
    c.Give: lambda command: (frozenset({_card(command.card)}) | _roles(command.to), NOTHING),
    c.Capture: lambda command: (
        frozenset({Thing("figure", command.treasure.value)}),
        frozenset({Thing("treasure", command.treasure.value)}),
    ),
    c.EndActions: lambda _command: (NOTHING, NOTHING),
    c.DrawTreasure: lambda command: (frozenset({_card(command.card)}), NOTHING),
    c.DrawFlood: lambda command: (frozenset({Thing("flood", command.card.value)}), NOTHING),
    c.Discard: _discard,
    c.Sandbags: lambda command: (
        frozenset({_card(Card.SANDBAGS), _tile(command.tile)}),
        _roles(command.player),
    ),
    c.HelicopterLift: _lift,
    c.LiftOff: lambda command: (
        frozenset({_card(Card.HELICOPTER_LIFT)}),
        _roles(command.player) | {_tile(Tile.FOOLS_LANDING)},
    ),
    c.Swim: lambda command: (frozenset({_tile(command.to)}), _roles(command.player)),
    c.Settle: lambda command: (frozenset({_tile(command.tile)}), NOTHING),
    c.Reshuffle: lambda _command: (NOTHING, NOTHING),
}


NOBODYS = (c.DrawTreasure, c.DrawFlood, c.Settle, c.Reshuffle)
"""What the table does, not a player."""
ANY_HAND = (c.Discard, c.Sandbags, c.HelicopterLift, c.LiftOff, c.Swim)
"""What its ``player`` does, whoever's turn it is; all else is the active player's."""


def mentions(command: c.Command, active: Role) -> Mentions:
    """What a legal command speaks of, and whose it is."""
    things, implied = POINTED[type(command)](command)
    return Mentions(verb(command), things, implied, _seat(command, active))


def _seat(command: c.Command, active: Role) -> str | None:
    if isinstance(command, NOBODYS):
        return None
    if isinstance(command, ANY_HAND):
        return None if command.player is None else command.player.value
    return active.value


def word(command: c.Command) -> Phrase:
    """A command in words, for menus."""
    code = f"{NAME}.word.{verb(command)}"
    params: dict[str, Word] = {key: value for key, value in _params(command).items() if not isinstance(value, dict)}
    match command:
        case c.Discard(player=None) | c.LiftOff(player=None):
            return Phrase(f"{code}_of_table", params)
        case c.Settle(tile, sank):
            return Phrase(f"{code}_{'sank' if sank else 'shored_up'}", {"tile": tile.value})
    return Phrase(code, params)


def _params(value: Any) -> dict[str, Any]:
    """A dataclass's fields as a phrase's parameters."""
    return {key: tuple(told) if isinstance(told, list) else told for key, told in write(value).items()}


UNTOLD = (e.FloodCardDrawn, e.PhaseBegan)
"""Events whose consequences are told instead."""


def tell(event: e.Event) -> Phrase | None:
    """The log's sentence for an event; None for one that is not worth a line."""
    if isinstance(event, UNTOLD):
        return None
    suffix, params = _telling(event)
    return Phrase(message_code(event) + suffix, params)


def _telling(event: e.Event) -> tuple[str, dict[str, Word]]:
    """What is added to an event's code where it has several sentences, and the sentence's parameters."""
    match event:
        case e.TreasureCardDrawn(player, Card.WATERS_RISE):
            return ".waters_rise", {"player": player.value}
        case e.WatersRose(water):
            return ".skull" if water == SKULL else "", {"mark": water, "n": flood_cards_at(water)}
        case e.Lost(reason):
            return "", {"reason": Phrase(f"{NAME}.ending.{reason}")}
        case e.Corrected():
            return "", _corrected(event)
        case e.ShoredUp(player=None) | e.Captured(player=None) | e.Discarded(player=None) | e.LiftedOff(player=None):
            return "_by_table", _params(event)
    return "", _params(event)


def _corrected(event: e.Corrected) -> dict[str, Word]:
    """The parts that were corrected, and whose or which where they say."""
    told = write(event)
    named = tuple(name for part in told.values() if isinstance(part, dict) for name in part)
    parts: dict[str, Word] = {"parts": tuple(f"part.{key}" for key in told)}
    return {**parts, "named": named} if named else parts


def speak_up(state: State, events: Sequence[e.Event]) -> bool:
    """Whether someone may want to play a special card before the next card is drawn.

    So it is when flood cards are coming, a flooded tile may be among them, and Sandbags (or, for a tile with pawns
    on it, a Helicopter Lift) are at hand; or when the waters have just risen while any special card is at hand.
    """
    sandbags = bool(state.holders(Card.SANDBAGS)) or Card.SANDBAGS in state.pool
    lift = bool(state.holders(Card.HELICOPTER_LIFT)) or Card.HELICOPTER_LIFT in state.pool
    if any(isinstance(event, e.WatersRose) for event in events):
        return sandbags or lift
    if not any(isinstance(event, e.FloodCardDrawn) for event in events):
        return False
    endangered = [tile for tile in state.flooded if tile in state.next_flood_cards]
    return (sandbags and bool(endangered)) or (lift and any(state.on(tile) for tile in endangered))


def adjustables(state: State) -> tuple[Adjustable, ...]:
    """Every value that a correction can set."""
    marks = tuple(str(mark) for mark in range(1, SKULL + 1))
    actions = tuple(str(number) for number in range(ACTIONS_A_TURN + 1))
    conditions = tuple(map(str, Condition))
    return (
        Adjustable("water", None, (str(state.water),), marks, number=True),
        Adjustable("active", None, (state.active.value,), tuple(plain(state.players))),
        *(_tracked(state, actions) if state.tracking is Tracking.EVERYTHING else ()),
        Adjustable("captured", None, tuple(plain(state.captured)), tuple(map(str, Treasure)), many=True, most_each=1),
        *(Adjustable("tiles", tile.value, (state.tiles[tile].value,), conditions) for tile in state.island.layout),
    )


def _tracked(state: State, actions: tuple[str, ...]) -> tuple[Adjustable, ...]:
    tiles = tuple(tile.value for tile in state.standing)
    cards = tuple(card.value for card in Card if card is not Card.WATERS_RISE)
    return (
        Adjustable("actions_left", None, (str(state.actions_left),), actions, number=True),
        *(Adjustable("pawns", role.value, (state.pawns[role].value,), tiles) for role in state.players),
        *(Adjustable("hands", role.value, tuple(plain(state.hands[role])), cards, many=True) for role in state.players),
    )

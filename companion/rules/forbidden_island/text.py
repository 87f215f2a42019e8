"""The protocol's JSON form of positions, commands and events."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, get_args

from companion.rules.decks import Deck
from companion.rules.forbidden_island import commands as c
from companion.rules.forbidden_island import events as e
from companion.rules.forbidden_island.components import (
    Card,
    Condition,
    Loss,
    Phase,
    Role,
    Tile,
    Tracking,
    Treasure,
)
from companion.rules.forbidden_island.faults import faults
from companion.rules.forbidden_island.island import Island, Shape
from companion.rules.forbidden_island.state import State
from companion.rules.game import JsonObject, Refused
from companion.rules.portrait import Phrase
from companion.rules.wire import Malformed, plain, read, write

NAME = "forbidden_island"
OPTIONAL = ("tracking", "pool", "dealt", "asked")


@dataclass(frozen=True, slots=True)
class StateText:
    """The fields of a position in the protocol, in its order."""

    game: str
    island: Shape
    players: tuple[Role, ...]
    active: Role
    turn: int
    phase: Phase
    actions_left: int
    draws_left: int
    flown: bool
    pawns: Mapping[Role, Tile]
    hands: Mapping[Role, tuple[Card, ...]]
    layout: tuple[Tile, ...]
    tiles: Mapping[Tile, Condition]
    water: int
    treasure_deck: tuple[tuple[Card, ...], ...]
    treasure_discard: tuple[Card, ...]
    flood_deck: tuple[tuple[Tile, ...], ...]
    flood_discard: tuple[Tile, ...]
    flood_removed: tuple[Tile, ...]
    captured: tuple[Treasure, ...]
    swimming: tuple[Role, ...]
    lost_by: Loss | None
    tracking: Tracking = Tracking.EVERYTHING
    pool: tuple[Card, ...] = ()
    dealt: Mapping[Role, tuple[Card, ...]] = field(default_factory=dict)
    asked: Tile | None = None


DERIVED = {"game", "island", "layout", "treasure_deck", "flood_deck"}


def state_json(state: State) -> dict[str, Any]:
    """A position in the protocol's form; the fields of reduced tracking only where they matter."""
    derived = {
        "game": NAME,
        "island": state.island.shape.value,
        "layout": plain(state.island.layout),
        "treasure_deck": plain(state.treasure_deck.zones),
        "flood_deck": plain(state.flood_deck.zones),
    }
    names = StateText.__slots__
    told = {name: derived[name] if name in derived else plain(getattr(state, name)) for name in names}
    if state.tracking is Tracking.EVERYTHING:
        return {name: told[name] for name in names if name not in OPTIONAL}
    return told


def read_state(json: JsonObject) -> State:
    """Read and check a position. Refused: bad_state naming the first thing wrong, unknown_game."""
    if json.get("game") != NAME:
        raise Refused("unknown_game", name=str(json.get("game", "")))
    try:
        text = read(StateText, json)
    except Malformed as malformed:
        raise malformed_field(malformed.where) from None
    return checked(_state(text))


def malformed_field(where: str) -> Refused:
    """The refusal of a position with a missing, unknown or wrong field."""
    return Refused("bad_state", fault=Phrase(f"{NAME}.fault.field", {"field": where}))


def island_of(shape: Shape, layout: tuple[Tile, ...]) -> Island:
    """The island with each tile laid once. Refused: bad_state."""
    if sorted(layout) != sorted(Tile):
        raise Refused("bad_state", fault=Phrase(f"{NAME}.fault.layout"))
    return Island(shape, layout)


def _state(text: StateText) -> State:
    kept = {name: getattr(text, name) for name in StateText.__slots__ if name not in DERIVED}
    kept["hands"] = {role: tuple(sorted(cards)) for role, cards in text.hands.items()}
    return State(
        island=island_of(text.island, text.layout),
        treasure_deck=Deck.of(*text.treasure_deck),
        flood_deck=Deck.of(*text.flood_deck),
        **kept,
    )


def checked(state: State) -> State:
    """The position itself. Refused: bad_state with its first fault."""
    for fault in faults(state):
        raise Refused("bad_state", fault=fault)
    return state


def _snake(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


COMMANDS: dict[str, type[Any]] = {_snake(kind.__name__): kind for kind in get_args(c.Command)}
VERBS: dict[type, str] = {kind: verb for verb, kind in COMMANDS.items()}
EVENTS: dict[str, type[Any]] = {kind.__name__: kind for kind in get_args(e.Event)}


def verb(command: c.Command) -> str:
    """The protocol's name of a command."""
    return VERBS[type(command)]


def command_json(command: c.Command) -> dict[str, Any]:
    """A command in the protocol's form."""
    return {"do": verb(command), **write(command)}


def read_command(json: JsonObject) -> c.Command:
    """Read a command; a draw may lack its card. Refused: bad_request naming the field, unknown_command."""
    name = json.get("do")
    if not isinstance(name, str):
        raise Refused("bad_request", field="do")
    if name not in COMMANDS:
        raise Refused("unknown_command", name=name)
    try:
        command: c.Command = read(COMMANDS[name], {key: value for key, value in json.items() if key != "do"})
    except Malformed as malformed:
        raise Refused("bad_request", field=malformed.where) from None
    return replace(command, tiles=tuple(sorted(command.tiles))) if isinstance(command, c.ShoreUp) else command


def event_json(event: e.Event) -> dict[str, Any]:
    """An event in the protocol's form."""
    return {"event": type(event).__name__, **write(event)}


def read_event(json: JsonObject) -> e.Event:
    """Read what ``event_json`` wrote; ValueError otherwise."""
    kind = EVENTS.get(str(json.get("event")))
    if kind is None:
        raise ValueError(f"unknown event {json.get('event')!r}")
    event: e.Event = read(kind, {key: value for key, value in json.items() if key != "event"})
    return event


def message_code(event: e.Event) -> str:
    """The code of an event's sentence."""
    return f"{NAME}.{_snake(type(event).__name__)}"

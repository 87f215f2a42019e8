"""Positions and playouts for the property tests: sound, of every kind, repeatable from a number."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from random import Random
from typing import Any

from companion.rules.forbidden_island.game import ForbiddenIsland
from companion.rules.forbidden_island.state import State

from .second_reading.box import METER, ROLES, SILHOUETTE, TILES, TREASURE_DECK, TREASURE_OF, TREASURES, Position
from .second_reading.play import loss

GAME = ForbiddenIsland()
CONDITIONS = ("dry", "flooded", "sunk")
SEAS = ((6, 3, 1), (3, 5, 2), (2, 3, 5), (1, 3, 8), (0, 1, 12))


def normal(p: Position) -> Position:
    """A position with what has no order in order: hands and discard piles."""
    piles = {pile: sorted(p[pile]) for pile in ("treasure_discard", "flood_discard")}
    return {**p, **piles, "hands": {role: sorted(hand) for role, hand in p["hands"].items()}}


def key(order: dict[str, Any]) -> str:
    """A command as text, whatever the order of its keys, tiles and pawns."""
    return str({name: sorted(value) if isinstance(value, list) else value for name, value in sorted(order.items())})


def some_position(number: int) -> Position:
    """Any sound, unfinished position: every shape, sea, phase; swimmers, full hands, stacked decks."""
    rng = Random(number)
    while True:
        p = _drawn_up(rng)
        if loss(p) is None:
            return p


def _drawn_up(rng: Random) -> Position:
    players = rng.sample(ROLES, rng.randint(2, 4))
    active = rng.choice(players)
    tiles = _conditions(rng)
    captured = rng.sample(TREASURES, rng.choice((0, 0, 1, 2, 4)))
    _save_from_loss(tiles, captured)
    phase = rng.choice(("actions", "actions", "actions", "treasure", "flood", "flood"))
    pawns, swimming = _pawns(rng, players, tiles, phase == "flood")
    hands, rest = _hands(rng, players)
    full = any(len(hand) > 5 for hand in hands.values())
    deck, discard = _flood_piles(rng, tiles)
    return {
        "game": "forbidden_island",
        "island": rng.choice(sorted(SILHOUETTE)),
        "players": players,
        "active": active,
        "turn": rng.randint(1, 30),
        "phase": phase,
        "actions_left": rng.randint(1, 3) if phase == "actions" else 0,
        "draws_left": _draws_left(rng, phase, full, bool(swimming)),
        "flown": active == "pilot" and rng.random() < 0.4,
        "pawns": _at_their_treasure(rng, tiles, pawns, hands),
        "hands": hands,
        "layout": rng.sample(TILES, 24),
        "tiles": tiles,
        "water": rng.choice(sorted(METER)),
        "treasure_deck": _zones(rng, rest[3:]),
        "treasure_discard": rest[:3],
        "flood_deck": _zones(rng, deck),
        "flood_discard": discard,
        "flood_removed": [tile for tile in TILES if tiles[tile] == "sunk"],
        "captured": captured,
        "swimming": swimming,
        "lost_by": None,
    }


def _draws_left(rng: Random, phase: str, full: bool, swimming: bool) -> int:
    if phase == "treasure":
        return rng.randint(0 if full else 1, 2)
    return rng.randint(0 if swimming else 1, 5) if phase == "flood" else 0


def _flood_piles(rng: Random, tiles: dict[str, str]) -> tuple[list[str], list[str]]:
    likely = {"dry": 0.15, "flooded": 0.7, "sunk": 0}
    discard = [tile for tile in TILES if rng.random() < likely[tiles[tile]]]
    deck = [tile for tile in TILES if tiles[tile] != "sunk" and tile not in discard]
    return (deck, discard) if deck else (discard, deck)


def _conditions(rng: Random) -> dict[str, str]:
    weights = rng.choice(SEAS)
    return {tile: rng.choices(CONDITIONS, weights)[0] for tile in TILES}


def _save_from_loss(tiles: dict[str, str], captured: Sequence[str]) -> None:
    if tiles["fools_landing"] == "sunk":
        tiles["fools_landing"] = "flooded"
    for tile, treasure in TREASURE_OF.items():
        pair = [other for other, its in TREASURE_OF.items() if its == treasure]
        if treasure not in captured and all(tiles[other] == "sunk" for other in pair):
            tiles[tile] = "flooded"


def _pawns(
    rng: Random, players: Sequence[str], tiles: dict[str, str], may_swim: bool
) -> tuple[dict[str, str], list[str]]:
    standing = [tile for tile in TILES if tiles[tile] != "sunk"]
    few = rng.sample(standing, min(len(standing), rng.randint(1, 4)))
    if rng.random() < 0.2:
        few = ["fools_landing"]
    pawns = {role: rng.choice(few) for role in players}
    sunk = [tile for tile in TILES if tiles[tile] == "sunk"]
    swimming: list[str] = []
    if may_swim and sunk and rng.random() < 0.5:
        tile = rng.choice(sunk)
        swimming = [role for role in players if rng.random() < 0.5]
        pawns.update(dict.fromkeys(swimming, tile))
    return pawns, swimming


def _at_their_treasure(
    rng: Random, tiles: dict[str, str], pawns: dict[str, str], hands: dict[str, list[str]]
) -> dict[str, str]:
    """Most of those ashore who hold four of a kind stand where it is captured."""
    moved = dict(pawns)
    for role, hand in hands.items():
        spots = [tile for tile, its in TREASURE_OF.items() if hand.count(its) >= 4 and tiles[tile] != "sunk"]
        if spots and tiles[pawns[role]] != "sunk" and rng.random() < 0.8:
            moved[role] = spots[0]
    return moved


def _hands(rng: Random, players: Sequence[str]) -> tuple[dict[str, list[str]], list[str]]:
    """Hands of up to six cards, some with four of a kind, and the cards that are left, shuffled."""
    deck = rng.sample(TREASURE_DECK, len(TREASURE_DECK))
    hands: dict[str, list[str]] = {}
    for role in players:
        four = [rng.choice(TREASURES)] * 4 if rng.random() < 0.3 else []
        hand = four if four and deck.count(four[0]) >= 4 else []
        more = rng.choice((0, 1, 1, 2, 3, 4, 6)) - len(hand)
        for card in hand:
            deck.remove(card)
        drawn = [card for card in deck if card != "waters_rise"][: max(0, more)]
        for card in drawn:
            deck.remove(card)
        hands[role] = hand + drawn
    return hands, deck


def _zones(rng: Random, cards: Sequence[str]) -> list[list[str]]:
    """Cards cut into one to three zones."""
    shuffled = rng.sample(list(cards), len(cards))
    cuts = sorted(rng.sample(range(1, len(shuffled)), min(len(shuffled) - 1, rng.randint(0, 2)))) if shuffled else []
    edges = [0, *cuts, len(shuffled)]
    return [sorted(shuffled[start:end]) for start, end in pairwise(edges) if start < end]


def some_start(rng: Random, **named: Any) -> State:
    """The first position of a random set-up."""
    setup = {
        "players": rng.sample(ROLES, rng.randint(2, 4)),
        "difficulty": rng.choice(("novice", "normal", "elite", "legendary")),
        "island": rng.choice(sorted(SILHOUETTE)),
        **named,
    }
    return GAME.start(GAME.complete(setup, lambda _purpose, options: rng.choice(options)))


def after(state: State, events: Sequence[Any]) -> State:
    """A position with events folded in."""
    for event in events:
        state = GAME.evolve(state, event)
    return state


def playout(rng: Random, state: State, most: int = 400) -> Iterator[tuple[State, Any, tuple[Any, ...], State]]:
    """Random legal play to the end: before, command, events, after. Turns go on quicker than chance alone would."""
    for _ in range(most):
        commands = GAME.legal(state)
        if not commands:
            return
        command = _choice(rng, commands)
        events = GAME.decide(state, command)
        following = after(state, events)
        yield state, command, events, following
        state = following


def _choice(rng: Random, commands: Sequence[Any]) -> Any:
    """Each kind of command is as likely as any other, however many of it there are."""
    kinds = sorted({type(command).__name__ for command in commands})
    kind = rng.choice(kinds)
    return rng.choice([command for command in commands if type(command).__name__ == kind])


def unhalted(state: State) -> State:
    """A position without what its text form leaves out."""
    return replace(state, halted=None)

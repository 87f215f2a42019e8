"""Every command that the rules allow (the protocol page's commands; rules page 1.4 to 1.12)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from .box import KINDS, ROLES, START, TILES, TREASURE_OF, TREASURES, Order, Position
from .water import flight, landfall, navigated, own_move, shored, there

LIMIT = 5


def over_limit(p: Position) -> list[str]:
    return [role for role in p["players"] if len(p["hands"][role]) > LIMIT]


def legal(p: Position) -> list[Order]:
    """Every legal command of a position, once each, in no order that matters."""
    if p["phase"] in ("won", "lost"):
        return []
    if p["swimming"]:
        swims = [{"do": "swim", "player": role, "to": tile} for role in p["swimming"] for tile in landfall(p, role)]
        return swims + [lift for lift in _lifts(p) if set(lift["pawns"]) <= set(p["swimming"])]
    full = over_limit(p)
    if full:
        discards = [{"do": "discard", "player": role, "card": card} for role in full for card in set(p["hands"][role])]
        return discards + _specials(p)
    return [*_turn(p), *_specials(p)]


def _turn(p: Position) -> Iterator[Order]:
    if p["phase"] == "actions":
        if p["actions_left"] > 0:
            yield from _actions(p, p["active"])
        yield {"do": "end_actions"}
    if p["phase"] == "treasure":
        yield from ({"do": "draw_treasure", "card": card} for card in set(p["treasure_deck"][0]))
    if p["phase"] == "flood":
        yield from ({"do": "draw_flood", "card": tile} for tile in p["flood_deck"][0])


def _actions(p: Position, me: str) -> Iterator[Order]:
    here, hand = p["pawns"][me], p["hands"][me]
    others = [role for role in p["players"] if role != me]
    yield from ({"do": "move", "to": tile} for tile in own_move(p, me))
    if me == "pilot" and not p["flown"]:
        yield from ({"do": "fly", "to": tile} for tile in flight(p))
    if me == "navigator":
        yield from ({"do": "navigate", "player": role, "to": tile} for role in others for tile in navigated(p, role))
    near = shored(p, me)
    for number in (1, 2) if me == "engineer" else (1,):
        yield from ({"do": "shore_up", "tiles": sorted(tiles)} for tiles in combinations(near, number))
    for role in others:
        if me == "messenger" or p["pawns"][role] == here:
            yield from ({"do": "give", "card": card, "to": role} for card in set(hand) & set(TREASURES))
    treasure = TREASURE_OF.get(here)
    if treasure and treasure not in p["captured"] and hand.count(treasure) >= 4:
        yield {"do": "capture", "treasure": treasure}


def _specials(p: Position) -> list[Order]:
    sand = [role for role in p["players"] if "sandbags" in p["hands"][role]]
    wet = [tile for tile in p["layout"] if p["tiles"][tile] == "flooded"]
    found = [{"do": "sandbags", "player": role, "tile": tile} for role in sand for tile in wet]
    found += _lifts(p)
    if len(p["captured"]) == 4 and all(tile == "fools_landing" for tile in p["pawns"].values()):
        found += [{"do": "lift_off", "player": role} for role in p["players"] if "helicopter_lift" in p["hands"][role]]
    return found


def _lifts(p: Position) -> list[Order]:
    holders = [role for role in p["players"] if "helicopter_lift" in p["hands"][role]]
    groups = [
        group
        for number in range(1, 5)
        for group in combinations(p["players"], number)
        if len({p["pawns"][role] for role in group}) == 1
    ]
    return [
        {"do": "helicopter_lift", "player": holder, "pawns": list(group), "to": tile}
        for holder in holders
        for group in groups
        for tile in there(p)
        if tile != p["pawns"][group[0]]
    ]


def sayable() -> Iterator[Order]:
    """Every command that can be said at all, sensible or not (corrections left out)."""
    for tile in TILES:
        yield {"do": "move", "to": tile}
        yield {"do": "fly", "to": tile}
        yield {"do": "draw_flood", "card": tile}
        for role in ROLES:
            yield {"do": "navigate", "player": role, "to": tile}
            yield {"do": "sandbags", "player": role, "tile": tile}
            yield {"do": "swim", "player": role, "to": tile}
            for number in range(1, 5):
                for group in combinations(ROLES, number):
                    yield {"do": "helicopter_lift", "player": role, "pawns": list(group), "to": tile}
    for number in (1, 2):
        yield from ({"do": "shore_up", "tiles": list(tiles)} for tiles in combinations(TILES, number))
    for role in START:
        yield {"do": "lift_off", "player": role}
        for card in KINDS:
            yield {"do": "give", "card": card, "to": role}
            yield {"do": "discard", "player": role, "card": card}
    yield from ({"do": "draw_treasure", "card": card} for card in KINDS)
    yield from ({"do": "capture", "treasure": treasure} for treasure in TREASURES)
    yield {"do": "end_actions"}

"""What a legal command leads to (rules page 1.4 to 1.12, the rulings, and the protocol page's phases)."""

from __future__ import annotations

from copy import deepcopy

from .box import METER, SKULL, TREASURE_OF, Order, Position
from .orders import legal, over_limit
from .water import landfall

Zones = list[list[str]]


def play(before: Position, order: Order) -> Position:
    """The position after a legal command."""
    p = deepcopy(before)
    DONE[order["do"]](p, order)
    if p["phase"] != "won":
        _aftermath(p)
    return p


def perft(p: Position, depth: int) -> int:
    """Legal command sequences of this length; a game that ends early adds its own one."""
    if depth == 0 or p["phase"] in ("won", "lost"):
        return 1
    if depth == 1:
        return len(legal(p))
    return sum(perft(play(p, order), depth - 1) for order in legal(p))


def _place(p: Position, role: str, tile: str) -> None:
    p["pawns"][role] = tile
    p["swimming"] = [swimmer for swimmer in p["swimming"] if swimmer != role]


def _act(p: Position) -> None:
    p["actions_left"] -= 1


def _spend(p: Position, role: str, card: str) -> None:
    p["hands"][role].remove(card)
    p["treasure_discard"].append(card)


def _take(zones: Zones, card: str) -> Zones:
    top = list(zones[0])
    top.remove(card)
    return [top, *zones[1:]] if top else zones[1:]


def _move(p: Position, order: Order) -> None:
    _place(p, p["active"], order["to"])
    _act(p)


def _fly(p: Position, order: Order) -> None:
    _move(p, order)
    p["flown"] = True


def _navigate(p: Position, order: Order) -> None:
    _place(p, order["player"], order["to"])
    _act(p)


def _shore_up(p: Position, order: Order) -> None:
    p["tiles"].update(dict.fromkeys(order["tiles"], "dry"))
    _act(p)


def _give(p: Position, order: Order) -> None:
    p["hands"][p["active"]].remove(order["card"])
    p["hands"][order["to"]].append(order["card"])
    _act(p)


def _capture(p: Position, order: Order) -> None:
    for _ in range(4):
        _spend(p, p["active"], order["treasure"])
    p["captured"].append(order["treasure"])
    _act(p)


def _end_actions(p: Position, _order: Order) -> None:
    p["actions_left"] = 0


def _draw_treasure(p: Position, order: Order) -> None:
    card = order["card"]
    p["treasure_deck"] = _take(p["treasure_deck"], card)
    p["draws_left"] -= 1
    if card != "waters_rise":
        p["hands"][p["active"]].append(card)
        return
    p["treasure_discard"].append(card)
    p["water"] += 1
    if p["water"] < SKULL and p["flood_discard"]:
        p["flood_deck"] = [sorted(p["flood_discard"]), *p["flood_deck"]]
        p["flood_discard"] = []


def _draw_flood(p: Position, order: Order) -> None:
    tile = order["card"]
    p["flood_deck"] = _take(p["flood_deck"], tile)
    p["draws_left"] -= 1
    if p["tiles"][tile] == "dry":
        p["tiles"][tile] = "flooded"
        p["flood_discard"].append(tile)
    else:
        p["tiles"][tile] = "sunk"
        p["flood_removed"].append(tile)


def _discard(p: Position, order: Order) -> None:
    _spend(p, order["player"], order["card"])


def _sandbags(p: Position, order: Order) -> None:
    _spend(p, order["player"], "sandbags")
    p["tiles"][order["tile"]] = "dry"


def _helicopter_lift(p: Position, order: Order) -> None:
    _spend(p, order["player"], "helicopter_lift")
    for role in order["pawns"]:
        _place(p, role, order["to"])


def _lift_off(p: Position, order: Order) -> None:
    _spend(p, order["player"], "helicopter_lift")
    p["phase"] = "won"
    p["draws_left"] = 0


def _swim(p: Position, order: Order) -> None:
    _place(p, order["player"], order["to"])


DONE = {
    "move": _move,
    "fly": _fly,
    "navigate": _navigate,
    "shore_up": _shore_up,
    "give": _give,
    "capture": _capture,
    "end_actions": _end_actions,
    "draw_treasure": _draw_treasure,
    "draw_flood": _draw_flood,
    "discard": _discard,
    "sandbags": _sandbags,
    "helicopter_lift": _helicopter_lift,
    "lift_off": _lift_off,
    "swim": _swim,
}


def loss(p: Position) -> str | None:
    """How this position is lost, if it is: Fools' Landing, treasures, drowning; the skull."""
    if p["tiles"]["fools_landing"] == "sunk":
        return "fools_landing_sank"
    kept = set(p["captured"]) | {treasure for tile, treasure in TREASURE_OF.items() if p["tiles"][tile] != "sunk"}
    if len(kept) < 4:
        return "treasure_sank"
    lift = any("helicopter_lift" in hand for hand in p["hands"].values())
    swimming = [role for role in p["players"] if p["tiles"][p["pawns"][role]] == "sunk"]
    if not lift and any(not landfall(p, role) for role in swimming):
        return "drowned"
    return "water_level" if p["water"] >= SKULL else None


def _aftermath(p: Position) -> None:
    lost = loss(p)
    p["swimming"] = [role for role in p["players"] if p["tiles"][p["pawns"][role]] == "sunk"]
    if lost:
        p.update(phase="lost", lost_by=lost, draws_left=0)
        if lost != "drowned":
            p["swimming"] = []
        return
    for deck, discard in (("treasure_deck", "treasure_discard"), ("flood_deck", "flood_discard")):
        if not p[deck]:
            p[deck], p[discard] = [sorted(p[discard])], []
    if p["swimming"]:
        return
    if p["phase"] == "actions" and p["actions_left"] == 0:
        p.update(phase="treasure", draws_left=2)
    elif p["phase"] == "treasure" and p["draws_left"] == 0 and not over_limit(p):
        p.update(phase="flood", draws_left=METER[p["water"]], actions_left=0)
    elif p["phase"] == "flood" and p["draws_left"] == 0:
        order = p["players"]
        following = order[(order.index(p["active"]) + 1) % len(order)]
        p.update(phase="actions", active=following, turn=p["turn"] + 1, actions_left=3, draws_left=0, flown=False)

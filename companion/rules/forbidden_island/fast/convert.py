"""From the rules' positions to fast ones and back."""

from __future__ import annotations

from collections.abc import Iterable

from companion.rules.decks import Deck
from companion.rules.forbidden_island.components import HAND_LIMIT, Card, Condition, Loss, Phase, Tile, Tracking
from companion.rules.forbidden_island.fast.board import lay
from companion.rules.forbidden_island.fast.codes import CARDS, FULL, TREASURES, Names, bits
from companion.rules.forbidden_island.fast.placed import Placed
from companion.rules.forbidden_island.fast.position import Position
from companion.rules.forbidden_island.fast.tables import ONE, SIZE
from companion.rules.forbidden_island.island import Island
from companion.rules.forbidden_island.state import State

PHASES = (Phase.ACTIONS, Phase.TREASURE, Phase.FLOOD, Phase.WON, Phase.LOST)
LOSSES = (None, Loss.FOOLS_LANDING_SANK, Loss.TREASURE_SANK, Loss.DROWNED, Loss.WATER_LEVEL)


def packed(cards: Iterable[Card | str]) -> int:
    """Cards as packed counts."""
    return sum(ONE[CARDS.index(Card(card))] for card in cards)


def names(state: State) -> Names:
    """What the numbers of a state's game mean."""
    return Names(state.island.layout, state.players)


def fast(state: State) -> Position:
    """A fast position of a state. ValueError where the state does not track everything."""
    if state.tracking is not Tracking.EVERYTHING:
        raise ValueError(f"a game that tracks {state.tracking} has no pawns and hands to play with")
    known = names(state)
    position = Position(lay(state.island.shape, state.island.layout), state.players)
    position.active, position.turn = known.seat[state.active], state.turn
    position.phase, position.actions, position.draws = PHASES.index(state.phase), state.actions_left, state.draws_left
    position.flown, position.water = state.flown, state.water
    position.dry = _places(known, (tile for tile, side in state.tiles.items() if side is Condition.DRY))
    position.flooded = _places(known, state.flooded)
    position.pawns = [known.place[state.pawns[role]] for role in state.players]
    position.hands = [packed(state.hands[role]) for role in state.players]
    position.treasure_deck = tuple(packed(zone) for zone in reversed(state.treasure_deck.zones))
    position.treasure_discard = packed(state.treasure_discard)
    position.flood_deck = tuple(_places(known, map(Tile, zone)) for zone in reversed(state.flood_deck.zones))
    position.flood_discard = _places(known, state.flood_discard)
    position.captured = sum(1 << TREASURES.index(treasure) for treasure in state.captured)
    position.swimming = sum(1 << known.seat[role] for role in state.swimming)
    position.over = sum(1 << seat for seat, hand in enumerate(position.hands) if hand >> SIZE > HAND_LIMIT)
    position.lost_by = LOSSES.index(state.lost_by)
    return position


def differences(state: State, position: Position) -> tuple[str, ...]:
    """The parts in which a fast position is not the state's.

    The order of discards, of removed cards and of captured treasures is no part of a fast position.
    """
    other = fast(state)
    parts = set(Placed.__slots__) - {"board", "players"}
    return tuple(part for part in sorted(parts) if getattr(other, part) != getattr(position, part))


def _places(known: Names, tiles: Iterable[Tile]) -> int:
    return sum(1 << known.place[tile] for tile in tiles)


def state(position: Position) -> State:
    """The state of a fast position; discards, sunk tiles and captured treasures are in the order of their numbers."""
    p, known = position, Names(position.board.layout, position.players)
    island = Island(p.board.shape, p.board.layout)
    return State(
        island=island,
        players=p.players,
        active=p.players[p.active],
        turn=p.turn,
        phase=PHASES[p.phase],
        actions_left=p.actions,
        draws_left=p.draws,
        flown=bool(p.flown),
        pawns={role: known.layout[place] for role, place in zip(p.players, p.pawns, strict=True)},
        hands={role: _cards(hand) for role, hand in zip(p.players, p.hands, strict=True)},
        tiles={tile: _condition(p, place) for place, tile in enumerate(known.layout)},
        water=p.water,
        treasure_deck=Deck.of(*(_cards(zone) for zone in reversed(p.treasure_deck))),
        treasure_discard=_cards(p.treasure_discard),
        flood_deck=Deck.of(*(_tiles(known, zone) for zone in reversed(p.flood_deck))),
        flood_discard=_tiles(known, p.flood_discard),
        flood_removed=_tiles(known, FULL & ~(p.dry | p.flooded)),
        captured=tuple(treasure for number, treasure in enumerate(TREASURES) if p.captured >> number & 1),
        swimming=known.roles(p.swimming),
        lost_by=LOSSES[p.lost_by],
    )


def _cards(counts: int) -> tuple[Card, ...]:
    return tuple(sorted(card for number, card in enumerate(CARDS) for _ in range(counts >> 4 * number & 15)))


def _tiles(known: Names, places: int) -> tuple[Tile, ...]:
    return tuple(known.layout[place] for place in bits(places))


def _condition(position: Position, place: int) -> Condition:
    if position.dry >> place & 1:
        return Condition.DRY
    return Condition.FLOODED if position.flooded >> place & 1 else Condition.SUNK

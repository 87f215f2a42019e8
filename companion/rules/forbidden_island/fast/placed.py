"""What a fast position consists of, and where pawns can go on it."""

from __future__ import annotations

from typing import Any

from companion.rules.forbidden_island.components import ACTIONS_A_TURN, Role
from companion.rules.forbidden_island.fast.board import Board, dive, spread
from companion.rules.forbidden_island.fast.codes import FULL

ACTIONS, TREASURE, FLOOD, WON, LOST = range(5)
"""The phases."""
FOOLS_LANDING_SANK, TREASURE_SANK, DROWNED, WATER_LEVEL = range(1, 5)
"""How a game is lost; 0 while it is not."""

Saved = tuple[Any, ...]


class Placed:
    """One position of a game that tracks everything.

    ``dry`` and ``flooded`` are sets of places, ``pawns`` the place of each seat (of a swimming pawn, where its tile
    was). ``treasure_deck`` and ``flood_deck`` are zones, the top one last. Hands, treasure zones and treasure discards
    are packed counts (:mod:`.tables`); flood zones and flood discards are sets of places. ``captured`` is a set of
    treasures, ``swimming`` and ``over`` (hands over the limit) are sets of seats.
    """

    __slots__ = (
        "actions",
        "active",
        "board",
        "captured",
        "draws",
        "dry",
        "flood_deck",
        "flood_discard",
        "flooded",
        "flown",
        "hands",
        "lost_by",
        "over",
        "pawns",
        "phase",
        "players",
        "swimming",
        "treasure_deck",
        "treasure_discard",
        "turn",
        "water",
    )

    def __init__(self, board: Board, players: tuple[Role, ...]) -> None:
        self.board = board
        self.players = players
        self.active = 0
        self.turn = 1
        self.phase = ACTIONS
        self.actions = ACTIONS_A_TURN
        self.draws = 0
        self.flown = False
        self.dry = FULL
        self.flooded = 0
        self.pawns = [0] * len(players)
        self.hands = [0] * len(players)
        self.water = 1
        self.treasure_deck: tuple[int, ...] = ()
        self.treasure_discard = 0
        self.flood_deck: tuple[int, ...] = (FULL,)
        self.flood_discard = 0
        self.captured = 0
        self.swimming = 0
        self.over = 0
        self.lost_by = 0

    def save(self) -> Saved:
        """All that can change, for :meth:`restore`."""
        return (
            *self.pawns,
            *self.hands,
            self.active,
            self.turn,
            self.phase,
            self.actions,
            self.draws,
            self.flown,
            self.dry,
            self.flooded,
            self.water,
            self.treasure_deck,
            self.treasure_discard,
            self.flood_deck,
            self.flood_discard,
            self.captured,
            self.swimming,
            self.over,
            self.lost_by,
        )

    def restore(self, saved: Saved) -> None:
        """Go back to a saved position of the same game."""
        seats = len(self.players)
        self.pawns = list(saved[:seats])
        self.hands = list(saved[seats : 2 * seats])
        (
            self.active,
            self.turn,
            self.phase,
            self.actions,
            self.draws,
            self.flown,
            self.dry,
            self.flooded,
            self.water,
            self.treasure_deck,
            self.treasure_discard,
            self.flood_deck,
            self.flood_discard,
            self.captured,
            self.swimming,
            self.over,
            self.lost_by,
        ) = saved[2 * seats :]

    @property
    def ended(self) -> bool:
        """Whether the game is won or lost."""
        return self.phase >= WON

    # -- where pawns can go -----------------------------------------------------------------------------------------
    def _next_to(self, role: Role) -> tuple[int, ...]:
        ground = self.board.ground
        return ground.around if role is Role.EXPLORER else ground.beside

    def walks(self, seat: int) -> int:
        """Where a pawn's own move of one action can end."""
        role, place = self.players[seat], self.pawns[seat]
        if role is Role.DIVER:
            return self.dives(place)
        return self._next_to(role)[place] & (self.dry | self.flooded)

    def dives(self, place: int) -> int:
        """Where the Diver can get to from a place with one action."""
        return dive(self.board.ground.beside, place, self.dry | self.flooded, self.dry)

    def navigations(self, seat: int) -> int:
        """Where the Navigator can move a pawn with one action."""
        role, place = self.players[seat], self.pawns[seat]
        standing = self.dry | self.flooded
        if role is Role.DIVER:
            return self.board.ground.two_beside[place] & standing & ~(1 << place)
        next_to = self._next_to(role)
        near = next_to[place] & standing
        return (near | spread(next_to, near) & standing) & ~(1 << place)

    def exits(self, seat: int) -> int:
        """Where a swimming pawn can get out of the water."""
        role, place = self.players[seat], self.pawns[seat]
        standing = self.dry | self.flooded
        if role is Role.PILOT:
            return standing
        if role is Role.DIVER:
            return self._nearest(place, standing)
        return self._next_to(role)[place] & standing

    def _nearest(self, place: int, standing: int) -> int:
        beside = self.board.ground.beside
        seen = ring = 1 << place
        while ring and not ring & standing:
            ring = spread(beside, ring) & ~seen
            seen |= ring
        return ring & standing

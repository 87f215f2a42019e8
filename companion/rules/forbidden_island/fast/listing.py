"""What is legal in a fast position, as codes."""

from __future__ import annotations

from companion.rules.forbidden_island.components import CARDS_TO_CAPTURE, Role
from companion.rules.forbidden_island.fast.board import NOTHING
from companion.rules.forbidden_island.fast.codes import (
    CAPTURE,
    DRAW_FLOOD,
    END,
    FLY,
    LIFT_OFF,
    MOVE,
    NAVIGATE,
    SANDBAGS,
    SHORE_UP,
    SWIM,
    TREASURES,
    base,
    lift,
)
from companion.rules.forbidden_island.fast.placed import ACTIONS, TREASURE, WON, Placed
from companion.rules.forbidden_island.fast.tables import COUNTS, GROUPS, SEATS, at, discards, draws, gifts, pairs

ALL_TREASURES = (1 << len(TREASURES)) - 1

MOVES, FLIGHTS, SHORE_UPS, CAPTURES, FLOODS = map(base, (MOVE, FLY, SHORE_UP, CAPTURE, DRAW_FLOOD))
NAVIGATIONS, SWIMS, BAGS, LIFT_OFFS = (
    tuple(base(kind, seat) for seat in range(4)) for kind in (NAVIGATE, SWIM, SANDBAGS, LIFT_OFF)
)
LIFTS = tuple(tuple(lift(seat, pawns) for pawns in range(16)) for seat in range(4))


class Listed(Placed):
    """A position that lists its legal commands."""

    __slots__ = ()

    def legal(self) -> list[int]:
        """The code of every legal command once; a draw for every card that can come. Empty when the game is over."""
        if self.phase >= WON:
            return []
        if self.swimming:
            return self._rescues()
        codes: list[int] = []
        if self.over:
            for seat in SEATS[self.over]:
                codes += discards(self.hands[seat] & COUNTS, seat)
        elif self.phase == ACTIONS:
            if self.actions:
                self._add_actions(codes)
            codes.append(END)
        elif self.phase == TREASURE:
            codes += draws(self.next_treasures & COUNTS)
        else:
            codes += at(FLOODS, self.next_floods)
        self._add_specials(codes)
        return codes

    @property
    def next_treasures(self) -> int:
        """The treasure cards one of which comes next, as packed counts."""
        return self.treasure_deck[-1] if self.treasure_deck else self.treasure_discard

    @property
    def next_floods(self) -> int:
        """The places whose flood card can come next."""
        return self.flood_deck[-1] if self.flood_deck else self.flood_discard

    def _rescues(self) -> list[int]:
        codes: list[int] = []
        for seat in SEATS[self.swimming]:
            codes += at(SWIMS[seat], self.exits(seat))
        for holder, hand in enumerate(self.hands):
            if hand >> 16 & 15:
                self._add_lifts(codes, holder, self.swimming)
        return codes

    def _add_actions(self, codes: list[int]) -> None:
        seat = self.active
        role, place = self.players[seat], self.pawns[seat]
        walks = self.walks(seat)
        codes += at(MOVES, walks)
        near = 1 << place | self._next_to(role)[place]
        if role is Role.PILOT:
            if not self.flown:
                codes += at(FLIGHTS, (self.dry | self.flooded) & ~(walks | 1 << place))
        elif role is Role.NAVIGATOR:
            for other in range(len(self.pawns)):
                if other != seat:
                    codes += at(NAVIGATIONS[other], self.navigations(other))
        elif role is Role.ENGINEER:
            codes += pairs(near & self.flooded)
        codes += at(SHORE_UPS, near & self.flooded)
        self._add_gifts_and_captures(codes, role, place)

    def _add_gifts_and_captures(self, codes: list[int], role: Role, place: int) -> None:
        hand = self.hands[self.active]
        if not hand & 0xFFFF:
            return
        for other, there in enumerate(self.pawns):
            if (there == place or role is Role.MESSENGER) and other != self.active:
                codes += gifts(hand & 0xFFFF, other)
        treasure = self.board.treasure[place]
        if treasure != NOTHING and not self.captured >> treasure & 1 and hand >> 4 * treasure & 15 >= CARDS_TO_CAPTURE:
            codes.append(CAPTURES + treasure)

    def _add_specials(self, codes: list[int]) -> None:
        for holder, hand in enumerate(self.hands):
            if hand >> 20 & 15:
                codes += at(BAGS[holder], self.flooded)
            if hand >> 16 & 15:
                self._add_lifts(codes, holder, 15)
                if self.captured == ALL_TREASURES and self.gathered:
                    codes.append(LIFT_OFFS[holder])

    def _add_lifts(self, codes: list[int], holder: int, passengers: int) -> None:
        standing = self.dry | self.flooded
        on: dict[int, int] = {}
        for seat, place in enumerate(self.pawns):
            if passengers >> seat & 1:
                on[place] = on.get(place, 0) | 1 << seat
        lifts = LIFTS[holder]
        for place, seats in on.items():
            for group in GROUPS[seats]:
                codes += at(lifts[group], standing & ~(1 << place))

    @property
    def gathered(self) -> bool:
        """Whether all pawns stand on Fools' Landing."""
        return all(self.board.landing >> place & 1 for place in self.pawns)

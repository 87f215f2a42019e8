"""A position that can be played on quickly: whole numbers in slots, changed in place, saved and restored as a tuple.

Nothing here checks a code: :meth:`Position.play` takes what :meth:`Position.legal` lists, and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.rules.forbidden_island.components import (
    ACTIONS_A_TURN,
    CARDS_TO_CAPTURE,
    FLOOD_CARDS_AT_MARK,
    HAND_LIMIT,
    SKULL,
    TREASURE_CARDS_A_TURN,
    Role,
)
from companion.rules.forbidden_island.fast.board import NOTHING, Board, spread
from companion.rules.forbidden_island.fast.codes import (
    CAPTURE,
    DRAW_FLOOD,
    END,
    FLY,
    FULL,
    HELICOPTER,
    LIFT_OFF,
    MOVE,
    NAVIGATE,
    SANDBAG,
    SANDBAGS,
    SHORE_UP,
    SWIM,
    TREASURES,
    WATERS_RISE,
    base,
    lift,
)
from companion.rules.forbidden_island.fast.tables import (
    COUNTS,
    FOUR,
    GROUPS,
    ONE,
    SEATS,
    SIZE,
    at,
    discards,
    draws,
    gifts,
    pairs,
)

ACTIONS, TREASURE, FLOOD, WON, LOST = range(5)
"""The phases."""
FOOLS_LANDING_SANK, TREASURE_SANK, DROWNED, WATER_LEVEL = range(1, 5)
"""How a game is lost; 0 while it is not."""

DRAWS_AT = (0, *FLOOD_CARDS_AT_MARK, 0)
"""Flood cards a turn at each mark."""
ALL_TREASURES = (1 << len(TREASURES)) - 1

MOVES, FLIGHTS, SHORE_UPS, CAPTURES, FLOODS = map(base, (MOVE, FLY, SHORE_UP, CAPTURE, DRAW_FLOOD))
NAVIGATIONS, SWIMS, BAGS, LIFT_OFFS = (
    tuple(base(kind, seat) for seat in range(4)) for kind in (NAVIGATE, SWIM, SANDBAGS, LIFT_OFF)
)
LIFTS = tuple(tuple(lift(seat, pawns) for pawns in range(16)) for seat in range(4))

Saved = tuple[Any, ...]


class Position:
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

    def copy(self) -> Position:
        """Another position, equal now."""
        twin = Position(self.board, self.players)
        twin.restore(self.save())
        return twin

    @property
    def ended(self) -> bool:
        """Whether the game is won or lost."""
        return self.phase >= WON

    # -- what is legal ----------------------------------------------------------------------------------------------
    def legal(self) -> list[int]:
        """The code of every legal command once; a draw for every card that can come. Empty when the game is over."""
        if self.swimming:
            return self._rescues() if self.phase < WON else []
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
        elif self.phase == FLOOD:
            codes += at(FLOODS, self.next_floods)
        else:
            return codes
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

    # -- where pawns can go -----------------------------------------------------------------------------------------
    def _next_to(self, role: Role) -> tuple[int, ...]:
        ground = self.board.ground
        return ground.around if role is Role.EXPLORER else ground.beside

    def walks(self, seat: int) -> int:
        """Where a pawn's own move of one action can end."""
        role, place = self.players[seat], self.pawns[seat]
        if role is Role.DIVER:
            return self._dives(place)
        return self._next_to(role)[place] & (self.dry | self.flooded)

    def _dives(self, place: int) -> int:
        beside, dry = self.board.ground.beside, self.dry
        seen = edge = 1 << place
        while edge:
            reached = spread(beside, edge) & ~seen
            seen |= reached
            edge = reached & ~dry
        return seen & (dry | self.flooded) & ~(1 << place)

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

    # -- what happens -----------------------------------------------------------------------------------------------
    def play(self, code: int) -> None:
        """Play a legal command, with all that follows from it."""
        _PLAY[code >> 12](self, code >> 5 & 127, code & 31)

    def _spend(self) -> None:
        self.actions -= 1
        if self.actions <= 0:
            self._end_actions()

    def _end_actions(self) -> None:
        self.actions = 0
        self.phase = TREASURE
        self.draws = TREASURE_CARDS_A_TURN

    def _go_on(self) -> None:
        """The next phase or turn, where nothing holds it up."""
        if self.draws or self.swimming:
            return
        if self.phase == TREASURE:
            if not self.over:
                self.phase = FLOOD
                self.draws = DRAWS_AT[self.water]
        elif self.phase == FLOOD:
            self.phase = ACTIONS
            self.actions = ACTIONS_A_TURN
            self.active = (self.active + 1) % len(self.players)
            self.turn += 1
            self.flown = False

    def _lose(self, how: int) -> None:
        self.phase = LOST
        self.draws = 0
        self.lost_by = how
        if how != DROWNED:
            self.swimming = 0

    def _receive(self, seat: int, card: int) -> None:
        hand = self.hands[seat] = self.hands[seat] + ONE[card]
        if hand >> SIZE > HAND_LIMIT:
            self.over |= 1 << seat

    def _let_go(self, seat: int, card: int) -> None:
        hand = self.hands[seat] = self.hands[seat] - ONE[card]
        if hand >> SIZE <= HAND_LIMIT:
            self.over &= ~(1 << seat)

    def _use(self, seat: int, card: int) -> None:
        self._let_go(seat, card)
        self.treasure_discard += ONE[card]

    def _move(self, _: int, place: int) -> None:
        self.pawns[self.active] = place
        self._spend()

    def _fly(self, _: int, place: int) -> None:
        self.flown = True
        self.pawns[self.active] = place
        self._spend()

    def _navigate(self, seat: int, place: int) -> None:
        self.pawns[seat] = place
        self._spend()

    def _shore_up(self, _: int, place: int) -> None:
        self.flooded ^= 1 << place
        self.dry |= 1 << place
        self._spend()

    def _shore_up_two(self, other: int, place: int) -> None:
        both = 1 << other | 1 << place
        self.flooded ^= both
        self.dry |= both
        self._spend()

    def _give(self, seat: int, card: int) -> None:
        self._let_go(self.active, card)
        self._receive(seat, card)
        self._spend()

    def _capture(self, _: int, treasure: int) -> None:
        self.captured |= 1 << treasure
        hand = self.hands[self.active] = self.hands[self.active] - FOUR[treasure]
        if hand >> SIZE <= HAND_LIMIT:
            self.over &= ~(1 << self.active)
        self.treasure_discard += FOUR[treasure]
        self._spend()

    def _leave_actions(self, _: int, _card: int) -> None:
        self._end_actions()

    def _draw_treasure(self, _: int, card: int) -> None:
        rest = self.treasure_deck[-1] - ONE[card]
        self.treasure_deck = (*self.treasure_deck[:-1], rest) if rest else self.treasure_deck[:-1]
        self.draws -= 1
        if card != WATERS_RISE:
            self._receive(self.active, card)
        else:
            self.treasure_discard += ONE[card]
            self.water += 1
            if self.water >= SKULL:
                self._lose(WATER_LEVEL)
                return
            if self.flood_discard:
                self.flood_deck = (*self.flood_deck, self.flood_discard)
                self.flood_discard = 0
        if not self.treasure_deck:
            self.treasure_deck, self.treasure_discard = (self.treasure_discard,), 0
        self._go_on()

    def _draw_flood(self, _: int, place: int) -> None:
        card = 1 << place
        rest = self.flood_deck[-1] ^ card
        self.flood_deck = (*self.flood_deck[:-1], rest) if rest else self.flood_deck[:-1]
        self.draws -= 1
        if self.dry & card:
            self.dry ^= card
            self.flooded |= card
            self.flood_discard |= card
        else:
            self.flooded ^= card
            if self._sank(place):
                return
        if not self.flood_deck and self.flood_discard:
            self.flood_deck, self.flood_discard = (self.flood_discard,), 0
        self._go_on()

    def _sank(self, place: int) -> bool:
        """Whether the game is lost now that a place sank; else its pawns swim."""
        treasure = self.board.treasure[place]
        if self.board.landing >> place & 1:
            self._lose(FOOLS_LANDING_SANK)
        elif treasure != NOTHING and not (
            self.captured >> treasure & 1 or self.board.pairs[treasure] & (self.dry | self.flooded)
        ):
            self._lose(TREASURE_SANK)
        elif place in self.pawns:
            for seat, there in enumerate(self.pawns):
                if there == place:
                    self.swimming |= 1 << seat
            self._drown()
        return self.phase == LOST

    def _drown(self) -> None:
        """Lose where a swimming pawn has no way out and nobody holds a Helicopter Lift."""
        for hand in self.hands:
            if hand >> 16 & 15:
                return
        for seat in SEATS[self.swimming]:
            if not self.exits(seat):
                self._lose(DROWNED)

    def _discard(self, seat: int, card: int) -> None:
        self._use(seat, card)
        self._go_on()

    def _sandbag(self, seat: int, place: int) -> None:
        self._use(seat, SANDBAG)
        self.flooded ^= 1 << place
        self.dry |= 1 << place
        self._go_on()

    def _lift(self, who: int, place: int) -> None:
        self._use(who >> 4, HELICOPTER)
        for seat in SEATS[who & 15]:
            self.pawns[seat] = place
        if self.swimming:
            self.swimming &= ~who
            self._drown()
            if self.phase == LOST:
                return
        self._go_on()

    def _lift_off(self, seat: int, _: int) -> None:
        self._use(seat, HELICOPTER)
        self.phase = WON
        self.draws = 0

    def _swim(self, seat: int, place: int) -> None:
        self.pawns[seat] = place
        self.swimming &= ~(1 << seat)
        self._go_on()


_PLAY: tuple[Callable[[Position, int, int], None], ...] = (
    Position._move,
    Position._fly,
    Position._navigate,
    Position._shore_up,
    Position._shore_up_two,
    Position._give,
    Position._capture,
    Position._leave_actions,
    Position._draw_treasure,
    Position._draw_flood,
    Position._discard,
    Position._sandbag,
    Position._lift,
    Position._lift_off,
    Position._swim,
)
"""By the kind of command."""

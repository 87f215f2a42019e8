"""A position that can be played on quickly: whole numbers in slots, changed in place, saved and restored as a tuple.

Nothing here checks a code: :meth:`Position.play` takes what :meth:`Position.legal` lists, and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable

from companion.rules.forbidden_island.components import (
    ACTIONS_A_TURN,
    FLOOD_CARDS_AT_MARK,
    HAND_LIMIT,
    SKULL,
    TREASURE_CARDS_A_TURN,
)
from companion.rules.forbidden_island.fast.board import NOTHING
from companion.rules.forbidden_island.fast.codes import HELICOPTER, SANDBAG, WATERS_RISE
from companion.rules.forbidden_island.fast.listing import (
    Listed,
)
from companion.rules.forbidden_island.fast.placed import (
    ACTIONS,
    DROWNED,
    FLOOD,
    FOOLS_LANDING_SANK,
    LOST,
    TREASURE,
    TREASURE_SANK,
    WATER_LEVEL,
    WON,
)
from companion.rules.forbidden_island.fast.tables import FOUR, ONE, SEATS, SIZE

DRAWS_AT = (0, *FLOOD_CARDS_AT_MARK, 0)
"""Flood cards a turn at each mark."""


class Position(Listed):
    """A position that is played on."""

    __slots__ = ()

    def copy(self) -> Position:
        """Another position, equal now."""
        twin = Position(self.board, self.players)
        twin.restore(self.save())
        return twin

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

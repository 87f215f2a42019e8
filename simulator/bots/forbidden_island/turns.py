"""Every way to play a turn, told apart by what it leads to: where pawns stand, who holds what, what is dry."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from companion.rules.forbidden_island.components import CARDS_TO_CAPTURE, HAND_LIMIT, Role
from companion.rules.forbidden_island.fast.board import NOTHING, dive, spread
from companion.rules.forbidden_island.fast.codes import DISCARD, END, HELICOPTER, SANDBAG, base
from companion.rules.forbidden_island.fast.listing import (
    BAGS,
    CAPTURES,
    FLIGHTS,
    LIFTS,
    MOVES,
    NAVIGATIONS,
    SHORE_UPS,
)
from companion.rules.forbidden_island.fast.position import Position
from companion.rules.forbidden_island.fast.tables import FOUR, GROUPS, KINDS, ONE, SIZE, at, discards, gifts, pairs

MOST = 12_000
"""No more outcomes of a turn are looked at, those of fewer actions first; the Navigator and the Engineer come near."""

DISCARDED_LIFTS = tuple(base(DISCARD, seat) + HELICOPTER for seat in range(4))


class Stance(NamedTuple):
    """What a turn can change, as in a position: places, pawns by seat, hands by seat, captured treasures."""

    flooded: int
    pawns: tuple[int, ...]
    hands: tuple[int, ...]
    captured: int
    flown: bool


Ways = dict[Stance, tuple[int, ...]]
"""The codes that lead to each stance."""


def stance(p: Position) -> Stance:
    """How things stand in a position."""
    return Stance(p.flooded, tuple(p.pawns), tuple(p.hands), p.captured, p.flown)


def without(hands: tuple[int, ...], seat: int, cards: int) -> tuple[int, ...]:
    """Hands from one of which packed cards are taken."""
    return (*hands[:seat], hands[seat] - cards, *hands[seat + 1 :])


def outcomes(p: Position, first: Ways, most: int = MOST) -> Ways:
    """All that the actions left can lead to from some stances, with the shortest codes to each."""
    turn, found, edge = _Turn(p), dict(first), list(first.items())
    for _ in range(p.actions):
        further: list[tuple[Stance, tuple[int, ...]]] = []
        for there, codes in edge:
            for more, then in turn.actions(there):
                if then not in found:
                    way = found[then] = codes + more
                    further.append((then, way))
            if len(found) > most:
                return found
        edge = further
    return found


def ended(p: Position, codes: tuple[int, ...]) -> tuple[int, ...]:
    """The codes of a whole turn, ended where actions are left over."""
    spent = sum(1 for code in codes if code < END)
    return codes if codes and spent >= p.actions else (*codes, END)


def lifts(p: Position, there: Stance, targets: int, seats: Iterable[int]) -> Iterator[tuple[int, Stance]]:
    """The flights with a Helicopter Lift out of one of the hands of ``seats``, to any of some places."""
    holder = max(
        (seat for seat in seats if there.hands[seat] >> 4 * HELICOPTER & 15), key=lambda s: there.hands[s] >> SIZE
    )
    hands = without(there.hands, holder, ONE[HELICOPTER])
    on: dict[int, int] = {}
    for seat, place in enumerate(there.pawns):
        on[place] = on.get(place, 0) | 1 << seat
    for place, all_there in on.items():
        for group in GROUPS[all_there]:
            for to in at(0, targets & (p.dry | p.flooded) & ~(1 << place)):
                pawns = tuple(to if group >> seat & 1 else old for seat, old in enumerate(there.pawns))
                yield LIFTS[holder][group] + to, there._replace(pawns=pawns, hands=hands)


def let_go(there: Stance, seat: int) -> Iterator[tuple[int, Stance]]:
    """What can be done with one card of a hand that is too full, flights left out."""
    hand = there.hands[seat]
    for code in discards(hand & (1 << 4 * KINDS) - 1, seat):
        yield code, there._replace(hands=without(there.hands, seat, ONE[code & 31]))
    if hand >> 4 * SANDBAG & 15:
        yield from bags(there, seat)


def bags(there: Stance, seat: int) -> Iterator[tuple[int, Stance]]:
    """The places that a hand's Sandbags can shore up."""
    hands = without(there.hands, seat, ONE[SANDBAG])
    for code in at(BAGS[seat], there.flooded):
        yield code, there._replace(flooded=there.flooded ^ 1 << (code & 31), hands=hands)


class _Turn:
    """What one action of the active player can lead to."""

    def __init__(self, p: Position) -> None:
        self.p, self.seat, self.role = p, p.active, p.players[p.active]
        self.standing = p.dry | p.flooded
        land = p.board.ground
        self.beside = land.beside
        self.next_to = land.around if self.role is Role.EXPLORER else land.beside
        self._navigations: dict[tuple[int, int], tuple[int, ...]] = {}
        self._dives: dict[tuple[int, int], int] = {}

    def actions(self, s: Stance) -> Iterator[tuple[tuple[int, ...], Stance]]:
        flooded, pawns, hands, captured, flown = s
        seat, place = self.seat, pawns[self.seat]
        before, behind = pawns[:seat], pawns[seat + 1 :]
        walks = self._walks(place, flooded)
        for code in at(MOVES, walks):
            yield (code,), Stance(flooded, (*before, code & 31, *behind), hands, captured, flown)
        near = (self.next_to[place] | 1 << place) & flooded
        if self.role is Role.ENGINEER and near & (near - 1):
            for code in pairs(near):
                both = 1 << (code >> 5 & 127) | 1 << (code & 31)
                yield (code,), Stance(flooded ^ both, pawns, hands, captured, flown)
        else:
            for code in at(SHORE_UPS, near):
                yield (code,), Stance(flooded ^ 1 << (code & 31), pawns, hands, captured, flown)
        if self.role is Role.PILOT and not flown:
            for code in at(FLIGHTS, self.standing & ~(walks | 1 << place)):
                yield (code,), Stance(flooded, (*before, code & 31, *behind), hands, captured, True)
        elif self.role is Role.NAVIGATOR:
            yield from self._moved(s)
        if hands[seat] & 0xFFFF:
            yield from self._dealt(s)

    def _walks(self, place: int, flooded: int) -> int:
        if self.role is not Role.DIVER:
            return self.next_to[place] & self.standing
        key = place, flooded
        if key not in self._dives:
            self._dives[key] = dive(self.beside, place, self.standing, self.standing & ~flooded)
        return self._dives[key]

    def _moved(self, s: Stance) -> Iterator[tuple[tuple[int, ...], Stance]]:
        for other, place in enumerate(s.pawns):
            if other == self.seat:
                continue
            key = other, place
            if key not in self._navigations:
                self._navigations[key] = at(NAVIGATIONS[other], self._navigable(other, place))
            before, behind = s.pawns[:other], s.pawns[other + 1 :]
            for code in self._navigations[key]:
                pawns = (*before, code & 31, *behind)
                yield (code,), Stance(s.flooded, pawns, s.hands, s.captured, s.flown)

    def _navigable(self, other: int, place: int) -> int:
        role, standing, land = self.p.players[other], self.standing, self.p.board.ground
        if role is Role.DIVER:
            return land.two_beside[place] & standing & ~(1 << place)
        next_to = land.around if role is Role.EXPLORER else land.beside
        near = next_to[place] & standing
        return (near | spread(next_to, near) & standing) & ~(1 << place)

    def _dealt(self, s: Stance) -> Iterator[tuple[tuple[int, ...], Stance]]:
        """Captures and gifts."""
        seat, place, hand = self.seat, s.pawns[self.seat], s.hands[self.seat]
        number = self.p.board.treasure[place]
        if number != NOTHING and not s.captured >> number & 1 and hand >> 4 * number & 15 >= CARDS_TO_CAPTURE:
            hands = without(s.hands, seat, FOUR[number])
            yield (CAPTURES + number,), s._replace(hands=hands, captured=s.captured | 1 << number)
        for other, there in enumerate(s.pawns):
            if other == seat or not (there == place or self.role is Role.MESSENGER):
                continue
            for code in gifts(hand & 0xFFFF, other):
                card = code & 31
                if not s.captured >> card & 1:
                    yield from self._given(s, code, other, card)

    def _given(self, s: Stance, code: int, other: int, card: int) -> Iterator[tuple[tuple[int, ...], Stance]]:
        hands = without(without(s.hands, self.seat, ONE[card]), other, -ONE[card])
        then = Stance(s.flooded, s.pawns, hands, s.captured, s.flown)
        if hands[other] >> SIZE <= HAND_LIMIT:
            yield (code,), then
            return
        last_lift = sum(hand >> 4 * HELICOPTER & 15 for hand in hands) == 1
        for gone, after in let_go(then, other):
            if not (last_lift and gone == DISCARDED_LIFTS[other]):
                yield (code, gone), after

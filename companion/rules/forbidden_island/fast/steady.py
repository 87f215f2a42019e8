"""A player that keeps to rules of thumb: what it does about the sea, with full hands and with special cards.

It plans its actions a turn at a time (:mod:`.turn`) and weighs everything by the same worth (:mod:`.worth`).
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.rules.forbidden_island.fast.codes import HELICOPTER, LIFT_OFF, SANDBAG, SWIM
from companion.rules.forbidden_island.fast.forecast import forecast
from companion.rules.forbidden_island.fast.listing import ALL_TREASURES, BAGS, LIFT_OFFS, LIFTS, SWIMS
from companion.rules.forbidden_island.fast.placed import ACTIONS, FLOOD
from companion.rules.forbidden_island.fast.position import Position
from companion.rules.forbidden_island.fast.tables import COUNTS, GROUPS, SEATS, at, discards
from companion.rules.forbidden_island.fast.turn import Turn, planned
from companion.rules.forbidden_island.fast.worth import Row, Weights, Worth

WAIT: tuple[int, ...] = ()
"""The answer of a player who lets the dealer go on."""
LAST_LIFT = 100.0
"""What it costs to give away the only Helicopter Lift in any hand: the one that lifts off in the end."""


class Steady:
    """Plays for the whole team. Holds no state of a game: one may play many in turn."""

    def __init__(self, weights: Weights | None = None) -> None:
        self.worth = Worth(weights or Weights())

    def choose(self, p: Position) -> Sequence[int]:
        """Codes to play one after another for as long as nobody must swim or discard; none to let the dealer go on."""
        if p.swimming:
            return self._swim(p)
        if p.over:
            return self._let_go(p)
        if p.captured == ALL_TREASURES and p.gathered:
            for seat, hand in enumerate(p.hands):
                if hand >> 4 * HELICOPTER & 15:
                    return (LIFT_OFFS[seat],)
        if p.phase == ACTIONS:
            return self._fly_before(p) or planned(p, self.worth)
        if p.phase == FLOOD and p.flooded:
            return self._sandbag(p)
        return WAIT

    def options(self, p: Position, number: int) -> list[tuple[int, ...]]:
        """Its own choice first, then what else may be worth a try."""
        own = tuple(self.choose(p))
        if p.swimming:
            others: list[tuple[int, ...]] = [(code,) for code in p.legal() if code >> 12 == SWIM]
        elif p.over:
            seat = SEATS[p.over][0]
            others = [(code,) for code in discards(p.hands[seat] & COUNTS, seat)]
        elif own and own[0] >> 12 == LIFT_OFF:
            others = []
        elif p.phase == ACTIONS:
            special = self._specials(p)
            others = Turn(p, self.worth).ranked(number - len(special)) + special
        else:
            others = self._bags(p)
        return list(dict.fromkeys((own, *others)))[:number]

    def _specials(self, p: Position) -> list[tuple[int, ...]]:
        """The best flight, and the places that most need sandbags, where such cards are at hand."""
        found: list[tuple[int, ...]] = []
        for seat, hand in enumerate(p.hands):
            if hand >> 4 * HELICOPTER & 15:
                found = [(self._best_lift(p, seat)[1],)]
        return found + [codes for codes in self._bags(p) if codes]

    def forecast(self, p: Position) -> float:
        """The chance to win, guessed at a glance."""
        return forecast(p, self.worth)

    def _bags(self, p: Position) -> list[tuple[int, ...]]:
        """To wait for the next flood card, or to fill sandbags first."""
        holders = [seat for seat, hand in enumerate(p.hands) if hand >> 4 * SANDBAG & 15][:1]
        return [(), *((BAGS[seat] + place,) for seat in holders for _, _, place in self.worth.threats(p)[:3])]

    # -- special cards ----------------------------------------------------------------------------------------------
    def _sandbag(self, p: Position) -> Sequence[int]:
        for seat, hand in enumerate(p.hands):
            if hand >> 4 * SANDBAG & 15:
                cost, _, place = self.worth.threats(p)[0]
                return (BAGS[seat] + place,) if cost >= self.worth.weights.bag else WAIT
        return WAIT

    def _fly_before(self, p: Position) -> Sequence[int]:
        """A Helicopter Lift before the actions, where more than the last one is at hand and it brings a lot."""
        if sum(p.hands) >> 4 * HELICOPTER & 15 < 2:
            return WAIT
        holder = next(seat for seat, hand in enumerate(p.hands) if hand >> 4 * HELICOPTER & 15)
        gain, code = self._best_lift(p, holder)
        return (code,) if gain >= self.worth.weights.lift else WAIT

    def _best_lift(self, p: Position, holder: int) -> tuple[float, int]:
        """The flight that brings the pawns most, whoever flies."""
        wishes = self._wishes(p)
        standing = p.dry | p.flooded
        best = (-1e9, 0)
        for place in set(p.pawns):
            here = sum(1 << seat for seat, there in enumerate(p.pawns) if there == place)
            gains = {seat: [wish - wishes[seat][place] for wish in wishes[seat]] for seat in SEATS[here]}
            places = at(0, standing & ~(1 << place))
            for group in GROUPS[here] if places else ():
                together = _sums([gains[seat] for seat in SEATS[group]])
                to = max(places, key=together.__getitem__)
                if together[to] > best[0]:
                    best = (together[to], LIFTS[holder][group] + to)
        return best

    def _wishes(self, p: Position) -> list[Row]:
        """For each pawn, how much it wants to be at each place."""
        threats = self.worth.threats(p)
        return [self.worth.wish(self.worth.goals(p, seat, threats)) for seat in range(len(p.pawns))]

    # -- full hands -------------------------------------------------------------------------------------------------
    def _let_go(self, p: Position) -> Sequence[int]:
        seat = SEATS[p.over][0]
        options = discards(p.hands[seat] & COUNTS, seat)
        costs = [(self._cost(p, seat, code & 31), code) for code in options]
        _, code = min(costs)
        if code & 31 == SANDBAG and p.flooded:
            return (BAGS[seat] + self.worth.threats(p)[0][2],)
        if code & 31 == HELICOPTER:
            return (self._best_lift(p, seat)[1],)
        return (code,)

    def _cost(self, p: Position, seat: int, card: int) -> float:
        """What the team loses with one card of a hand."""
        w = self.worth.weights
        if card == SANDBAG:
            return w.keep_bag - (self.worth.threats(p)[0][0] if p.flooded else 0.0)
        if card == HELICOPTER:
            if sum(p.hands) >> 4 * HELICOPTER & 15 < 2:
                return LAST_LIFT
            return w.keep_lift - self._best_lift(p, seat)[0]
        return self.worth.loss(p, seat, card) if not p.captured >> card & 1 else -LAST_LIFT

    # -- in the water -----------------------------------------------------------------------------------------------
    def _swim(self, p: Position) -> Sequence[int]:
        wishes = self._wishes(p)
        for seat in SEATS[p.swimming]:
            exits = at(0, p.exits(seat))
            if exits:
                row, dry = wishes[seat], p.dry
                best = max(exits, key=lambda place: row[place] + self.worth.weights.swim_dry * (dry >> place & 1))
                return (SWIMS[seat] + best,)
        holder = next(seat for seat, hand in enumerate(p.hands) if hand >> 4 * HELICOPTER & 15)
        group = p.swimming
        rows = [wishes[seat] for seat in SEATS[group]]
        place = max(at(0, p.dry | p.flooded), key=lambda to: sum(row[to] for row in rows))
        return (LIFTS[holder][group] + place,)


def _sums(rows: Sequence[Sequence[float]]) -> Sequence[float]:
    """Place by place; as most pawns fly alone, one row is its own sum."""
    return rows[0] if len(rows) == 1 else [sum(values) for values in zip(*rows, strict=True)]

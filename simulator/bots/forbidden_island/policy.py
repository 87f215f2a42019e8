"""The learned player: looks at every way to play a turn and takes what the net likes best."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from companion.rules.forbidden_island.fast.board import spread
from companion.rules.forbidden_island.fast.codes import HELICOPTER, SANDBAG
from companion.rules.forbidden_island.fast.listing import ALL_TREASURES, LIFT_OFFS, LIFTS, SWIMS
from companion.rules.forbidden_island.fast.placed import ACTIONS, FLOOD, WON
from companion.rules.forbidden_island.fast.position import Position
from companion.rules.forbidden_island.fast.tables import SEATS, at
from simulator.bots.forbidden_island.features import seen
from simulator.bots.forbidden_island.net import Net, learned
from simulator.bots.forbidden_island.outlook import Floats, outlook
from simulator.bots.forbidden_island.turns import MOST, Stance, Ways, bags, ended, let_go, lifts, outcomes, stance

WAIT: tuple[int, ...] = ()
"""The answer that lets the dealer go on."""
FLIGHTS = 6
"""The most promising flights before the actions, or cards to let go of: the whole turn after each is looked at."""
CLOSE = 0.4
"""An answer whose log odds are lower than the best one's by more than this is no option."""
MOST_OPTIONS = 64
"""No more ways to play a turn are answers."""
AT_A_GLANCE = 1500
"""No more outcomes of a turn are looked at for a forecast."""
AT_ONCE = 4096
"""So many stances go through the net together, which bounds the memory that it takes."""
DIGITS = 6
"""To so many the log odds are rounded, so that equal stances tie and every machine plays the same game."""

Scored = list[tuple[float, tuple[int, ...]]]
"""Answers with the log odds to win after each, the best first."""


class Learned:
    """Plays for the whole team. Holds no state of a game: one may play many in turn."""

    def __init__(self, net: Net | None = None) -> None:
        self.net = net or learned()

    def choose(self, p: Position) -> Sequence[int]:
        """Codes to play one after another while nobody must swim or discard; none to let the dealer go on."""
        return self.scored(p)[0][1]

    def options(self, p: Position, number: int) -> list[tuple[int, ...]]:
        """The best answers, the best first; none that is far worse than the best."""
        scored = self.scored(p)[:number]
        return [codes for odds, codes in scored if odds >= scored[0][0] - CLOSE]

    def forecast(self, p: Position) -> float:
        """The chance to win; in a turn, after the best way to play it without a flight. 1 or 0 at the end."""
        if p.ended:
            return float(p.phase == WON)
        if p.phase == ACTIONS and not p.over:
            return chance(self._turns(p, {stance(p): ()}, AT_A_GLANCE)[0][0])
        return chance(float(self._odds(p, [stance(p)])[0]))

    def scored(self, p: Position) -> Scored:
        """The answers that it weighs, the best first; one at least."""
        if p.swimming:
            return self._swims(p)
        if p.over:
            return self._trims(p)
        if p.captured == ALL_TREASURES and p.gathered:
            for seat, hand in enumerate(p.hands):
                if hand >> 4 * HELICOPTER & 15:
                    return [(np.inf, (LIFT_OFFS[seat],))]
        if p.phase == ACTIONS:
            return self._turns(p, self._beginnings(p))
        if p.phase == FLOOD and p.flooded:
            return self._bags(p)
        return [(0.0, WAIT)]

    # -- a turn -----------------------------------------------------------------------------------------------------
    def _turns(self, p: Position, beginnings: Ways, most: int = MOST) -> Scored:
        ways = outcomes(p, beginnings, most)
        won = next((codes for there, codes in ways.items() if _lifts_off(p, there)), None)
        if won is not None:
            return [(np.inf, won or WAIT)]
        odds = self._odds(p, list(ways))
        codes = list(ways.values())
        best = np.argsort(-odds, kind="stable")[:MOST_OPTIONS]
        return [(float(odds[n]), ended(p, codes[n])) for n in best]

    def _beginnings(self, p: Position) -> Ways:
        """The stance itself, and those after the most promising flights."""
        here = stance(p)
        first: Ways = {here: ()}
        held = sum(hand >> 4 * HELICOPTER & 15 for hand in p.hands)
        if not held or (held < 2 and p.captured == ALL_TREASURES):
            return first
        flown: Ways = {}
        for code, there in lifts(p, here, _targets(p), range(len(p.hands))):
            flown.setdefault(there, (code,))
        flown.pop(here, None)
        landed = list(flown)
        if len(landed) > FLIGHTS:
            odds = self._odds(p, landed)
            landed = [landed[n] for n in np.argsort(-odds, kind="stable")[:FLIGHTS]]
        return first | {each: flown[each] for each in landed}

    # -- full hands, the sea ----------------------------------------------------------------------------------------
    def _trims(self, p: Position) -> Scored:
        here, seat = stance(p), SEATS[p.over][0]
        answers = list(let_go(here, seat))
        if p.hands[seat] >> 4 * HELICOPTER & 15:
            answers += lifts(p, here, p.dry | p.flooded, (seat,))
        weighed = self._weighed(p, answers)
        if p.phase != ACTIONS or not p.actions or len(SEATS[p.over]) > 1:
            return weighed
        further = [(self._after(p, codes[0]), codes) for _, codes in weighed[:FLIGHTS]]
        return sorted(further, key=lambda answer: -answer[0])

    def _after(self, p: Position, code: int) -> float:
        """The log odds of the best turn after a code that leaves all hands within the limit."""
        copy = p.copy()
        copy.play(code)
        return self._turns(copy, {stance(copy): ()})[0][0]

    def _bags(self, p: Position) -> Scored:
        here = stance(p)
        holder = next((seat for seat, hand in enumerate(p.hands) if hand >> 4 * SANDBAG & 15), None)
        if holder is None:
            return [(0.0, WAIT)]
        answers = list(bags(here, holder))
        odds = self._odds(p, [here, *(there for _, there in answers)])
        codes = [WAIT, *((code,) for code, _ in answers)]
        return [(float(odds[n]), codes[n]) for n in np.argsort(-odds, kind="stable")]

    def _swims(self, p: Position) -> Scored:
        here = stance(p)
        for seat in SEATS[p.swimming]:
            exits = at(SWIMS[seat], p.exits(seat))
            if exits:
                return self._weighed(p, [(code, _moved(here, 1 << seat, code & 31)) for code in exits])
        holder = next(seat for seat, hand in enumerate(p.hands) if hand >> 4 * HELICOPTER & 15)
        codes = at(LIFTS[holder][p.swimming], p.dry | p.flooded)
        return self._weighed(p, [(code, _moved(here, p.swimming, code & 31)) for code in codes])

    def _weighed(self, p: Position, answers: Sequence[tuple[int, Stance]]) -> Scored:
        odds = self._odds(p, [there for _, there in answers])
        return [(float(odds[n]), (answers[n][0],)) for n in np.argsort(-odds, kind="stable")]

    def _odds(self, p: Position, stances: Sequence[Stance]) -> Floats:
        view = outlook(p)
        parts = [stances[n : n + AT_ONCE] for n in range(0, len(stances), AT_ONCE)]
        odds: Floats = np.concatenate([self.net(seen(p, view, part)) for part in parts])[:, 0]
        return np.round(odds, DIGITS)


def chance(odds: float) -> float:
    """The chance that log odds stand for."""
    return float(1 / (1 + np.exp(-np.clip(odds, -30, 30))))


def _moved(there: Stance, group: int, place: int) -> Stance:
    return there._replace(pawns=tuple(place if group >> seat & 1 else old for seat, old in enumerate(there.pawns)))


def _lifts_off(p: Position, there: Stance) -> bool:
    """Whether the game can be won from a stance at once."""
    return (
        there.captured == ALL_TREASURES
        and all(p.board.landing >> place & 1 for place in there.pawns)
        and any(hand >> 4 * HELICOPTER & 15 for hand in there.hands)
    )


def _targets(p: Position) -> int:
    """Where a flight may be worth its card: what matters still, what is beside what is flooded of that, other pawns."""
    targets = p.board.landing
    for number, pair in enumerate(p.board.pairs):
        if not p.captured >> number & 1:
            targets |= pair
    targets |= spread(p.board.ground.beside, targets & p.flooded)
    for place in p.pawns:
        targets |= 1 << place
    return targets

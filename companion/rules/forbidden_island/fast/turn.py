"""A whole turn planned out of look-ups.

A turn is a walk and what is done on the way: places shored up, cards given, a treasure captured. Every walk is weighed
by the best that the actions left can do along it, and by where it ends; what the one changes for the other is left out,
which is what makes it quick.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from companion.rules.forbidden_island.components import CARDS_TO_CAPTURE, HAND_LIMIT, Role
from companion.rules.forbidden_island.fast.codes import (
    END,
    FULL,
    GIVE,
    PLACES,
    SHORE_UP,
    SHORE_UP_TWO,
    TREASURES,
    base,
)
from companion.rules.forbidden_island.fast.listing import CAPTURES, FLIGHTS, MOVES, NAVIGATIONS, SHORE_UPS
from companion.rules.forbidden_island.fast.position import Position
from companion.rules.forbidden_island.fast.tables import SIZE, at, numbers
from companion.rules.forbidden_island.fast.worth import Goal, Worth

ANYWHERE = 15 << PLACES
"""Four bits above the places, for what can be done wherever one stands: moving another pawn, by its seat."""
EVERYWHERE = FULL | ANYWHERE
GIFTS = tuple(base(GIVE, seat) for seat in range(4))
TWO_SHORED = tuple(base(SHORE_UP_TWO, place) for place in range(PLACES))
NO_PLACE = -1

Act = tuple[float, int, int]
"""What one action gains, the set of one that says whence it can be done, and the place or code."""


@dataclass(frozen=True, slots=True)
class Deal:
    """Cards handed over or in: ``actions`` of them at a place, the gain, and the goal that is then moot."""

    actions: int
    gain: float
    codes: tuple[int, ...]
    moot: Goal | None = None


Walk = tuple[int, int, int, tuple[int, ...]]
"""Where a walk ends, the places it has seen, what can be shored up along it, and its codes."""


def planned(p: Position, worth: Worth) -> Sequence[int]:
    """The codes of the active player's turn, at least one; ends the actions where nothing is worth doing."""
    return Turn(p, worth).best()


class Turn:
    """The turn of the active player from a position in the action phase."""

    def __init__(self, p: Position, worth: Worth) -> None:
        self.p, self.worth = p, worth
        self.seat = seat = p.active
        self.role = role = p.players[seat]
        self.standing = p.dry | p.flooded
        ground = p.board.ground
        self.next_to = ground.around if role is Role.EXPLORER else ground.beside
        self.threats = worth.threats(p)
        self.goals = worth.goals(p, seat, self.threats)
        self.acts: list[Act] = list(self.threats)
        if role is Role.NAVIGATOR:
            self._add_navigations()
        self.a_time = 2 if role is Role.ENGINEER else 1
        self.deals: dict[int, list[Deal]] = {}
        self._add_captures()
        self._add_gifts()
        self.dealing = FULL if NO_PLACE in self.deals else sum(1 << place for place in self.deals)
        self.liking = worth.wish(self.goals)
        self._useful = sum(bit for _, bit, _ in self.acts)
        self._gains: list[dict[int, float]] = [{} for _ in range(p.actions + 1)]
        self._dives: dict[int, int] = {}

    # -- what can be done on the way --------------------------------------------------------------------------------
    def _add_navigations(self) -> None:
        """Moving another pawn to where it most wants to be."""
        for other in range(len(self.p.pawns)):
            if other == self.seat:
                continue
            goals, here = self.worth.goals(self.p, other, self.threats), self.p.pawns[other]
            options = [
                (sum(weight * (row[to] - row[here]) for weight, row in goals), to)
                for to in at(0, self.p.navigations(other))
            ]
            gain, to = max(options, default=(0.0, here))
            if gain > 0:
                self.acts.append((gain, 1 << PLACES + other, NAVIGATIONS[other] + to))
        self.acts.sort(reverse=True)

    def _add_captures(self) -> None:
        p, w = self.p, self.worth.weights
        hand = p.hands[self.seat]
        for number, pair in enumerate(p.board.pairs):
            if hand >> 4 * number & 15 >= CARDS_TO_CAPTURE and not p.captured >> number & 1:
                sites = pair & self.standing
                moot = (w.ready, self.worth.nearness(p, self.seat, sites))
                for place in at(0, sites):
                    self._offer(place, Deal(1, w.capture, (CAPTURES + number,), moot))

    def _add_gifts(self) -> None:
        p = self.p
        if not p.hands[self.seat] & 0xFFFF:
            return
        for other, place in enumerate(p.pawns):
            if other != self.seat:
                at_place = NO_PLACE if self.role is Role.MESSENGER else place
                for deal in self._gifts(other):
                    self._offer(at_place, deal)

    def _offer(self, place: int, deal: Deal) -> None:
        self.deals.setdefault(place, []).append(deal)

    def _gifts(self, other: int) -> list[Deal]:
        """The best ways to give one, two or three cards to another player, who lets go of what is then too much."""
        p, worth = self.p, self.worth
        mine, theirs = p.hands[self.seat], p.hands[other]
        best: dict[int, tuple[float, tuple[int, ...]]] = {0: (0.0, ())}
        for number in range(len(TREASURES)):
            held = mine >> 4 * number & 15
            if not held or p.captured >> number & 1 or held >= CARDS_TO_CAPTURE:
                continue
            gains = [(n, self._gift(other, number, n)) for n in range(1, min(p.actions, held) + 1)]
            for given, (gain, codes) in list(best.items()):
                for n, more in gains:
                    total = given + n
                    if more > 0 and total <= p.actions and gain + more > best.get(total, (0.0, ()))[0]:
                        best[total] = (gain + more, codes + (GIFTS[other] + number,) * n)
        del best[0]
        deals: list[Deal] = []
        for number, (gain, codes) in best.items():
            gain += worth.easing(mine >> SIZE, number) - worth.easing((theirs >> SIZE) + number, number)  # noqa: PLW2901
            excess = (theirs >> SIZE) + number - HAND_LIMIT
            if excess > 0:
                gain -= sum(worth.losses(p, other, codes[-1] & 31)[:excess])  # noqa: PLW2901
            if gain > 0:
                deals.append(Deal(number, gain, codes))
        return deals

    def _gift(self, other: int, card: int, number: int) -> float:
        """What giving some cards of one kind brings the team."""
        p, hold = self.p, self.worth.hold
        counts = [hand >> 4 * card & 15 for hand in p.hands]
        total = sum(counts)
        before = hold[max(counts)][total]
        counts[self.seat] -= number
        counts[other] += number
        gain = hold[max(counts)][total] - before
        if counts[other] >= CARDS_TO_CAPTURE:
            sites = p.board.pairs[card] & self.standing
            gain += self.worth.weights.ready * self.worth.nearness(p, other, sites)[p.pawns[other]]
        return gain

    # -- where to go ------------------------------------------------------------------------------------------------
    def steps(self, place: int) -> int:
        """Where one action leads from a place."""
        if self.role is not Role.DIVER:
            return self.next_to[place] & self.standing
        try:
            return self._dives[place]
        except KeyError:
            dives = self._dives[place] = self.p.dives(place)
            return dives

    def near(self, place: int) -> int:
        """What can be shored up from a place, and what can be done anywhere."""
        return self.next_to[place] | 1 << place | ANYWHERE

    # -- the best walk ----------------------------------------------------------------------------------------------
    def best(self) -> Sequence[int]:
        """The codes of the best turn."""
        place = self.p.pawns[self.seat]
        walks: list[Walk] = [(place, 1 << place, self.near(place), ())]
        best, chosen, deal = -1e9, walks[0], None
        for left in range(self.p.actions, 0, -1):
            for walk in walks:
                value, with_deal = self.liking[walk[0]] + self._along(walk[2], left), None
                if walk[1] & self.dealing:
                    value, with_deal = self._best_deal(walk, left, value)
                if value > best:
                    best, chosen, deal = value, walk, with_deal
            if left > 1:
                walks = self._further(walks)
        last = self._last_step(walks, best)
        return self._told(chosen, deal) if last is None else self._told(last, None)

    def ranked(self, number: int) -> list[tuple[int, ...]]:
        """The most promising turns that differ in what is done, the best first."""
        place = self.p.pawns[self.seat]
        walks: list[Walk] = [(place, 1 << place, self.near(place), ())]
        weighed: list[tuple[float, Walk, Deal | None]] = []
        for left in range(self.p.actions, -1, -1):
            weighed += [option for walk in walks for option in self._options(walk, left)]
            walks = self._further(walks) if left else []
        weighed.sort(key=lambda option: option[0], reverse=True)
        turns: dict[tuple[int, ...], tuple[int, ...]] = {}
        for _, walk, deal in weighed:
            codes = tuple(self._told(walk, deal))
            turns.setdefault(tuple(sorted(codes)), codes)
            if len(turns) == number:
                break
        return list(turns.values())

    def _options(self, walk: Walk, left: int) -> Iterator[tuple[float, Walk, Deal | None]]:
        """A walk with each deal that can be made on it, and without."""
        end, _, reach, _ = walk
        liking = self.liking[end]
        yield liking + self._along(reach, left), walk, None
        for deal in self._deals_on(walk, left):
            moot = deal.moot[0] * deal.moot[1][end] if deal.moot else 0.0
            yield liking - moot + deal.gain + self._along(reach, left - deal.actions), walk, deal

    def _deals_on(self, walk: Walk, left: int) -> Iterator[Deal]:
        """What can be dealt on a walk with the actions left."""
        for place, deals in self.deals.items():
            if place == NO_PLACE or walk[1] >> place & 1:
                for deal in deals:
                    if deal.actions <= left:
                        yield deal

    def _further(self, walks: Sequence[Walk]) -> list[Walk]:
        """The walks of one step more."""
        longer: dict[int, Walk] = {}
        next_to = self.next_to
        for end, seen, reach, codes in walks:
            steps = self.steps(end)
            beyond = self._flights(codes, steps)
            for place in numbers((steps | beyond) & ~seen):
                bit = 1 << place
                key = (seen | bit) << 5 | place
                if key not in longer:
                    code = FLIGHTS + place if beyond & bit else MOVES + place
                    longer[key] = (place, seen | bit, reach | next_to[place] | bit, (*codes, code))
        return list(longer.values())

    def _flights(self, codes: tuple[int, ...], steps: int) -> int:
        """Where the Pilot can fly as the first step of a walk."""
        flies = self.role is Role.PILOT and not codes and not self.p.flown
        return self.standing & ~steps if flies else 0

    def _last_step(self, walks: Sequence[Walk], best: float) -> Walk | None:
        """The walk that spends the last action on a step, where it ends better liked than ``best``."""
        if max(self.liking) <= best:
            return None
        chosen, known = None, 0
        for walk in walks:
            end, seen, reach, codes = walk
            steps = self.steps(end)
            beyond = self._flights(codes, steps)
            for place in numbers((steps | beyond) & ~(seen | known)):
                liking = self.liking[place]
                if liking > best:
                    code = FLIGHTS + place if beyond >> place & 1 else MOVES + place
                    best, chosen = liking, (place, seen, reach, (*codes, code))
            known |= steps | beyond
        return chosen

    def _best_deal(self, walk: Walk, left: int, best: float) -> tuple[float, Deal | None]:
        """What a walk is worth with the best deal on it; ``best`` and none where no deal is worth more than that."""
        end, _, reach, _ = walk
        liking, chosen = self.liking[end], None
        for deal in self._deals_on(walk, left):
            value = liking + deal.gain + self._along(reach, left - deal.actions)
            if deal.moot:
                value -= deal.moot[0] * deal.moot[1][end]
            if value > best:
                best, chosen = value, deal
        return best, chosen

    def _along(self, reach: int, left: int) -> float:
        """The most that ``left`` actions can gain within reach."""
        gains, within = self._gains[left], reach & self._useful
        if within not in gains:
            gains[within] = self._gain(within, left)
        return gains[within]

    def _gain(self, reach: int, left: int) -> float:
        """The same, not looked up."""
        number, total = left * self.a_time, 0.0
        if number:
            for gain, bit, _ in self.acts:
                if bit & reach:
                    total += gain
                    number -= 1
                    if not number:
                        break
        return total

    # -- in codes ---------------------------------------------------------------------------------------------------
    def _told(self, walk: Walk, deal: Deal | None) -> Sequence[int]:
        """The walk in codes up to a deal, after which all is planned anew; everything done where it first can be."""
        _, _, reach, steps = walk
        left = self.p.actions - len(steps) - (deal.actions if deal else 0)
        wanted = [act for act in self.acts if act[1] & reach][: left * self.a_time]
        codes: list[int] = []
        place = self.p.pawns[self.seat]
        for step in (*steps, None):
            near = self.near(place) if step is None else self.near(place) & FULL
            if deal and self._dealt_at(deal, place):
                return self._cut([*codes, *deal.codes])
            codes += self._acts_here([act for act in wanted if act[1] & near])
            wanted = [act for act in wanted if not act[1] & near]
            if step is not None:
                codes.append(step)
                place = step & 31
        return self._cut(codes)

    def _cut(self, codes: list[int]) -> Sequence[int]:
        """No more than can be done; the Diver cannot dive through what was shored up, so that all is planned anew."""
        codes = codes[: self.p.actions]
        if self.role is Role.DIVER:
            shored = next((n for n, code in enumerate(codes) if code >> 12 == SHORE_UP), len(codes))
            return codes[: shored + 1] or [END]
        return codes or [END]

    def _dealt_at(self, deal: Deal, place: int) -> bool:
        return any(at_place in (place, NO_PLACE) and deal in deals for at_place, deals in self.deals.items())

    def _acts_here(self, acts: Sequence[Act]) -> list[int]:
        if self.role is not Role.ENGINEER:
            return [number if number > PLACES else SHORE_UPS + number for _, _, number in acts]
        codes: list[int] = []
        places = [place for _, _, place in acts]
        for first in range(0, len(places), 2):
            pair = sorted(places[first : first + 2])
            codes.append(TWO_SHORED[pair[0]] + pair[1] if len(pair) == 2 else SHORE_UPS + pair[0])
        return codes

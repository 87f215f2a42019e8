"""What a position is worth to its team, in parts that can be looked up: threats, hands, where a pawn should be."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from companion.rules.forbidden_island.components import CARDS_TO_CAPTURE, HAND_LIMIT, TREASURE_CARDS_A_TURN, Role
from companion.rules.forbidden_island.fast.codes import FULL, HELICOPTER, PLACES, SANDBAG, TREASURES, WATERS_RISE
from companion.rules.forbidden_island.fast.listing import ALL_TREASURES
from companion.rules.forbidden_island.fast.placed import FLOOD, TREASURE
from companion.rules.forbidden_island.fast.position import DRAWS_AT, Position
from companion.rules.forbidden_island.fast.tables import SIZE, numbers
from companion.rules.forbidden_island.island import Shape

MOST_STEPS = 24
MOST_ROWS = 200_000
"""How many rows are kept before they are forgotten."""

Threat = tuple[float, int, int]
"""What a flooded place costs if nobody cares for it, the place as a set of one, and its number."""
Row = tuple[float, ...]
Goal = tuple[float, Row]
"""How much a pawn wants to be somewhere, and how near to there each place is, from 0 to 1."""
NO_WISH: Row = (0.0,) * PLACES
"""How much a pawn without a goal wants to be at each place."""


@dataclass(frozen=True, slots=True)
class Weights:
    """The player's tastes, in units of no meaning; found by playing, see ``docs/bots.md``."""

    landing: float = 197.0
    lone: float = 146.0
    both_flooded: float = 22.6
    one_flooded: float = 8.97
    plain: float = 4.44
    done: float = 2.33
    low: float = 0.192
    discarded: float = 0.311
    one: float = 0.847
    two: float = 2.73
    three: float = 16.6
    four: float = 69.9
    pool: float = 0.236
    meet: float = 0.263
    ready: float = 28.5
    capture: float = 327.0
    home: float = 27.1
    near: float = 0.0719
    full: float = 3.67
    decay: float = 0.703
    bag: float = 9.4
    keep_bag: float = 1.87
    keep_lift: float = 4.23
    lift: float = 11.2
    swim_dry: float = 1.75
    guard: float = 1.27
    spare: float = 0.117


class Worth:
    """The parts of a position's worth under some weights. Keeps rows of nearness, so that one may serve many games."""

    def __init__(self, weights: Weights) -> None:
        self.weights = w = weights
        self.cards = (0.0, w.one, w.two, w.three, w.four, w.four, w.four)
        self.hold = tuple(tuple(self._hold(best, total) for total in range(PLACES)) for best in range(len(self.cards)))
        self._decay = tuple(w.decay**steps for steps in range(MOST_STEPS + 1))
        self._rows: dict[Shape, dict[int, Row]] = {}

    def _hold(self, best: int, total: int) -> float:
        mine = self.cards[best]
        pooled = self.cards[min(CARDS_TO_CAPTURE, total)] - mine
        return mine + self.weights.pool * max(0.0, pooled)

    # -- the sea ----------------------------------------------------------------------------------------------------
    def values(self, p: Position) -> list[float]:
        """What each place's sinking costs."""
        w, standing, flooded = self.weights, p.dry | p.flooded, p.flooded
        values = [w.plain] * PLACES
        values[p.board.landing.bit_length() - 1] = w.landing
        captured = p.captured
        for number, pair in enumerate(p.board.pairs):
            left = pair & standing
            low = left & -left
            high = left ^ low
            if captured >> number & 1:
                worth = w.done
            elif not high:
                worth = w.lone
            else:
                worth = w.both_flooded if flooded & pair == pair else w.one_flooded
            if low:
                values[low.bit_length() - 1] = worth
            if high:
                values[high.bit_length() - 1] = worth
        return values

    def threats(self, p: Position) -> list[Threat]:
        """The flooded places, the one that most needs care first."""
        top, at_top, second, at_second, at_discard = self.chances(p)
        values, discard, low = self.values(p), p.flood_discard, self.weights.low
        threats: list[Threat] = []
        rest = p.flooded
        while rest:
            bit = rest & -rest
            rest ^= bit
            place = bit.bit_length() - 1
            chance = at_top if top & bit else at_discard if discard & bit else at_second if second & bit else low
            threats.append((values[place] * chance, bit, place))
        threats.sort(reverse=True)
        return threats

    def chances(self, p: Position) -> tuple[int, float, int, float, float]:
        """The top zone and the one below with the chance that a card of each comes soon, and that of the discards."""
        w, deck, phase = self.weights, p.flood_deck, p.phase
        top = deck[-1] if deck else 0
        size = top.bit_count()
        number = p.draws if phase == FLOOD else DRAWS_AT[p.water]
        at_top = min(1.0, number / size) if size else 0.0
        second, at_second = 0, w.low
        if number > size and len(deck) > 1:
            second = deck[-2]
            at_second = min(1.0, (number - size) / second.bit_count())
        at_discard = w.discarded
        if phase != FLOOD and p.flood_discard:
            rise = self._rise(p)
            at_discard += rise * min(1.0, number / p.flood_discard.bit_count())
            at_top = at_top * (1 - rise * 0.6) + w.low * 0.5 * (1 - at_top)
        return top, at_top, second, at_second, at_discard

    def _rise(self, p: Position) -> float:
        """About how likely Waters Rise! is among the treasure cards of this turn."""
        deck = p.next_treasures
        draws = p.draws if p.phase == TREASURE else TREASURE_CARDS_A_TURN
        return 1 - (1 - (deck >> 4 * WATERS_RISE & 15) / (deck >> SIZE)) ** draws

    # -- the pawns --------------------------------------------------------------------------------------------------
    def goals(self, p: Position, seat: int, threats: Sequence[Threat]) -> list[Goal]:
        """Where a pawn wants to be."""
        w = self.weights
        if p.captured == ALL_TREASURES:
            return [(w.home, self.nearness(p, seat, p.board.landing))]
        goals = self._gathering(p, seat)
        if w.guard:
            goals.append((w.guard, self.nearness(p, seat, p.board.landing)))
        for cost, bit, _ in threats[:3]:
            if cost * w.near > 0.5:
                goals.append((cost * w.near, self.nearness(p, seat, bit)))
        return goals

    def wish(self, goals: Sequence[Goal]) -> Row:
        """How much a pawn with these goals wants to be at each place."""
        wish: Iterable[float] = NO_WISH
        for weight, near in goals:
            wish = [sum_ + weight * value for sum_, value in zip(wish, near, strict=True)]
        return tuple(wish)

    def _gathering(self, p: Position, seat: int) -> list[Goal]:
        """To a treasure's place with the cards for it, to a player to pool cards with."""
        w, goals, hands, standing = self.weights, list[Goal](), p.hands, p.dry | p.flooded
        mine = hands[seat]
        for number in range(len(TREASURES)):
            held = mine >> 4 * number & 15
            if not held or p.captured >> number & 1:
                continue
            if held >= CARDS_TO_CAPTURE:
                goals.append((w.ready, self.nearness(p, seat, p.board.pairs[number] & standing)))
                continue
            for other, hand in enumerate(hands):
                theirs = hand >> 4 * number & 15
                if not theirs or other == seat or theirs >= CARDS_TO_CAPTURE:
                    continue
                if theirs > held and p.players[seat] is Role.MESSENGER:
                    continue
                best, total = max(held, theirs), min(CARDS_TO_CAPTURE, held + theirs)
                weight = w.meet * (self.cards[total] - self.cards[best])
                goals.append((weight, self.nearness(p, seat, 1 << p.pawns[other])))
        return goals

    def nearness(self, p: Position, seat: int, target: int) -> Row:
        """How near each place is to one of ``target`` for a pawn: 1 there, less with every step."""
        role = p.players[seat]
        around = role is Role.EXPLORER
        standing = FULL if role is Role.DIVER else p.dry | p.flooded
        key = (target << PLACES | standing) << 2 | around << 1 | (role is Role.PILOT)
        try:
            return self._rows[p.board.shape][key]
        except KeyError:
            return self._find_row(p, key, standing, target)

    def _find_row(self, p: Position, key: int, standing: int, target: int) -> Row:
        next_to = p.board.ground.around if key >> 1 & 1 else p.board.ground.beside
        row = [0.0] * PLACES
        ring, left = target, standing & ~target
        for near in self._decay:
            reached = 0
            for place in numbers(ring):
                row[place] = near
                reached |= next_to[place]
            ring = reached & left
            left ^= ring
            if not ring:
                break
        if key & 1:
            row = [max(near, self._decay[1]) for near in row]
        rows = self._rows.setdefault(p.board.shape, {})
        if len(rows) > MOST_ROWS:
            rows.clear()
        rows[key] = found = tuple(row)
        return found

    # -- the hands --------------------------------------------------------------------------------------------------
    def easing(self, size: int, fewer: int) -> float:
        """What so many cards less are worth to a hand of this size, for the room they leave."""
        room = HAND_LIMIT - 2
        return self.weights.full * (max(0, size - room) - max(0, size - fewer - room))

    def loss(self, p: Position, seat: int, card: int) -> float:
        """What the team loses with one treasure card of a hand."""
        if p.captured >> card & 1:
            return 0.0
        counts = [hand >> 4 * card & 15 for hand in p.hands]
        before = self.hold[max(counts)][sum(counts)]
        counts[seat] -= 1
        if counts[seat] >= CARDS_TO_CAPTURE:
            return 0.0
        return before - self.hold[max(counts)][sum(counts)] + self.weights.spare * counts[seat]

    def losses(self, p: Position, seat: int, but: int) -> list[float]:
        """What it costs a hand to let go of cards, the cheapest first, those of one kind left out."""
        hand = p.hands[seat]
        cards = [card for card in range(len(TREASURES)) if card != but and hand >> 4 * card & 15]
        costs = [self.loss(p, seat, card) for card in cards]
        if hand >> 4 * HELICOPTER & 15:
            costs.append(self.weights.keep_lift)
        if hand >> 4 * SANDBAG & 15:
            costs.append(self.weights.keep_bag)
        costs += [self.weights.four] * 3
        costs.sort()
        return costs

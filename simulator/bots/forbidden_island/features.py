"""What the net sees of many stances of one position at once: numbers between about 0 and 1, a row for each stance.

Four tables: the whole game (stances, WHOLE), each treasure (stances, 4, TREASURE), each player (stances, seats, PLAYER)
and each place that matters (stances, 9, PLACE): Fools' Landing and the places of treasures not yet captured.
The columns stand in the order in which the weights were learned.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from companion.rules.forbidden_island.components import CARDS_TO_CAPTURE, HAND_LIMIT, SKULL, TREASURE_DECK, Role
from companion.rules.forbidden_island.fast.codes import CARDS, HELICOPTER, PLACES, SANDBAG, TREASURES, WATERS_RISE, bits
from companion.rules.forbidden_island.fast.position import DRAWS_AT, Position
from companion.rules.forbidden_island.fast.tables import SIZE
from simulator.bots.forbidden_island.outlook import EACH, FAR, Floats, Outlook, Whole
from simulator.bots.forbidden_island.turns import Stance

ROLES = (Role.EXPLORER, Role.PILOT, Role.NAVIGATOR, Role.DIVER, Role.ENGINEER, Role.MESSENGER)
WHOLE, TREASURE, PLAYER, PLACE = 42, 28, 22, 18
SPOTS = 1 + 2 * len(TREASURES)
IN_ALL = np.array([TREASURE_DECK[card] for card in CARDS])
KINDS_HELD = 4 * np.arange(WATERS_RISE)
FADING = np.array((1.2, 1.0, 0.7, 0.49, 0.34, 0.24, 0.17), np.float64)
"""How much a place in danger counts at each distance from a pawn."""
PAIRED = 0.4
"""How much a treasure's place counts while its twin stands; alone it counts 1."""


@dataclass(frozen=True, slots=True)
class Seen:
    """The four tables; ``spots`` says which of the places that matter there are, shape (stances, 9)."""

    whole: Floats
    treasures: Floats
    players: Floats
    places: Floats
    spots: Floats


def seen(p: Position, view: Outlook, stances: Sequence[Stance]) -> Seen:
    """The tables of stances that can come about in a position without another card."""
    return _Look(p, view, stances).tables()


class _Look:
    def __init__(self, p: Position, view: Outlook, stances: Sequence[Stance]) -> None:
        self.p, self.view, self.number = p, view, len(stances)
        seats = self.seats = len(p.players)
        self.standing: Whole = (p.dry | p.flooded) >> EACH & 1
        self.flooded = (np.array([s.flooded for s in stances])[:, None] >> EACH & 1).astype(np.float64)
        self.pawns = np.array([s.pawns for s in stances])
        packed = np.array([s.hands for s in stances])
        self.hands: Whole = packed[:, :, None] >> KINDS_HELD & 15
        self.sizes: Whole = packed >> SIZE
        self.captured: Whole = np.array([s.captured for s in stances])[:, None] >> np.arange(len(TREASURES)) & 1
        self.undrawn = sum(p.treasure_deck) or p.treasure_discard
        self.landing = p.board.landing.bit_length() - 1
        self.next = (p.active + 1) % seats
        self.waits = np.array([(seat - p.active - 1) % seats + 1 for seat in range(seats)])
        self.far = view.distances[np.arange(seats), self.pawns]
        """The actions from each seat's pawn to each place: (stances, seats, 24)."""
        self.apart = np.take_along_axis(self.far, self.pawns[:, None, :].repeat(seats, 1), 2)
        """The actions from each pawn to each: (stances, seats, seats)."""
        self.nearest = self.far.min(1)
        self.at_risk = self.flooded * view.later
        self.matters = np.zeros((self.number, PLACES), np.float64)
        self.matters[:, self.landing] = 1

    def tables(self) -> Seen:
        treasures = np.stack([self._treasure(number) for number in range(len(TREASURES))], 1)
        players = np.stack([self._player(seat) for seat in range(self.seats)], 1)
        places = np.zeros((self.number, SPOTS, PLACE), np.float64)
        self._place(places[:, 0], self.landing, 0)
        for number in range(len(TREASURES)):
            self._pair(places, number)
        return Seen(self._whole(treasures), treasures, players, places, places[:, :, 0])

    # -- a treasure -------------------------------------------------------------------------------------------------
    def _sites(self, number: int) -> tuple[int, ...]:
        return bits(self.p.board.pairs[number] & (self.p.dry | self.p.flooded))

    def _treasure(self, number: int) -> Floats:
        t = np.zeros((self.number, TREASURE), np.float64)
        missing = 1 - self.captured[:, number].astype(np.float64)
        sites = self._sites(number)
        if missing.any():
            self._sea_around(t, sites)
            self._cards_for(t, number, sites)
            for site in sites:
                self.matters[:, site] = missing * (PAIRED if len(sites) > 1 else 1)
        t *= missing[:, None]
        t[:, 0] = 1 - missing
        return t

    def _sea_around(self, t: Floats, sites: Sequence[int]) -> None:
        view, flooded = self.view, self.flooded
        t[:, 1] = len(sites) == 1
        t[:, 3] = t[:, 4] = 1
        for site in sites:
            under, dry = flooded[:, site], 1 - flooded[:, site]
            soon, later = view.soon[site], view.later[site]
            t[:, 2] += under * 0.5
            t[:, 3] *= under * soon
            t[:, 4] *= later * (under + 0.15 * dry)
            t[:, 5] += under * soon
            t[:, 6] += dry * soon
            t[:, 7] = np.maximum(t[:, 7], under * later)
        where = list(sites)
        if where:
            dry_far = FAR * (1 - flooded[:, where])
            none = flooded[:, where].sum(1) == 0
            next_far = np.maximum(self.far[:, self.next][:, where], dry_far).min(1)
            t[:, 25] = np.where(none, 0, next_far / FAR)
            t[:, 26] = np.where(none, 0, np.maximum(self.nearest[:, where], dry_far).min(1) / FAR)

    def _cards_for(self, t: Floats, number: int, sites: Sequence[int]) -> None:
        rows, held = np.arange(self.number), self.hands[:, :, number]
        total = held.sum(1)
        best = (held * 8 - self.waits).argmax(1)
        most = held[rows, best]
        t[rows, 8 + np.minimum(most, CARDS_TO_CAPTURE)] = 1
        deck = self.undrawn >> 4 * number & 15
        t[:, 13], t[:, 14], t[:, 15] = total / 5, deck / 5, (IN_ALL[number] - deck - total) / 5
        t[:, 16] = (total - most) / 4
        way = self.far[rows, best][:, list(sites)].min(1) if sites else np.full(self.number, FAR)
        meet = self._meeting(held, best)
        some, ready, enough = (
            most > 0,
            most >= CARDS_TO_CAPTURE,
            (total >= CARDS_TO_CAPTURE) & (most < CARDS_TO_CAPTURE),
        )
        t[:, 17] = some * self.waits[best] / 4
        t[:, 18] = some * self.sizes[rows, best] / HAND_LIMIT
        t[:, 19] = some * way / FAR
        t[:, 20] = ready * way / FAR
        t[:, 21] = ready * self.waits[best] / 4
        t[:, 22] = some * meet / FAR
        t[:, 23] = enough
        t[:, 24] = enough * meet / FAR
        t[:, 27] = some * (best == self.p.active)

    def _meeting(self, held: Whole, best: Whole) -> Whole:
        """How far the nearest other holder is from the best one; the Messenger gives from anywhere."""
        rows = np.arange(self.number)
        between = np.minimum(self.apart[rows, :, best], self.apart[rows, best])
        for seat, role in enumerate(self.p.players):
            if role is Role.MESSENGER:
                between[:, seat] = 0
        between = np.where(held > 0, between, FAR)
        between[rows, best] = FAR
        nearest: Whole = between.min(1)
        return nearest

    # -- a player ---------------------------------------------------------------------------------------------------
    def _player(self, seat: int) -> Floats:
        t = np.zeros((self.number, PLAYER), np.float64)
        p, view, hands, at = self.p, self.view, self.hands[:, seat], self.pawns[:, seat]
        rows, role, size = np.arange(self.number), p.players[seat], self.sizes[:, seat]
        next_to = p.board.ground.around if role is Role.EXPLORER else p.board.ground.beside
        near = np.array(next_to)[at][:, None] >> EACH & 1
        t[:, ROLES.index(role)] = 1
        t[:, 6] = self.waits[seat] / 4
        t[:, 7] = seat == self.next
        t[:, 8] = self.far[:, seat, self.landing] / FAR
        t[:, 9], t[:, 10], t[:, 11] = size / HAND_LIMIT, size >= HAND_LIMIT, size == HAND_LIMIT - 1
        treasures, missing = hands[:, : len(TREASURES)], 1 - self.captured
        t[:, 12] = (np.minimum(treasures, CARDS_TO_CAPTURE) * missing).sum(1) / 5
        t[:, 13], t[:, 14] = hands[:, HELICOPTER] > 0, hands[:, SANDBAG]
        t[:, 15] = self.flooded[rows, at] * view.soon[at]
        t[:, 16] = (near * self.standing).sum(1) / 4
        here = near.astype(np.float64)
        here[rows, at] = 1
        t[:, 17] = (here * self.at_risk).sum(1) * 0.33
        t[:, 18] = (self.matters * self.at_risk * FADING[self.far[:, seat]]).sum(1)
        others = [other for other in range(self.seats) if other != seat]
        t[:, 19] = self.apart[:, seat][:, others].min(1) / FAR
        t[:, 20] = (treasures * self.captured).sum(1) / 3
        t[:, 21] = ((treasures >= 2) * missing).sum(1) / 2
        return t

    # -- a place ----------------------------------------------------------------------------------------------------
    def _pair(self, places: Floats, number: int) -> None:
        missing = (1 - self.captured[:, number]).astype(np.float64)
        sites = self._sites(number)
        for nth, site in enumerate(sites):
            t = places[:, 1 + 2 * number + nth]
            if len(sites) == 1:
                self._place(t, site, 1)
            else:
                twin = self.flooded[:, sites[1 - nth]]
                self._place(t, site, 2)
                t[:, 8], t[:, 9] = 1 - twin, twin
            t *= missing[:, None]

    def _place(self, t: Floats, place: int, kind: int) -> None:
        view, under = self.view, self.flooded[:, place]
        second = (self.p.active + 2) % self.seats
        soon, later = view.soon[place], view.later[place]
        first, nearest = self.far[:, self.next, place], self.nearest[:, place]
        t[:, 0], t[:, 1] = 1, under
        t[:, 2], t[:, 3] = under * soon, under * later
        t[:, 4], t[:, 5] = (1 - under) * soon, (1 - under) * later
        t[:, 6 + kind] = 1
        t[:, 10], t[:, 11], t[:, 12] = first / FAR, self.far[:, second, place] / FAR, nearest / FAR
        t[:, 13] = (self.p.board.ground.beside[place] & (self.p.dry | self.p.flooded)).bit_count() / 4
        t[:, 14], t[:, 15] = under * soon * first / FAR, under * later * first / FAR
        t[:, 16] = under * later * nearest / FAR
        t[:, 17] = under * np.maximum(0, first - 3) / 3

    # -- the whole --------------------------------------------------------------------------------------------------
    def _whole(self, treasures: Floats) -> Floats:
        t = np.zeros((self.number, WHOLE), np.float64)
        p, view, rows = self.p, self.view, np.arange(self.number)
        number = self.captured.sum(1)
        t[rows, number] = 1
        t[:, 5], t[:, 6] = p.water / 10, DRAWS_AT[p.water] / 5
        t[:, 7], t[:, 8], t[:, 9] = view.treasures_due / 2, view.floods_due / 5, view.rise
        t[:, 10], t[:, 11] = self.standing.sum() / PLACES, self.flooded.sum(1) / PLACES
        t[:, 12], t[:, 13] = (self.flooded * view.soon).sum(1) / 4, self.at_risk.sum(1) / 6
        self._around_landing(t)
        deck = self.undrawn
        lifts, bags = self.hands[:, :, HELICOPTER].sum(1), self.hands[:, :, SANDBAG].sum(1)
        lifts_left, bags_left = deck >> 4 * HELICOPTER & 15, deck >> 4 * SANDBAG & 15
        t[:, 20], t[:, 21], t[:, 22] = lifts > 0, lifts / 3, lifts_left / 3
        t[:, 23] = (IN_ALL[HELICOPTER] - lifts - lifts_left) / 3
        t[:, 24], t[:, 25] = bags / 2, bags_left / 2
        t[:, 24 + self.seats] = 1
        t[:, 29], t[:, 30] = (deck >> SIZE) / 28, (deck >> 4 * WATERS_RISE & 15) / 3
        t[:, 31] = p.flood_discard.bit_count() / PLACES
        t[:, 32] = p.flood_deck[-1].bit_count() / PLACES if p.flood_deck else 0
        home = self.far[:, :, self.landing]
        all_captured = number == len(TREASURES)
        t[:, 33], t[:, 34] = home.sum(1) / 12, home.max(1) / FAR
        t[:, 35], t[:, 36], t[:, 37] = all_captured * t[:, 34], all_captured * t[:, 20], all_captured * t[:, 33]
        t[:, 38], t[:, 39] = treasures[:, :, 3].sum(1), treasures[:, :, 4].max(1)
        t[:, 40] = treasures[:, :, 12].sum(1) / 2
        t[:, 41] = DRAWS_AT[min(SKULL - 1, p.water + 1)] / 5
        return t

    def _around_landing(self, t: Floats) -> None:
        landing, view = self.landing, self.view
        under = self.flooded[:, landing]
        t[:, 14], t[:, 15], t[:, 16] = under, under * view.soon[landing], under * view.later[landing]
        t[:, 17] = (1 - under) * view.soon[landing]
        t[:, 18] = under * self.far[:, self.next, landing] / FAR
        t[:, 19] = (self.p.board.ground.beside[landing] & (self.p.dry | self.p.flooded)).bit_count() / 4

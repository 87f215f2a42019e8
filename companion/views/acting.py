"""What a phone can do: its own seats' ways first, then those of the others, and what can be pointed at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from companion.table.meaning import VERB
from companion.table.offering import Offer, Offering, Way
from companion.table.session import Session
from companion.table.snapshot import Seated

SEAT = "for:"
"""The first step of what is told in the name of another seat."""
ANYBODY = "*"
"""The seat of what is told in nobody's name: by scans and buttons at the table."""


@dataclass(frozen=True, slots=True)
class ActingView:
    """The ways of a phone.

    With no ``steps`` told, ``own`` are the offers to the phone's own seats and to anybody, ``others`` those to the
    other seats. With steps told, ``ways`` is how they go on and ``seat`` whose they are (None: the phone's own).
    ``shared`` where the steps were told at the table itself, by scans and buttons.
    ``deals`` tells whether "deal" does something, ``may_deal`` whether it is the phone's own turn to press it.
    """

    own: tuple[Offer, ...] = ()
    others: tuple[Offer, ...] = ()
    deals: bool = False
    may_deal: bool = False
    steps: tuple[str, ...] = ()
    ways: tuple[Way, ...] = ()
    seat: str | None = None
    pointable: Mapping[str, Way] = field(default_factory=dict)
    shared: bool = False

    @property
    def back(self) -> tuple[str, ...]:
        """The steps without the last one; none where only the seat would be left."""
        kept = self.steps[:-1]
        return () if kept and kept[-1].startswith(SEAT) else kept


def acting_view(session: Session, seats: frozenset[str], steps: tuple[str, ...]) -> ActingView:
    """What a phone with these seats can do after these steps; steps that fit nothing any more are forgotten.

    A phone without a seat may do everything in its own name.
    """
    seated, offering = session.snapshot.seated, session.offering()
    if seated is None or offering is None:
        return ActingView()
    own = _own(offering, seats)
    told = _told(offering, own, steps) or _shared(session, offering)
    if told is not None:
        return told
    offers = offering.offers()
    mine = tuple(offer for offer in offers if offer.seat in own)
    others = tuple(_named(offer) for offer in offers if offer.seat not in own)
    may_deal = not seats or _active(seated) in seats
    points = offering.places(own, ())
    return ActingView(mine, others, session.deals(), may_deal, pointable=points)


def _own(offering: Offering, seats: frozenset[str]) -> frozenset[str | None]:
    if seats:
        return frozenset({None, *seats})
    return frozenset(offer.seat for offer in offering.offers())


def _shared(session: Session, offering: Offering) -> ActingView | None:
    """What was begun at the table, for every phone to go on with."""
    gesture = session.snapshot.gesture
    if gesture is None:
        return None
    verb = (f"{VERB}{gesture.verb}",) if gesture.verb else ()
    told = _told(offering, frozenset(), (f"{SEAT}{ANYBODY}", *verb, *map(str, gesture.things)))
    return None if told is None else replace(told, shared=True)


def _told(offering: Offering, own: frozenset[str | None], steps: tuple[str, ...]) -> ActingView | None:
    named = next((step.removeprefix(SEAT) for step in steps[:1] if step.startswith(SEAT)), None)
    rest = steps[1:] if named is not None else steps
    whose = own if named is None else _own(offering, frozenset()) if named == ANYBODY else frozenset({named})
    ways = offering.ways(whose, rest)
    if not ways:
        return None
    points = offering.places(whose, rest)
    if named is not None:
        ways = tuple(_in_name_of(named, way) for way in ways)
        points = {name: _in_name_of(named, way) for name, way in points.items()}
    return ActingView(steps=steps, ways=ways, seat=named, pointable=points)


def _named(offer: Offer) -> Offer:
    seat = offer.seat
    return offer if seat is None else Offer(seat, tuple(_in_name_of(seat, way) for way in offer.ways))


def _in_name_of(seat: str, way: Way) -> Way:
    return way if way.command is not None else replace(way, steps=(f"{SEAT}{seat}", *way.steps))


def _active(seated: Seated) -> str | None:
    return seated.game.portray(seated.state, ()).active

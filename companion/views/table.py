"""The public table: all that anyone may see, chosen and put in order, not yet worded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from companion.ports import DeviceState, DeviceStatus
from companion.rules.portrait import Board, Meter, Phrase, Pile, Portrait, Result, Seat, Space, Tone
from companion.table.snapshot import Gesture, LogLine, Notice, Snapshot
from companion.views.log import NO_STORY, Story, story

LOG_LINES = 40
NOTHING_PLAYED = Phrase("web.status.no_game")

Counted = tuple[tuple[str, int], ...]
"""Equal cards together: name and how many, in the order they first lie."""


@dataclass(frozen=True, slots=True)
class Mark:
    """One mark of a meter: ``passed`` lies before the marker, ``here`` under it; ``danger`` is alarming."""

    label: str
    passed: bool
    here: bool
    danger: bool

    @property
    def symbol(self) -> bool:
        """Whether the label names a symbol instead of a number."""
        return not self.label.isdecimal()


@dataclass(frozen=True, slots=True)
class MeterView:
    """A meter with its marks; ``number`` is the marker's place counted from 1."""

    meter: Meter
    number: int
    marks: tuple[Mark, ...]

    @property
    def upcoming(self) -> Mark | None:
        """The mark that the marker comes to next; None at the last."""
        return next((mark for mark in self.marks[self.number :]), None)

    @property
    def alarming(self) -> bool:
        """Whether the marker has reached the danger zone."""
        return self.meter.at >= self.meter.danger


@dataclass(frozen=True, slots=True)
class SeatView:
    """A seat with its cards counted; ``over`` is how many cards it holds too many."""

    seat: Seat
    cards: Counted | None
    held: int
    over: int


@dataclass(frozen=True, slots=True)
class PileView:
    """A pile with its open discards and removed cards counted."""

    pile: Pile
    discard: Counted
    removed: Counted


@dataclass(frozen=True, slots=True)
class ResultGroup:
    """This turn's results of one deck, oldest first."""

    group: str
    results: tuple[Result, ...]


@dataclass(frozen=True, slots=True)
class ConditionCount:
    """How many places of the board are in one condition, for the map's legend."""

    condition: str
    tone: Tone
    gone: bool
    n: int


@dataclass(frozen=True, slots=True)
class Alert:
    """What must interrupt; a page that has told ``key`` already keeps silent."""

    key: str
    phrase: Phrase


@dataclass(frozen=True, slots=True)
class TableView:
    """The table at ``revision``; without a game only the devices and a notice have anything to show.

    ``log`` is newest first and at most ``LOG_LINES`` long. ``told`` and ``awaited`` are what the revision means, for
    those who listen: what happened last, what comes now. ``alert`` is what must interrupt, once: a danger, or a loss.
    ``unsaved`` says since when and why the card does not take what happens, None while it does.
    """

    revision: int
    game: str | None = None
    portrait: Portrait | None = None
    paused: bool = False
    grid: tuple[tuple[Space | None, ...], ...] = ()
    conditions: tuple[ConditionCount, ...] = ()
    meters: tuple[MeterView, ...] = ()
    seats: tuple[SeatView, ...] = ()
    piles: tuple[PileView, ...] = ()
    pool: Counted | None = None
    results: tuple[ResultGroup, ...] = ()
    log: tuple[LogLine, ...] = ()
    story: Story = NO_STORY
    gesture: Gesture | None = None
    notice: Notice | None = None
    troubles: tuple[DeviceStatus, ...] = ()
    findings: tuple[DeviceStatus, ...] = ()
    """Devices that are ready and tell what was found out of them, such as what a reader speaks."""
    told: tuple[Phrase, ...] = ()
    awaited: Phrase = NOTHING_PLAYED
    alert: Alert | None = None
    unsaved: Phrase | None = None
    cue: Tone = Tone.PLAIN
    drawn: str = ""
    """Changes whenever a card has come; ``cue`` is then how much it matters, for those who wish to hear it."""


def table_view(snapshot: Snapshot) -> TableView:
    """The public view of a snapshot."""
    troubles = tuple(status for status in snapshot.devices if status.state is not DeviceState.READY)
    findings = tuple(status for status in snapshot.devices if status.state is DeviceState.READY and status.advice)
    seated = snapshot.seated
    if seated is None:
        return TableView(
            snapshot.revision,
            notice=snapshot.notice,
            troubles=troubles,
            findings=findings,
            alert=_alert(snapshot, None),
            unsaved=_unsaved(snapshot),
        )
    portrait = seated.game.portray(seated.state, seated.recent)
    return TableView(
        snapshot.revision,
        game=seated.game.name,
        portrait=portrait,
        paused=snapshot.paused,
        grid=grid(portrait.board) if portrait.board else (),
        conditions=conditions(portrait.board) if portrait.board else (),
        meters=tuple(map(meter_view, portrait.meters)),
        seats=tuple(map(seat_view, portrait.seats)),
        piles=tuple(map(pile_view, portrait.piles)),
        pool=None if portrait.pool is None else counted(portrait.pool),
        results=grouped(portrait.results),
        log=seated.log[: -LOG_LINES - 1 : -1],
        story=story(seated.log[: -LOG_LINES - 1 : -1], [seat.name for seat in portrait.seats]),
        gesture=snapshot.gesture,
        notice=snapshot.notice,
        troubles=troubles,
        findings=findings,
        told=_told(seated.log[-1:]),
        awaited=_awaited(snapshot, portrait),
        alert=_alert(snapshot, portrait),
        unsaved=_unsaved(snapshot),
        cue=_cue(portrait),
        drawn=f"{seated.id}.{portrait.turn}.{len(portrait.results)}",
    )


def grid(board: Board) -> tuple[tuple[Space | None, ...], ...]:
    """The board row by row, None off the board."""
    at = {(space.row, space.column): space for space in board.spaces}
    return tuple(tuple(at.get((row, column)) for column in range(board.columns)) for row in range(board.rows))


def conditions(board: Board) -> tuple[ConditionCount, ...]:
    """The board's conditions with their numbers, the most harmless first."""
    kinds = Counter((space.condition, space.tone, space.gone) for space in board.spaces)
    counts = (ConditionCount(*kind, n) for kind, n in kinds.items())
    return tuple(sorted(counts, key=lambda count: (count.gone, list(Tone).index(count.tone), count.condition)))


def meter_view(meter: Meter) -> MeterView:
    """A meter's marks as they stand to the marker."""
    marks = tuple(
        Mark(label, index < meter.at, index == meter.at, index >= meter.danger)
        for index, label in enumerate(meter.marks)
    )
    return MeterView(meter, meter.at + 1, marks)


def seat_view(seat: Seat) -> SeatView:
    """A seat's hand, equal cards together."""
    held = len(seat.cards or ())
    over = max(0, held - seat.limit) if seat.limit is not None else 0
    return SeatView(seat, None if seat.cards is None else counted(seat.cards), held, over)


def pile_view(pile: Pile) -> PileView:
    """A pile's open cards, equal cards together, the newest discard first."""
    return PileView(pile, counted(reversed(pile.discard)), counted(pile.removed))


def counted(cards: Iterable[str]) -> Counted:
    """Equal cards together, in the order they first lie."""
    return tuple(Counter(cards).items())


def grouped(results: Sequence[Result]) -> tuple[ResultGroup, ...]:
    """Results by deck, each deck where its first card came."""
    order = {result.group: place for place, result in reversed(list(enumerate(results)))}
    by_deck = sorted(results, key=lambda result: order[result.group])
    return tuple(ResultGroup(group, tuple(cards)) for group, cards in groupby(by_deck, lambda result: result.group))


def _awaited(snapshot: Snapshot, portrait: Portrait) -> Phrase:
    if snapshot.paused:
        return Phrase("web.status.paused")
    return portrait.ending.reason if portrait.ending else portrait.awaited


def _cue(portrait: Portrait) -> Tone:
    if portrait.ending:
        return Tone.GOOD if portrait.ending.won else Tone.DANGER
    return portrait.results[-1].tone if portrait.results else Tone.PLAIN


def _told(newest: tuple[LogLine, ...]) -> tuple[Phrase, ...]:
    if newest and newest[0].retracted:
        return (Phrase("web.status.taken_back"),)
    return newest[0].sentences if newest else ()


def _alert(snapshot: Snapshot, portrait: Portrait | None) -> Alert | None:
    notice, seated = snapshot.notice, snapshot.seated
    if notice and notice.tone is Tone.DANGER:
        return Alert(f"notice {notice.revision}", notice.phrase)
    if snapshot.unsaved:
        return Alert(f"unsaved {snapshot.unsaved.since}", snapshot.unsaved.phrase)
    if seated and portrait and portrait.ending and not portrait.ending.won:
        return Alert(f"loss {seated.id} {len(seated.log)}", portrait.ending.reason)
    return None


def _unsaved(snapshot: Snapshot) -> Phrase | None:
    return snapshot.unsaved.phrase if snapshot.unsaved else None

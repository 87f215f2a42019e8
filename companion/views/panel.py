"""Which screen the panel shows for a snapshot. Pure: the newest snapshot alone decides."""

from __future__ import annotations

from dataclasses import dataclass

from companion.ports import DeviceState
from companion.rules.portrait import Phrase, Portrait, Tone
from companion.table.snapshot import Seated, Snapshot
from companion.views.screens import (
    EndScreen,
    Footer,
    JoinScreen,
    PausedScreen,
    ReaderLostScreen,
    Screen,
    SetUpScreen,
    TableScreen,
)

_ALARMING = (DeviceState.LOST, DeviceState.FAILED)


@dataclass(frozen=True, slots=True)
class Join:
    """How a phone joins: the address for the QR code and the PIN, if one is asked for.

    What stands behind a ``#`` in the address is for the QR code alone. ``name`` is the same address by name, where
    there is one. ``renews`` tells that a button makes a new PIN, ``turns`` that another shows the next address.
    """

    url: str
    pin: str | None = None
    name: str | None = None
    renews: bool = False
    turns: bool = False


def screen_for(snapshot: Snapshot, join: Join) -> Screen:
    """The screen of a snapshot.

    A device that was just lost has a screen of its own until anything else happens; from then on it is an alert in
    the footer, for play goes on by other means.
    """
    seated = snapshot.seated
    portrait = None if seated is None else seated.game.portray(seated.state, seated.recent)
    footer = Footer(snapshot.revision, None if portrait is None else portrait.turn, _alerts(snapshot))
    news = snapshot.news
    if portrait is not None and snapshot.paused:
        return PausedScreen(portrait, footer, join.url, join.pin)
    if news is not None and news.state is DeviceState.LOST:
        advice = Phrase(news.advice.code, news.advice.params) if news.advice else None
        return ReaderLostScreen(news.device, advice, portrait, footer)
    if seated is None or portrait is None:
        return JoinScreen(join.url, join.pin, footer, join.name, join.renews, join.turns)
    return _game_screen(snapshot, seated, portrait, footer)


def shows_pin(screen: Screen) -> bool:
    """Whether a screen bears the PIN, so that its picture is only for those who were let in."""
    return isinstance(screen, JoinScreen | PausedScreen) and screen.pin is not None


def _game_screen(snapshot: Snapshot, seated: Seated, portrait: Portrait, footer: Footer) -> Screen:
    options = snapshot.gesture.options if snapshot.gesture else ()
    answer = snapshot.notice.phrase if snapshot.notice and _matters(snapshot.notice.tone) else None
    if options or answer:
        cursor = snapshot.gesture.cursor if snapshot.gesture else 0
        return TableScreen(portrait, footer, answer, tuple(option.label for option in options), cursor)
    if portrait.ending is not None:
        return EndScreen(portrait, footer)
    if not seated.can_undo:
        return SetUpScreen(portrait, footer)
    return TableScreen(portrait, footer)


def _matters(tone: Tone) -> bool:
    return tone in (Tone.WARNING, Tone.DANGER)


def _alerts(snapshot: Snapshot) -> tuple[Phrase, ...]:
    """That nothing is saved, then devices that are gone, the lost ones before those that never worked."""
    unsaved = (snapshot.unsaved.brief,) if snapshot.unsaved else ()
    alarming = sorted(
        (status for status in snapshot.devices if status.state in _ALARMING),
        key=lambda status: _ALARMING.index(status.state),
    )
    return (*unsaved, *(Phrase(f"device.{status.state}", {"device": status.device}) for status in alarming))

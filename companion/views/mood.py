"""What light and buzzer say at a change of the table. Pure: the snapshots before and after it alone decide."""

from __future__ import annotations

from typing import Any

from companion.ports import Mood
from companion.rules.portrait import Cue, Tone
from companion.table.snapshot import Seated, Snapshot

_CUES = {Cue.LOSS: Mood.LOSS, Cue.ALARM: Mood.ALARM}
"""The gravest first: one change is told by one mood."""


def news_of(before: Snapshot, after: Snapshot) -> Mood | None:
    """What the game brought: won, lost, a loss or an alarm; None for anything else, and for what is taken back."""
    old, new = before.seated, after.seated
    if old is None or new is None or old.id != new.id or _told(new) <= _told(old):
        return None
    portrait = new.game.portray(new.state, _fresh(old, new))
    if portrait.ending is not None and old.game.portray(old.state, ()).ending is None:
        return Mood.WON if portrait.ending.won else Mood.LOST
    cues = {result.cue for result in portrait.results}
    return next((mood for cue, mood in _CUES.items() if cue in cues), None)


def answer_to(before: Snapshot, after: Snapshot) -> Mood:
    """What a scan or press came to: refused where a warning came of it, else asking or taken."""
    notice = after.notice
    fresh = notice.tone if notice is not None and notice.revision > before.revision else None
    if fresh in (Tone.WARNING, Tone.DANGER):
        return Mood.REFUSED
    read_once = after.enrolling is not None and fresh is Tone.PLAIN
    return Mood.ASKING if after.gesture is not None or read_once else Mood.TAKEN


def _told(seated: Seated) -> int:
    """The number of the newest move that stands; an undo makes it smaller."""
    return max((line.number for line in seated.log if not line.retracted), default=0)


def _fresh(old: Seated, new: Seated) -> tuple[Any, ...]:
    """The events that came between: ``recent`` grows until a turn's first card has it begin anew."""
    known = len(old.recent)
    return new.recent[known:] if new.recent[:known] == old.recent else new.recent

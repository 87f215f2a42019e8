"""What the tests of the table sit down with: a clock that is set by hand, sessions, and ways to look at them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from companion.ports import Button, Press, TagArrived
from companion.rules.game import AnyGame, Refused, Thing
from companion.rules.registry import GAMES
from companion.table.journal import Journal
from companion.table.line import Line
from companion.table.session import Clocks, Session, TableOptions
from companion.table.snapshot import Seated, Snapshot
from tests.tiny_game import TinyGame

TINY = TinyGame()
ALL_GAMES: dict[str, AnyGame] = {**GAMES, TINY.name: TINY}


class Clock:
    """Seconds that pass, and a date that goes with them until it is set wrong by ``jump`` seconds."""

    def __init__(self) -> None:
        self.now = 1_700_000_000.0
        self.jump = 0.0

    def __call__(self) -> float:
        return self.now

    def date(self) -> float:
        return self.now + self.jump


def sit_down(path: Path | str = ":memory:", clock: Clock | None = None, **options: Any) -> Session:
    hands = clock or Clock()
    return Session(ALL_GAMES, Journal(path), clocks=Clocks(hands, hands.date), options=TableOptions(**options))


def get_up(session: Session) -> None:
    """End a session's process, as far as the journal can tell."""
    session._table.journal.close()


def tiny_session(path: Path | str = ":memory:", setup: Any = None, **options: Any) -> Session:
    session = sit_down(path, **options)
    session.start("tiny", {"seed": 1, "dark": "mill", **(setup or {})})
    return session


def seated(session: Session) -> Seated:
    assert session.snapshot.seated is not None
    return session.snapshot.seated


def state(session: Session) -> Any:
    return seated(session).state


def line_of(session: Session) -> Line:
    return session._table.on_table().line


def notice(snapshot: Snapshot) -> str:
    assert snapshot.notice is not None
    return snapshot.notice.phrase.code


def picks(snapshot: Snapshot) -> list[str]:
    assert snapshot.gesture is not None
    return [option.pick for option in snapshot.gesture.options]


def press(session: Session, button: str, long: bool = False) -> Snapshot:
    return session.observe(Press(Button(button), long))


def scan(session: Session, thing: str) -> Snapshot:
    """Put a tag of ``thing`` on the reader, teaching it first."""
    if thing not in session.tags():
        session.bind(thing, Thing.parse(thing))
    return session.observe(TagArrived("reader", thing))


def refused(code: str, act: Any, *args: Any, **kwargs: Any) -> Refused:
    """The refusal of an act, which must be of that code."""
    try:
        act(*args, **kwargs)
    except Refused as refusal:
        assert refusal.code == code
        return refusal
    raise AssertionError(f"not refused as {code}")


def table_of(session: Session) -> dict[str, Any]:
    """All that must outlive a restart."""
    there = session.snapshot.seated
    known = {"paused": session.snapshot.paused, "tags": session.tags(), "history": session.history()}
    if there is None:
        return known
    parts = ("id", "setup", "state", "recent", "log", "can_undo", "can_redo")
    return known | {part: getattr(there, part) for part in parts}

"""The one writer: every change of the table goes through a session, which journals it and then publishes it.

All methods are called from one thread (the event loop). Each that changes something answers with the new snapshot,
raises :class:`~companion.rules.game.Refused` where the request is refused, and takes

- ``command_id``: a text that names this request for ever. Sent twice, it is played once; the second is answered with
  the table as it stands.
- ``expected``: the revision that the sender looked at. Refused as ``stale`` where the game has moved on since;
  what only concerns gestures, notices and devices does not make it stale.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from companion.ports import Happening
from companion.rules.game import AnyGame, JsonObject, Thing
from companion.table.journal import Journal
from companion.table.snapshot import LogLine, Option, PastGame, Snapshot

Subscriber = Callable[[Snapshot], None]


@dataclass(frozen=True, slots=True)
class TableOptions:
    """The settings of a table: whether a press of "deal" deals one card, and when a half-told gesture is dropped."""

    one_card_a_press: bool = False
    gesture_seconds: float = 60.0


class Session:
    """The table: one game seated at a time, its journal, the tags, the gesture being told, the devices.

    ``clock`` gives seconds since the epoch; it only drops old gestures and dates the history.
    """

    def __init__(
        self,
        games: Mapping[str, AnyGame],
        journal: Journal,
        *,
        clock: Callable[[], float],
        options: TableOptions = TableOptions(),
    ) -> None:
        raise NotImplementedError

    # -- what is published ----------------------------------------------------------------------------------------
    @property
    def snapshot(self) -> Snapshot:
        """The newest snapshot."""
        raise NotImplementedError

    @property
    def last_tag(self) -> str | None:
        """The last tag that nobody taught yet."""
        raise NotImplementedError

    def subscribe(self, subscriber: Subscriber) -> Callable[[], None]:
        """Call ``subscriber`` with every new snapshot; returns what ends that."""
        raise NotImplementedError

    # -- play -------------------------------------------------------------------------------------------------------
    def play(self, command: JsonObject, *, command_id: str | None = None, expected: int | None = None) -> Snapshot:
        """Play any command of the game in its JSON form, corrections too. Refused: no_game, paused, the game's own."""
        raise NotImplementedError

    def deal(self, *, command_id: str | None = None, expected: int | None = None) -> Snapshot:
        """Press "deal" once: end the actions if need be, then draw the cards of one deck.

        Stops where someone must act or may want to speak up. Refused: not_allowed where the decks are the table's.
        """
        raise NotImplementedError

    def undo(self, *, command_id: str | None = None, expected: int | None = None) -> Snapshot:
        """Take the last command back. Refused: nothing_to_undo."""
        raise NotImplementedError

    def redo(self, *, command_id: str | None = None, expected: int | None = None) -> Snapshot:
        """Play again what was taken back last. Refused: nothing_to_redo."""
        raise NotImplementedError

    def legal(self) -> tuple[JsonObject, ...]:
        """Every legal command in its JSON form; ``command:N`` picks the one at index N. Empty with no game."""
        raise NotImplementedError

    # -- gestures ---------------------------------------------------------------------------------------------------
    def menu(self) -> tuple[Option, ...]:
        """What can be picked with no gesture open: ``deal``, a ``do:VERB`` for every verb, ``undo``, ``redo``."""
        raise NotImplementedError

    def pick(self, option: str, *, command_id: str | None = None, expected: int | None = None) -> Snapshot:
        """Choose an option by its ``pick`` text, of the open gesture or from nothing. Refused: not_offered."""
        raise NotImplementedError

    def cancel(self, *, command_id: str | None = None, expected: int | None = None) -> Snapshot:
        """Drop the gesture, if any."""
        raise NotImplementedError

    def observe(self, happening: Happening) -> Snapshot:
        """Take in what a device tells. Never raises: the answer is a command played, a gesture or a notice."""
        raise NotImplementedError

    def tick(self) -> Snapshot:
        """Drop a gesture that nobody finished; the event loop calls this now and then."""
        raise NotImplementedError

    # -- games ------------------------------------------------------------------------------------------------------
    def start(
        self, game: str, setup: JsonObject, *, command_id: str | None = None, expected: int | None = None
    ) -> Snapshot:
        """Begin a game; one on the table is put away. ``setup`` may hold ``seed`` and ``decks``: companion or table.

        Refused: unknown_game, bad_request.
        """
        raise NotImplementedError

    def pause(self, *, command_id: str | None = None, expected: int | None = None) -> Snapshot:
        """Let the table rest: until ``resume`` nothing is played."""
        raise NotImplementedError

    def resume(self, *, command_id: str | None = None, expected: int | None = None) -> Snapshot:
        """End the pause."""
        raise NotImplementedError

    def leave(self, *, command_id: str | None = None, expected: int | None = None) -> Snapshot:
        """Put the game away; it stays in the history. Refused: no_game."""
        raise NotImplementedError

    def reopen(self, game_id: int, *, command_id: str | None = None, expected: int | None = None) -> Snapshot:
        """Seat an earlier game again. Refused: no_such_game, unknown_game."""
        raise NotImplementedError

    def history(self) -> tuple[PastGame, ...]:
        """All games ever started, newest first."""
        raise NotImplementedError

    def log_of(self, game_id: int) -> tuple[LogLine, ...]:
        """The log of any game, oldest line first. Refused: no_such_game, unknown_game."""
        raise NotImplementedError

    # -- tags -------------------------------------------------------------------------------------------------------
    def tags(self) -> Mapping[str, Thing]:
        """What each known tag is stuck to; kept from game to game."""
        raise NotImplementedError

    def bind(self, tag: str, thing: Thing, *, command_id: str | None = None, expected: int | None = None) -> Snapshot:
        """Teach that a tag is stuck to a thing. Refused: bad_request for a thing of no game."""
        raise NotImplementedError

    def unbind(self, tag: str, *, command_id: str | None = None, expected: int | None = None) -> Snapshot:
        """Forget a tag."""
        raise NotImplementedError

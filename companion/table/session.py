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
from dataclasses import replace
from typing import Literal, Unpack

from companion.ports import Happening
from companion.rules.game import AnyGame, JsonObject, Refused, Thing
from companion.rules.portrait import Phrase, Tone
from companion.table import history, record
from companion.table.course import Course
from companion.table.enrolling import Enroller
from companion.table.journal import GameRow, Journal, Pen
from companion.table.meaning import Meaning
from companion.table.observing import Observer
from companion.table.offering import Offering
from companion.table.play import Play
from companion.table.pointing import Pointing
from companion.table.record import GameRecord
from companion.table.snapshot import LogLine, Option, PastGame, Snapshot
from companion.table.table import Clocks, Request, Subscriber, Table, TableOptions
from companion.table.tags import Merging, Tags

__all__ = ["Clocks", "Request", "Session", "Subscriber", "TableOptions"]

EnrolmentStep = Literal["skip", "skip_kind", "back", "again", "rest"]

DEFAULT_OPTIONS = TableOptions()
DEFAULT_CLOCKS = Clocks()


class Session:
    """The table: one game seated at a time, its journal, the tags, the gesture being told, the devices.

    ``clocks`` only drop old gestures and date the history. A new session seats the game that was on the table when the
    last one ended, however it ended.
    """

    def __init__(
        self,
        games: Mapping[str, AnyGame],
        journal: Journal,
        *,
        clocks: Clocks = DEFAULT_CLOCKS,
        options: TableOptions = DEFAULT_OPTIONS,
    ) -> None:
        self._table = Table(games, journal, clocks, options)
        self._play = Play(self._table)
        self._pointing = Pointing(self._table, self._play)
        self._tags = Tags(self._table)
        self._enroller = Enroller(self._table, self._tags)
        self._observer = Observer(self._table, self._play, self._pointing, self._tags, self._enroller)

    # -- what is published ----------------------------------------------------------------------------------------
    @property
    def snapshot(self) -> Snapshot:
        """The newest snapshot."""
        return self._table.snapshot

    @property
    def last_tag(self) -> str | None:
        """The last tag scanned that nobody taught yet."""
        return self._tags.last

    def subscribe(self, subscriber: Subscriber) -> Callable[[], None]:
        """Call ``subscriber`` with every new snapshot; returns what ends that."""
        return self._table.subscribe(subscriber)

    # -- play -------------------------------------------------------------------------------------------------------
    def play(self, command: JsonObject, **request: Unpack[Request]) -> Snapshot:
        """Play any command of the game in its JSON form, corrections too. Refused: no_game, paused, the game's own."""
        return self._once(request, lambda: self._play.command(command, request))

    def deal(self, **request: Unpack[Request]) -> Snapshot:
        """Press "deal" once: end the actions if need be, then draw the cards of one deck.

        Stops where someone must act or may want to speak up. Refused: table_deals where the decks are the table's.
        """
        return self._once(request, lambda: self._play.deal(request))

    def names_a_dealt_card(self, command: JsonObject) -> bool:
        """Whether a command, in its JSON form, names a card that is the companion's to deal."""
        return self._play.names_a_dealt_card(command)

    def undo(self, **request: Unpack[Request]) -> Snapshot:
        """Take the last command back. Refused: nothing_to_undo."""
        return self._once(request, lambda: self._play.undo(request))

    def redo(self, **request: Unpack[Request]) -> Snapshot:
        """Play again what was taken back last. Refused: nothing_to_redo."""
        return self._once(request, lambda: self._play.redo(request))

    def legal(self) -> tuple[JsonObject, ...]:
        """Every legal command in its JSON form; ``command:N`` picks the one at index N. Empty with no game."""
        return self._pointing.legal()

    def offering(self) -> Offering | None:
        """What can be done in each seat's name; None with no game, or while it rests."""
        return self._pointing.offering()

    def deals(self) -> bool:
        """Whether ``deal`` does something now."""
        return self._pointing.deals()

    # -- gestures ---------------------------------------------------------------------------------------------------
    def menu(self) -> tuple[Option, ...]:
        """What can be picked with no gesture open: ``deal``, a ``do:VERB`` for every verb, ``undo``, ``redo``.

        Where the companion deals, draws are no verbs of the menu.
        """
        return self._pointing.menu()

    def pick(self, option: str, **request: Unpack[Request]) -> Snapshot:
        """Choose an option by its ``pick`` text, of the open gesture or from nothing; ``cancel`` drops the gesture.

        A command is played once nothing else can be meant. Refused: no_such_option.
        """
        return self._once(request, lambda: self._pointing.pick(option, request))

    def cancel(self, **request: Unpack[Request]) -> Snapshot:
        """Drop the gesture, if any."""
        return self._once(request, lambda: self._pointing.cancel(request))

    def observe(self, happening: Happening) -> Snapshot:
        """Take in what a device tells. Never raises: the answer is a command played, a gesture or a notice."""
        return self._observer.observe(happening)

    def warn(self, phrase: Phrase) -> Snapshot:
        """Publish what somebody must know: a notice on every screen until something else happens."""
        return self._table.answer(phrase, Tone.DANGER)

    def tick(self) -> Snapshot:
        """Drop a gesture that nobody finished, save what could not be; the event loop calls this now and then."""
        self._pointing.expire()
        self._enroller.expire()
        self._table.save_again()
        return self.snapshot

    # -- games ------------------------------------------------------------------------------------------------------
    def start(self, game: str, setup: JsonObject, **request: Unpack[Request]) -> Snapshot:
        """Begin a game; one on the table is put away. ``setup`` may hold ``seed`` and ``decks``: companion or table.

        Refused: unknown_game, bad_request.
        """
        return self._once(request, lambda: self._start(game, setup, request))

    def pause(self, **request: Unpack[Request]) -> Snapshot:
        """Let the game rest: until ``resume`` nothing is played. Refused: no_game."""
        return self._once(request, lambda: self._rest(True, request))

    def resume(self, **request: Unpack[Request]) -> Snapshot:
        """End the pause. Refused: no_game."""
        return self._once(request, lambda: self._rest(False, request))

    def leave(self, **request: Unpack[Request]) -> Snapshot:
        """Put the game away; it stays in the history. Refused: no_game."""
        return self._once(request, lambda: self._leave(request))

    def reopen(self, game_id: int, **request: Unpack[Request]) -> Snapshot:
        """Seat an earlier game again. Refused: no_such_game, unknown_game."""
        return self._once(request, lambda: self._reopen(game_id, request))

    def history(self) -> tuple[PastGame, ...]:
        """All games ever started, newest first."""
        return history.history(self._table)

    def log_of(self, game_id: int) -> tuple[LogLine, ...]:
        """The log of any game, oldest line first. Refused: no_such_game, unknown_game."""
        return history.log_of(self._table, game_id)

    def course_of(self, game_id: int) -> Course:
        """How any game went, turn by turn. Refused: no_such_game, unknown_game."""
        return history.course(self._table, game_id)

    # -- tags -------------------------------------------------------------------------------------------------------
    def tags(self) -> Mapping[str, Thing]:
        """What each known tag is stuck to; kept from game to game."""
        return self._tags.known()

    def taught(self) -> Mapping[str, Meaning]:
        """What each known tag means: a thing, or a command that it says."""
        return self._tags.taught()

    def bind(self, tag: str, meaning: Meaning, **request: Unpack[Request]) -> Snapshot:
        """Teach what a tag means. Refused: bad_request for what is no tag, or a thing or command of no game."""
        return self._once(request, lambda: self._tags.bind(tag, meaning, request))

    def unbind(self, tag: str, **request: Unpack[Request]) -> Snapshot:
        """Forget a tag. Refused: unknown_tag."""
        return self._once(request, lambda: self._tags.unbind(tag, request))

    def bring(self, tags: Mapping[str, Meaning], merging: Merging, **request: Unpack[Request]) -> Snapshot:
        """Take in many tags at once, all or none. Refused: tags_differ."""
        return self._once(request, lambda: self._tags.bring(tags, merging, request))

    def enrol(
        self, game: str, piece: str | None = None, replacing: str | None = None, **request: Unpack[Request]
    ) -> Snapshot:
        """Have the pieces of a box named one by one, and take scans for their tags until ``enrolment("rest")``.

        Goes on where it was left; ``piece`` is named first where it is given, and where all of it has tags one of them
        (``replacing``) is replaced. Refused: unknown_game, unknown_piece, piece_full.
        """
        return self._once(request, lambda: self._enroller.begin(game, piece, replacing, request))

    def enrolment(self, step: EnrolmentStep, **request: Unpack[Request]) -> Snapshot:
        """Skip the piece or its kind, go back, name what was skipped, or stop.

        Refused: not_enrolling, nothing_before.
        """
        return self._once(request, lambda: self._enroller.steps[step](request))

    # -- how --------------------------------------------------------------------------------------------------------
    def _once(self, request: Request, answer: Callable[[], Snapshot]) -> Snapshot:
        return self.snapshot if self._table.answered(request) else answer()

    def _start(self, name: str, setup: JsonObject, request: Request) -> Snapshot:
        if not isinstance(setup, Mapping):
            raise Refused("bad_request")
        begun, seed = record.begin(self._table.game(name), setup)
        row = GameRow(0, name, record.setup_text(begun), seed, self._table.now())
        return self._table.seat(lambda pen: replace(begun, id=pen.begin(row)), request)

    def _rest(self, paused: bool, request: Request) -> Snapshot:
        self._table.on_table()
        return self._table.rest(paused, request)

    def _leave(self, request: Request) -> Snapshot:
        self._table.on_table()
        return self._table.seat(_nobody, request)

    def _reopen(self, game_id: int, request: Request) -> Snapshot:
        reopened = history.record_of(self._table, game_id)
        snapshot, trouble = self._table.seat(lambda _pen: reopened, request), record.cut_notice(reopened)
        return snapshot if trouble is None else self._table.answer(trouble, Tone.DANGER)


def _nobody(_pen: Pen) -> GameRecord | None:
    return None

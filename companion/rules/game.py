"""What any game offers to the layers above it.

A game is a set of pure functions over immutable values. The layers above (table, views, panel, web) see only
this protocol and the generic picture in :mod:`companion.rules.portrait`; they never import a game's own folder.

Errors form one tree::

    Refused            a request the rules refuse; ``code`` never changes its meaning
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol, TypeVar

from companion.rules.odds import Odds
from companion.rules.portrait import Phrase, Portrait, Word

JsonObject = Mapping[str, Any]

Pick = Callable[[str, Sequence[str]], str]
"""``pick(purpose, options)`` settles one chance: it returns one of ``options`` (which may repeat)."""


class Refused(Exception):
    """A request that is refused; nothing has changed.

    ``code`` is one of the protocol's error codes (``not_adjacent``, ``must_swim`` ...), worded at the edge as the
    message ``refusal.<code>``; ``params`` are that message's parameters.
    """

    def __init__(self, code: str, **params: Word) -> None:
        super().__init__(code)
        self.code = code
        self.params: Mapping[str, Word] = params

    def __str__(self) -> str:
        told = ", ".join(f"{key}={value}" for key, value in self.params.items())
        return f"{self.code}({told})" if told else self.code


class Thing(NamedTuple):
    """Something of the box that a command can mention and a tag can be stuck to; text form ``tile:watchtower``."""

    kind: str
    name: str

    def __str__(self) -> str:
        return f"{self.kind}:{self.name}"

    @classmethod
    def parse(cls, text: str) -> Thing:
        """Read the text form; ValueError where it has no colon."""
        kind, colon, name = text.partition(":")
        if not (kind and colon and name):
            raise ValueError(f"not a thing: {text!r} (expected KIND:NAME)")
        return cls(kind, name)


@dataclass(frozen=True, slots=True)
class Mentions:
    """What a command speaks of: its verb, the things that must be pointed at, and those that merely may be.

    A scan of a thing in ``implied`` narrows the choice but is not needed to tell the command (whose hand a card is
    discarded from, where only one hand can be meant). ``seat`` is whose command it is, None for one that anybody gives.
    """

    verb: str
    things: frozenset[Thing] = frozenset()
    implied: frozenset[Thing] = frozenset()
    seat: str | None = None


@dataclass(frozen=True, slots=True)
class Draw:
    """A draw that is due: a card of ``zone`` (sorted, may repeat) must be named; ``left`` counts this draw too."""

    deck: str
    zone: tuple[str, ...]
    left: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended; ``reason`` is a code such as ``drowned``, or None for a win."""

    won: bool
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """One question of the set-up: pick ``least`` to ``most`` of ``options`` for the set-up's key ``key``.

    Where ``ordered`` the order of picking matters (seats). ``default`` holds ``least`` or more options.
    An ``optional`` choice is left to chance where its key is absent; its ``default`` is empty.
    """

    key: str
    options: tuple[str, ...]
    default: tuple[str, ...]
    least: int = 1
    most: int = 1
    ordered: bool = False
    optional: bool = False

    @property
    def single(self) -> bool:
        """Whether exactly one is picked: the set-up holds it as a string, any other choice as a list."""
        return self.least == self.most == 1


@dataclass(frozen=True, slots=True)
class Adjustable:
    """One value of a position that the table may correct.

    ``part`` is the key of the ``correct`` command, ``key`` the entry below it (None where the part has no entries).
    ``value`` is what the engine believes now, ``options`` what may be put instead. Where ``many``, value is a list of
    options in any order, at most ``most_each`` of one; where ``number``, options are whole numbers in text form and
    the command takes an integer.
    """

    part: str
    key: str | None
    value: tuple[str, ...]
    options: tuple[str, ...]
    many: bool = False
    number: bool = False
    most_each: int = 30


@dataclass(frozen=True, slots=True)
class Tagged:
    """A kind of thing that tags can be stuck to, with all its names, for the page that teaches tags.

    ``copies`` tells how many of a name lie in the box, where there are several.
    """

    kind: str
    names: tuple[str, ...] = field(default=())
    copies: Mapping[str, int] = field(default_factory=dict)

    def copies_of(self, name: str) -> int:
        """How many pieces of a name lie in the box."""
        return self.copies.get(name, 1)


S = TypeVar("S")
C = TypeVar("C")
E = TypeVar("E")


class Game(Protocol[S, C, E]):
    """A game's rules as pure functions.

    ``decide`` accepts exactly what ``legal`` lists, plus corrections; ``evolve`` never refuses.
    """

    @property
    def name(self) -> str:
        """The name in the protocol, in snake case; also the domain of its messages."""
        ...

    # -- set-up -------------------------------------------------------------------------------------------------
    def choices(self) -> tuple[Choice, ...]:
        """What a host is asked before the start."""
        ...

    def complete(self, setup: JsonObject, pick: Pick) -> dict[str, Any]:
        """Check a set-up and settle every chance in it, so that ``start`` needs none. Refused: bad_request."""
        ...

    def start(self, setup: JsonObject) -> S:
        """The first position of a completed set-up."""
        ...

    def arrange(self, state: S, parts: JsonObject) -> S:
        """Put named parts of a position in place (a scenario's ``set``). Refused: bad_request, bad_state."""
        ...

    # -- play ---------------------------------------------------------------------------------------------------
    def legal(self, state: S) -> tuple[C, ...]:
        """Every legal command once; draws name their card. Empty when the game is over."""
        ...

    def decide(self, state: S, command: C) -> tuple[E, ...]:
        """The events a command leads to. Raises Refused."""
        ...

    def evolve(self, state: S, event: E) -> S:
        """The position after an event."""
        ...

    def due(self, state: S) -> Draw | None:
        """The draw that can be made now, if any (None while someone must discard or swim)."""
        ...

    def draw(self, state: S, card: str) -> C:
        """The command that draws ``card`` for the draw that is due."""
        ...

    def needs_card(self, command: C) -> bool:
        """Whether this is a draw command that does not yet name its card."""
        ...

    def speak_up(self, state: S, events: Sequence[E]) -> bool:
        """Whether dealing should stop after these events because someone may want to speak up."""
        ...

    def answers_the_deal(self, command: C) -> bool:
        """Whether this command answers a question that stopped the dealing, so that it goes on by itself."""
        ...

    def ready_to_deal(self, state: S) -> C | None:
        """The command that one press of "deal" stands for where no draw is due yet (ending the actions), if any."""
        ...

    def outcome(self, state: S) -> Outcome | None:
        """How the game ended, or None while it goes on."""
        ...

    def turn(self, state: S) -> int:
        """The turn's number, from 1."""
        ...

    def faults(self, state: S) -> tuple[Phrase, ...]:
        """Everything that is wrong with a position; empty for a sound one."""
        ...

    # -- for people ---------------------------------------------------------------------------------------------
    def mentions(self, state: S, command: C) -> Mentions:
        """What a legal command speaks of."""
        ...

    def tagged(self) -> tuple[Tagged, ...]:
        """All things of the box that can carry a tag."""
        ...

    def verbs(self) -> tuple[str, ...]:
        """Every verb that a command can have, corrections left out, for tags that say it; worded as ``verb.<verb>``."""
        ...

    def adjustables(self, state: S) -> tuple[Adjustable, ...]:
        """Every value that a correction can set."""
        ...

    def portray(self, state: S, recent: Sequence[E]) -> Portrait:
        """The position as a generic picture; ``recent`` are the events whose results still matter (this turn's)."""
        ...

    def odds(self, state: S) -> Odds | None:
        """The chances of the rest of this turn, exact; None where the game is over or gives none."""
        ...

    def tell(self, event: E) -> Phrase | None:
        """The log's sentence for an event; None for one that is not worth a line."""
        ...

    def word(self, command: C) -> Phrase:
        """A command in words, for menus ("Move to Watchtower")."""
        ...

    # -- text forms ---------------------------------------------------------------------------------------------
    def state_json(self, state: S) -> dict[str, Any]:
        """The protocol's form of a position."""
        ...

    def read_state(self, json: JsonObject) -> S:
        """Read and check a position. Refused: bad_state with ``fault`` naming the first thing wrong."""
        ...

    def command_json(self, command: C) -> dict[str, Any]:
        """The protocol's form of a command."""
        ...

    def read_command(self, json: JsonObject) -> C:
        """Read a command; a draw may lack its card. Refused: bad_request, unknown_command."""
        ...

    def event_json(self, event: E) -> dict[str, Any]:
        """The protocol's form of an event: ``{"event": NAME, ...}``."""
        ...

    def read_event(self, json: JsonObject) -> E:
        """Read what ``event_json`` wrote; ValueError otherwise."""
        ...


AnyGame = Game[Any, Any, Any]

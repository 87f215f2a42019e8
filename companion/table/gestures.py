"""How scans and presses narrow the legal commands, the same for every game and every command.

A command fits what was told when it has the verb that was told, if any, and mentions every thing that was told. It is
exactly told when, besides, everything that must be pointed at was told. Nothing here changes anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.rules.game import AnyGame, Mentions, Thing
from companion.rules.portrait import Phrase
from companion.table.line import Line, draws_due
from companion.table.meaning import VERB
from companion.table.snapshot import Gesture, Option

COMMAND = "command:"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A legal command that a gesture can mean; ``index`` is its place in the legal list."""

    index: int
    command: Any
    mentions: Mentions


@dataclass(frozen=True, slots=True)
class Telling:
    """A gesture while it is told: ``steps`` are the verbs and things told so far, each in its pick's text form.

    ``from_menu`` tells that the menu was opened for it; ``since`` is the clock's second of the last step.
    """

    steps: tuple[str, ...] = ()
    options: tuple[Option, ...] = ()
    cursor: int = 0
    from_menu: bool = False
    since: float = 0.0

    @property
    def verb(self) -> str | None:
        """The verb that was told last."""
        verbs = [step.removeprefix(VERB) for step in self.steps if step.startswith(VERB)]
        return verbs[-1] if verbs else None

    @property
    def things(self) -> tuple[Thing, ...]:
        """The things told, each once."""
        things = (Thing.parse(step) for step in self.steps if not step.startswith(VERB))
        return tuple(dict.fromkeys(things))

    @property
    def in_force(self) -> frozenset[str]:
        """The steps that say something still: the last verb, and the things."""
        verb = () if self.verb is None else (f"{VERB}{self.verb}",)
        return frozenset((*verb, *map(str, self.things)))

    def gesture(self) -> Gesture:
        """What is published of it."""
        return Gesture(self.verb, self.things, self.options, self.cursor)

    def next_option(self) -> Telling:
        """The cursor one option further, from the last back to the first."""
        return replace(self, cursor=(self.cursor + 1) % len(self.options)) if self.options else self


def candidates(line: Line) -> tuple[Candidate, ...]:
    """What a gesture can mean now: every legal command, but no draw where the companion deals."""
    game, state = line.game, line.state
    dealt = draws_due(game, state) if line.dealer is not None else ()
    legal = enumerate(game.legal(state))
    return tuple(
        Candidate(index, command, game.mentions(state, command)) for index, command in legal if command not in dealt
    )


def fitting(among: Iterable[Candidate], told: Telling) -> tuple[Candidate, ...]:
    """The candidates that fit what was told."""
    verb, things = told.verb, frozenset(told.things)
    return tuple(
        one
        for one in among
        if verb in (None, one.mentions.verb) and things <= one.mentions.things | one.mentions.implied
    )


def meant(left: Sequence[Candidate], told: Telling, *, scanned: bool) -> Candidate | None:
    """The command to play at once, if what was told is clear; ``left`` are the candidates that fit.

    A scan is clear when one command is exactly told and no other of its verb would go on from there; a pick only when
    nothing else fits. The only command left of a verb that was picked needs no things told.
    """
    if not scanned and told.verb and len(left) == 1:
        return left[0]
    things = frozenset(told.things)
    exact = [one for one in left if one.mentions.things <= things]
    if len(exact) != 1:
        return None
    rivals = [one for one in left if not scanned or one.mentions.verb == exact[0].mentions.verb]
    return exact[0] if len(rivals) == 1 else None


def follow(game: AnyGame, left: Sequence[Candidate], told: Telling) -> tuple[Option, ...]:
    """What can be picked next: verbs while several are possible, else whole commands, then the things still open."""
    verbs = dict.fromkeys(one.mentions.verb for one in left)
    if len(verbs) > 1:
        by_verb = [[one for one in left if one.mentions.verb == verb] for verb in verbs]
        by_verb.sort(key=lambda group: not any(_complete(one, told, frozenset()) for one in group))
        return tuple(_verb_or_command(game, group, told) for group in by_verb)
    certain = frozenset.intersection(*(one.mentions.things for one in left))
    whole = [one for one in left if _complete(one, told, certain)]
    open_ = [one.mentions.things - certain - set(told.things) for one in left if one not in whole]
    return (*(_command(game, one) for one in whole), *map(_thing, _next_things(open_)))


def first_options(game: AnyGame, among: Sequence[Candidate], *, verbs: bool) -> tuple[Option, ...]:
    """What can be picked first: verbs, or what follows at once where there is but one and ``verbs`` are not wanted."""
    by_verb: dict[str, list[Candidate]] = {}
    for one in among:
        by_verb.setdefault(one.mentions.verb, []).append(one)
    if verbs or len(by_verb) != 1:
        return tuple(_verb(game, group) for group in by_verb.values())
    return follow(game, among, Telling())


def _complete(one: Candidate, told: Telling, certain: frozenset[Thing]) -> bool:
    return one.mentions.things <= certain | set(told.things)


def _next_things(open_: Sequence[frozenset[Thing]]) -> list[Thing]:
    """The things to ask for: of the one kind with the fewest that every command still lacks, else all."""
    if not open_:
        return []
    things = frozenset.union(*open_)
    kinds = frozenset.intersection(*(frozenset(thing.kind for thing in lacking) for lacking in open_))
    asked = [[thing for thing in things if thing.kind == kind] for kind in kinds]
    return sorted(min(asked, key=lambda of_kind: (len(of_kind), of_kind)) if asked else things)


def _verb_or_command(game: AnyGame, group: Sequence[Candidate], told: Telling) -> Option:
    if len(group) == 1 and _complete(group[0], told, frozenset()):
        return _command(game, group[0])
    return _verb(game, group)


def _verb(game: AnyGame, group: Sequence[Candidate]) -> Option:
    """The option to say a verb; one with a single command says what that is, for it is played at once."""
    verb = group[0].mentions.verb
    label = game.word(group[0].command) if len(group) == 1 else Phrase(f"verb.{verb}")
    return Option(f"{VERB}{verb}", label)


def _thing(thing: Thing) -> Option:
    return Option(str(thing), Phrase(f"name.{thing.name}"))


def _command(game: AnyGame, one: Candidate) -> Option:
    return Option(f"{COMMAND}{one.index}", game.word(one.command))

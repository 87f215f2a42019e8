"""The log as a story: whom each line speaks of, and by what it can be sifted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from companion.rules.portrait import Phrase, Word
from companion.table.snapshot import LogLine

KINDS = ("action", "draw", "correction", "undone")


@dataclass(frozen=True, slots=True)
class LogEntry:
    """A line with the players that it speaks of, in seat order, and its kinds: what it was, and whether undone."""

    line: LogLine
    players: tuple[str, ...]
    kinds: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Story:
    """Some lines with all that they can be sifted by: the players, kinds and turns that occur."""

    entries: tuple[LogEntry, ...]
    players: tuple[str, ...]
    kinds: tuple[str, ...]
    turns: tuple[int, ...]


NO_STORY = Story((), (), (), ())


def story(lines: Iterable[LogLine], seats: Sequence[str]) -> Story:
    """The lines that say something, in their order; ``seats`` are the players' names."""
    entries = tuple(_entry(line, seats) for line in lines if line.sentences)
    told = {name for entry in entries for name in entry.players}
    kinds = {kind for entry in entries for kind in entry.kinds}
    return Story(
        entries,
        tuple(name for name in seats if name in told),
        tuple(kind for kind in KINDS if kind in kinds),
        tuple(sorted({entry.line.turn for entry in entries})),
    )


def _entry(line: LogLine, seats: Sequence[str]) -> LogEntry:
    named = {name for sentence in line.sentences for name in _names(sentence)}
    kinds = (line.kind, "undone") if line.retracted else (line.kind,)
    return LogEntry(line, tuple(name for name in seats if name in named), kinds)


def _names(word: Word) -> Iterator[str]:
    """All names in a sentence, however deep."""
    if isinstance(word, Phrase):
        for inner in word.params.values():
            yield from _names(inner)
    elif isinstance(word, tuple):
        yield from word
    elif isinstance(word, str):
        yield word

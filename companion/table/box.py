"""What lies in a game's box and can carry a tag, shelf by shelf, and how much of it has one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from companion.rules.game import AnyGame, Thing
from companion.table.meaning import Meaning, acts_of


@dataclass(frozen=True, slots=True)
class Piece:
    """One name in the box; there are so many ``copies`` of it, each of which can have a tag."""

    meaning: Meaning
    copies: int = 1

    @property
    def kind(self) -> str:
        """Its shelf."""
        return self.meaning.kind


@dataclass(frozen=True, slots=True)
class Shelf:
    """The pieces of one kind: ``tagged`` of ``places`` have their tag."""

    kind: str
    pieces: tuple[Piece, ...]
    tagged: int = 0

    @property
    def places(self) -> int:
        """How many tags the whole shelf takes."""
        return sum(piece.copies for piece in self.pieces)


@dataclass(frozen=True, slots=True)
class Box:
    """All pieces of a game in order, the commands last; ``game`` is its name."""

    game: str
    pieces: tuple[Piece, ...]

    def __contains__(self, meaning: object) -> bool:
        return any(piece.meaning == meaning for piece in self.pieces)

    def piece(self, meaning: Meaning) -> Piece:
        """The piece of that meaning; KeyError where the box has none."""
        for piece in self.pieces:
            if piece.meaning == meaning:
                return piece
        raise KeyError(str(meaning))

    def after(self, meaning: Meaning | None) -> Iterator[Piece]:
        """Every piece once, beginning behind one (from the first where it is None or not in the box)."""
        at = next((at for at, piece in enumerate(self.pieces, 1) if piece.meaning == meaning), 0)
        yield from (*self.pieces[at:], *self.pieces[:at])

    def shelves(self, known: Mapping[str, Meaning]) -> tuple[Shelf, ...]:
        """The pieces kind by kind, with what the known tags make of them."""
        tags = Counter(known.values())
        kinds = dict.fromkeys(piece.kind for piece in self.pieces)
        return tuple(_shelf(kind, [piece for piece in self.pieces if piece.kind == kind], tags) for kind in kinds)


def box_of(game: AnyGame) -> Box:
    """The box of a game."""
    things = (Piece(Thing(shelf.kind, name), shelf.copies_of(name)) for shelf in game.tagged() for name in shelf.names)
    return Box(game.name, (*things, *map(Piece, acts_of(game))))


def _shelf(kind: str, pieces: Iterable[Piece], tags: Mapping[Meaning, int]) -> Shelf:
    pieces = tuple(pieces)
    return Shelf(kind, pieces, sum(min(tags.get(piece.meaning, 0), piece.copies) for piece in pieces))

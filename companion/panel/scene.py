"""What every part of a screen needs to draw itself: the canvas, the words, the players' letters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from companion.i18n import Translator
from companion.panel.box import Box
from companion.panel.canvas import Canvas, Pen
from companion.panel.metrics import Layout, Metrics
from companion.ports import Ink
from companion.rules.portrait import Phrase, Portrait, Tone, Word

_PAWN_INK = {
    "black": Ink.BLACK,
    "blue": Ink.BLUE,
    "green": Ink.GREEN,
    "red": Ink.RED,
    "white": Ink.WHITE,
    "yellow": Ink.YELLOW,
}


@dataclass(frozen=True, slots=True)
class Scene:
    """A canvas and its language; ``letters`` gives each seat the letter on its pawn."""

    canvas: Canvas
    words: Translator
    letters: Mapping[str, str]
    colours: Mapping[str, str]

    @property
    def metrics(self) -> Metrics:
        """The panel's text sizes."""
        return self.canvas.metrics

    @property
    def tiny(self) -> bool:
        """Whether this is one of the smallest panels."""
        return self.metrics.layout is Layout.TINY

    @property
    def upright(self) -> bool:
        """Whether the panel stands on its short edge."""
        return self.canvas.box.height > self.canvas.box.width

    def wordings(self, name: str) -> tuple[str, ...]:
        """A thing's name, then its short name."""
        return (self.words.name(name), self.words.short(name))

    def counted(self, name: str, number: int) -> tuple[str, ...]:
        """Several equal things by name."""
        return tuple(f"{number} × {wording}" if number > 1 else wording for wording in self.wordings(name))

    def body(self, ink: Ink = Ink.BLACK, *, bold: bool = False) -> Pen:
        """The pen for running text."""
        return Pen(self.metrics.body, self.metrics.least, ink, bold=bold)

    def pawn(self, name: str, box: Box, ground: Ink = Ink.WHITE) -> None:
        """A player's pawn: a plate of its colour with the player's letter, edged to stand out from the ground."""
        canvas, place = self.canvas, box.square()
        edge = canvas.on(ground)
        inner = place.inset(self.metrics.line)
        ink = canvas.best(_PAWN_INK.get(self.colours.get(name, ""), Ink.BLACK))
        canvas.fill(place, edge, place.width // 4 + self.metrics.line)
        canvas.plate(self.letters.get(name) or self.words.short(name)[:1].upper(), inner, ink)

    def thing(self, name: str, box: Box, ink: Ink = Ink.BLACK, *, hollow: bool = False) -> None:
        """The symbol of a card, badge or goal, or its initial."""
        self.canvas.card(name, self.words.short(name)[:1].upper(), box, ink, hollow=hollow)

    def tone(self, tone: Tone) -> Ink:
        """The ink of a tone, which shape and word must say as well."""
        inks = {Tone.DANGER: self.canvas.danger, Tone.WARNING: self.canvas.water, Tone.GOOD: self.canvas.good}
        return inks.get(tone, Ink.BLACK)

    def say(self, phrase: Phrase) -> tuple[str, ...]:
        """A phrase in words, then in fewer where there are messages ``<code>.short`` and ``<code>.shortest``."""
        briefer = (f"{phrase.code}.{length}" for length in ("short", "shortest"))
        codes = (phrase.code, *(code for code in briefer if code in self.words))
        return tuple(self.words.say(Phrase(code, phrase.params)) for code in codes)

    def text(self, code: str, **params: Word) -> str:
        """A message in words."""
        return self.words.text(code, **params)


def scene_of(canvas: Canvas, words: Translator, portrait: Portrait | None) -> Scene:
    """The scene for a portrait's players, if there is one."""
    seats = portrait.seats if portrait else ()
    letters = pawn_letters([words.name(seat.name) for seat in seats])
    return Scene(
        canvas,
        words,
        {seat.name: letter for seat, letter in zip(seats, letters, strict=True)},
        {seat.name: seat.colour for seat in seats},
    )


def pawn_letters(names: Sequence[str]) -> list[str]:
    """A letter for each name that no other has: its first letter that is still free, else its seat's number."""
    taken: list[str] = []
    for number, name in enumerate(names, start=1):
        free = (letter for letter in name.upper() if letter.isalpha() and letter not in taken)
        taken.append(next(free, str(number)))
    return taken

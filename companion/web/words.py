"""Words for the templates: everything a page says, in the reader's language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from functools import cache
from unicodedata import normalize

from babel.dates import format_datetime
from babel.numbers import format_percent

from companion.i18n import Translator
from companion.rules.portrait import Phrase, Word
from companion.table.meaning import Meaning, label_of


@dataclass(frozen=True, slots=True)
class Words:
    """A translator with the look-ups that pages need besides."""

    translator: Translator

    def text(self, code: str, **params: Word) -> str:
        """Word a code."""
        return self.translator.text(code, **params)

    def say(self, phrase: Phrase) -> str:
        """Word a phrase."""
        return self.translator.say(phrase)

    def sentences(self, phrases: Iterable[Phrase]) -> str:
        """Word phrases one after another."""
        return " ".join(map(self.translator.say, phrases))

    def name(self, name: str) -> str:
        """A thing's name."""
        return self.translator.name(name)

    def short(self, name: str) -> str:
        """A thing's name for narrow places."""
        return self.translator.short(name)

    def titled(self, family: str, key: str) -> str:
        """The message ``FAMILY.KEY`` where there is one, else the name of ``KEY``."""
        code = f"{family}.{key}"
        return self.translator.text(code) if code in self.translator else self.translator.name(key)

    def option(self, key: str, option: str) -> str:
        """An option of a set-up's choice."""
        return self.titled(f"option.{key}", option)

    def by_name(self, key: str, options: Iterable[str]) -> list[str]:
        """A choice's options in the order of the reader's alphabet; a letter with an accent follows the bare one."""
        return sorted(options, key=lambda option: _alphabetic(self.option(key, option)))

    def by_kind(self, tags: Mapping[str, Meaning]) -> list[tuple[str, list[tuple[str, Meaning]]]]:
        """Tags with their meanings, kind by kind, kinds and meanings in the order of the reader's alphabet."""

        def place(known: tuple[str, Meaning]) -> tuple[str, str, str]:
            return _alphabetic(self.say(label_of(known[1]))), str(known[1]), known[0]

        kinds = sorted({meaning.kind for meaning in tags.values()}, key=self._shelf)
        return [(kind, sorted((each for each in tags.items() if each[1].kind == kind), key=place)) for kind in kinds]

    def _shelf(self, kind: str) -> str:
        return _alphabetic(self.titled("name.kind", kind))

    def date(self, moment: str) -> str:
        """An ISO date and time as people write it; anything else as it stands."""
        try:
            parsed = datetime.fromisoformat(moment)
        except ValueError:
            return moment
        return format_datetime(parsed, "short", locale=self.translator.language.replace("-", "_"))

    def chance(self, chance: Fraction) -> str:
        """A chance in whole per cent; one that is neither impossible nor certain is never told as either."""
        part, whole = chance.numerator, chance.denominator
        if 0 < 100 * part < whole:
            return f"<{_per_cent(1, self.translator.language)}"
        if 99 * whole < 100 * part < 100 * whole:
            return f">{_per_cent(99, self.translator.language)}"
        return _per_cent(round(100 * part / whole), self.translator.language)

    def share(self, part: int, whole: int) -> str:
        """A part of a whole in per cent, rounded as a chance is."""
        return self.chance(Fraction(part, whole))

    def initials(self, names: Sequence[str]) -> dict[str, str]:
        """The shortest beginnings of the short names that tell them apart, for pawns."""
        words = {name: self.translator.short(name) for name in names}
        return {name: _beginning(word, [w for n, w in words.items() if n != name]) for name, word in words.items()}


@cache
def _per_cent(whole: int, language: str) -> str:
    return format_percent(whole / 100, locale=language.replace("-", "_"))


def _alphabetic(word: str) -> str:
    return normalize("NFKD", word.casefold())


def _beginning(word: str, others: Sequence[str]) -> str:
    for length in range(1, len(word)):
        if not any(other[:length].casefold() == word[:length].casefold() for other in others):
            return word[:length]
    return word

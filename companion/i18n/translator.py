"""A translator words codes, phrases and names in one language."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any

from babel.lists import format_list

from companion.i18n.catalogue import Catalogue, read_catalogue
from companion.i18n.languages import LANGUAGES
from companion.rules.portrait import Phrase, Word

_log = logging.getLogger(__name__)


class _Name(str):
    """A thing's name that is still to be looked up, perhaps in a grammatical form."""

    __slots__ = ()


class _Wording(Formatter):
    """``{card}`` is a name as it stands alone; ``{player:the}`` looks up ``name.<player>.the`` first.

    ``{player:The}`` is the same with a capital, for the beginning of a sentence; ``{player:short}`` the short name.
    """

    def __init__(self, form: Callable[[str, str], str], together: Callable[[list[str]], str]) -> None:
        self._form = form
        self._together = together

    def format_field(self, value: Any, format_spec: str) -> str:
        if isinstance(value, _Name):
            return self._form(value, format_spec)
        if isinstance(value, tuple):
            return self._together([self._form(name, format_spec) for name in value])
        return str(value)


class Translator:
    """Words in one language. A code with no message is shown as it stands and logged once; nothing here raises.

    A message ``<code>.<parameter>`` is preferred where that parameter is given, so that a sentence can name what it
    knows: ``refusal.bad_request.field`` instead of ``refusal.bad_request``.
    """

    def __init__(self, language: str, catalogue: Catalogue) -> None:
        self.language = language
        self._catalogue = catalogue
        self._wording = _Wording(self._form, self._together)
        self._reported: set[str] = set()

    def __contains__(self, code: str) -> bool:
        return code in self._catalogue.forms

    def say(self, phrase: Phrase) -> str:
        """Word a phrase, its parameters first."""
        return self._word(phrase.code, phrase.params)

    def text(self, code: str, **params: Word) -> str:
        """Word a code; the parameter ``n`` chooses the plural form."""
        return self._word(code, params)

    def name(self, name: str) -> str:
        """A thing's name; a name that no message knows is a person's or a device's and stays as it is."""
        return self._lookup(f"name.{name}", None) or name

    def short(self, name: str) -> str:
        """A thing's shortest clear name, for narrow places on the panel."""
        return self._lookup(f"short.{name}", None) or self.name(name)

    def _word(self, code: str, params: Mapping[str, Word]) -> str:
        if code.startswith("name."):
            return self.name(code.removeprefix("name."))
        code = next((known for key in params if (known := f"{code}.{key}") in self), code)
        message = self._lookup(code, params.get("n"))
        if message is None:
            return self._report(code, "has no message")
        if "{" not in message and "}" not in message:
            return message
        try:
            return self._wording.vformat(message, (), {key: self._spoken(word) for key, word in params.items()})
        except (LookupError, ValueError) as error:
            return self._report(code, f"cannot be filled in with {sorted(params)}: {error!r}")

    def _spoken(self, word: Word) -> Any:
        if isinstance(word, Phrase):
            return self.say(word)
        return _Name(word) if isinstance(word, str) else word

    def _lookup(self, code: str, number: Word | None) -> str | None:
        forms = self._catalogue.forms.get(code)
        if forms is None:
            return None
        form = self._catalogue.plural(abs(number)) if isinstance(number, int) else len(forms) - 1
        return forms[min(form, len(forms) - 1)]

    def _form(self, name: str, form: str) -> str:
        if form == "short":
            return self.short(name)
        worded = self._lookup(f"name.{name}.{form.lower()}", None) or self.name(name)
        return worded[:1].upper() + worded[1:] if form[:1].isupper() else worded

    def _together(self, names: list[str]) -> str:
        return format_list(names, locale=self.language.replace("-", "_"))

    def _report(self, code: str, fault: str) -> str:
        if code not in self._reported:
            self._reported.add(code)
            _log.error("message %s %s in %s", code, fault, self.language)
        return code


@cache
def translator(language: str) -> Translator:
    """The translator of one of LANGUAGES, its messages read once; KeyError for another language."""
    if language not in LANGUAGES:
        raise KeyError(f"no language {language!r}; there are {', '.join(LANGUAGES)}")
    return Translator(language, read_catalogue(language, Path(__file__).parent / language))

"""A language's messages, read from every gettext file (``.po``) in its folder. ``msgid`` is the message's code."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from gettext import c2py
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po


@dataclass(frozen=True, slots=True)
class Catalogue:
    """Messages by code, each with its plural forms (one form where it has no plural)."""

    forms: Mapping[str, tuple[str, ...]]
    plural: Callable[[int], int]
    """The index of the plural form for a number."""


def read_catalogue(language: str, folder: Path) -> Catalogue:
    """Read all of a folder's ``.po`` files; a code that stands in two of them raises ValueError."""
    locale = language.replace("-", "_")
    forms: dict[str, tuple[str, ...]] = {}
    plural = Catalog(locale=locale).plural_expr
    for path in sorted(folder.glob("*.po")):
        with path.open("rb") as file:
            catalog = read_po(file, locale=locale, abort_invalid=True)
        plural = catalog.plural_expr
        for code, texts in _messages(catalog):
            if code in forms:
                raise ValueError(f"{path}: message {code} stands twice in the catalogue")
            forms[code] = texts
    return Catalogue(forms, c2py(plural))


def _messages(catalog: Iterable[Message]) -> Iterator[tuple[str, tuple[str, ...]]]:
    for message in catalog:
        code = message.id if isinstance(message.id, str) else message.id[0]
        texts = (message.string,) if isinstance(message.string, str) else tuple(message.string or ())
        if code and texts and all(texts):
            yield code, texts

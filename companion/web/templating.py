"""The templates, and what they find in every one of them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from companion.i18n import LANGUAGES, Translator
from companion.table.meaning import label_of
from companion.web.assets import Assets

THEMES = ("auto", "light", "dark")
SIZES = ("normal", "large", "largest")
BOARDS = ("map", "list")


@dataclass(frozen=True, slots=True)
class Region:
    """A rendered piece; ``rev`` changes with what it shows; empty ones are hidden."""

    name: str
    rev: str
    content: Markup


class Templates:
    """Jinja's environment over the folder ``templates/``."""

    def __init__(self, assets: Assets, translator: Callable[[str], Translator]) -> None:
        self._environment = Environment(
            loader=FileSystemLoader(Path(__file__).parent / "templates"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            auto_reload=False,
        )
        self._environment.globals.update(
            asset=assets.address,
            symbol=_symbols(assets),
            languages=LANGUAGES,
            themes=THEMES,
            sizes=SIZES,
            boards=BOARDS,
            label_of=label_of,
            language_name=lambda tag: translator(tag).text("web.language"),
        )

    def page(self, template: str, known: Mapping[str, Any]) -> str:
        """A whole template, made with what it may know."""
        return self._environment.get_template(template).render(known)

    def region(self, name: str, known: Mapping[str, Any]) -> Region:
        """The region of this name."""
        content = self.page(f"regions/{name}.html", known).strip()
        return Region(name, hashlib.sha256(content.encode()).hexdigest()[:10], Markup(content))


def _symbols(assets: Assets) -> Callable[[str | None, str], Markup]:
    @cache
    def symbol(game: str | None, thing: str) -> Markup:
        """The drawing of a thing where the game's skin has one, else nothing."""
        if game is None or thing not in assets.symbols.get(game, ()):
            return Markup()
        address = assets.address(f"games/{game}.svg")
        return Markup('<svg class="symbol" aria-hidden="true"><use href="{}#{}"></use></svg>').format(address, thing)

    return symbol

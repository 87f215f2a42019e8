"""``companion tags sheet``."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable
from dataclasses import replace

from companion.cli.tags import CannotTag, game_named, write
from companion.i18n import LANGUAGES, translator
from companion.labels.layout import PAGES, PLAIN_GAP, PLAIN_LABEL, PLAIN_MARGIN, PRESETS, Layout, plain
from companion.labels.sheet import labels_of, sheet_pdf
from companion.rules.registry import GAMES
from companion.settings import Settings
from companion.table.box import box_of

_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*[xX×]\s*(\d+(?:\.\d+)?)")


def run_sheet(options: argparse.Namespace, settings: Settings) -> int:
    """Write the PDF. Raises CannotTag, LayoutError."""
    language = options.language or settings.table.language
    if language not in LANGUAGES:
        raise CannotTag(f"--language: must be {', '.join(LANGUAGES)}, not {language!r}")
    words = translator(language)
    games = list(GAMES.values()) if options.game is None else [game_named(options.game)]
    boxes = list(map(box_of, games))
    kinds = _kinds(options.kinds, {piece.kind for box in boxes for piece in box.pieces})
    labels = dict.fromkeys(label for box in boxes for label in labels_of(box, words, kinds))
    if options.skip < 0:
        raise CannotTag(f"--skip: must be 0 or more, not {options.skip}")
    layout = _layout(options)
    title = ", ".join(words.name(game.name) for game in games)
    write(options.file, sheet_pdf(tuple(labels), layout, title, language, options.skip))
    pages = -(-(len(labels) + options.skip % layout.a_page) // layout.a_page)
    print(f"{len(labels)} labels on {pages} page{'s' if pages > 1 else ''} in {options.file}")
    print('Print at 100 % ("actual size"). The reader of the codes needs format = "text".')
    return 0


def _layout(options: argparse.Namespace) -> Layout:
    given = {name: getattr(options, name) for name in ("page", "label", "margin", "gap")}
    told = [name for name, value in given.items() if value is not None]
    if options.layout is not None and told:
        raise CannotTag(f"--layout and --{told[0]} do not go together: one is for stickers, the other for plain paper")
    layout = PRESETS[options.layout] if options.layout else _plain(given) if told else PRESETS["a4"]
    return replace(layout, cut_marks=False) if options.no_cut_marks else layout


def _plain(given: dict[str, str | float | None]) -> Layout:
    margin = PLAIN_MARGIN if given["margin"] is None else float(given["margin"])
    gap = PLAIN_GAP if given["gap"] is None else float(given["gap"])
    label = PLAIN_LABEL if given["label"] is None else _size(str(given["label"]))
    return plain(PAGES[str(given["page"] or "a4")], label, margin, gap)


def _size(text: str) -> tuple[float, float]:
    found = _SIZE.fullmatch(text.strip().removesuffix("mm").strip())
    if found is None:
        raise CannotTag(f"--label: must be WIDTHxHEIGHT in mm, such as 25x32, not {text!r}")
    return float(found[1]), float(found[2])


def _kinds(text: str | None, known: Iterable[str]) -> list[str] | None:
    if text is None:
        return None
    kinds = [kind.strip() for kind in text.split(",")]
    unknown = [kind for kind in kinds if kind not in set(known)]
    if unknown:
        raise CannotTag(f"--kinds: there is no kind {unknown[0]!r}; there are {', '.join(sorted(known))}")
    return kinds

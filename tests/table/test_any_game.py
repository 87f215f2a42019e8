"""The table knows no game by name."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import companion.table
from companion.rules.registry import GAMES

SOURCES = sorted(Path(companion.table.__file__).parent.glob("*.py"))
WORDS = {part for name, game in GAMES.items() for part in (name, *(kind.kind for kind in game.tagged()))}


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.stem)
def test_no_source_of_the_table_speaks_of_one_game(source: Path) -> None:
    told = source.read_text(encoding="utf-8")
    strings = re.findall(r'"([^"\n]*)"', told)
    assert not any(word in text.split(":") for text in strings for word in WORDS)
    assert "companion.rules.registry" not in told
    assert not re.search(r"companion\.rules\.(?!game|portrait|decks)", told)

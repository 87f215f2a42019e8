"""What docs/simulator.md shows can be played as it stands there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.cli.simulation.playing import pieces_of, play_virtually
from companion.cli.simulation.replay import is_record, replay
from companion.rules.registry import GAMES
from simulator.script import read_script

PAGE = Path(__file__).parents[2] / "docs" / "simulator.md"
EXAMPLES = re.findall(r"^```\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
RECORDS = list(filter(is_record, EXAMPLES))
SCRIPTS = [example for example in EXAMPLES if not is_record(example) and ": failed at line" not in example]


def test_the_page_has_scripts_and_a_record() -> None:
    assert len(SCRIPTS) == 4
    assert len(RECORDS) == 1


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda text: text.partition("\n")[0])
def test_a_script_of_the_page_goes_as_it_says(script: str) -> None:
    assert play_virtually(read_script(script, pieces_of(GAMES)), GAMES) is None


@pytest.mark.parametrize("record", RECORDS)
def test_a_record_of_the_page_is_told_again_as_it_says(record: str) -> None:
    assert replay(record) is None

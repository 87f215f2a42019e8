"""Bots that are programs of their own: the one of docs/bots.md, and those that misbehave."""

from __future__ import annotations

import os
import re
import select
import sys
import time
from pathlib import Path

import pytest

from simulator.bots.command import CommandPlayer
from simulator.bots.referee import FORFEIT, play
from tests.patience import PATIENCE

from .matches import GAME, setup

HERE = Path(__file__).parent
DOCS = HERE.parents[2] / "docs/bots.md"
READ = "import sys, json\nfor line in sys.stdin:\n    question = json.loads(line)\n    "


def bot(folder: Path, source: str, seconds: float = PATIENCE) -> CommandPlayer:
    file = folder / "bot.py"
    file.write_text(source)
    return CommandPlayer([sys.executable, str(file)], seconds)


def test_the_example_of_the_documentation_plays_a_whole_game_and_the_same_one_again() -> None:
    example = CommandPlayer([sys.executable, str(HERE / "example_bot.py")], PATIENCE)
    games = [play(GAME, setup(), example, "doc") for _ in range(2)]
    example.close()
    assert games[0] == games[1]
    assert games[0].reason != FORFEIT
    assert games[0].commands > 20


def test_the_example_is_the_one_in_the_documentation() -> None:
    printed = re.findall(r"```python\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
    assert (HERE / "example_bot.py").read_text(encoding="utf-8") in printed


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("print('hello', flush=True)\n" + READ + "pass", "not a JSON object"),
        (READ + "print('[]', flush=True)", "not legal here"),
        (READ + "print(json.dumps({'do': 'move', 'to': 'atlantis'}), flush=True)", "not legal here"),
        (READ + "print('[' * 40000, flush=True)", "not a JSON object"),
        (READ + "print('x' * 70000, flush=True)", "an answer of more than"),
        (READ + "print(json.dumps({'do': 'wait'}), flush=True)", "no card to wait for"),
        ("import sys\nsys.exit(3)", "has ended (exit status 3)"),
        (READ + "sys.exit(4)", "has ended (exit status 4)"),
    ],
)
def test_nonsense_loses_that_game_and_is_told_in_one_line(tmp_path: Path, source: str, told: str) -> None:
    player = bot(tmp_path, source)
    played = play(GAME, setup(), player, "x")
    player.close()
    assert (played.won, played.reason) == (False, FORFEIT)
    assert told in played.fault
    assert "\n" not in played.fault


@pytest.mark.parametrize("source", [READ + "pass", "import time\ntime.sleep(1000)"])
def test_a_bot_that_does_not_answer_in_time_loses_that_game(tmp_path: Path, source: str) -> None:
    player = bot(tmp_path, source, seconds=0.2)
    played = play(GAME, setup(), player, "x")
    player.close()
    assert played.reason == FORFEIT
    assert "no answer within 0.2 s" in played.fault


@pytest.mark.parametrize(
    ("pipe", "then"),
    [
        ("output", "os.close(1)"),
        ("input", "os.close(0)\n    print(json.dumps(question['legal'][0]), flush=True)"),
    ],
)
def test_a_bot_that_closes_a_pipe_and_lives_on_loses_that_game_in_its_time(
    tmp_path: Path, pipe: str, then: str
) -> None:
    player = bot(tmp_path, f"import os, time\n{READ}{then}\n    time.sleep({2 * PATIENCE})\n    break", seconds=1.5)
    begun = time.monotonic()
    played = play(GAME, setup(), player, "x")
    player.close()
    assert played.reason == FORFEIT
    assert f"has closed its {pipe}" in played.fault or "no answer within" in played.fault  # the latter: slow to start
    assert time.monotonic() - begun < PATIENCE


@pytest.mark.parametrize("ending", ["sleep 1000", "sleep 1000 & exit 3"])
def test_what_a_bot_has_started_ends_with_it(tmp_path: Path, ending: str) -> None:
    held, file = tmp_path / "held", tmp_path / "bot.sh"
    os.mkfifo(held)
    reader = os.open(held, os.O_RDONLY | os.O_NONBLOCK)
    os.close(os.open(held, os.O_WRONLY))
    file.write_text(f"exec 2> {held}\nread line\n{ending}\n")
    player = CommandPlayer(["/bin/sh", str(file)], 1.0)
    assert play(GAME, setup(), player, "x").reason == FORFEIT
    assert select.select([reader], [], [], PATIENCE)[0], "somebody lives on and holds its standard error open"
    os.close(reader)


def test_a_bot_that_lost_a_game_by_nonsense_is_started_anew_for_the_next(tmp_path: Path) -> None:
    counter = tmp_path / "starts"
    source = f"open({str(counter)!r}, 'a').write('x')\n" + READ + "print('no', flush=True)"
    player = bot(tmp_path, source)
    for seed in ("a", "b"):
        assert play(GAME, setup(), player, seed).reason == FORFEIT
    player.close()
    assert counter.read_text() == "xx"


def test_a_command_in_other_words_is_taken(tmp_path: Path) -> None:
    sloppy = READ + (
        "legal = [c for c in question['legal'] if c['do'] == 'end_actions'] or question['legal']\n"
        "    print('{\"do\": \"wait\"}' if question['may_wait'] else json.dumps(legal[0], indent=None), flush=True)"
    )
    player = bot(tmp_path, sloppy)
    played = play(GAME, setup(), player, "x")
    player.close()
    assert played.reason != FORFEIT


def test_a_program_that_cannot_be_started_says_so() -> None:
    played = play(GAME, setup(), CommandPlayer(["/no/such/bot"]), "x")
    assert "cannot be started: No such file or directory" in played.fault

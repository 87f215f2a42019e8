"""``companion tournament`` as it is typed."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
import termios
import time
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image

from companion.cli import main
from tests.patience import PATIENCE

SHORT = [
    "tournament",
    "--player",
    "random",
    "--games",
    "3",
    "--players",
    "2,3",
    "--difficulty",
    "novice",
    "--jobs",
    "1",
]
BOT = Path(__file__).parent.parent / "simulator/bots/example_bot.py"


def test_a_table_of_wins_doubts_and_losses_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(SHORT) == 0
    told = capsys.readouterr()
    head, first, second = told.out.splitlines()
    assert head.split()[:4] == ["difficulty", "players", "games", "won"]
    assert first.split()[:3] == ["novice", "2", "3"]
    assert second.split()[:3] == ["novice", "3", "3"]
    assert told.err == ""  # no bar where nobody looks


def test_results_are_gone_on_from_and_come_out_as_json_and_charts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = ["--results", str(tmp_path / "kept.jsonl")]
    charts = [tmp_path / "chart.svg", tmp_path / "chart.png"]
    main([*SHORT, *kept])
    before = (tmp_path / "kept.jsonl").read_bytes()
    capsys.readouterr()
    assert (
        main([*SHORT, *kept, "--games", "4", "--json", *(word for path in charts for word in ("--chart", str(path)))])
        == 0
    )
    found = json.loads(capsys.readouterr().out)
    assert (tmp_path / "kept.jsonl").read_bytes().startswith(before)
    assert [(score["players"], score["played"]) for score in found["scores"]] == [(2, 4), (3, 4)]
    texts = [text.text for text in ElementTree.parse(charts[0]).iter("{http://www.w3.org/2000/svg}text")]
    assert "novice, 2 players" in texts
    assert Image.open(charts[1]).getcolors(1 << 16)


def test_a_bot_of_one_s_own_plays_along(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*SHORT, "--player", f"command: {sys.executable} {BOT}", "--games", "1"]) == 0
    assert "forfeit" not in capsys.readouterr().out


def test_what_a_bot_does_wrong_is_told_a_line_a_game_the_first_few(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*SHORT, "--player", "command: /no/such/bot"]) == 0
    told = capsys.readouterr()
    assert "forfeit 100.0%" in told.out
    assert (
        told.err.splitlines()[0]
        == "novice, 2 players, game 0: /no/such/bot: cannot be started: No such file or directory"
    )
    assert told.err.splitlines()[-1] == "... and 3 more games lost by such answers"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--player", "clever"], "--player: there is no player 'clever'"),
        (["--games", "0"], "--games: must be 1 or more, not 0"),
        (["--jobs", "0"], "--jobs: must be 1 or more, not 0"),
        (["--players", "2,7"], "--players: must be of 2, 3, 4, not '7'"),
        (["--difficulty", "hard"], "--difficulty: must be of novice, normal, elite, legendary, not 'hard'"),
        (["--game", "chess"], "--game: must be forbidden_island, not 'chess'"),
        (["--chart", "x.pdf"], "--chart: must end in .svg or .png, not x.pdf"),
        (["--results", "/no/such/folder/x"], "/no/such/folder/x: cannot be used: No such file or directory"),
        (["--chart", "/no/such/folder/x.svg"], "/no/such/folder/x.svg: cannot be written: No such file or directory"),
    ],
)
def test_what_cannot_be_played_is_one_line(capsys: pytest.CaptureFixture[str], words: list[str], told: str) -> None:
    assert main([*SHORT, *words]) == 2
    error = capsys.readouterr().err
    assert error.startswith(told)
    assert error.count("\n") == 1


def started(folder: Path, output: int) -> subprocess.Popen[bytes]:
    words = [
        "-m",
        "companion",
        "tournament",
        "--games",
        "100000",
        "--jobs",
        "2",
        "--results",
        str(folder / "kept.jsonl"),
    ]
    return subprocess.Popen(
        [sys.executable, *words, "--players", "2"], stdout=output, stderr=output, start_new_session=True
    )


def some_lines(file: Path) -> None:
    deadline = time.monotonic() + PATIENCE
    while not file.exists() or file.read_bytes().count(b"\n") < 3:
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_a_tournament_that_is_stopped_or_killed_goes_on_where_it_was(tmp_path: Path, number: signal.Signals) -> None:
    leader, terminal = pty.openpty()
    termios.tcsetwinsize(leader, (24, 80))
    run = started(tmp_path, terminal)
    os.close(terminal)
    some_lines(tmp_path / "kept.jsonl")
    os.killpg(run.pid, number)
    said = b""
    while True:
        try:
            more = os.read(leader, 65536)
        except OSError:
            break
        if not more:
            break
        said += more
    os.close(leader)
    assert run.wait(PATIENCE) == (130 if number == signal.SIGINT else -signal.SIGKILL)
    assert b"game/s" in said or b"s/game" in said  # the bar
    if number == signal.SIGINT:
        assert b"the same command goes on" in said
        assert b"Traceback" not in said
    kept = (tmp_path / "kept.jsonl").read_bytes().rpartition(b"\n")[0].splitlines()
    assert len(kept) == len(set(kept)) >= 3

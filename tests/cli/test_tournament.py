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
from contextlib import suppress
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image

from companion.cli import main
from simulator.tournament.ledger import Ledger
from simulator.tournament.match import Terms
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
    assert main([*SHORT, "--player", "command: /bin/sh -c 'exit 3'"]) == 0
    told = capsys.readouterr()
    assert "forfeit 100.0%" in told.out
    assert told.err.splitlines()[0] == "novice, 2 players, game 0: /bin/sh -c exit 3: has ended (exit status 3)"
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
        (["--chart", "/no/such/x.svg"], "--chart: /no/such/x.svg cannot be written: there is no folder /no/such"),
        (
            ["--player", "command: /no/such/bot"],
            "--player: /no/such/bot: cannot be started: No such file or dir",
        ),
        (["--player", f"command: {BOT.parent}"], f"--player: {BOT.parent}: cannot be started: Permission denied;"),
        (
            ["--player", "command: 'unbalanced"],
            '--player: "command: \'unbalanced" has no closing quotation; quote as',
        ),
    ],
)
def test_what_cannot_be_played_is_one_line(capsys: pytest.CaptureFixture[str], words: list[str], told: str) -> None:
    assert main([*SHORT, *words]) == 2
    error = capsys.readouterr().err
    assert error.startswith(told)
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    "words", [["--player", "command: ./nothere"], ["--chart", "nothere/a.png"], ["--chart", "folder.png"]]
)
def test_what_cannot_be_is_told_before_the_first_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder.png").mkdir()
    assert main([*SHORT, "--results", "kept.jsonl", *words]) == 2
    assert not (tmp_path / "kept.jsonl").exists()
    assert capsys.readouterr().out == ""


def test_two_do_not_write_one_file_of_results(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "kept.jsonl"
    with Ledger(file, Terms("forbidden_island", "random", "1")):
        assert main([*SHORT, "--results", str(file)]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith(f"{file}: another companion tournament is writing it")


def test_killed_alone_a_tournament_takes_its_processes_its_bots_and_what_they_started_along(tmp_path: Path) -> None:
    (tmp_path / "bot.sh").write_text(f"read line || exit\necho > {tmp_path}/asked\nsleep 1000\n")
    words = ["-m", "companion", "tournament", "--jobs", "2", "--player", f"command: /bin/sh {tmp_path}/bot.sh"]
    run = subprocess.Popen([sys.executable, *words], stderr=subprocess.PIPE, start_new_session=True)
    assert run.stderr is not None
    try:
        deadline = time.monotonic() + PATIENCE
        while not (tmp_path / "asked").exists():
            assert time.monotonic() < deadline
            time.sleep(0.05)
        run.kill()
        run.wait(PATIENCE)
        os.set_blocking(run.stderr.fileno(), False)
        while (said := run.stderr.read()) != b"":
            assert said or time.monotonic() < deadline + PATIENCE, "somebody lives on and holds standard error open"
            time.sleep(0.05)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(run.pid, signal.SIGKILL)


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
        [sys.executable, *words, "--players", "2"],
        stdout=output,
        stderr=output,
        start_new_session=True,
        preexec_fn=_hear_ctrl_c,  # noqa: PLW1509  # where the tests themselves run in the background, nobody would hear it
    )


def _hear_ctrl_c() -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)


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

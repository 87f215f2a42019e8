"""``companion tags``, as a person at a terminal uses it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pypdfium2
import pytest

from companion.cli.kept_settings import NAME
from companion.rules.registry import GAMES
from companion.table.box import box_of
from simulator.sim_reader import SimReader
from tests.cli.companions import companion, one_line, running
from tests.patience import PATIENCE

BOX = box_of(GAMES["forbidden_island"])
TAGS = """\
{
  "format": "table-companion-tags",
  "version": 1,
  "tags": [
    {"tag": "04A1B2C3", "thing": "tile:watchtower"},
    {"tag": "04A1B2C4", "command": "undo"}
  ]
}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "tags.json").write_text(TAGS)
    return tmp_path


# -- files
def test_tags_go_in_and_out_and_are_listed_and_forgotten(folder: Path) -> None:
    told = companion("tags", "import", "tags.json", cwd=folder)
    assert (told.returncode, told.stdout) == (0, "Tags taken in: 2 new or changed, 0 forgotten.\n")
    listed = companion("tags", "list", cwd=folder)
    assert listed.stdout == "04A1B2C4\tundo\tUndo\n04A1B2C3\ttile:watchtower\tWatchtower\n"
    assert companion("tags", "export", cwd=folder).stdout == TAGS
    assert companion("tags", "export", "kept.json", cwd=folder).returncode == 0
    assert (folder / "kept.json").read_text() == TAGS
    assert companion("tags", "forget", "tile:watchtower", cwd=folder).stdout == "1 tag forgotten\n"
    assert companion("tags", "import", "-", cwd=folder, sent=TAGS.encode()).returncode == 0


def test_a_file_that_contradicts_the_table_is_taken_in_only_where_that_is_wished(folder: Path) -> None:
    companion("tags", "import", "tags.json", cwd=folder)
    (folder / "tags.json").write_text(TAGS.replace("watchtower", "observatory"))
    told = companion("tags", "import", "tags.json", cwd=folder)
    assert told.returncode == 2
    assert "of 1 tag, 04A1B2C3. Nothing was taken in" in one_line(told.stderr)
    assert "--overwrite" in told.stderr
    assert "tile:watchtower" in companion("tags", "list", cwd=folder).stdout
    assert companion("tags", "import", "--overwrite", "tags.json", cwd=folder).returncode == 0
    assert "tile:observatory" in companion("tags", "list", cwd=folder).stdout
    (folder / "tags.json").write_text(json.dumps({"format": "table-companion-tags", "version": 1, "tags": []}))
    assert companion("tags", "import", "--replace", "tags.json", cwd=folder).stdout.endswith("2 forgotten.\n")
    assert companion("tags", "list", cwd=folder).stdout == ""


def test_every_fault_of_a_file_is_a_line_and_nothing_is_taken_in(folder: Path) -> None:
    (folder / "tags.json").write_text(TAGS.replace("undo", "undoo").replace("tile:watchtower", "tile:watchtowr"))
    told = companion("tags", "import", "tags.json", cwd=folder)
    assert told.returncode == 2
    first, second = told.stderr.splitlines()
    assert first.startswith(
        "tags.json: Entry 1, tag 04A1B2C3: no box has “tile:watchtowr”; is “tile:watchtower” meant?"
    )
    assert second.startswith("tags.json: Entry 2, tag 04A1B2C4: no box has “undoo”")
    assert companion("tags", "list", cwd=folder).returncode == 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["list"], "No table is kept in state yet"),
        (["export"], "No table is kept in state yet"),
        (["import", "nowhere.json"], "nowhere.json: cannot be read: No such file"),
        (["import", "picture.png"], "picture.png: is not UTF-8 text (byte 0)"),
        (["forget", "04FF"], "No tag is known as 04FF; nothing was forgotten"),
        (["enrol"], "The settings name no reader"),
        (["sheet", "--game", "chess"], "--game: there is no game 'chess'; there are forbidden_island"),
        (["sheet", "--label", "wide"], "--label: must be WIDTHxHEIGHT in mm"),
        (["sheet", "--label", "5x5"], "a label must be at least 10 x 10 mm"),
        (["sheet", "--language", "tlh"], "--language: must be en, pt-BR, bg, not 'tlh'"),
        (["sheet", "--kinds", "tile,moon"], "--kinds: there is no kind 'moon'"),
        (["sheet", "--layout", "a4", "--gap", "2"], "--layout and --gap do not go together"),
        (["sheet", "--skip", "-1"], "--skip: must be 0 or more"),
        (["sheet", "--gap", "nan"], "margin and gap must be 0 mm or more"),
        (["sheet", "--margin", "inf"], "margin and gap must be 0 mm or more"),
        (["sheet", "nowhere/labels.pdf"], "nowhere/labels.pdf cannot be written: No such file"),
        (["list", "--config", "nowhere.toml"], "nowhere.toml: there is no such file"),
    ],
)
def test_what_cannot_be_done_is_one_line_that_says_what_to_do(folder: Path, arguments: list[str], said: str) -> None:
    (folder / "picture.png").write_bytes(b"\x89PNG")
    told = companion("tags", *arguments, cwd=folder)
    assert told.returncode == 2
    assert said in one_line(told.stderr)


def test_while_the_companion_runs_its_page_is_named_and_lists_still_work(folder: Path) -> None:
    companion("tags", "import", "tags.json", cwd=folder)
    with running(folder, "--host", "127.0.0.1"):
        for arguments in (["import", "tags.json"], ["forget", "undo"]):
            told = companion("tags", *arguments, cwd=folder)
            assert told.returncode == 2
            assert "/host/tags" in one_line(told.stderr)
            assert "systemctl stop companion" in told.stderr
        assert companion("tags", "export", cwd=folder).stdout == TAGS


def test_the_tags_are_found_by_settings_that_a_power_cut_emptied(folder: Path) -> None:
    (folder / "table.toml").write_text('[table]\nstate = "games"\n')
    with running(folder, "--config", "table.toml", "--host", "127.0.0.1"):
        pass
    companion("tags", "import", "tags.json", "--config", "table.toml", cwd=folder)
    (folder / "state").mkdir()
    (folder / "games" / NAME).rename(folder / "state" / NAME)
    (folder / "table.toml").write_bytes(b"")
    told = companion("tags", "export", "--config", "table.toml", cwd=folder)
    assert (told.returncode, told.stdout) == (0, TAGS)
    assert "lost in a power cut" in one_line(told.stderr)


def test_a_journal_that_was_set_aside_is_told_in_a_line(folder: Path) -> None:
    (folder / "state").mkdir()
    (folder / "state" / "journal.sqlite3").write_bytes(b"no journal at all")
    told = companion("tags", "import", "tags.json", cwd=folder)
    assert told.returncode == 0
    assert "journal.sqlite3.broken-1" in one_line(told.stderr)


def test_a_terminal_that_lacks_a_letter_shows_another(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    (folder / "tags.json").write_text(TAGS.replace("tile:watchtower", "tile:fools_landing"))
    companion("tags", "import", "tags.json", cwd=folder)
    listed = companion("tags", "list", cwd=folder)
    assert listed.returncode == 0
    assert "Fools? Landing" in listed.stdout
    assert listed.stderr == ""


# -- the sheet
def test_the_sheet_is_printed_as_wished(folder: Path) -> None:
    (folder / "table.toml").write_text('[table]\nlanguage = "bg"\n')
    told = companion("tags", "sheet", "--config", "table.toml", "--kinds", "tile,press", cwd=folder)
    assert told.returncode == 0
    assert told.stderr == ""
    assert told.stdout.startswith("32 labels on 1 page in labels.pdf\n")
    (page,) = pypdfium2.PdfDocument((folder / "labels.pdf").read_bytes())
    assert "Стражева кула" in page.get_textpage().get_text_range().replace("\r\n", " ")
    wished = ["--page", "letter", "--label", "20x26", "--margin", "5", "--gap", "0", "--skip", "3", "--no-cut-marks"]
    assert companion("tags", "sheet", "small.pdf", *wished, cwd=folder).returncode == 0
    first = next(iter(pypdfium2.PdfDocument((folder / "small.pdf").read_bytes())))
    assert [round(side) for side in first.get_size()] == [612, 792]


# -- enrolment
class Terminal:
    """A companion that teaches tags, with what it says and what is typed."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.said: list[str] = []
        self._heard = threading.Condition()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            with self._heard:
                self.said.append(line.rstrip("\n"))
                self._heard.notify_all()

    def type(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()

    def until(self, part: str) -> str:
        """Wait for a line with this in it, behind the last one that was waited for."""
        deadline = time.monotonic() + PATIENCE
        with self._heard:
            while True:
                for at, line in enumerate(self.said):
                    if part in line:
                        del self.said[: at + 1]
                        return line
                if not self._heard.wait(max(0.0, deadline - time.monotonic())):
                    raise AssertionError(f"never said {part!r}; said {self.said}")


@contextmanager
def enrolling(folder: Path, *arguments: str) -> Iterator[Terminal]:
    process = subprocess.Popen(
        [sys.executable, "-m", "companion", "tags", "enrol", "--config", "table.toml", *arguments],
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    try:
        yield Terminal(process)
    finally:
        process.kill()
        process.wait()


@pytest.fixture
def reader(tmp_path: Path) -> Iterator[SimReader]:
    reader = SimReader(tmp_path, repeat=0.03)
    (tmp_path / "table.toml").write_text(f'[[readers]]\nport = "{reader.port}"\nprotocol = "line"\ngone_after = 0.2\n')
    yield reader
    reader.close()


def test_pieces_are_named_and_their_tags_taken_over_an_evening_and_a_restart(folder: Path, reader: SimReader) -> None:
    with enrolling(folder) as terminal:
        terminal.until("[0/110, tiles 0/24]")
        terminal.until("reader: ready")
        reader.place("04A1B2C3D4E501")
        terminal.until("Taught:")
        terminal.until("[1/110, tiles 1/24]")
        reader.lift()
        terminal.type("s")
        terminal.until("[1/110, tiles 1/24]")
        terminal.type("j watch")
        assert "tile:watchtower | flood:watchtower" in terminal.until("Which one?")
        terminal.type("j tile:watchtower")
        terminal.until("Watchtower")
        reader.place("04A1B2C3D4E502")
        terminal.until("Taught: Watchtower.")
        reader.lift()
        terminal.type("q")
        terminal.until("Taught: tiles 2 of 24")
        assert terminal.process.wait(PATIENCE) == 0
    with enrolling(folder, "--piece", "treasure:sandbags") as terminal:
        terminal.until("[2/110, treasure cards 0/28]  Sandbags (1 of 2)")
        terminal.until("reader: ready")
        reader.place("04A1B2C3D4E501")
        terminal.until("used already")
        reader.place("04A1B2C3D4E503")
        terminal.until("Sandbags (2 of 2)")
        terminal.type("nonsense")
        terminal.until("Enter: s skip")
        assert terminal.process.stdin is not None
        terminal.process.stdin.close()
        assert terminal.process.wait(PATIENCE) == 0
    listed = companion("tags", "list", "--config", "table.toml", cwd=folder).stdout.splitlines()
    assert [line.split("\t")[0][-2:] for line in listed] == ["01", "02", "03"]


def test_the_piece_to_begin_with_must_be_in_the_box(folder: Path, reader: SimReader) -> None:
    told = companion("tags", "enrol", "--config", "table.toml", "--piece", "atlantis", cwd=folder)
    assert told.returncode == 2
    assert one_line(told.stderr) == "There is no 'atlantis' in this box"


def test_all_pieces_can_be_skipped_and_named_again(folder: Path, reader: SimReader) -> None:
    with enrolling(folder) as terminal:
        for _ in {piece.kind for piece in BOX.pieces}:
            terminal.type("k")
        terminal.until("Every piece has its tag, 89 skipped")
        terminal.type("a")
        terminal.until("[0/110, tiles 0/24]")
        terminal.type("l")
        terminal.until("Taught: tiles 0 of 24, treasure cards 0 of 28")
        terminal.type("b")
        terminal.until("nothing before")
        terminal.type("q")
        assert terminal.process.wait(PATIENCE) == 0


@pytest.mark.usefixtures("reader")
def test_an_answer_in_unreadable_letters_is_answered_too(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", "utf-8:strict")
    sent = "j olá\nl\nq\n".encode("latin-1")
    told = companion("tags", "enrol", "--config", "table.toml", cwd=folder, sent=sent)
    assert (told.returncode, told.stderr) == (0, "")
    assert "There is no 'ol?'" in told.stdout.replace("\ufffd", "?")
    assert "Taught: tiles 0 of 24" in told.stdout

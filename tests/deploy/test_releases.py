"""Releases: what the installer asks a table, how games are kept aside, and which version runs after an upgrade."""

from __future__ import annotations

import importlib.machinery
import importlib.util
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from types import ModuleType

import pytest

from companion.table.journal import Journal
from tests.cli.companions import running
from tests.deploy.programs import DEPLOY, run, shell
from tests.ports import free_port

ASK = DEPLOY / "ask-table"
JOURNAL = "journal.sqlite3"


@pytest.fixture(scope="module")
def asking() -> ModuleType:
    """ask-table as a module."""
    loader = importlib.machinery.SourceFileLoader("ask_table", str(ASK))
    spec = importlib.util.spec_from_loader("ask_table", loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


def settings(folder: Path, more: str = "") -> Path:
    path = folder / "companion.toml"
    path.write_text(f'[table]\nstate = "{folder / "games"}"\n{more}')
    return path


def ask(path: Path, *words: str) -> tuple[int, str]:
    told = run(sys.executable, ASK, path, *words)
    return told.returncode, (told.stdout or told.stderr).strip()


def form(journal: Path) -> int:
    with closing(sqlite3.connect(journal)) as connection:
        return int(connection.execute("PRAGMA user_version").fetchone()[0])


def games_in(folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    journal = Journal(folder / JOURNAL)
    with journal.writing() as pen:
        pen.bind("04A3C6CA", "tile:fools-landing")
    journal.close()
    return folder


# -- ask-table --------------------------------------------------------------------------------------------------------
def test_the_settings_are_asked_for_state_and_port(tmp_path: Path) -> None:
    path = settings(tmp_path, "[web]\nport = 8123\n")
    assert ask(path, "state") == (0, str(tmp_path / "games"))
    assert ask(path, "port") == (0, "8123")


def test_faulty_settings_are_one_line(tmp_path: Path) -> None:
    status, told = ask(settings(tmp_path, "[web]\nport = 0\n"), "port")
    assert status == 1
    assert "port" in told
    assert len(told.splitlines()) == 1


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "127.0.0.1"])
def test_a_page_that_answers_is_found(
    host: str, tmp_path: Path, asking: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asking, "STEADY", 0.1)
    port = free_port()
    path = settings(tmp_path, f'[web]\nhost = "{host}"\nport = {port}\n')
    with running(tmp_path, "--simulate", "--host", "127.0.0.1", port=port):
        assert asking.main(str(path), "answers") == f"http://127.0.0.1:{port}/health"


def test_a_page_that_does_not_answer_is_said(
    tmp_path: Path, asking: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asking, "PATIENCE", 0.2)
    monkeypatch.setattr(asking, "GLANCE", 0.05)
    path = settings(tmp_path, f"[web]\nport = {free_port()}\n")
    with pytest.raises(TimeoutError, match="no answer"):
        asking.main(str(path), "answers")


def test_games_are_copied_aside_with_all_that_belongs_to_them(tmp_path: Path) -> None:
    games = games_in(tmp_path / "games")
    assert ask(settings(tmp_path), "keep", "before-2")[0] == 0
    kept = Journal(games / "before-upgrade" / "before-2" / JOURNAL)
    assert kept.tags() == {"04A3C6CA": "tile:fools-landing"}
    kept.close()


def test_a_table_without_games_has_none_to_keep(tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    assert ask(settings(tmp_path), "keep", "before-2") == (0, "none yet")


def test_only_the_newest_copies_are_kept(tmp_path: Path) -> None:
    games = games_in(tmp_path / "games")
    for number in range(5):
        ask(settings(tmp_path), "keep", f"before-{number}")
    assert len(list((games / "before-upgrade").iterdir())) == 3
    assert (games / "before-upgrade" / "before-4").exists()


def test_a_copy_taken_again_is_the_newer_one(tmp_path: Path) -> None:
    games = games_in(tmp_path / "games")
    path = settings(tmp_path)
    ask(path, "keep", "before-2")
    (games / JOURNAL).write_bytes(b"newer")
    ask(path, "keep", "before-2")
    assert (games / "before-upgrade" / "before-2" / JOURNAL).read_bytes() == b"newer"


def test_a_rollback_leaves_games_of_the_same_form_as_they_are(tmp_path: Path) -> None:
    games = games_in(tmp_path / "games")
    path = settings(tmp_path)
    ask(path, "keep", "before-2")
    journal = Journal(games / JOURNAL)
    with journal.writing() as pen:
        pen.bind("04FFFFFF", "tile:temple-of-the-sun")
    journal.close()
    assert ask(path, "give-back", "before-2") == (0, "as they are")
    journal = Journal(games / JOURNAL)
    assert len(journal.tags()) == 2
    journal.close()


def test_a_rollback_brings_back_games_whose_form_the_newer_version_changed_and_loses_neither(tmp_path: Path) -> None:
    games = games_in(tmp_path / "games")
    path = settings(tmp_path)
    before = form(games / JOURNAL)
    ask(path, "keep", "before-2")
    with closing(sqlite3.connect(games / JOURNAL)) as connection:
        connection.execute(f"PRAGMA user_version = {before + 1}")
    status, told = ask(path, "give-back", "before-2")
    assert (status, "given back" in told) == (0, True)
    assert form(games / JOURNAL) == before
    assert form(games / "before-upgrade" / "before-2-changed" / JOURNAL) == before + 1


# -- which version runs -----------------------------------------------------------------------------------------------
class Machine:
    """A machine with releases that are empty folders, on which systemd starts those that are said to be sound."""

    def __init__(self, folder: Path, *, sound: str, refused: str = "none") -> None:
        self.folder = folder
        self._given = f"""
            HOME_FOLDER={folder} RELEASES={folder}/releases CURRENT={folder}/current PREVIOUS={folder}/previous
            systemd_runs() {{ :; }}
            systemctl() {{ echo "systemctl $1" >>{folder}/said; }}
            journalctl() {{ echo what it said; }}
            files() {{ echo "files $1" >>{folder}/said; }}
            ask() {{
                echo "ask $1 $2" >>{folder}/said
                [ "$1 $2" != "{refused} state" ] || return 1
                [ "$2" != answers ] || case " {sound} " in *" $1 "*) ;; *) return 1 ;; esac
            }}
        """

    def have(self, *releases: str) -> None:
        for name in releases:
            (self.folder / "releases" / name).mkdir(parents=True)
            (self.folder / "releases" / name / "complete").touch()

    def switch(self, release: str) -> tuple[int, str]:
        told = shell(f"{self._given}\nswitch_to {release} files", "release")
        return told.returncode, told.stdout + told.stderr

    @property
    def current(self) -> str:
        return (self.folder / "current").readlink().name

    @property
    def said(self) -> list[str]:
        return (self.folder / "said").read_text().splitlines()


def test_the_first_release_is_started(tmp_path: Path) -> None:
    machine = Machine(tmp_path, sound="one")
    machine.have("one")
    assert machine.switch("one")[0] == 0
    assert machine.current == "one"
    assert machine.said == ["ask one state", "files one", "systemctl restart", "ask one answers", "systemctl is-active"]


def test_an_upgrade_keeps_the_games_first_and_the_release_before_it(tmp_path: Path) -> None:
    machine = Machine(tmp_path, sound="one two three")
    for release in ("one", "two", "three"):
        machine.have(release)
        assert machine.switch(release)[0] == 0
    assert machine.current == "three"
    assert machine.said.index("systemctl stop") < machine.said.index("ask two keep") < machine.said.index("files two")
    assert sorted(path.name for path in (tmp_path / "releases").iterdir()) == ["three", "two"]
    assert (tmp_path / "previous").readlink().name == "two"


def test_a_release_that_does_not_come_up_is_rolled_back_and_told(tmp_path: Path) -> None:
    machine = Machine(tmp_path, sound="one")
    machine.have("one", "two")
    machine.switch("one")
    status, told = machine.switch("two")
    assert status == 4
    assert "what it said" in told
    assert "rolled back: one runs again" in told
    assert machine.current == "one"
    assert machine.said[-4:] == ["files one", "systemctl restart", "ask one answers", "systemctl is-active"]
    assert [path.name for path in (tmp_path / "releases").iterdir()] == ["one"]


def test_a_release_that_cannot_use_the_settings_stops_nothing(tmp_path: Path) -> None:
    machine = Machine(tmp_path, sound="one two", refused="two")
    machine.have("one")
    machine.switch("one")
    machine.have("two")
    status, told = machine.switch("two")
    assert (status, machine.current) == (3, "one")
    assert "cannot use the settings" in told
    assert "systemctl stop" not in machine.said


def test_a_first_release_that_does_not_come_up_is_left_to_be_looked_at(tmp_path: Path) -> None:
    machine = Machine(tmp_path, sound="none")
    machine.have("one")
    status, told = machine.switch("one")
    assert status == 5
    assert "journalctl -u companion" in told
    assert (tmp_path / "releases" / "one").exists()


def test_two_that_do_not_come_up_are_told_apart_from_a_rollback(tmp_path: Path) -> None:
    machine = Machine(tmp_path, sound="one")
    machine.have("one", "two")
    machine.switch("one")
    broken = Machine(tmp_path, sound="none")
    assert broken.switch("two")[0] == 5
    assert broken.current == "one"


def test_a_release_s_name_differs_with_what_is_in_it(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    (source / "part.py").write_text("1\n")
    names = [shell(f"release_name 1.2 {source}", "release").stdout for _ in range(2)]
    (source / "part.py").write_text("2\n")
    names.append(shell(f"release_name 1.2 {source}", "release").stdout)
    assert names[0] == names[1] != names[2]
    assert all(name.startswith("1.2+") for name in names)


def test_a_release_that_cannot_be_made_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "share").mkdir()
    (tmp_path / "wheels").mkdir()
    made = f"make_release 1.2+x {tmp_path}/share --no-index --find-links {tmp_path}/wheels table-companion==99"
    told = shell(f"RELEASES={tmp_path}/releases; {made} || echo not made", "release")
    assert told.stdout.strip().endswith("not made")
    assert list((tmp_path / "releases").iterdir()) == []

"""The settings file after a power cut."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.cli.doctor import examine
from companion.cli.doctor.findings import Grade
from companion.cli.doctor.machine import Machine
from companion.cli.kept_settings import NAME, STATE_DIRECTORY, keep, load_or_restore
from companion.settings import SettingsError
from tests.cli.companions import companion, one_line, running
from tests.ports import free_port

TEXT = '[table]\nlanguage = "bg"\nstate = "games"\n'
TORN = [b"", b"\n\n", b"\0" * len(TEXT), TEXT.encode()[:20] + b"\0" * 40]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "companion.toml"
    path.write_text(TEXT)
    return path


@pytest.mark.parametrize("torn", TORN)
def test_a_file_that_a_power_cut_emptied_is_read_from_its_copy(file: Path, tmp_path: Path, torn: bytes) -> None:
    keep(file, tmp_path / "games")
    file.write_bytes(torn)
    settings, copy = load_or_restore(file, tmp_path / "games")
    assert copy == tmp_path / "games" / NAME
    assert settings.table.language == "bg"
    assert settings.table.state == tmp_path / "games"


def test_the_copy_is_found_where_the_service_manager_keeps_the_games(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(file, tmp_path / "var")
    file.write_bytes(b"")
    assert load_or_restore(file)[1] is None
    monkeypatch.setenv(STATE_DIRECTORY, str(tmp_path / "var"))
    assert load_or_restore(file)[1] == tmp_path / "var" / NAME


def test_a_fault_that_a_person_made_is_told_and_not_hidden_by_the_copy(file: Path, tmp_path: Path) -> None:
    keep(file, tmp_path)
    file.write_text(TEXT.replace("bg", "klingon"))
    with pytest.raises(SettingsError, match="klingon"):
        load_or_restore(file, tmp_path)


def test_a_file_that_is_not_there_is_told_although_there_is_a_copy(file: Path, tmp_path: Path) -> None:
    keep(file, tmp_path)
    file.unlink()
    with pytest.raises(SettingsError, match="no such file"):
        load_or_restore(file, tmp_path)


def test_only_sound_settings_are_kept_only_for_their_owner_and_only_once(file: Path, tmp_path: Path) -> None:
    keep(file, tmp_path)
    copy = tmp_path / NAME
    written = copy.stat()
    assert written.st_mode & 0o777 == 0o600
    keep(file, tmp_path)
    assert copy.stat().st_ino == written.st_ino
    file.write_bytes(b"\0\0")
    keep(file, tmp_path)
    assert copy.read_text() == TEXT


def test_a_copy_that_cannot_be_made_stops_nobody(file: Path, caplog: pytest.LogCaptureFixture) -> None:
    keep(file, file)
    assert "could not be copied" in caplog.text


def test_a_table_whose_settings_were_lost_says_so_on_every_screen(tmp_path: Path) -> None:
    config, port = tmp_path / "table.toml", free_port()
    text = '[table]\nlanguage = "pt-BR"\n[web]\nhost = "127.0.0.1"\n'
    config.write_text(text)
    with running(tmp_path, "--config", str(config), port=port) as table:
        assert table.table()["notice"] is None
    config.write_bytes(b"")
    with running(tmp_path, "--config", str(config), "--host", "127.0.0.1", port=port) as table:
        notice = table.table()["notice"]
        assert notice["phrase"]["code"] == "notice.settings_restored"
        assert notice["phrase"]["params"]["path"] == str(config)
        assert "lost in a power cut" in table.http.get("/").text
        assert (tmp_path / "state" / NAME).read_text() == text
    (settings,) = (found for found in examine(Machine(root=tmp_path), config) if found.check == "settings")
    assert settings.grade is Grade.PROBLEM
    assert settings.mend == f"sudo cp {tmp_path / 'state' / NAME} {config}"


def test_a_missing_file_stays_one_line(tmp_path: Path) -> None:
    told = companion("run", "--config", "nowhere.toml", cwd=tmp_path)
    assert "there is no such file" in one_line(told.stderr)

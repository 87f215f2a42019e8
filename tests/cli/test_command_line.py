from pathlib import Path

import pytest

from tests.cli.companions import companion, one_line


def test_help_names_every_command_and_shows_examples(tmp_path: Path) -> None:
    told = companion("--help", cwd=tmp_path)
    assert told.returncode == 0
    for word in ("run", "engine", "check", "--simulate", "--config"):
        assert word in told.stdout


def test_no_command_is_answered_with_the_usage(tmp_path: Path) -> None:
    told = companion(cwd=tmp_path)
    assert told.returncode == 2
    assert "usage: companion" in told.stderr


def test_a_missing_settings_file_is_said_in_one_line(tmp_path: Path) -> None:
    told = companion("run", "--config", "nowhere.toml", cwd=tmp_path)
    assert told.returncode == 2
    assert "nowhere.toml: there is no such file" in one_line(told.stderr)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("[table]\nlangage = 'en'\n", "language"),
        ("[web]\nport = 'eight'\n", "port"),
        ("[web\n", "not valid TOML"),
        ("[[readers]]\nname = 'tags'\n", "port"),
    ],
)
def test_a_fault_in_the_settings_is_one_line_that_names_the_key(tmp_path: Path, text: str, line: str) -> None:
    (tmp_path / "table.toml").write_text(text)
    told = companion("run", "--config", "table.toml", cwd=tmp_path)
    assert told.returncode == 2
    assert line in one_line(told.stderr)


def test_every_fault_in_the_settings_has_a_line(tmp_path: Path) -> None:
    (tmp_path / "table.toml").write_text("[web]\nport = 0\nhots = 'x'\n")
    told = companion("run", "--config", "table.toml", cwd=tmp_path)
    assert len(told.stderr.strip().splitlines()) == 2


def test_a_port_out_of_range_is_said_in_one_line(tmp_path: Path) -> None:
    told = companion("run", "--simulate", "--port", "70000", cwd=tmp_path)
    assert told.returncode == 2
    assert "70000" in one_line(told.stderr)


def test_a_state_folder_that_cannot_be_is_said_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file, not a folder")
    told = companion("run", "--simulate", "--port", "8999", cwd=tmp_path)
    assert told.returncode == 2
    assert "--state" in one_line(told.stderr)


def test_the_example_settings_are_valid(tmp_path: Path) -> None:
    from companion.settings import load_settings

    example = Path(__file__).parents[2] / "deploy" / "companion.example.toml"
    assert load_settings(example).readers[0].name == "reader"


def test_a_reader_that_closes_early_does_not_see_a_traceback(tmp_path: Path) -> None:
    told = companion("engine", cwd=tmp_path, sent=b'{"cmd": "state"}\n')
    assert told.returncode == 0
    assert "Traceback" not in told.stderr

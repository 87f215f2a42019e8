"""What the installer does to a machine: which one it takes, its boot configuration, its settings file."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.settings import load_settings
from tests.deploy.programs import DEPLOY, run, shell


def os_release(folder: Path, system: str, codename: str) -> Path:
    path = folder / "os-release"
    path.write_text(f'PRETTY_NAME="Some system"\nID={system}\nVERSION_CODENAME={codename}\n')
    return path


@pytest.mark.parametrize("system", ["debian", "raspbian"])
@pytest.mark.parametrize("codename", ["bookworm", "trixie"])
def test_debian_and_raspberry_pi_os_12_and_13_are_taken(system: str, codename: str, tmp_path: Path) -> None:
    told = shell(f"check_system {os_release(tmp_path, system, codename)}", "machine")
    assert (told.returncode, told.stderr) == (0, "")


@pytest.mark.parametrize(
    ("system", "codename"), [("ubuntu", "noble"), ("debian", "bullseye"), ("fedora", ""), ("debian", "")]
)
def test_other_systems_are_refused_by_name(system: str, codename: str, tmp_path: Path) -> None:
    told = shell(f"check_system {os_release(tmp_path, system, codename)}", "machine")
    assert told.returncode == 2
    assert f"'{system} {codename or 'unknown'}'" in told.stderr
    assert "Nothing was changed" in told.stderr


def test_a_machine_without_a_name_is_no_debian(tmp_path: Path) -> None:
    told = shell(f"check_system {tmp_path / 'missing'}", "machine")
    assert told.returncode == 2
    assert "this is no Debian" in told.stderr


@pytest.mark.parametrize(
    "words", [["--nonsense"], ["--wheels", "/not/there"], ["--offline"], ["--purge"], ["--wheels"]]
)
def test_the_installer_refuses_what_makes_no_sense_in_one_line(words: list[str]) -> None:
    told = run(DEPLOY / "install.sh", *words)
    assert told.returncode == 2
    assert told.stdout == ""
    assert len(told.stderr.splitlines()) == 1


def test_the_installer_explains_itself() -> None:
    told = run(DEPLOY / "install.sh", "--help")
    assert told.returncode == 0
    for option in ("--wheels", "--offline", "--no-panel", "--rollback", "--uninstall", "--purge"):
        assert option in told.stdout


# -- the boot configuration of a Pi -----------------------------------------------------------------------------------
NO_RASPI_CONFIG = 'PATH=/usr/bin:/bin; command() { [ "$2" != raspi-config ]; }\n'


def buses(config: Path, before: str = NO_RASPI_CONFIG) -> str:
    """What is said when the buses are switched on in a configuration."""
    told = shell(f'{before}switch_on_buses {config}; echo "reboot: $REBOOT"', "machine")
    assert told.returncode == 0, told.stderr
    return told.stdout + told.stderr


def config(folder: Path, text: str) -> Path:
    path = folder / "config.txt"
    path.write_text(text)
    return path


PANEL_LINES = {"dtoverlay=spi0-0cs", "dtparam=spi=on", "dtparam=i2c_arm=on"}


def test_buses_and_overlay_are_switched_on(tmp_path: Path) -> None:
    path = config(tmp_path, "#dtparam=spi=on\n#dtparam=i2c_arm=on\ndtparam=audio=on\n")
    assert "reboot: yes" in buses(path)
    assert set(path.read_text().splitlines()) >= PANEL_LINES
    assert (tmp_path / "config.txt.before-table-companion").read_text().startswith("#dtparam=spi=on")


def test_nothing_is_switched_on_twice(tmp_path: Path) -> None:
    path = config(tmp_path, "dtparam=audio=on\n")
    buses(path)
    once = path.read_text()
    assert "reboot: no" in buses(path)
    assert path.read_text() == once


def test_what_the_owner_has_switched_on_is_left_alone(tmp_path: Path) -> None:
    text = "dtparam=spi=on\n dtparam=i2c_arm=on\ndtoverlay=spi0-0cs,whatever\n"
    path = config(tmp_path, text)
    assert "reboot: no" in buses(path)
    assert path.read_text() == text


def test_lines_after_a_section_for_one_model_are_for_every_model(tmp_path: Path) -> None:
    path = config(tmp_path, "dtparam=audio=on\n[pi4]\narm_boost=1")
    buses(path)
    lines = path.read_text().splitlines()
    assert lines[2] == "arm_boost=1"
    assert lines[3] == "[all]"
    assert set(lines[4:]) == PANEL_LINES
    assert lines.count("[all]") == 1


def test_an_overlay_for_other_hardware_is_said_and_left(tmp_path: Path) -> None:
    path = config(tmp_path, "dtoverlay=spi0-2cs\ndtparam=spi=on\ndtparam=i2c_arm=on\n")
    assert "spi0-0cs" in buses(path)
    assert "spi0-0cs" not in path.read_text()


def test_raspi_config_is_asked_where_it_is(tmp_path: Path) -> None:
    asked = tmp_path / "asked"
    fake = tmp_path / "raspi-config"
    fake.write_text(f'#!/bin/sh\necho "$@" >>{asked}\n')
    fake.chmod(0o755)
    path = config(tmp_path, "dtoverlay=spi0-0cs\n")
    assert "reboot: yes" in buses(path, f"PATH={tmp_path}:$PATH\n")
    assert asked.read_text().splitlines() == ["nonint do_spi 0", "nonint do_i2c 0"]
    assert path.read_text() == "dtoverlay=spi0-0cs\n"


# -- the settings -----------------------------------------------------------------------------------------------------
def made_settings(folder: Path) -> Path:
    path = folder / "etc" / "companion.toml"
    script = f"SETTINGS={path}; OWNER=$(id -gn); make_settings {DEPLOY / 'companion.example.toml'}"
    told = shell(script, "machine")
    assert told.returncode == 0, told.stderr
    return path


def test_new_settings_are_the_example_with_the_service_s_folder_and_no_reader_yet(tmp_path: Path) -> None:
    settings = load_settings(made_settings(tmp_path))
    assert settings.table.state == Path("/var/lib/companion")
    assert settings.readers == ()
    assert settings.panel.model == "auto"
    assert settings.buttons.enabled


def test_the_example_s_reader_is_there_to_be_uncommented(tmp_path: Path) -> None:
    text = made_settings(tmp_path).read_text()
    assert "# [[readers]]" in text.splitlines()
    example = (DEPLOY / "companion.example.toml").read_text().splitlines()
    assert len(text.splitlines()) == len(example)


def test_new_settings_are_not_for_everyone_to_read(tmp_path: Path) -> None:
    assert made_settings(tmp_path).stat().st_mode & 0o777 == 0o640


def test_settings_that_are_there_are_not_touched(tmp_path: Path) -> None:
    path = made_settings(tmp_path)
    path.write_text("# mine\n")
    assert made_settings(tmp_path).read_text() == "# mine\n"

"""The doctor on machines with one fault each, and on a healthy one."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.cli.doctor import CHECKS, as_json, as_text
from companion.cli.doctor.findings import Case, Finding, Grade, NamedCheck, look
from companion.ports import PANEL_MODELS
from tests.cli import pi_faults
from tests.cli.pi_faults import FAULTS, MORE, others_folder, port_taken, spi_off, with_header
from tests.cli.pis import SETTINGS, Pi


@pytest.fixture
def pi(tmp_path: Path) -> Pi:
    return Pi(tmp_path)


def test_a_healthy_pi_is_well(pi: Pi) -> None:
    findings = pi.doctor()
    assert pi.bad() == []
    assert as_text(findings).splitlines()[-1] == "All is well."
    assert {finding.grade for finding in findings} == {Grade.OK}
    silent = {"baud", "intruders", "serial-console", "uart"}
    assert {check.name for check in CHECKS} - {finding.check for finding in findings} == silent


def test_a_healthy_pi_with_a_reader_on_the_pins_is_well(pi: Pi) -> None:
    with_header(pi)
    assert pi.bad() == []


NAMES = [fault.__name__ for fault, *_ in FAULTS]


@pytest.mark.parametrize(("fault", "grade", "check", "told", "mend"), FAULTS, ids=NAMES)
def test_each_fault_is_found_with_what_mends_it(
    pi: Pi, fault: Callable[[Pi], None], grade: Grade, check: str, told: str, mend: str
) -> None:
    fault(pi)
    found = pi.bad()
    ours = [finding for finding in found if finding.check == check]
    assert len(ours) == 1, found
    assert ours[0].grade is grade
    assert told in ours[0].text
    assert ours[0].mend is not None
    assert mend in ours[0].mend
    assert {finding.check for finding in found} - {check} <= MORE.get(fault.__name__, set())


def test_every_line_is_one_line_with_its_grade_first(pi: Pi) -> None:
    for fault in (pi_faults.state_is_a_file, pi_faults.reader_gone, pi_faults.i2c_off, others_folder, spi_off):
        fault(pi)
    *lines, last = as_text(pi.doctor()).splitlines()
    assert all(line.split()[0] in ("ok", "skipped", "warning", "problem") for line in lines)
    assert last.endswith(".")
    assert "problems" in last


def test_what_settings_do_not_name_is_no_problem(pi: Pi) -> None:
    pi.settings = '[table]\nstate = "{state}"\n'
    for name in ("spi_off", "i2c_off", "chip_select_claimed", "no_lgpio", "panel_silent", "no_udev_rule", "brltty"):
        getattr(pi_faults, name)(pi)
    assert pi.bad() == []


def test_a_probe_that_fails_is_a_finding_and_ends_nothing(pi: Pi) -> None:
    def broken() -> Any:
        raise RuntimeError("the bus is upside down")

    pi.changed["identify"] = broken
    (found,) = pi.bad()
    assert (found.check, found.grade) == ("panel", Grade.WARNING)
    assert "the bus is upside down" in found.text


def test_what_may_not_be_read_is_said_with_sudo(pi: Pi) -> None:
    def forbidden(_case: Case) -> Any:
        raise PermissionError(13, "Permission denied", "/boot/secret")

    (found,) = look(Case(pi.machine()), [NamedCheck("boot", forbidden)])
    assert found == Finding(
        "boot", Grade.WARNING, "could not be looked at: Permission denied: /boot/secret", "sudo companion doctor"
    )


def test_another_machine_is_told_what_was_not_looked_at(pi: Pi) -> None:
    pi.write("/proc/device-tree/model", "Some Board\0")
    (skipped,) = (found for found in pi.doctor() if found.grade is Grade.SKIPPED)
    for name in (check.name for check in CHECKS if check.pi):
        assert name in skipped.text


def test_every_check_survives_an_empty_machine(pi: Pi, tmp_path: Path) -> None:
    pi.changed["root"] = tmp_path / "empty"
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty/proc/device-tree").mkdir(parents=True)
    (tmp_path / "empty/proc/device-tree/model").write_text("Raspberry Pi 4")
    assert not [found for found in pi.doctor() if "could not be looked at" in found.text]


def test_json_says_the_same_to_programs(pi: Pi) -> None:
    spi_off(pi)
    findings = pi.doctor()
    told = json.loads(as_json(pi.machine(), findings))
    assert (told["ok"], told["problems"], told["warnings"]) == (False, 1, 0)
    assert told["machine"] == "Raspberry Pi Zero 2 W Rev 1.0"
    assert [found["check"] for found in told["findings"]] == [found.check for found in findings]
    assert {found["grade"] for found in told["findings"]} == {"ok", "problem"}


def test_a_table_that_runs_owns_its_port_and_its_reader(pi: Pi) -> None:
    port_taken(pi)
    pi.process(333, "companion", "run")
    pi.link("/proc/333/fd/9", str(pi.at("/dev/ttyUSB0")))
    assert pi.bad() == []


@pytest.mark.parametrize("starter", ["sudo", "timeout 5", "strace -f", "sh -c", "nice /usr/bin/python3"])
def test_what_started_the_table_is_no_second_table(pi: Pi, starter: str) -> None:
    pi.process(332, *starter.split(), "companion", "run")
    pi.process(333, "/opt/bin/python", "/opt/bin/companion", "run", "--port", "80")
    assert pi.bad() == []


def test_the_service_user_is_looked_at_when_root_asks(pi: Pi) -> None:
    others_folder(pi)
    not_in_group_too = pi.at("/etc/group").read_text().replace("spi:x:1:ana,companion", "spi:x:1:ana")
    pi.write("/etc/group", not_in_group_too)
    mends = [found.mend for found in pi.bad() if found.check == "groups"]
    assert mends == ["sudo usermod -aG spi companion, then log in again"]


def test_a_usb_identity_is_looked_up(pi: Pi) -> None:
    pi.settings = SETTINGS.replace("/dev/serial/by-id/usb-1a86-if00", "1a86:7523")
    (found,) = pi.bad()
    assert "not at 1a86:7523" in found.text

    class Usb:
        device, vid, pid, serial_number = "/dev/ttyUSB0", 0x1A86, 0x7523, None

    pi.changed["usb"] = lambda: [Usb()]
    assert pi.bad() == []


def test_pillow_13_is_no_matter(pi: Pi) -> None:
    pi.changed["version"] = lambda name: {"inky": "2.6.0", "pillow": "13.0.0"}.get(name, "99")
    assert pi.bad() == []
    assert PANEL_MODELS["impression-7.3"].name in next(f.text for f in pi.doctor() if f.check == "panel")

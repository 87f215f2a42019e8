"""Scripts, the unit, the udev rules and the rest of deploy/, read by the programs that they are for."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from tests.deploy.programs import DEPLOY, PROJECT, WRITTEN, program, run

UNIT = DEPLOY / "companion.service"
RULES = DEPLOY / "61-table-companion.rules"
AVAHI = DEPLOY / "companion.avahi.service"
AVAHI_DTD = Path("/usr/share/avahi/avahi-service.dtd")

WORST_EXPOSURE = 1.5
"""systemd-analyze's score, 0 (shut) to 10 (open). What is left: serial ports, pins and panel, and serving phones."""

SCRIPTS = sorted(
    path
    for path in (*WRITTEN, PROJECT / ".ci" / "run")
    if (path.suffix == ".sh" or re.match(rb"#!/(bin/|usr/bin/env )(ba)?sh", path.read_bytes()[:32]))
)


def key_values(text: str) -> list[tuple[str, str]]:
    lines = (line.partition("=") for line in text.splitlines() if line and not line.startswith(("#", "[")))
    return [(name, value) for name, _, value in lines]


def test_there_are_scripts_to_read() -> None:
    names = {path.name for path in SCRIPTS}
    assert {"install.sh", "release.sh", "make-deb", "journey", "table-companion.postinst", "apt-install"} <= names


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: str(path.relative_to(PROJECT)))
def test_shellcheck_finds_nothing(script: Path) -> None:
    found = run(program("shellcheck"), "--external-sources", f"--source-path={PROJECT}", script)
    assert found.returncode == 0, found.stdout


def test_systemd_finds_the_unit_good(tmp_path: Path) -> None:
    unit = tmp_path / "companion.service"
    unit.write_text(UNIT.read_text().replace("/opt/table-companion/current/bin/companion", "/bin/true"))
    found = run(program("systemd-analyze"), "verify", "--man=no", unit)
    about_it = [line for line in found.stderr.splitlines() if "companion" in line]
    assert (found.returncode, about_it) == (0, [])


def test_the_service_is_shut_as_far_as_it_can_be() -> None:
    told = run(program("systemd-analyze"), "security", "--offline=yes", "--no-pager", UNIT)
    exposure = re.search(r"Overall exposure level for companion\.service: ([0-9.]+)", told.stdout)
    if exposure is None:
        pytest.skip(f"this systemd judges no files: {told.stderr.strip()}")
    assert float(exposure[1]) <= WORST_EXPOSURE


def test_a_stop_waits_for_the_slowest_panel_and_a_start_for_the_slowest_pi() -> None:
    unit = dict(key_values(UNIT.read_text()))
    assert int(unit["TimeoutStopSec"]) >= 75, "a 13.3 inch panel may take 65 seconds, and is never interrupted"
    assert int(unit["TimeoutStartSec"]) >= 60
    assert unit["Type"] == "notify"
    assert int(unit["WatchdogSec"]) >= 20, "a busy card must not look like a hang"


def test_every_device_driver_is_let_through_by_a_number_or_a_name_that_is_always_there() -> None:
    allowed = {value for name, value in key_values(UNIT.read_text()) if name == "DeviceAllow"}
    serial = {"char-188 rw", "char-166 rw", "char-204 rw", "char-ttyS rw"}
    assert allowed == serial | {"char-153 rw", "char-89 rw", "char-gpiochip rw"}


def test_udev_finds_the_rules_good() -> None:
    found = run(program("udevadm"), "verify", RULES)
    if "Unknown command verb" in found.stderr:
        pytest.skip("this udevadm is too old to verify rules (systemd 254 can)")
    assert found.returncode == 0, found.stderr


def test_every_jump_in_the_rules_lands_further_on() -> None:
    lines = RULES.read_text().splitlines()
    labels = {label: number for number, line in enumerate(lines) for label in re.findall(r'^LABEL="(\w+)"', line)}
    jumps = [(number, label) for number, line in enumerate(lines) for label in re.findall(r'GOTO="(\w+)"', line)]
    assert jumps
    assert all(labels[label] > number for number, label in jumps)


def test_avahi_reads_the_service() -> None:
    if not AVAHI_DTD.exists():
        pytest.skip(f"{AVAHI_DTD} is not installed here (package avahi-daemon)")
    found = run(program("xmllint"), "--noout", "--nonet", "--dtdvalid", AVAHI_DTD, AVAHI)
    assert found.returncode == 0, found.stderr


def test_avahi_announces_a_page_where_the_settings_have_it_by_default() -> None:
    service = ET.parse(AVAHI).getroot().find("service")  # our own file
    assert service is not None
    assert {part.tag: part.text for part in service} == {
        "type": "_http._tcp",
        "port": "8000",
        "txt-record": "path=/",
    }


def test_nothing_in_deploy_names_a_place_of_one_machine() -> None:
    told = [path.name for path in WRITTEN if re.search(r"/(home|root|work)/", path.read_text())]
    assert told == []

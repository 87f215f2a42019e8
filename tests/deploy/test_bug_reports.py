"""What went wrong for others where programs like this one were installed, and does not here."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.cli.address import Doorplate
from tests.cli.companions import running
from tests.deploy.programs import DEPLOY, PROJECT, WRITTEN

UNIT = (DEPLOY / "companion.service").read_text()
RULES = (DEPLOY / "61-table-companion.rules").read_text()
PAGES = PROJECT / "companion" / "web"


def section(name: str) -> dict[str, str]:
    """The values of a section of the unit; of one that is given twice, all of them."""
    found: dict[str, str] = {}
    text = UNIT.partition(f"[{name}]\n")[2].partition("\n[")[0]
    for line in text.splitlines():
        key, equals, value = line.partition("=")
        if equals and not key.startswith("#"):
            found[key] = f"{found[key]} {value}" if key in found else value
    return found


def test_a_missing_reader_ends_in_no_start_request_repeated_too_quickly(tmp_path: Path) -> None:
    """MiczFlor/RPi-Jukebox-RFID#962 and #438: without its reader the service crashed until systemd gave it up."""
    assert section("Unit")["StartLimitIntervalSec"] == "0"
    assert section("Service")["Restart"] == "on-failure"
    (tmp_path / "table.toml").write_text(
        '[web]\nhost = "127.0.0.1"\n[[readers]]\nname = "tags"\nport = "/dev/not-there"\n'
    )
    with running(tmp_path, "--config", "table.toml") as table:
        assert table.until(lambda seen: [told for told in seen["devices"] if told["state"] == "waiting"])
        assert table.process.poll() is None


def test_a_reader_s_port_belongs_to_a_group_that_the_service_is_in() -> None:
    """Mesh-America/supply-drop-bbs#167: on Debian 13 ttyACM0 came with group plugdev, and dialout was useless."""
    reader = RULES.partition('LABEL="table_companion_reader"')[2]
    assert 'GROUP="dialout", MODE="0660"' in reader
    groups = re.search(r"for group in ([a-z0-9 ]+);", (DEPLOY / "lib" / "machine.sh").read_text())
    assert groups is not None
    assert {"dialout", "plugdev"} <= set(groups[1].split())


def test_a_reader_has_a_name_of_its_own_that_does_not_depend_on_by_id() -> None:
    """home-assistant/operating-system#3962, Koenkk/zigbee2mqtt#17947: an upgrade took the by-id names away."""
    assert 'SYMLINK+="companion/reader"' in RULES
    assert 'SYMLINK+="companion/reader-at-$env{ID_PATH_TAG}"' in RULES
    assert 'IMPORT{builtin}="path_id"' in RULES, "the name must not depend on Debian's own rules"


@pytest.mark.parametrize("identity", ["1a86:7523", "10c4:ea60", "0403:6001", "067b:2303", "2341:0043", "2e8a:0005"])
def test_modem_manager_leaves_the_usual_readers_alone(identity: str) -> None:
    """rusefi/rusefi#4359: ModemManager sent AT commands into the port."""
    vendor, product = identity.split(":")
    known = [
        line
        for line in RULES.splitlines()
        if (vendors := re.search(r'idVendor}=="([^"]+)"', line))
        and vendor in vendors[1].split("|")
        and ((products := re.search(r'idProduct}=="([^"]+)"', line)) is None or product in products[1].split("|"))
    ]
    assert len(known) == 1
    assert known[0].endswith('GOTO="table_companion_reader"')
    after = RULES.partition('LABEL="table_companion_reader"')[2]
    ignored = after.partition('SUBSYSTEM!="tty"')[0]
    assert 'ENV{ID_MM_DEVICE_IGNORE}="1"' in ignored, "told for the USB device as well as for its port"


def test_port_permissions_are_given_by_group_never_to_the_whole_world() -> None:
    """OctoPrint/OctoPrint#2783: people made their ports 0777."""
    assert re.findall(r'MODE="(\d+)"', RULES) == ["0660"]


def test_python_s_own_packages_are_never_touched() -> None:
    """pimoroni/inky#177 and #198: error: externally-managed-environment."""
    scripts = [path.read_text() for path in WRITTEN]
    assert not any("break-system-packages" in script for script in scripts)
    installing = [line for script in scripts for line in script.splitlines() if "pip install" in line]
    assert [line.split()[-9:][0] for line in installing if not line.lstrip().startswith("#")] != []
    assert all('"$made/bin/python" -m pip install' in line for line in installing if not line.lstrip().startswith("#"))


def test_the_service_writes_to_its_own_two_folders_only() -> None:
    """guysoft/OctoPi#132: a card that is written all the time wears out; people wish for a read-only root."""
    service = section("Service")
    assert service["ProtectSystem"] == "strict"
    assert "ReadWritePaths" not in service
    assert (service["StateDirectory"], service["RuntimeDirectory"]) == ("companion", "companion")
    assert "PYTHONDONTWRITEBYTECODE=1" in service["Environment"]
    assert "StandardOutput" not in service, "the journal decides where words go, mostly to memory"


def test_lgpio_has_a_folder_that_it_may_write_to() -> None:
    """gpiozero/gpiozero#1106: lgpio makes a pipe where it stands, and failed in a read-only folder."""
    service = section("Service")
    assert "LG_WD=%t/companion" in service["Environment"]
    assert service["WorkingDirectory"] == "%t/companion"


def test_a_boot_without_a_network_is_not_held_up() -> None:
    """iiab/iiab#4373, RedPitaya/RedPitaya#106: waiting to be online took two minutes where there was no network."""
    ordering = {
        key: value for key, value in section("Unit").items() if key in {"After", "Wants", "Requires", "BindsTo"}
    }
    assert ordering == {"After": "local-fs.target"}


def test_phones_are_given_an_address_not_a_name_that_may_not_resolve() -> None:
    """rkaczorek/astroberry-server#42, avahi/avahi#117: no .local on Android, and name-2.local after a while."""
    plate = Doorplate("0.0.0.0", 8000, look=lambda _host: ("192.168.4.1",), name=lambda: "table.local")
    assert plate.url == "http://192.168.4.1:8000/"


def test_pages_need_nothing_from_the_internet() -> None:
    """balena-os/wifi-connect#328: phones on a hotspot have no internet; what a page fetched there never came."""
    fetched = re.compile(r"""(?:src|href|action)\s*=\s*["']?(?:https?:)?//|@import|url\(\s*["']?(?:https?:)?//""")
    files = [path for path in PAGES.rglob("*") if path.suffix in {".html", ".css", ".js", ".svg"}]
    assert len(files) > 10
    assert [path.name for path in files if fetched.search(path.read_text())] == []

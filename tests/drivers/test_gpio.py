"""The pin library is given the right chip, and does not litter."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import drivers.gpio
from drivers.gpio import header_chip, import_lgpio, lgpio_factory

Tree = Callable[[dict[int, tuple[str, ...] | None]], Path]


@pytest.fixture
def sysfs(tmp_path: Path) -> Tree:
    """A /sys/bus/gpio/devices of links, as the kernel makes it, from what the device tree calls each chip."""

    def make(chips: dict[int, tuple[str, ...] | None]) -> Path:
        devices = tmp_path / "sys/bus/gpio/devices"
        devices.mkdir(parents=True)
        for number, names in chips.items():
            node, chip = tmp_path / f"sys/firmware/gpio@{number}", tmp_path / f"sys/devices/gpiochip{number}"
            for made in (node, chip):
                made.mkdir(parents=True)
            (devices / chip.name).symlink_to(chip)
            if names is not None:
                (node / "compatible").write_bytes(b"".join(name.encode() + b"\0" for name in names))
                (chip / "of_node").symlink_to(node)
        return devices

    return make


SOC = ("brcm,bcm7445-gpio", "brcm,brcmstb-gpio")


@pytest.mark.parametrize(
    ("chips", "number"),
    [
        ({0: ("brcm,bcm2835-gpio",), 1: ("raspberrypi,firmware-gpio",)}, 0),
        ({0: ("raspberrypi,firmware-gpio",), 1: ("brcm,bcm2711-gpio", "brcm,bcm2835-gpio")}, 1),
        ({0: SOC, 1: SOC, 2: SOC, 3: SOC, 4: ("raspberrypi,rp1-gpio",)}, 4),
        ({0: ("raspberrypi,rp1-gpio",), 10: SOC, 11: SOC, 12: SOC, 13: SOC}, 0),
        ({11: SOC, 12: SOC, 13: SOC, 14: SOC, 15: ("raspberrypi,rp1-gpio",)}, 15),
        ({0: None, 2: ("brcm,bcm2711-gpio",)}, 2),
    ],
    ids=["Pi 3", "Pi 4", "Pi 5 at first", "Pi 5 in 2024", "Pi 5 in 2026", "beside a USB expander"],
)
def test_the_chip_of_the_pin_header_is_found_wherever_the_kernel_put_it(
    sysfs: Tree, chips: dict[int, tuple[str, ...] | None], number: int
) -> None:
    """Its number moves: https://github.com/gpiozero/gpiozero/issues/1166, sunfounder/pironman5 issue 95."""
    assert header_chip(sysfs(chips)) == number


def test_where_no_chip_is_known_none_is_named(sysfs: Tree, tmp_path: Path) -> None:
    assert header_chip(sysfs({0: ("intel,pinctrl",), 1: None})) is None
    assert header_chip(tmp_path / "no such folder") is None


LIKE_LGPIO = """
import os
folder = os.environ.get("LG_WD") or os.getcwd()
os.chdir(folder)
os.mkfifo(".lgd-nfy0")
"""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder in which the program runs, beside a library that behaves as lgpio at its import."""
    library, home = tmp_path / "library", tmp_path / "home"
    for folder in (library, home):
        folder.mkdir()
    (library / "lgpio.py").write_text(LIKE_LGPIO)
    monkeypatch.syspath_prepend(library)
    monkeypatch.delitem(sys.modules, "lgpio", raising=False)
    monkeypatch.delenv("LG_WD", raising=False)
    monkeypatch.chdir(home)
    yield home
    sys.modules.pop("lgpio", None)


def loaded() -> Any:
    return sys.modules["lgpio"]


def test_the_library_writes_to_a_folder_of_its_own_that_is_gone_afterwards(home: Path) -> None:
    """It failed in a folder that is read-only: https://github.com/gpiozero/gpiozero/issues/1106 and /1130."""
    import_lgpio()
    assert loaded().folder != str(home)
    assert not Path(loaded().folder).exists()
    assert list(home.iterdir()) == []


def test_the_program_stays_in_its_folder(home: Path) -> None:
    import_lgpio()
    assert Path.cwd() == home
    assert "LG_WD" not in os.environ


def test_a_folder_that_somebody_named_is_used_and_kept(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    named = tmp_path / "run"
    named.mkdir()
    monkeypatch.setenv("LG_WD", str(named))
    import_lgpio()
    assert [path.name for path in named.iterdir()] == [".lgd-nfy0"]
    assert (Path.cwd(), os.environ["LG_WD"]) == (home, str(named))


def test_a_library_that_fails_leaves_the_program_where_it_was(home: Path, tmp_path: Path) -> None:
    (tmp_path / "library/lgpio.py").write_text(f"{LIKE_LGPIO}\nraise OSError")
    with pytest.raises(OSError):
        import_lgpio()
    assert Path.cwd() == home
    assert "LG_WD" not in os.environ


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize(("named", "found", "used"), [(None, 15, 15), (0, 15, 0), (None, None, None)])
def test_the_chip_in_the_settings_goes_before_the_one_that_is_found(
    monkeypatch: pytest.MonkeyPatch, named: int | None, found: int | None, used: int | None
) -> None:
    factories: Any = ModuleType("gpiozero.pins.lgpio")
    factories.LGPIOFactory = lambda chip: {"chip": chip}
    monkeypatch.setitem(sys.modules, factories.__name__, factories)
    monkeypatch.setattr(drivers.gpio, "header_chip", lambda: found)
    assert lgpio_factory(named) == {"chip": used}

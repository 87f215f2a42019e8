"""The Inky panel: the library's own drivers, every one of them, over faked GPIO and SPI."""

from __future__ import annotations

import subprocess
import sys
import threading
from dataclasses import dataclass
from typing import Any

import pytest
from PIL import Image

from companion.ports import PANEL_MODELS, Ink, ShowResult
from drivers.inky_panel import ASSUMED, InkyPanel, PanelWires
from simulator.fake_spi import FakePanel, Health, VirtualTime, framing_of
from tests.drivers.inky_bench import MODULES, ONE_A_MODULE, Make, noisy_picture
from tests.wording import worded


def test_there_are_eleven_drivers() -> None:
    assert len(MODULES) == 11


@pytest.mark.parametrize("name", PANEL_MODELS)
def test_every_panel_is_sent_exactly_the_picture(make: Make, name: str) -> None:
    bench = make(name)
    picture = noisy_picture(PANEL_MODELS[name])
    result = bench.panel.show(picture)
    assert (result.ok, result.advice) == (True, None)
    (frame,) = bench.fake.frames
    assert frame.size == picture.size
    assert frame.tobytes() == picture.tobytes()


@pytest.mark.parametrize("name", ONE_A_MODULE)
def test_showing_does_not_return_before_the_refresh_is_over(make: Make, name: str) -> None:
    """It returned 19 seconds early: https://github.com/pimoroni/inky/issues/254 and /266."""
    bench = make(name, refresh_seconds=7.0)
    assert bench.panel.show(noisy_picture(PANEL_MODELS[name])).seconds >= 7.0
    assert bench.fake.busy_for == 0.0


@pytest.mark.parametrize("name", ONE_A_MODULE)
def test_a_panel_whose_busy_line_is_held_high_is_no_success(make: Make, name: str) -> None:
    """The drivers wait, warn at most, and return as if all was well: https://github.com/pimoroni/inky/issues/174."""
    result = make(name, health=Health.DEAD).panel.show(noisy_picture(PANEL_MODELS[name]))
    assert not result.ok
    assert "no sign of life" in worded(result.advice)


@pytest.mark.parametrize("name", ONE_A_MODULE)
def test_a_panel_whose_busy_line_never_clears_is_no_success(make: Make, name: str) -> None:
    """It timed out, and the picture stayed blank: https://github.com/pimoroni/inky/issues/174, /248 and /103."""
    result = make(name, health=Health.STUCK).panel.show(noisy_picture(PANEL_MODELS[name]))
    assert not result.ok
    assert "no sign of life" in worded(result.advice)


@pytest.mark.parametrize("name", ["phat2-red", "impression-7.3"])
def test_a_panel_that_comes_off_is_noticed_with_the_next_picture(make: Make, name: str) -> None:
    bench = make(name)
    picture = noisy_picture(PANEL_MODELS[name])
    assert bench.panel.show(picture).ok
    bench.fake.health = Health.DEAD
    assert not bench.panel.show(picture).ok


@pytest.mark.parametrize("name", ONE_A_MODULE)
def test_a_panel_that_is_connected_again_shows_the_next_picture(make: Make, name: str) -> None:
    bench = make(name, health=Health.DEAD)
    picture = noisy_picture(PANEL_MODELS[name])
    assert not bench.panel.show(picture).ok
    bench.fake.health = Health.SOUND
    assert bench.panel.show(picture).ok
    assert bench.fake.frames[-1].tobytes() == picture.tobytes()


def test_pictures_follow_each_other(make: Make) -> None:
    bench = make("impression-7.3")
    red, blue = (Image.new("P", (800, 480), index) for index in (3, 5))
    assert bench.panel.show(red).ok
    assert bench.panel.show(blue).ok
    assert [frame.getcolors() for frame in bench.fake.frames] == [[(384000, 3)], [(384000, 5)]]


def test_the_picture_itself_is_left_as_it_was(make: Make) -> None:
    picture = noisy_picture(PANEL_MODELS["impression-7.3"])
    picture.putpalette([7, 8, 9] * 7)
    before = picture.tobytes(), picture.getpalette()
    assert make("impression-7.3").panel.show(picture).ok
    assert (picture.tobytes(), picture.getpalette()) == before


@pytest.mark.parametrize("rotation", [90, 180, 270])
@pytest.mark.parametrize("name", PANEL_MODELS)
def test_a_turned_panel_is_sent_a_turned_picture(make: Make, name: str, rotation: int) -> None:
    bench = make(name, rotation=rotation)
    width, height = PANEL_MODELS[name].size
    assert bench.panel.size == ((width, height) if rotation == 180 else (height, width))
    picture = noisy_picture(PANEL_MODELS[name], bench.panel.size)
    assert bench.panel.show(picture).ok
    assert bench.fake.frames[0].tobytes() == picture.rotate(rotation, expand=True).tobytes()


BORDERED = [
    (name, ink) for name, model in PANEL_MODELS.items() for ink, _ in model.palette.inks if framing_of(model).borders
]


@pytest.mark.parametrize(("name", "ink"), BORDERED)
def test_the_border_is_the_ink_that_the_settings_name(make: Make, name: str, ink: Ink) -> None:
    bench = make(name, border=ink)
    picture = noisy_picture(PANEL_MODELS[name])
    assert bench.panel.show(picture).ok
    assert bench.fake.border is ink
    assert bench.fake.frames[0].tobytes() == picture.tobytes()


@pytest.mark.parametrize("name", [name for name in ONE_A_MODULE if not framing_of(PANEL_MODELS[name]).borders])
def test_a_panel_without_a_border_shows_the_same_picture_whatever_the_settings_name(make: Make, name: str) -> None:
    bench = make(name, border=Ink.RED)
    picture = noisy_picture(PANEL_MODELS[name])
    assert bench.panel.show(picture).ok
    assert (bench.fake.border, bench.fake.frames[0].tobytes()) == (None, picture.tobytes())


def test_a_border_in_an_ink_that_the_recognised_panel_lacks_is_white(make: Make) -> None:
    bench = make("phat2-black", auto=True, border=Ink.GREEN, variant=10, colour=1)
    assert bench.panel.show(noisy_picture(PANEL_MODELS["phat2-black"])).ok
    assert bench.fake.border is Ink.WHITE


@pytest.mark.parametrize("misfit", [Image.new("P", (799, 480)), Image.new("RGB", (800, 480))])
def test_a_picture_that_does_not_fit_is_refused(make: Make, misfit: Image.Image) -> None:
    bench = make("impression-7.3")
    result = bench.panel.show(misfit)
    assert not result.ok
    assert "does not fit" in worded(result.advice)
    assert bench.fake.frames == []


def test_a_panel_that_says_what_it_is_needs_no_model(make: Make) -> None:
    bench = make("impression-13.3", auto=True, variant=27, colour=6)
    assert (bench.panel.size, bench.panel.name) == ((1600, 1200), "impression-13.3")
    assert bench.panel.palette == PANEL_MODELS["impression-13.3"].palette
    assert bench.panel.refresh_seconds == 20
    assert bench.panel.show(noisy_picture(PANEL_MODELS["impression-13.3"])).ok


def test_until_a_panel_is_found_pictures_are_drawn_for_a_common_one_and_the_fix_is_told(make: Make) -> None:
    bench = make("impression-4", auto=True)
    assert bench.panel.size == ASSUMED.size
    result = bench.panel.show(noisy_picture(ASSUMED))
    assert not result.ok
    assert "push it fully onto the pins" in worded(result.advice)
    bench.fake.variant, bench.fake.colour = 25, 6
    assert bench.panel.size == (600, 400)
    assert bench.panel.show(noisy_picture(PANEL_MODELS["impression-4"])).ok


def test_a_panel_found_while_a_picture_for_another_waits_asks_for_a_new_one(make: Make) -> None:
    bench = make("impression-4", auto=True)
    picture = noisy_picture(PANEL_MODELS["impression-7.3"], bench.panel.size)
    bench.fake.variant, bench.fake.colour = 25, 6
    assert "draw it again" in worded(bench.panel.show(picture).advice)


def test_a_panel_of_another_model_than_named_is_told(make: Make) -> None:
    bench = make("phat2-red", variant=22, colour=6)
    result = bench.panel.show(noisy_picture(PANEL_MODELS["phat2-red"]))
    assert "not a phat2-red" in worded(result.advice)


def test_nothing_is_imported_before_the_first_picture() -> None:
    program = "import sys, drivers.inky_panel as p; p.InkyPanel(p.ASSUMED).size; sys.exit('inky' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


class ClaimedChip:
    """A gpiochip whose lines are held by somebody else."""

    def __init__(self, *claimed: int) -> None:
        self._claimed = claimed

    def get_line_info(self, pin: int) -> Any:
        @dataclass
        class Line:
            used: bool
            name: str
            consumer: str

        return Line(pin in self._claimed, f"GPIO{pin}", "spi0 CS0")


@pytest.mark.parametrize("debug", [True, False], ids=["as an error", "by ending the program"])
@pytest.mark.usefixtures("time")
def test_a_claimed_chip_select_ends_no_program_and_is_told_with_the_fix(
    monkeypatch: pytest.MonkeyPatch, debug: bool
) -> None:
    """The library ended the whole program: https://github.com/pimoroni/inky/issues/202."""
    import gpiodevice

    monkeypatch.setattr(gpiodevice.errors, "DEBUG", debug)
    monkeypatch.setattr(gpiodevice, "find_chip_by_platform", lambda: ClaimedChip(8))
    results: list[ShowResult] = []
    panel = InkyPanel(PANEL_MODELS["impression-7.3"])
    thread = threading.Thread(target=lambda: results.append(panel.show(noisy_picture(ASSUMED))))
    thread.start()
    thread.join()
    (result,) = results
    assert not result.ok
    assert "dtoverlay=spi0-0cs" in worded(result.advice)
    assert "Chip Select: (line 8, GPIO8) currently claimed by spi0 CS0" in worded(result.advice)


@pytest.mark.usefixtures("time")
def test_button_c_on_a_pin_of_the_large_panel_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    import gpiodevice

    monkeypatch.setattr(gpiodevice, "find_chip_by_platform", lambda: ClaimedChip(16))
    model = PANEL_MODELS["impression-13.3"]
    assert "button C on pin 25" in worded(InkyPanel(model).show(noisy_picture(model)).advice)


@pytest.mark.parametrize(
    ("failure", "advice"),
    [
        (RuntimeError("No compatible platform detected!"), "no Raspberry Pi"),
        (FileNotFoundError(2, "No such file or directory"), "do_spi 0"),
        (PermissionError(13, "Permission denied"), "groups gpio, spi, i2c"),
        (RuntimeError("suitable gpiochip device not found!\n /dev/gpiochip0: Permission error!"), "groups gpio,"),
        (KeyError("odd"), "cannot be driven"),
    ],
)
@pytest.mark.usefixtures("time")
def test_each_way_of_not_opening_has_its_own_fix(
    monkeypatch: pytest.MonkeyPatch, failure: Exception, advice: str
) -> None:
    import gpiodevice

    def fail() -> None:
        raise failure

    monkeypatch.setattr(gpiodevice, "find_chip_by_platform", fail)
    result = InkyPanel(ASSUMED).show(noisy_picture(ASSUMED))
    assert not result.ok
    assert advice in worded(result.advice)
    assert "\n" not in worded(result.advice)


@pytest.mark.usefixtures("time")
def test_a_machine_without_the_library_is_told_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "inky.inky_e673", None)
    assert "pip install" in worded(InkyPanel(ASSUMED).show(noisy_picture(ASSUMED)).advice)


def test_closing_a_panel_gives_its_own_pins_back(monkeypatch: pytest.MonkeyPatch, time: VirtualTime) -> None:
    far_end = FakePanel(ASSUMED, time)
    wires = PanelWires(far_end.gpio, far_end.spi, far_end.i2c)
    panel = InkyPanel(ASSUMED, wires=wires, clock=time.monotonic, sleep=time.sleep)
    assert panel.show(noisy_picture(ASSUMED)).ok
    monkeypatch.setattr(panel, "_wires", None)
    panel.close()
    panel.close()
    assert far_end.gpio.released


def test_what_a_panel_logs_is_no_advice_in_code(make: Make, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG", "drivers")
    bench = make("impression-4", auto=True)
    assert bench.panel.size == ASSUMED.size
    assert not bench.panel.show(Image.new("P", ASSUMED.size)).ok
    assert "Advice(" not in caplog.text
    assert "PanelMissing" not in caplog.text

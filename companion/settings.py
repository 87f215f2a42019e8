"""The settings file (TOML): what a table has and how it is played. ``deploy/companion.example.toml`` explains each key.

A file with faults is refused as a whole, with one line for each fault: the file, the key, what is expected.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import time
from pathlib import Path
from typing import Any, Literal

from companion.i18n.languages import LANGUAGES
from companion.mqtt_settings import MqttSettings, read_mqtt
from companion.ports import INKY_PINS, PANEL_MODELS, Button, Ink, PanelModel, button_pins
from companion.quiet import QuietHours
from companion.reader_settings import ReaderSettings, read_readers
from companion.section import Faults, Section, listed

EXAMPLE = "deploy/companion.example.toml"

Rotation = Literal[0, 90, 180, 270]

HIGHEST_PIN = 27
UART_PINS = frozenset({14, 15})
_UART = re.compile(r"^/dev/(serial\d|ttyAMA\d+|ttyS\d+)$")
_PIN_CODE = re.compile(r"[0-9]{4,10}")
_HOST_NAME = re.compile(r"(?!.{254})[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)*")

_TIME_OF_DAY = re.compile(r"([01][0-9]|2[0-3]):[0-5][0-9]")
_QUIET = 'two different times of the day such as ["22:00", "07:00"]'
_HOST_NAMES = 'a list of host names such as ["table.lan"], with letters, digits, dots and hyphens only'

OPEN: Literal["open"] = "open"
NO_PIN = "none"
NO_PANEL, AUTO_PANEL, SOFTWARE_PANEL = "none", "auto", "software"


class SettingsError(Exception):
    """The settings cannot be used; ``lines`` say why, one fault each, and are also the exception's text."""

    def __init__(self, lines: list[str]) -> None:
        super().__init__("\n".join(lines))
        self.lines = tuple(lines)


@dataclass(frozen=True, slots=True)
class TableSettings:
    """Where games are kept, the table's language (the panel's), how dealing and scanning feel, and when it is quiet.

    ``odds`` says whether phones show them, until a host says otherwise; ``coach`` whether phones may ask one.
    """

    state: Path = Path("state")
    language: str = LANGUAGES[0]
    one_card_a_press: bool = False
    gesture_seconds: float = 60.0
    quiet: QuietHours | None = None
    odds: bool = True
    coach: bool = True


@dataclass(frozen=True, slots=True)
class WebSettings:
    """Where phones find the table: address and port to listen on, host names to answer to, and who may look and act.

    ``pin`` None makes one at each start and for each game. ``undo`` says who may take moves back on a phone; None
    leaves it to the host's switch.
    """

    host: str = "::"
    port: int = 8000
    names: tuple[str, ...] = ()
    pin: str | None = None
    watching: Literal["open", "paired"] = "open"
    own_browser: bool = True
    open_to_all: bool = False
    undo: Literal["all", "host"] | None = None


@dataclass(frozen=True, slots=True)
class PanelSettings:
    """Which panel: ``none``, ``auto``, ``software`` or one of PANEL_MODELS; ``like`` is what a software one looks like.

    ``border`` is the ink of the frame around the picture. ``min_gap`` is the least time from one picture to the next in
    seconds; None leaves it to the panel.
    """

    model: str = NO_PANEL
    like: str = "impression-7.3"
    rotation: Rotation = 0
    border: Ink = Ink.WHITE
    min_gap: float | None = None


@dataclass(frozen=True, slots=True)
class ButtonSettings:
    """Whether there are buttons, and the BCM pins that the file names (None: there is no such button).

    ``chip`` is a gpiochip other than the usual one, for light and buzzer too.
    """

    enabled: bool = False
    named: Mapping[Button, int | None] = field(default_factory=dict)
    chip: int | None = None

    def pins(self, model: PanelModel | None) -> dict[Button, int]:
        """The pins of the buttons beside a panel: the usual ones, but for those that the file names."""
        all_four: dict[Button, int | None] = {**button_pins(model), **self.named}
        return {button: pin for button, pin in all_four.items() if pin is not None}


@dataclass(frozen=True, slots=True)
class SignalSettings:
    """The BCM pins of a light and a buzzer; None where there is none.

    A buzzer with ``tones`` is a passive one. ``muted`` is how the buzzer begins, until somebody holds button B.
    """

    light: int | None = None
    buzzer: int | None = None
    tones: bool = False
    muted: bool = False


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings; as it stands, a table with no hardware at all."""

    table: TableSettings = TableSettings()
    web: WebSettings = WebSettings()
    panel: PanelSettings = PanelSettings()
    buttons: ButtonSettings = field(default_factory=ButtonSettings)
    readers: tuple[ReaderSettings, ...] = ()
    signal: SignalSettings = SignalSettings()
    mqtt: MqttSettings | None = None


def load_settings(path: Path) -> Settings:
    """Read a settings file; relative folders in it are relative to it. Raises SettingsError."""
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        raise SettingsError([f"{path}: there is no such file; copy {EXAMPLE} there and change it"]) from None
    except OSError as failure:
        raise SettingsError([f"{path}: cannot be read: {failure.strerror}"]) from None
    except UnicodeDecodeError as failure:
        raise SettingsError([f"{path}: is not UTF-8 text (byte {failure.start})"]) from None
    except tomllib.TOMLDecodeError as failure:
        raise SettingsError([f"{path}: is not valid TOML: {failure}"]) from None
    except RecursionError:
        raise SettingsError([f"{path}: has lists or tables nested too deeply"]) from None
    except ValueError:  # what is left is Python's limit to the digits of a number
        raise SettingsError([f"{path}: has a number of too many digits"]) from None
    return read_settings(found, str(path), path.parent)


def read_settings(found: Mapping[str, Any], file: str, folder: Path) -> Settings:
    """The settings of a parsed file. Raises SettingsError with every fault in it."""
    faults = Faults(file)
    whole = Section(faults, "", found)
    settings = Settings(
        table=_table(whole.section("table"), folder),
        web=_web(whole.section("web")),
        panel=_panel(whole),
        buttons=_buttons(whole),
        readers=read_readers(whole.sections("readers")),
        signal=_signal(whole.section("signal")),
        mqtt=read_mqtt(whole, folder),
    )
    whole.finish()
    _check_pins(settings, faults)
    if faults.lines:
        raise SettingsError(faults.lines)
    return settings


def _table(section: Section, folder: Path) -> TableSettings:
    default = TableSettings()
    state = section.text("state", str(default.state))
    try:
        place = folder / Path(state).expanduser()
    except RuntimeError:
        section.note("state", f"must be a folder, and there is no home folder for {state!r}")
        place = default.state
    settings = TableSettings(
        state=place,
        language=section.one_of("language", LANGUAGES, default.language),
        one_card_a_press=section.flag("one_card_a_press", default.one_card_a_press),
        gesture_seconds=section.seconds("gesture_seconds", default.gesture_seconds, 5, 3600),
        quiet=_quiet(section),
        odds=section.flag("odds", default.odds),
        coach=section.flag("coach", default.coach),
    )
    section.finish()
    return settings


def _quiet(section: Section) -> QuietHours | None:
    hours = section.texts("quiet", _TIME_OF_DAY, _QUIET)
    if not hours:
        return None
    if len(hours) != 2 or hours[0] == hours[1]:
        section.note("quiet", f"must be {_QUIET}")
        return None
    begin, end = map(time.fromisoformat, hours)
    return QuietHours(begin, end)


def _web(section: Section) -> WebSettings:
    default = WebSettings()
    settings = WebSettings(
        host=section.text("host", default.host),
        port=section.whole("port", default.port, 1, 65535),
        names=section.texts("names", _HOST_NAME, _HOST_NAMES),
        pin=section.text("pin", default.pin),
        watching=section.one_of("watching", (OPEN, "paired"), default.watching),
        own_browser=section.flag("own_browser", default.own_browser),
        open_to_all=section.flag("open_to_all", default.open_to_all),
        undo=section.one_of("undo", ("all", "host"), default.undo),
    )
    if settings.pin is not None and not _PIN_CODE.fullmatch(settings.pin):
        section.note("pin", 'must be 4 to 10 digits in quotes, such as "240816"')
    section.finish()
    return settings


def _panel(whole: Section) -> PanelSettings:
    default = PanelSettings()
    section = whole.section("panel")
    models = (NO_PANEL, AUTO_PANEL, SOFTWARE_PANEL, *PANEL_MODELS)
    rotations: tuple[Rotation, ...] = (0, 90, 180, 270)
    settings = PanelSettings(
        model=section.one_of("model", models, AUTO_PANEL if "panel" in whole else default.model),
        like=section.one_of("like", tuple(PANEL_MODELS), default.like),
        rotation=section.one_of("rotation", rotations, default.rotation),
        border=_border(section),
        min_gap=section.seconds("min_gap", default.min_gap, 0, 600),
    )
    _check_border(section, settings)
    section.finish()
    return settings


def _border(section: Section) -> Ink:
    return Ink(section.one_of("border", tuple(ink.value for ink in Ink), PanelSettings().border.value))


def _check_border(section: Section, panel: PanelSettings) -> None:
    model = PANEL_MODELS.get(panel.model)
    if model is not None and panel.border not in model.palette:
        inks = listed([ink.value for ink, _ in model.palette.inks])
        section.note("border", f"must be {inks} on {model.name}, not {panel.border.value!r}")


def _buttons(whole: Section) -> ButtonSettings:
    section = whole.section("buttons")
    pins = section.section("pins")
    read = {button: pins.whole_or(NO_PIN, button.value, 0, HIGHEST_PIN) for button in Button}
    settings = ButtonSettings(
        enabled=section.flag("enabled", "buttons" in whole),
        named={button: pin for button, pin in read.items() if button.value in pins},
        chip=section.whole("chip", None, 0, 15),
    )
    pins.finish()
    section.finish()
    return settings


def _signal(section: Section) -> SignalSettings:
    default = SignalSettings()
    settings = SignalSettings(
        light=section.whole("light", None, 0, HIGHEST_PIN),
        buzzer=section.whole("buzzer", None, 0, HIGHEST_PIN),
        tones=section.flag("tones", default.tones),
        muted=section.flag("muted", default.muted),
    )
    section.finish()
    return settings


def _check_pins(settings: Settings, faults: Faults) -> None:
    """Note every pin that two things want."""
    taken = dict.fromkeys(_panel_pins(settings.panel), "the panel")
    for reader in settings.readers:
        if _UART.match(reader.port):
            taken |= dict.fromkeys(UART_PINS, f"the reader {reader.name!r} on {reader.port}")
    for key, pin in _wanted_pins(settings).items():
        if pin in taken:
            faults.note(key, f"must be another pin than {pin}, which {taken[pin]} uses")
        else:
            taken[pin] = key


def _panel_pins(panel: PanelSettings) -> frozenset[int]:
    if panel.model in (NO_PANEL, SOFTWARE_PANEL):
        return frozenset()
    return PANEL_MODELS[panel.model].pins if panel.model in PANEL_MODELS else INKY_PINS


def _wanted_pins(settings: Settings) -> dict[str, int]:
    pins = settings.buttons.pins(PANEL_MODELS.get(settings.panel.model))
    buttons = {f"buttons.pins.{button}": pin for button, pin in pins.items()}
    signals = {"signal.light": settings.signal.light, "signal.buzzer": settings.signal.buzzer}
    wanted = buttons if settings.buttons.enabled else {}
    return wanted | {key: pin for key, pin in signals.items() if pin is not None}

"""The settings file: what it may say, and one clear line for every fault."""

from __future__ import annotations

import re
from datetime import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.i18n.languages import LANGUAGES
from companion.mqtt_settings import MqttSettings
from companion.ports import PANEL_MODELS, Button, Ink
from companion.quiet import QuietHours
from companion.reader_settings import Manner, ReaderSettings
from companion.settings import (
    EXAMPLE,
    ButtonSettings,
    PanelSettings,
    Settings,
    SettingsError,
    SignalSettings,
    TableSettings,
    WebSettings,
    load_settings,
    read_settings,
)

ROOT = Path(__file__).parents[2]

HOST_NAMES = (
    'web.names must be a list of host names such as ["table.lan"], with letters, digits, dots and hyphens only, not '
)


def written(folder: Path, text: str) -> Path:
    file = folder / "companion.toml"
    file.write_text(text, encoding="utf-8")
    return file


def loaded(folder: Path, text: str) -> Settings:
    return load_settings(written(folder, text))


def faults(folder: Path, text: str) -> list[str]:
    """The lines that a file is refused with, without the file's name."""
    file = written(folder, text)
    with pytest.raises(SettingsError) as raised:
        load_settings(file)
    assert str(raised.value) == "\n".join(raised.value.lines)
    assert all(line.startswith(f"{file}: ") and "\n" not in line for line in raised.value.lines)
    return [line.removeprefix(f"{file}: ") for line in raised.value.lines]


def test_an_empty_file_is_a_table_without_hardware(tmp_path: Path) -> None:
    settings = loaded(tmp_path, "")
    assert settings == Settings(table=TableSettings(state=tmp_path / "state"))
    assert (settings.panel.model, settings.buttons.enabled, settings.readers) == ("none", False, ())


def test_everything_can_be_set(tmp_path: Path) -> None:
    settings = loaded(
        tmp_path,
        """
        [table]
        state = "/var/lib/companion"
        language = "bg"
        one_card_a_press = true
        gesture_seconds = 20
        odds = false
        coach = false
        quiet = ["22:30", "07:00"]
        [web]
        host = "127.0.0.1"
        port = 8080
        names = ["table.lan"]
        pin = "240816"
        watching = "paired"
        own_browser = false
        open_to_all = true
        undo = "host"
        [panel]
        model = "impression-13.3"
        like = "phat-red"
        rotation = 180
        border = "black"
        min_gap = 30
        [buttons]
        chip = 4
        [buttons.pins]
        A = 12
        [[readers]]
        name = "left"
        port = "/dev/ttyACM0"
        [[readers]]
        name = "right"
        port = "1a86:7523:7"
        protocol = "line"
        format = "text"
        baud = 9600
        repeat_gap = 2
        idle = 0.2
        place = "do:shore_up"
        [[readers]]
        name = "pilot's"
        port = "/dev/ttyUSB0"
        protocol = "pn532"
        mode = "once"
        gone_after = 3
        [signal]
        light = 13
        buzzer = 18
        tones = true
        muted = true
        """,
    )
    assert settings == Settings(
        table=TableSettings(
            Path("/var/lib/companion"), "bg", True, 20, QuietHours(time(22, 30), time(7)), odds=False, coach=False
        ),
        web=WebSettings("127.0.0.1", 8080, ("table.lan",), "240816", "paired", False, True, "host"),
        panel=PanelSettings("impression-13.3", "phat-red", 180, Ink.BLACK, 30),
        buttons=ButtonSettings(True, {Button.A: 12}, 4),
        readers=(
            ReaderSettings("left", "/dev/ttyACM0"),
            ReaderSettings("right", "1a86:7523:7", "line", "text", 9600, None, None, 2, 0.2, "do:shore_up"),
            ReaderSettings("pilot's", "/dev/ttyUSB0", "pn532", mode="once", gone_after=3),
        ),
        signal=SignalSettings(13, 18, tones=True, muted=True),
    )


def test_the_example_is_valid_and_shows_the_defaults() -> None:
    settings = load_settings(ROOT / EXAMPLE)
    assert settings.table == TableSettings(state=ROOT / "deploy" / "state")
    assert settings.web == WebSettings()
    assert settings.panel == PanelSettings(model="auto")
    assert settings.buttons == ButtonSettings(enabled=True)
    assert settings.readers == (ReaderSettings("reader", settings.readers[0].port),)
    assert settings.signal == SignalSettings()
    assert settings.mqtt is None


def test_the_example_is_still_valid_with_every_commented_key(tmp_path: Path) -> None:
    example = (ROOT / EXAMPLE).read_text(encoding="utf-8")
    commented = re.sub(r"^# (\w+ = .+|\[mqtt\])$", r"\1", example, flags=re.M)
    assert commented.count("\n") == example.count("\n")
    settings = loaded(tmp_path, commented)
    assert settings.web.pin
    assert settings.panel.min_gap
    assert settings.buttons.named == {Button.A: 5, Button.B: 6, Button.C: 16, Button.D: 24}
    assert settings.readers == (
        ReaderSettings(
            "reader", settings.readers[0].port, baud=9600, mode="repeat", gone_after=1.5, idle=0.1, place="do:shore_up"
        ),
    )
    assert settings.signal == SignalSettings(light=13, buzzer=12)
    assert settings.mqtt is not None
    assert (settings.mqtt.host, settings.mqtt.password_file) == ("homeassistant.local", tmp_path / "mqtt-password")


def test_the_example_names_every_key_and_every_panel() -> None:
    example = (ROOT / EXAMPLE).read_text(encoding="utf-8")
    parts = (TableSettings, WebSettings, PanelSettings, ReaderSettings, SignalSettings, MqttSettings)
    keys = {key for part in parts for key in part.__dataclass_fields__} | {"enabled", "chip", "pins"}
    assert [key for key in keys if not re.search(rf"^(# )?{key} = |\.{key}\]", example, re.M)] == []
    assert [name for name in (*PANEL_MODELS, *LANGUAGES) if name not in example] == []


def test_a_relative_folder_starts_at_the_file(tmp_path: Path) -> None:
    assert loaded(tmp_path, '[table]\nstate = "games"').table.state == tmp_path / "games"
    assert loaded(tmp_path, '[table]\nstate = "~/games"').table.state == Path.home() / "games"


def test_naming_a_part_switches_it_on(tmp_path: Path) -> None:
    settings = loaded(tmp_path, "[panel]\n[buttons]\n")
    assert (settings.panel.model, settings.buttons.enabled) == ("auto", True)
    assert not loaded(tmp_path, "[buttons]\nenabled = false").buttons.enabled


def test_the_buttons_of_the_large_panel_have_their_own_pins(tmp_path: Path) -> None:
    buttons = loaded(tmp_path, '[panel]\nmodel = "impression-13.3"\n[buttons.pins]\nD = 12').buttons
    assert buttons.pins(PANEL_MODELS["impression-13.3"]) == {Button.A: 5, Button.B: 6, Button.C: 25, Button.D: 12}
    assert buttons.pins(None) == {Button.A: 5, Button.B: 6, Button.C: 16, Button.D: 12}


def test_a_table_may_have_fewer_than_four_buttons_and_the_pins_of_the_others_are_free(tmp_path: Path) -> None:
    settings = loaded(tmp_path, '[buttons.pins]\nC = "none"\nD = "none"\n[signal]\nlight = 16')
    assert settings.buttons.pins(None) == {Button.A: 5, Button.B: 6}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[tabel]", "tabel is unknown; did you mean table?"),
        ("[table]\nlanguge = 'en'", "table.languge is unknown; did you mean language?"),
        ("[web]\nzzz = 1", "web.zzz is unknown; known here: host, port, names, pin, watching, own_browser, "
         "open_to_all, undo"),
        ("[[readers]]\nport = '/dev/x'\nbuad = 1", "readers[1].buad is unknown; did you mean baud?"),
        ("[buttons.pins]\nE = 5", "buttons.pins.E is unknown; known here: A, B, C, D"),
        ("table = 3", "table must be a table of keys, not 3"),
        ("readers = 3", "readers must be one table a device, each below [[readers]], not 3"),
        ("readers = [3]", "readers[1] must be a table of keys, not 3"),
        ("[table]\nlanguage = 'de'", "table.language must be en, pt-BR or bg, not 'de'"),
        ("[table]\none_card_a_press = 1", "table.one_card_a_press must be true or false, not 1"),
        ("[table]\nstate = ''", "table.state must be a text in quotes, not ''"),
        ("[table]\ngesture_seconds = nan", "table.gesture_seconds must be a number of seconds from 5 to 3600, not nan"),
        ("[web]\nport = true", "web.port must be a whole number from 1 to 65535, not true"),
        ("[web]\nport = '80'", "web.port must be a whole number from 1 to 65535, not '80'"),
        ("[web]\nport = 70000", "web.port must be a whole number from 1 to 65535, not 70000"),
        ("[web]\nnames = 'a'", HOST_NAMES + "'a'"),
        ("[web]\nnames = ['a', 1]", HOST_NAMES + "['a', 1]"),
        ("[web]\nnames = ['a b']", HOST_NAMES + "['a b']"),
        ("[web]\nnames = ['http://a/']", HOST_NAMES + "['http://a/']"),
        ("[web]\nnames = ['-a']", HOST_NAMES + "['-a']"),
        ("[web]\nnames = ['a..b']", HOST_NAMES + "['a..b']"),
        ("[web]\nnames = [\"a\\n\"]", HOST_NAMES + "['a\\n']"),
        ("[web]\npin = '12x'", 'web.pin must be 4 to 10 digits in quotes, such as "240816"'),
        ("[panel]\nrotation = 45", "panel.rotation must be 0, 90, 180 or 270, not 45"),
        ("[buttons.pins]\nC = 'no'", "buttons.pins.C must be a whole number from 0 to 27, or \"none\", not 'no'"),
        ("[table]\nquiet = ['22:00']", "table.quiet must be two different times of the day such as [\"22:00\", "
         "\"07:00\"]"),
        ("[table]\nquiet = ['7:00', '7:00']", "table.quiet must be two different times of the day such as "
         "[\"22:00\", \"07:00\"], not ['7:00', '7:00']"),
        ("[table]\nquiet = ['07:00', '07:00']", "table.quiet must be two different times of the day such as "
         "[\"22:00\", \"07:00\"]"),
        ("[table]\nquiet = ['22:00', '24:00']", "table.quiet must be two different times of the day such as "
         "[\"22:00\", \"07:00\"], not ['22:00', '24:00']"),
        ("[panel]\nborder = 'pink'", "panel.border must be black, white, red, yellow, green, blue or orange, not "
         "'pink'"),
        ("[panel]\nmodel = 'phat2-red'\nborder = 'yellow'",
         "panel.border must be white, black or red on phat2-red, not 'yellow'"),
        ("[panel]\nrotation = false", "panel.rotation must be 0, 90, 180 or 270, not false"),
        ("[[readers]]\n", 'readers[1].port is missing; it must be a device such as "/dev/ttyACM0" or a USB identity '
         'such as "1a86:7523"'),
        ("[[readers]]\nport = 'COM3'", 'readers[1].port must be a device such as "/dev/ttyACM0" or a USB identity such '
         "as \"1a86:7523\", not 'COM3'"),
        ("[[readers]]\nport = 3", "readers[1].port must be a text in quotes, not 3"),
        ("[[readers]]\nport = '/dev/x'\nprotocol = 'pn53'", "readers[1].protocol must be auto, rdm6300, id12, "
         "pn532, r200 or line, not 'pn53'; did you mean pn532?"),
        ("[[readers]]\nport = '/dev/x'\nplace = 'shore up'", 'readers[1].place must be a verb such as "do:shore_up" or '
         "a thing such as \"role:pilot\", not 'shore up'"),
        ("[[readers]]\nport = '/dev/x'\nmode = 'ounce'", "readers[1].mode must be repeat or once, not 'ounce'; did you "
         "mean once?"),
        ("[[readers]]\nport = '/dev/x'\nname = 'panel'", "readers[1].name must be another one: 'panel' is reserved for "
         "the panel"),
        ("[table]\nstate = \"a\\u0000b\"", "table.state must be a text without control characters, not 'a\\x00b'"),
        ("[web]\nhost = \"a\\nb\"", "web.host must be a text without control characters, not 'a\\nb'"),
        ("[[readers]]\nport = '/dev/x'\nname = \"a\\u0085b\"", "readers[1].name must be a text without control "
         "characters, not 'a\\x85b'"),
        ("[web]\npin = \"1234\\n\"", "web.pin must be a text without control characters, not '1234\\n'"),
        ("[web]\npin = '١٢٣٤'", 'web.pin must be 4 to 10 digits in quotes, such as "240816"'),
        ("[web]\nport = 0x" + "f" * 6000, "web.port must be a whole number from 1 to 65535, not a number of too many "
         "digits or lists too deep to show"),
        ("[panel]\nrotation = 0x" + "f" * 6000, "panel.rotation must be 0, 90, 180 or 270, not a number of too many "
         "digits or lists too deep to show"),
        ("web.port." + ".".join("a" * 20_000) + " = 1", "web.port must be a whole number from 1 to 65535, not a number "
         "of too many digits or lists too deep to show"),
        ("[web]\nport = " + "9" * 6000, "has a number of too many digits"),
        ("a = " + "[" * 20_000, "has lists or tables nested too deeply"),
        ("a = " + "{a = " * 20_000, "has lists or tables nested too deeply"),
    ],
)  # fmt: skip
def test_a_fault_is_one_line_with_its_key_and_what_is_expected(tmp_path: Path, text: str, expected: str) -> None:
    assert faults(tmp_path, text) == [expected]


def test_a_panel_that_is_spelt_wrongly_is_guessed(tmp_path: Path) -> None:
    (fault,) = faults(tmp_path, "[panel]\nmodel = 'impresion-13.3'")
    assert fault.startswith("panel.model must be none, auto, software, phat-black,")
    assert fault.endswith("not 'impresion-13.3'; did you mean impression-13.3?")


def test_a_long_value_is_cut_in_the_message(tmp_path: Path) -> None:
    (fault,) = faults(tmp_path, f"[table]\nlanguage = '{'x' * 500}'")
    assert len(fault) < 150


@pytest.mark.parametrize(
    ("keys", "protocol", "manner"),
    [
        ("", "line", Manner(9600, "repeat", 1.5)),
        ("format = 'text'", "line", Manner(9600, "once", 1.5)),
        ("", "rdm6300", Manner(9600, "repeat", 0.5)),
        ("", "id12", Manner(9600, "once", 0.5)),
        ("format = 'text'", "pn532", Manner(115200, "repeat", 1.0)),
        ("", "r200", Manner(115200, "repeat", 2.0)),
        ("baud = 19200\nmode = 'once'\ngone_after = 0.2", "pn532", Manner(19200, "once", 0.2)),
    ],
)
def test_what_a_reader_leaves_out_is_its_protocols_own(
    tmp_path: Path, keys: str, protocol: str, manner: Manner
) -> None:
    (reader,) = loaded(tmp_path, f"[[readers]]\nport = '/dev/x'\n{keys}\n").readers
    assert reader.manner(protocol) == manner


def test_two_readers_need_two_names_and_two_ports(tmp_path: Path) -> None:
    twice = "[[readers]]\nname = 'a'\nport = '/dev/x'\n" * 2
    assert faults(tmp_path, twice) == [
        "readers[2].name must be another one: there are two devices called 'a'",
        "readers[2].port must be another one: two readers are at '/dev/x'",
    ]


def test_readers_without_a_name_are_numbered(tmp_path: Path) -> None:
    settings = loaded(tmp_path, "[[readers]]\nport = '/dev/x'\n[[readers]]\nport = '/dev/y'\n")
    assert [reader.name for reader in settings.readers] == ["reader", "reader 2"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[panel]\n[buttons.pins]\nB = 8", "buttons.pins.B must be another pin than 8, which the panel uses"),
        (
            "[panel]\nmodel = 'impression-13.3'\n[buttons.pins]\nC = 16",
            "buttons.pins.C must be another pin than 16, which the panel uses",
        ),
        ("[buttons.pins]\nB = 5", "buttons.pins.B must be another pin than 5, which buttons.pins.A uses"),
        (
            "[[readers]]\nport = '/dev/serial0'\n[signal]\nlight = 14",
            "signal.light must be another pin than 14, which the reader 'reader' on /dev/serial0 uses",
        ),
        ("[buttons]\n[signal]\nbuzzer = 24", "signal.buzzer must be another pin than 24, which buttons.pins.D uses"),
        ("[signal]\nlight = 5\nbuzzer = 5", "signal.buzzer must be another pin than 5, which signal.light uses"),
        ("[signal]\nlight = 28", "signal.light must be a whole number from 0 to 27, not 28"),
    ],
)
def test_two_things_on_one_pin_are_a_fault(tmp_path: Path, text: str, expected: str) -> None:
    assert faults(tmp_path, text) == [expected]


@pytest.mark.parametrize(
    "text",
    [
        "[buttons.pins]\nB = 8",
        "[panel]\nmodel = 'software'\n[buttons.pins]\nB = 8",
        "[panel]\nmodel = 'impression-13.3'\n[buttons]",
        "[buttons]\nenabled = false\n[signal]\nlight = 5",
        "[[readers]]\nport = '/dev/ttyUSB0'\n[signal]\nlight = 14",
    ],
)
def test_a_pin_that_nothing_else_uses_is_free(tmp_path: Path, text: str) -> None:
    loaded(tmp_path, text)


def test_all_faults_are_told_at_once(tmp_path: Path) -> None:
    told = faults(tmp_path, "what = 1\n[web]\nport = 0\n[panel]\nrotation = 1\n[signal]\nlight = 99\n")
    assert [line.split()[0] for line in told] == ["web.port", "panel.rotation", "signal.light", "what"]


def test_a_missing_file_points_to_the_example(tmp_path: Path) -> None:
    missing = tmp_path / "no.toml"
    with pytest.raises(SettingsError) as raised:
        load_settings(missing)
    assert str(raised.value) == f"{missing}: there is no such file; copy {EXAMPLE} there and change it"


def test_a_file_that_cannot_be_read_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="cannot be read: Is a directory"):
        load_settings(tmp_path)


def test_broken_toml_is_one_line_with_its_place(tmp_path: Path) -> None:
    (fault,) = faults(tmp_path, "[web]\nport = = 3\n")
    assert re.fullmatch(r"is not valid TOML: .*\(at line 2, column 8\)", fault)


def test_a_file_in_another_encoding_is_one_line(tmp_path: Path) -> None:
    file = tmp_path / "companion.toml"
    file.write_bytes('[table]\nstate = "ключ"'.encode("cp1251"))
    with pytest.raises(SettingsError, match=r"is not UTF-8 text \(byte 17\)"):
        load_settings(file)


def test_a_mark_of_utf_8_at_the_beginning_is_taken(tmp_path: Path) -> None:
    assert loaded(tmp_path, "\ufeff[web]\nport = 8080").web.port == 8080


def test_a_home_that_does_not_exist_is_one_line(tmp_path: Path) -> None:
    (fault,) = faults(tmp_path, '[table]\nstate = "~nobody-at-all/games"')
    assert fault == "table.state must be a folder, and there is no home folder for '~nobody-at-all/games'"


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
KEYS = ["table", "web", "panel", "buttons", "readers", "signal"]
INNER = ["state", "language", "port", "names", "model", "rotation", "pins", "enabled", "name", "format", "light", "A"]
NAMES = st.sampled_from(INNER) | st.text(max_size=4)
TABLES = st.dictionaries(NAMES, VALUES | st.dictionaries(NAMES, VALUES, max_size=2))


@given(st.dictionaries(st.sampled_from(KEYS), TABLES | st.lists(TABLES, max_size=3) | VALUES))
def test_whatever_a_file_holds_is_settings_or_clear_lines(found: dict[str, object]) -> None:
    try:
        read_settings(found, "companion.toml", Path())
    except SettingsError as refusal:
        assert refusal.lines
        assert all(line.startswith("companion.toml: ") and line.isprintable() for line in refusal.lines)

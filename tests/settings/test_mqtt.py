from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from companion.mqtt_settings import MqttSettings
from companion.settings import Settings, SettingsError, read_settings


def read(text: str) -> Settings:
    return read_settings(tomllib.loads(text), "companion.toml", Path("/etc/companion"))


def test_nothing_is_published_unless_a_broker_is_named() -> None:
    assert read("").mqtt is None


def test_a_broker_needs_only_its_name() -> None:
    assert read('[mqtt]\nhost = "broker.lan"').mqtt == MqttSettings("broker.lan")


def test_tls_has_a_port_of_its_own_and_files_are_relative_to_the_settings() -> None:
    mqtt = read('[mqtt]\nhost = "b"\ntls = true\nca_file = "ca.crt"\nusername = "c"\npassword_file = "/run/pw"').mqtt
    assert mqtt is not None
    assert (mqtt.port, mqtt.ca_file, mqtt.password_file) == (8883, Path("/etc/companion/ca.crt"), Path("/run/pw"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[mqtt]", "mqtt.host is missing; it must be the broker's name or address"),
        ('[mqtt]\nhost = "b"\npassword = "x"', "mqtt.password is unknown; did you mean password_file?"),
        ('[mqtt]\nhost = "b"\npassword_file = "x"', "mqtt.password_file needs a username beside it"),
        ('[mqtt]\nhost = "b"\nca_file = "x"', "mqtt.ca_file needs tls = true beside it"),
        ('[mqtt]\nhost = "b"\ntopic = "home/#"', "mqtt.topic must be letters, digits, hyphens and underscores"),
        ('[mqtt]\nhost = "b"\nport = 0', "mqtt.port must be a whole number from 1 to 65535"),
        ("mqtt = 1", "mqtt must be a table of keys"),
    ],
)
def test_a_fault_is_one_line_that_says_what_is_expected(text: str, expected: str) -> None:
    with pytest.raises(SettingsError) as fault:
        read(text)
    assert len(fault.value.lines) == 1, fault.value.lines
    assert expected in fault.value.lines[0]

"""What Home Assistant is told: only what it documents, and templates that read what is published."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from jinja2 import Environment, StrictUndefined

from companion.i18n import LANGUAGES, translator
from companion.mqtt.discovery import announcements
from companion.mqtt.reading import LONGEST, reading
from companion.ports import Advice, DeviceState, DeviceStatus
from companion.table.session import Session
from tests.mqtt.conftest import PLACE

ISLAND = {"players": ["explorer", "pilot"], "difficulty": "novice", "seed": 5}
TINY = {"players": ["otter", "heron"], "seed": "1", "dark": "dune"}

EVERYWHERE = {
    *("availability_topic", "payload_available", "payload_not_available", "device", "origin", "unique_id", "name"),
    *("icon", "entity_category", "json_attributes_topic", "json_attributes_template", "state_topic", "value_template"),
    "device_class",
}
DOCUMENTED = {
    "sensor": EVERYWHERE | {"options", "state_class"},
    "binary_sensor": EVERYWHERE | {"payload_on", "payload_off"},
    "event": EVERYWHERE | {"event_types"},
}
"""The keys that Home Assistant documents for each platform, of those that make sense here."""

DEVICE = {"identifiers", "name", "manufacturer", "model", "sw_version", "configuration_url"}
CLASSES = {"sensor": {"enum"}, "binary_sensor": {"problem", "safety", "connectivity"}, "event": set[str]()}


def told(session: Session, language: str = "en") -> tuple[dict[str, dict[str, Any]], dict[str, Any]]:
    """The discovery messages and the state of a session as they stand, as they arrive at a broker."""
    seated, words = session.snapshot.seated, translator(language)
    portrait = seated.game.portray(seated.state, seated.recent) if seated else None
    configs = announcements(PLACE, portrait, words)
    state: dict[str, Any] = json.loads(json.dumps(reading(session.snapshot, words)))
    return configs, state


def rendered(template: str, state: dict[str, Any]) -> str:
    return Environment(undefined=StrictUndefined).from_string(template).render(value_json=state)


def shown(session: Session, key: str) -> str:
    """What Home Assistant shows of one entity."""
    configs, state = told(session)
    (config,) = (config for topic, config in configs.items() if topic.split("/")[3] == key)
    return rendered(config["value_template"], state)


@pytest.mark.parametrize(("game", "setup"), [("forbidden_island", ISLAND), ("tiny", TINY), (None, {})])
def test_only_documented_keys_are_sent(session: Session, game: str | None, setup: dict[str, Any]) -> None:
    if game:
        session.start(game, setup)
    configs, _ = told(session)
    for topic, config in configs.items():
        match = re.fullmatch(r"homeassistant/(\w+)/table_companion/([a-zA-Z0-9_-]+)/config", topic)
        assert match, topic
        platform = match[1]
        assert set(config) <= DOCUMENTED[platform], topic
        assert {"unique_id", "name", "state_topic", "device", "origin"} <= set(config)
        assert set(config["device"]) <= DEVICE
        assert config["device"]["identifiers"] == ["table_companion"]
        assert config.get("device_class") in {None, *CLASSES[platform]}
        assert config.get("state_class") in (None, "measurement")
        assert config.get("entity_category") in (None, "diagnostic")
    ids = [config["unique_id"] for config in configs.values()]
    assert len(ids) == len(set(ids))


def test_an_enum_lists_all_that_it_can_be_and_bears_no_state_class(session: Session) -> None:
    config = told(session)[0]["homeassistant/sensor/table_companion/status/config"]
    assert config["device_class"] == "enum"
    assert "state_class" not in config
    session.start("tiny", TINY)
    seen = {shown(session, "status")}
    session.pause()
    seen.add(shown(session, "status"))
    session.leave()
    assert seen | {shown(session, "status")} == {"playing", "paused", "none"}
    assert set(config["options"]) == {"none", "playing", "paused", "won", "lost"}


@pytest.mark.parametrize(("game", "setup"), [("forbidden_island", ISLAND), ("tiny", TINY)])
def test_every_template_reads_a_state_with_a_game_and_one_without(
    session: Session, game: str, setup: dict[str, Any]
) -> None:
    session.start(game, setup)
    configs, playing = told(session)
    session.leave()
    _, empty = told(session)
    for state in (playing, empty):
        for config in configs.values():
            if "value_template" in config:
                assert len(rendered(config["value_template"], state)) <= LONGEST
            if "json_attributes_template" in config:
                assert isinstance(json.loads(rendered(config["json_attributes_template"], state)), dict)


def test_the_water_the_turn_and_the_last_flood_are_read(session: Session) -> None:
    session.start("forbidden_island", ISLAND)
    assert [shown(session, key) for key in ("meter_water", "turn", "player", "gone")] == ["1", "1", "Explorer", "0"]
    session.deal()
    session.deal()
    assert shown(session, "last_flood").endswith(": flooded")
    assert shown(session, "meter_water_danger") == "OFF"
    session.play({"do": "correct", "water": 9})
    assert (shown(session, "meter_water"), shown(session, "meter_water_danger")) == ("9", "ON")


def test_what_is_unknown_is_none_which_home_assistant_takes_as_unknown(session: Session) -> None:
    for key in ("turn", "player", "gone", "goals"):
        assert shown(session, key) == "None"


def test_the_end_and_its_reason_are_told(session: Session) -> None:
    session.start("forbidden_island", ISLAND)
    session.play({"do": "correct", "water": 10})
    assert shown(session, "status") == "lost"
    assert told(session)[1]["reason"]


def test_a_lost_device_is_told(session: Session) -> None:
    assert shown(session, "trouble") == "OFF"
    advice = Advice("advice.port.missing", {"port": "/dev/ttyACM0"})
    session.observe(DeviceStatus("reader", DeviceState.LOST, advice))
    assert shown(session, "trouble") == "ON"
    assert "reader" in told(session)[1]["troubles"][0]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_entity_has_a_name_in_the_tables_language(session: Session, language: str) -> None:
    session.start("forbidden_island", ISLAND)
    configs, _ = told(session, language)
    names = [config["name"] for config in configs.values()]
    assert not [name for name in names if "mqtt." in name or "_" in name]
    assert len(names) == len(set(names))


def test_nothing_undealt_and_no_seed_is_published(session: Session) -> None:
    session.start("forbidden_island", {**ISLAND, "seed": "very secret seed"})
    session.deal()
    assert "very secret seed" not in json.dumps(told(session))
    assert set(told(session)[1]["piles"]["treasure"]) == {"left", "last", "cards"}


def test_the_address_of_the_table_is_told_only_where_it_is_one() -> None:
    from dataclasses import replace

    (config, *_) = announcements(replace(PLACE, page=""), None, translator("en")).values()
    assert "configuration_url" not in config["device"]

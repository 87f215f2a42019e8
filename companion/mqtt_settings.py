"""The ``[mqtt]`` table of the settings file: which broker hears of the table, and under which topics."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from companion.section import Section

USUAL_PORT, USUAL_TLS_PORT = 1883, 8883
_TOPIC = re.compile(r"[A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*")
_TOPICS = "letters, digits, hyphens and underscores, with slashes between levels"


@dataclass(frozen=True, slots=True)
class MqttSettings:
    """A broker. ``password_file`` holds the password in its first line; ``topic`` is where the table is published.

    ``discovery`` is the prefix that Home Assistant listens to, ``name`` what it calls the table.
    """

    host: str
    port: int = USUAL_PORT
    username: str | None = None
    password_file: Path | None = None
    tls: bool = False
    ca_file: Path | None = None
    topic: str = "table_companion"
    discovery: str = "homeassistant"
    name: str = "Table companion"


def read_mqtt(whole: Section, folder: Path) -> MqttSettings | None:
    """The broker that a settings file names, None where it names none; files are relative to ``folder``."""
    section, named = whole.section("mqtt"), "mqtt" in whole
    tls = section.flag("tls", False)
    default = MqttSettings("")
    settings = MqttSettings(
        host=section.text("host", default.host),
        port=section.whole("port", USUAL_TLS_PORT if tls else USUAL_PORT, 1, 65535),
        username=section.text("username", default.username),
        password_file=_file(section, "password_file", folder),
        tls=tls,
        ca_file=_file(section, "ca_file", folder),
        topic=_topic(section, "topic", default.topic),
        discovery=_topic(section, "discovery", default.discovery),
        name=section.text("name", default.name),
    )
    if named and section.is_table:
        _check(section, settings)
    section.finish()
    return settings if named else None


def _check(section: Section, settings: MqttSettings) -> None:
    if "host" not in section:
        section.note("host", 'is missing; it must be the broker\'s name or address, such as "homeassistant.local"')
    if settings.password_file is not None and settings.username is None:
        section.note("password_file", "needs a username beside it")
    if settings.ca_file is not None and not settings.tls:
        section.note("ca_file", "needs tls = true beside it")


def _topic(section: Section, key: str, default: str) -> str:
    topic = section.text(key, default)
    if _TOPIC.fullmatch(topic):
        return topic
    section.note(key, f"must be {_TOPICS}, not {topic!r}")
    return default


def _file(section: Section, key: str, folder: Path) -> Path | None:
    path = section.text(key, None)
    return None if path is None else folder / path

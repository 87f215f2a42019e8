from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.i18n import translator
from companion.mqtt.broker import BrokerSettings
from companion.mqtt.discovery import Place
from companion.mqtt.publisher import Pace, Publisher
from companion.rules.registry import GAMES
from companion.table.journal import Journal
from companion.table.session import Session
from tests.mqtt.mosquitto import Listener, Mosquitto, listening, mosquitto
from tests.tiny_game import TinyGame

PLACE = Place(
    "table_companion", "homeassistant", "table_companion", "Table companion", "1.0", "http://192.168.1.37:8000/"
)
QUICK = Pace(0.02, 0.1)


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    journal = Journal(tmp_path / "journal.db")
    yield Session({**GAMES, "tiny": TinyGame()}, journal)
    journal.close()


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    with mosquitto(tmp_path) as broker:
        yield broker


@pytest.fixture
def home(broker: Mosquitto) -> Iterator[Listener]:
    with listening(broker.port) as listener:
        yield listener


def publisher_at(settings: BrokerSettings) -> Publisher:
    return Publisher(settings, PLACE, translator("en"), QUICK)


def at(port: int) -> BrokerSettings:
    return BrokerSettings("127.0.0.1", port)

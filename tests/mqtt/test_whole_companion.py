"""``companion run`` with a broker in its settings: what is played through the API is read in Home Assistant."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

from companion.mqtt.publisher import DEVICE
from tests.cli.companions import Companion, running
from tests.mqtt.mosquitto import Listener, Mosquitto, listening

SETUP = {"players": ["explorer", "pilot"], "difficulty": "novice", "seed": 5}
_ids = count()


@contextmanager
def companion_at(broker: Mosquitto, folder: Path) -> Iterator[Companion]:
    """A companion that publishes to this broker."""
    settings = folder / "companion.toml"
    settings.write_text(f'[mqtt]\nhost = "127.0.0.1"\nport = {broker.port}\n')
    with running(folder, "--config", str(settings), "--state", str(folder / "state")) as table:
        yield table


def send(table: Companion, **order: Any) -> int:
    """Play by the API; the revision that came of it."""
    answer = table.post("/api/v1/commands", {"command_id": f"home-{next(_ids)}", **order})
    assert answer.status_code == 200, answer.text
    return int(answer.json()["revision"])


def start(table: Companion) -> int:
    return send(table, kind="start", game="forbidden_island", setup=SETUP)


def line_is(table: Companion, state: str) -> None:
    """Wait until the table says this of its line to the broker."""
    table.until(lambda told: (DEVICE, state) in [(each["device"], each["state"]) for each in told["devices"]])


def heard_from(home: Listener, said: str) -> None:
    home.wait_for(lambda each: (each.topic, each.payload) == ("table_companion/availability", said))


def test_a_game_played_through_the_api_is_read_in_home_assistant(
    broker: Mosquitto, home: Listener, tmp_path: Path
) -> None:
    with companion_at(broker, tmp_path) as table:
        begun = start(table)
        assert home.state(lambda state: state["revision"] == begun)["game"]
        dealt = send(table, kind="deal")
        told = home.state(lambda state: state["revision"] == dealt)
        home.wait_for(lambda said: said.topic == "homeassistant/sensor/table_companion/meter_water/config")
        heard_from(home, "online")
        assert told["revision"] == table.table()["revision"]
        home.forget()
        assert table.stop() == 0
        heard_from(home, "offline")


def test_a_broker_that_starts_again_in_mid_game_is_told_how_the_table_stands(broker: Mosquitto, tmp_path: Path) -> None:
    with companion_at(broker, tmp_path) as table:
        start(table)
        line_is(table, "ready")
        broker.stop()
        line_is(table, "lost")
        played = send(table, kind="deal")
        broker.start()
        line_is(table, "ready")
        with listening(broker.port) as home:
            heard_from(home, "online")
            assert home.state(lambda state: state["revision"] >= played)
            later = send(table, kind="undo")
            assert home.state(lambda state: state["revision"] == later)


def test_a_companion_that_starts_again_goes_on_publishing_its_game(
    broker: Mosquitto, home: Listener, tmp_path: Path
) -> None:
    with companion_at(broker, tmp_path) as table:
        start(table)
        game = home.state(lambda state: state["game"])["game"]
    home.forget()
    with companion_at(broker, tmp_path) as table:
        assert home.state(lambda state: state["revision"] == table.table()["revision"])["game"] == game
        dealt = send(table, kind="deal")
        assert home.state(lambda state: state["revision"] == dealt)

"""A real Mosquitto in a folder of its own, and someone who listens to it as Home Assistant does."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion

from tests.ports import free_port

PATIENCE = 20.0
PLACES = f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin"


def program(name: str) -> str:
    """A program of Debian's package mosquitto; the test is skipped where it cannot be had."""
    found = shutil.which(name, path=PLACES)
    if found is None:
        pytest.skip(f"no {name}: apt-get install mosquitto")
    return found


@dataclass
class Mosquitto:
    """A broker that can be stopped and started again on the same port; ``settings`` are more lines for its file."""

    folder: Path
    settings: tuple[str, ...] = ("allow_anonymous true",)
    port: int = field(default_factory=free_port)
    process: subprocess.Popen[bytes] | None = None

    def start(self) -> Mosquitto:
        file = self.folder / "mosquitto.conf"
        lines = (f"listener {self.port} 127.0.0.1", "user root", *self.settings)
        file.write_text("\n".join(lines) + "\n")
        self.process = subprocess.Popen([program("mosquitto"), "-c", str(file)], stderr=subprocess.PIPE)
        deadline = time.monotonic() + PATIENCE
        while not self._answers():
            assert self.process.poll() is None, self.process.stderr.read() if self.process.stderr else ""
            assert time.monotonic() < deadline, "Mosquitto does not come up"
            time.sleep(0.02)
        return self

    def _answers(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def stop(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            if self.process.stderr is not None:
                self.process.stderr.close()
            self.process = None


@contextmanager
def mosquitto(folder: Path, *settings: str) -> Iterator[Mosquitto]:
    broker = Mosquitto(folder, settings or ("allow_anonymous true",)).start()
    try:
        yield broker
    finally:
        broker.stop()


@dataclass(frozen=True)
class Said:
    topic: str
    payload: str
    retained: bool

    @property
    def json(self) -> Any:
        return json.loads(self.payload)


class Listener:
    """Hears everything on a broker, from what was retained on."""

    def __init__(self, port: int) -> None:
        self.heard: list[Said] = []
        self._client = Client(CallbackAPIVersion.VERSION2)
        self._client.on_message = self._hear
        self._client.on_connect = lambda client, *_: client.subscribe("#", 1)
        self._client.connect("127.0.0.1", port)
        self._client.loop_start()

    def _hear(self, _client: Client, _data: Any, message: MQTTMessage) -> None:
        self.heard.append(Said(message.topic, message.payload.decode(), message.retain))

    def say(self, topic: str, payload: str, *, retain: bool = False) -> None:
        self._client.publish(topic, payload, 1, retain).wait_for_publish(PATIENCE)

    def wait_for(self, found: Callable[[Said], bool]) -> Said:
        """The first message that fits, whenever it came."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            for said in tuple(self.heard):
                if found(said):
                    return said
            time.sleep(0.01)
        raise AssertionError(f"never heard; heard {[(said.topic, said.payload[:60]) for said in self.heard]}")

    def state(self, found: Callable[[Any], bool]) -> Any:
        """The first state of the table that fits."""
        return self.wait_for(lambda said: said.topic == "table_companion/state" and found(said.json)).json

    def forget(self) -> None:
        self.heard.clear()

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()


@contextmanager
def listening(port: int) -> Iterator[Listener]:
    listener = Listener(port)
    try:
        yield listener
    finally:
        listener.close()

"""The line to a broker: one connection with its will, and in which way it went wrong."""

from __future__ import annotations

import secrets
import socket
import ssl
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

from companion.ports import Advice, DeviceState

if TYPE_CHECKING:
    from paho.mqtt.client import Client

CONNECT_SECONDS = 10.0
KEEP_ALIVE_SECONDS = 30
LEAST_ONCE = 1
"""MQTT's quality of service for all that is published: delivered at least once."""
CA_FILE = "ca_file"
WRONG_LOGIN = frozenset({"Not authorized", "Bad user name or password"})


@dataclass(frozen=True, slots=True)
class BrokerSettings:
    """Which broker. The password stands in a file of its own, read at every connection; ``ca_file`` only with TLS."""

    host: str
    port: int
    username: str | None = None
    password_file: Path | None = None
    tls: bool = False
    ca_file: Path | None = None

    @property
    def address(self) -> str:
        """Host and port, for messages."""
        return f"{self.host}:{self.port}"


class LineFault(Exception):
    """The broker cannot be had; ``advice`` says what to do, ``state`` whether it may come by itself."""

    def __init__(self, advice: Advice, state: DeviceState = DeviceState.WAITING) -> None:
        super().__init__(advice.code)
        self.advice = advice
        self.state = state


class Line:
    """A connection, from ``with`` to its end. Raises LineFault; ``wake`` is called from another thread for any news.

    ``births`` counts the messages on a watched topic, ``found`` gathers the topics of retained ones.
    """

    def __init__(self, settings: BrokerSettings, will: tuple[str, str], wake: Callable[[], None]) -> None:
        self._settings = settings
        self._wake = wake
        self._answer: str | None = None
        self._lost: str | None = None
        self.heard: list[tuple[str, bytes]] = []
        self._client = _client(settings, will)
        self._client.on_connect = self._connected
        self._client.on_disconnect = self._disconnected
        self._client.on_message = self._told

    def __enter__(self) -> Line:
        try:
            self._client.connect(self._settings.host, self._settings.port, KEEP_ALIVE_SECONDS)
        except OSError as failure:
            raise _fault(self._settings, failure) from failure
        self._client.loop_start()
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _at: TracebackType | None
    ) -> None:
        self._client.disconnect()
        self._client.loop_stop()

    @property
    def is_up(self) -> bool:
        """Whether the broker has taken the connection. Raises LineFault where it refused it, or has closed it since."""
        address = self._settings.address
        if self._answer in WRONG_LOGIN:
            raise LineFault(Advice("advice.mqtt.login", {"broker": address}), DeviceState.FAILED)
        if self._answer not in (None, "Success"):
            raise LineFault(Advice("advice.mqtt.refused", {"broker": address, "cause": str(self._answer)}))
        if self._lost is not None:
            raise LineFault(Advice("advice.mqtt.gone", {"broker": address, "cause": self._lost}), DeviceState.LOST)
        return self._answer is not None

    def listen(self, topics: tuple[str, ...]) -> None:
        """Hear what is said on these topics, and what was retained there."""
        self._client.subscribe([(topic, LEAST_ONCE) for topic in topics])

    def publish(self, topic: str, payload: str, *, retain: bool = True) -> None:
        """Send a message; it is kept until the broker has it, or the line is gone."""
        self._client.publish(topic, payload, LEAST_ONCE, retain)

    def say_goodbye(self, topic: str, payload: str, seconds: float) -> None:
        """Send a last message and wait until the broker has it, so long at most."""
        sent = self._client.publish(topic, payload, LEAST_ONCE, retain=True)
        if self._client.is_connected():
            sent.wait_for_publish(seconds)

    def take_heard(self) -> list[tuple[str, bytes]]:
        """What was heard since the last time: topics and payloads."""
        heard, self.heard = self.heard, []
        return heard

    # -- called by paho's thread
    def _connected(self, _client: Client, _data: Any, _flags: Any, reason: Any, _properties: Any) -> None:
        self._answer = str(reason)
        self._wake()

    def _disconnected(self, _client: Client, _data: Any, _flags: Any, reason: Any, _properties: Any) -> None:
        self._lost = str(reason)
        self._wake()

    def _told(self, _client: Client, _data: Any, message: Any) -> None:
        self.heard.append((message.topic, message.payload))
        self._wake()


def _client(settings: BrokerSettings, will: tuple[str, str]) -> Client:
    """A client that is not connected yet, under a name that no other client has. Raises LineFault."""
    try:
        from paho.mqtt.client import Client
        from paho.mqtt.enums import CallbackAPIVersion
    except ImportError as missing:
        command = "pip install 'table-companion[mqtt]'"
        raise LineFault(Advice("advice.mqtt.no_library", {"command": command}), DeviceState.FAILED) from missing
    name = f"companion-{secrets.token_hex(5)}"
    client = Client(CallbackAPIVersion.VERSION2, name, clean_session=True, reconnect_on_failure=False)
    client.connect_timeout = CONNECT_SECONDS
    client.will_set(will[0], will[1], LEAST_ONCE, retain=True)
    if settings.username is not None:
        client.username_pw_set(settings.username, _password(settings.password_file))
    if settings.tls:
        client.tls_set_context(_trusting(settings.ca_file))
    return client


def _password(path: Path | None) -> str | None:
    """The first line of the password's file. Raises LineFault."""
    if path is None:
        return None
    try:
        return path.read_text(encoding="utf-8").split("\n", 1)[0].rstrip("\r")
    except (OSError, UnicodeDecodeError) as failure:
        advice = Advice("advice.mqtt.password", {"path": str(path), "cause": _cause(failure)})
        raise LineFault(advice, DeviceState.FAILED) from failure


def _trusting(ca_file: Path | None) -> ssl.SSLContext:
    try:
        return ssl.create_default_context(cafile=ca_file)
    except OSError as failure:
        advice = Advice("advice.mqtt.ca", {"path": str(ca_file), "cause": _cause(failure), "setting": CA_FILE})
        raise LineFault(advice, DeviceState.FAILED) from failure


def _fault(settings: BrokerSettings, failure: OSError) -> LineFault:
    """What to do about a connection that did not come about."""
    if isinstance(failure, ssl.SSLError):
        advice = Advice("advice.mqtt.tls", {"broker": settings.address, "cause": _cause(failure), "setting": CA_FILE})
        return LineFault(advice, DeviceState.FAILED)
    if isinstance(failure, socket.gaierror):
        return LineFault(Advice("advice.mqtt.name", {"broker": settings.host}))
    return LineFault(Advice("advice.mqtt.absent", {"broker": settings.address, "cause": _cause(failure)}))


def _cause(failure: Exception) -> str:
    if isinstance(failure, ssl.SSLCertVerificationError):
        return failure.verify_message
    if isinstance(failure, ssl.SSLError):
        return failure.reason or "no TLS"
    if isinstance(failure, OSError):
        return failure.strerror or str(failure) or type(failure).__name__
    return type(failure).__name__

"""The publisher: a thread that keeps a broker up to date, comes back for ever, and holds nothing up."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from companion.i18n import Translator
from companion.mqtt.broker import CONNECT_SECONDS, BrokerSettings, Line, LineFault
from companion.mqtt.discovery import NEWS, OFFLINE, ONLINE, Place, announcements
from companion.mqtt.reading import reading
from companion.ports import Advice, DeviceState, DeviceStatus
from companion.rules.portrait import Portrait
from companion.table.snapshot import Snapshot
from companion.views.mood import news_of

DEVICE = "mqtt"
GOODBYE_SECONDS = 1.0

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Pace:
    """Seconds until the first new try after a failure, doubled with each further one up to the last."""

    first: float = 1.0
    last: float = 60.0


USUAL_PACE = Pace()


class Publisher:
    """Publishes the newest snapshot it was handed; those in between may be skipped, the news of them not."""

    name = DEVICE

    def __init__(self, broker: BrokerSettings, place: Place, words: Translator, pace: Pace = USUAL_PACE) -> None:
        self._broker = broker
        self._place = place
        self._words = words
        self._pace = pace
        self._wake = threading.Event()
        self._stop = threading.Event()
        self._newest: Snapshot | None = None
        self._thread: threading.Thread | None = None
        self._tell: Callable[[DeviceStatus], object] = lambda _status: None
        self._was_ready = False
        self._published: dict[str, str] = {}

    # -- called by the event loop
    def start(self, listener: Callable[[DeviceStatus], object]) -> None:
        """Begin to publish in a thread of its own; how the broker is goes to ``listener``."""
        self._tell = listener
        self._thread = threading.Thread(target=self._run, name=DEVICE, daemon=True)
        self._thread.start()

    def submit(self, snapshot: Snapshot) -> None:
        """Hand over the newest snapshot; returns at once."""
        self._newest = snapshot
        self._wake.set()

    def stop(self) -> None:
        """Say that the companion goes, and end; returns soon whatever the broker does. May be called twice."""
        self._stop.set()
        self._wake.set()
        if self._thread is not None:
            self._thread.join(2 * GOODBYE_SECONDS)

    # -- the thread
    def _run(self) -> None:
        wait = self._pace.first / 2
        while not self._stop.is_set():
            try:
                self._connect_and_publish()
            except LineFault as fault:
                wait = self._pace.first if self._was_ready else min(2 * wait, self._pace.last)
                self._report(fault)
                self._was_ready = False
                self._stop.wait(wait)
            except Exception as error:
                _log.exception("The publisher failed")
                self._status(DeviceState.FAILED, Advice("advice.mqtt.fault", {"cause": repr(error)}))
                return

    def _report(self, fault: LineFault) -> None:
        lost = self._was_ready and fault.state is DeviceState.WAITING
        self._status(DeviceState.LOST if lost else fault.state, fault.advice)

    def _status(self, state: DeviceState, advice: Advice | None = None) -> None:
        self._tell(DeviceStatus(DEVICE, state, advice))

    def _connect_and_publish(self) -> None:
        with Line(self._broker, (self._place.availability, OFFLINE), self._wake.set) as line:
            self._await_answer(line)
            line.listen((self._place.birth, self._place.every_config))
            self._published = {}
            line.publish(self._place.availability, ONLINE)
            seen = self._newest
            while not self._stop.is_set() and line.is_up:
                seen = self._publish(line, seen)
                if not self._was_ready:
                    self._was_ready = True
                    self._status(DeviceState.READY)
                self._wake.wait()
                self._wake.clear()
            line.say_goodbye(self._place.availability, OFFLINE, GOODBYE_SECONDS)

    def _await_answer(self, line: Line) -> None:
        while not (line.is_up or self._stop.is_set()):
            if not self._wake.wait(CONNECT_SECONDS):
                broker = self._broker.address
                raise LineFault(Advice("advice.mqtt.silent", {"broker": broker}))
            self._wake.clear()

    # -- what is published
    def _publish(self, line: Line, seen: Snapshot | None) -> Snapshot | None:
        newest, heard = self._newest, line.take_heard()
        if any(topic == self._place.birth and payload == ONLINE.encode() for topic, payload in heard):
            self._published = {}
            line.publish(self._place.availability, ONLINE)
        if newest is None:
            return None
        portrait = _portrait(newest)
        configs = announcements(self._place, portrait, self._words)
        for topic, config in configs.items():
            self._retain(line, topic, json.dumps(config, ensure_ascii=False, sort_keys=True))
        if portrait is not None:
            self._withdraw(line, {topic for topic, payload in heard if payload} | set(self._published), set(configs))
        state = json.dumps(reading(newest, self._words), ensure_ascii=False, sort_keys=True)
        self._retain(line, self._place.state, state)
        self._tell_news(line, seen, newest)
        return newest

    def _retain(self, line: Line, topic: str, payload: str) -> None:
        if self._published.get(topic) != payload:
            self._published[topic] = payload
            line.publish(topic, payload)

    def _withdraw(self, line: Line, known: set[str], wanted: set[str]) -> None:
        """Take back the entities of an earlier game, which others may have been told in an earlier run."""
        for topic in known - wanted:
            if topic.endswith("/config"):
                self._published.pop(topic, None)
                line.publish(topic, "")

    def _tell_news(self, line: Line, seen: Snapshot | None, newest: Snapshot) -> None:
        mood = None if seen is None or seen is newest else news_of(seen, newest)
        if mood in NEWS:
            told: dict[str, Any] = {"event_type": mood.value, "revision": newest.revision}
            line.publish(self._place.event, json.dumps(told), retain=False)


def _portrait(snapshot: Snapshot) -> Portrait | None:
    seated = snapshot.seated
    return seated.game.portray(seated.state, seated.recent) if seated else None

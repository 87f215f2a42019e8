"""The publisher beside a real Mosquitto."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from companion.mqtt.broker import BrokerSettings
from companion.mqtt.publisher import Publisher
from companion.ports import Advice, DeviceState, DeviceStatus
from companion.table.session import Session
from tests.listening import Ear
from tests.mqtt.conftest import at, publisher_at
from tests.mqtt.mosquitto import Listener, Mosquitto, listening
from tests.patience import PATIENCE
from tests.ports import free_port

TINY = {"players": ["otter", "heron"], "seed": "1", "dark": "dune", "stacked": ["pier", "gale"]}
READY = DeviceStatus("mqtt", DeviceState.READY)


@contextmanager
def publishing(session: Session, settings: BrokerSettings) -> Iterator[Ear]:
    publisher, ear = publisher_at(settings), Ear()
    unsubscribe = session.subscribe(publisher.submit)
    publisher.submit(session.snapshot)
    publisher.start(ear)
    try:
        yield ear
    finally:
        unsubscribe()
        publisher.stop()


def first_status(ear: Ear) -> tuple[DeviceState, Advice | None]:
    status = ear.next()
    assert isinstance(status, DeviceStatus)
    return status.state, status.advice


def test_home_assistant_finds_the_table_and_reads_it(session: Session, broker: Mosquitto, home: Listener) -> None:
    session.start("tiny", TINY)
    with publishing(session, at(broker.port)) as ear:
        ear.wait_for(READY)
        home.wait_for(lambda said: said.topic == "homeassistant/sensor/table_companion/meter_storm/config")
        assert home.state(lambda state: state["status"] == "playing")["turn"] == 1
        session.deal()
        told = home.state(lambda state: state["meters"]["storm"]["value"] == 2)
        assert told["piles"]["weather"]["cards"] == ["pier: drawn", "gale: drawn"]
        assert home.wait_for(lambda said: said.topic == "table_companion/availability").payload == "online"


def test_whoever_comes_later_is_told_what_was_retained(session: Session, broker: Mosquitto, home: Listener) -> None:
    session.start("tiny", TINY)
    with publishing(session, at(broker.port)):
        home.state(lambda state: state["game_id"] == 1)  # comes last: the broker has all the others by then
        with listening(broker.port) as late:
            late.state(lambda state: state["game_id"] == 1)
            late.wait_for(lambda said: said.topic.endswith("/turn/config"))
            assert all(said.retained for said in late.heard if said.topic.endswith(("/state", "/config")))


def test_a_companion_that_stops_says_goodbye(session: Session, broker: Mosquitto, home: Listener) -> None:
    with publishing(session, at(broker.port)) as ear:
        ear.wait_for(READY)
    home.wait_for(lambda said: (said.topic, said.payload) == ("table_companion/availability", "offline"))


def test_the_will_speaks_for_a_companion_that_lost_its_power(broker: Mosquitto, home: Listener) -> None:
    from companion.mqtt.broker import Line

    answered = threading.Event()
    line = Line(at(broker.port), ("table_companion/availability", "offline"), answered.set)
    line.__enter__()
    assert answered.wait(PATIENCE)
    assert line.is_up
    line._client._sock.shutdown(socket.SHUT_RDWR)  # type: ignore[union-attr]  # as if the plug were pulled
    home.wait_for(lambda said: (said.topic, said.payload) == ("table_companion/availability", "offline"))
    line.__exit__(None, None, None)


def test_a_broker_that_starts_again_in_mid_game_is_told_everything_anew(session: Session, broker: Mosquitto) -> None:
    session.start("tiny", TINY)
    with publishing(session, at(broker.port)) as ear:
        ear.wait_for(READY)
        broker.stop()
        status = ear.next()
        assert isinstance(status, DeviceStatus)
        assert status.state is DeviceState.LOST
        session.deal()
        broker.start()
        ear.wait_for(READY)
        with listening(broker.port) as home:
            told = home.state(lambda state: True)
            assert told["revision"] == session.snapshot.revision
            home.wait_for(lambda said: said.topic == "homeassistant/sensor/table_companion/meter_storm/config")
            session.undo()
            home.state(lambda state: state["revision"] == session.snapshot.revision)


def test_what_was_published_is_not_repeated_until_home_assistant_is_born(
    session: Session, broker: Mosquitto, home: Listener
) -> None:
    session.start("tiny", TINY)
    turn = "homeassistant/sensor/table_companion/turn/config"
    with publishing(session, at(broker.port)) as ear:
        ear.wait_for(READY)
        session.deal()
        home.state(lambda state: state["revision"] == session.snapshot.revision)
        assert [said.topic for said in home.heard].count(turn) == 1
        home.forget()
        home.say("homeassistant/status", "online")
        home.wait_for(lambda said: said.topic == turn)
        home.state(lambda state: state["revision"] == session.snapshot.revision)
        home.forget()
        home.say("homeassistant/status", "offline")
        session.undo()
        home.state(lambda state: state["revision"] == session.snapshot.revision)
        assert turn not in [said.topic for said in home.heard]


def test_the_entities_of_an_earlier_game_are_taken_back(session: Session, broker: Mosquitto, home: Listener) -> None:
    stale = "homeassistant/sensor/table_companion/meter_smoke/config"
    home.say(stale, '{"name": "of an earlier run"}', retain=True)
    session.start("tiny", TINY)
    with publishing(session, at(broker.port)) as ear:
        ear.wait_for(READY)
        home.wait_for(lambda said: said.topic == stale and said.payload == "")
        home.wait_for(lambda said: said.topic.endswith("/meter_storm/config"))
        session.start("forbidden_island", {"players": ["pilot", "diver"], "difficulty": "novice", "seed": 5})
        home.wait_for(lambda said: said.topic.endswith("/meter_storm/config") and said.payload == "")
        home.wait_for(lambda said: said.topic.endswith("/meter_water/config") and said.payload != "")


def test_lights_can_flash_when_the_waters_rise_but_not_for_what_is_old(
    session: Session, broker: Mosquitto, home: Listener
) -> None:
    session.start("forbidden_island", {"players": ["pilot", "diver"], "difficulty": "novice", "seed": 5})
    with publishing(session, at(broker.port)) as ear:
        ear.wait_for(READY)
        before = session.snapshot.revision
        while session.snapshot.seated and session.snapshot.seated.state.water == 1:
            legal = session.legal()
            discards = [command for command in legal if command["do"] in ("discard", "swim")]
            if discards:
                session.play(discards[0])
            else:
                session.deal()
        event = home.wait_for(lambda said: said.topic == "table_companion/event" and "alarm" in said.payload)
        assert event.json["event_type"] == "alarm"
        assert event.json["revision"] > before
        assert not event.retained
        home.forget()
        session.undo()
        home.state(lambda state: state["revision"] == session.snapshot.revision)
        assert "table_companion/event" not in {said.topic for said in home.heard}


# -- brokers that cannot be had


def test_no_broker_is_said_with_what_to_do_and_found_when_it_comes(session: Session, tmp_path: Path) -> None:
    broker = Mosquitto(tmp_path)
    with publishing(session, at(broker.port)) as ear:
        state, advice = first_status(ear)
        assert state is DeviceState.WAITING
        assert advice == Advice(
            "advice.mqtt.absent", {"broker": f"127.0.0.1:{broker.port}", "cause": "Connection refused"}
        )
        broker.start()
        try:
            ear.wait_for(READY)
        finally:
            broker.stop()


def test_a_name_that_nobody_has_is_said(session: Session) -> None:
    with publishing(session, BrokerSettings("broker.invalid", 1883)) as ear:
        assert first_status(ear)[1] == Advice("advice.mqtt.name", {"broker": "broker.invalid"})


def test_something_else_at_the_port_is_said(session: Session) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]

        def greet() -> None:
            caller, _ = listener.accept()
            caller.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
            caller.close()

        greeter = threading.Thread(target=greet, daemon=True)
        greeter.start()
        with publishing(session, at(port)) as ear:
            _, advice = first_status(ear)
            assert advice is not None
            assert advice.code in ("advice.mqtt.gone", "advice.mqtt.silent")
        greeter.join(PATIENCE)


def test_a_publisher_stops_at_once_although_no_broker_answers(session: Session) -> None:
    publisher = publisher_at(at(free_port()))
    publisher.start(lambda _status: None)
    begun = time.monotonic()
    publisher.stop()
    publisher.stop()
    assert time.monotonic() - begun < 5


def test_handing_over_never_waits_for_a_broker_that_says_nothing(session: Session) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        publisher: Publisher = publisher_at(at(silent.getsockname()[1]))
        publisher.start(lambda _status: None)
        begun = time.monotonic()
        for _ in range(1000):
            publisher.submit(session.snapshot)
        assert time.monotonic() - begun < 1
        publisher.stop()

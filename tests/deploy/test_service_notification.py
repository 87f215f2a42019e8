"""What the service manager hears (sd_notify): ready only when the page is served, fed by the event loop, stopping."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import socket
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.cli.notify import ServiceManager, keep_told, service_manager
from tests.cli.companions import running
from tests.deploy.service_manager import PATIENCE, Listening, listening
from tests.ports import free_port

LIMIT = 0.3
"""Seconds that these tests' watchdogs wait."""


def yes() -> bool:
    return True


def well() -> str:
    return "All is well"


def told_for(seconds: float, manager: ServiceManager, **parts: Callable[[], object]) -> None:
    """Keep a service manager told for so long."""

    async def run() -> None:
        telling = asyncio.create_task(keep_told(manager, **{"ready": yes, "alive": yes, "status": well, **parts}))  # type: ignore[arg-type]  # the parts' own types
        await asyncio.sleep(seconds)
        telling.cancel()

    asyncio.run(run())


def names(heard: Listening) -> list[str]:
    return [name for told in heard.rest() for name in told]


# -- who listens ------------------------------------------------------------------------------------------------------


def test_a_companion_started_by_hand_tells_nobody() -> None:
    manager = service_manager({})
    assert manager == ServiceManager(None, None)
    manager.tell(READY="1")


def test_the_environment_names_socket_and_watchdog() -> None:
    environment = {"NOTIFY_SOCKET": "/run/systemd/notify", "WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "7"}
    assert service_manager(environment, pid=7) == ServiceManager("/run/systemd/notify", 30.0)


def test_a_watchdog_meant_for_another_process_is_not_ours() -> None:
    environment = {"NOTIFY_SOCKET": "@abstract", "WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "8"}
    assert service_manager(environment, pid=7) == ServiceManager("@abstract", None)


@pytest.mark.parametrize("limit", ["", "0", "soon", "-5", "1e6"])
def test_a_watchdog_without_a_limit_is_none(limit: str) -> None:
    assert service_manager({"NOTIFY_SOCKET": "@a", "WATCHDOG_USEC": limit}).watchdog is None


def test_a_socket_of_another_kind_is_said_and_not_used(caplog: pytest.LogCaptureFixture) -> None:
    assert service_manager({"NOTIFY_SOCKET": "vsock:2:1234"}).address is None
    assert "vsock:2:1234" in caplog.text


@pytest.mark.parametrize("abstract", [True, False])
def test_tellings_arrive_at_sockets_with_a_path_and_abstract_ones(abstract: bool, tmp_path: Path) -> None:
    with listening(None if abstract else tmp_path) as heard:
        ServiceManager(heard.address).tell(READY="1", STATUS="a line\nand another")
        assert heard.next() == {"READY": "1", "STATUS": "a line and another"}


def test_a_service_manager_that_is_gone_does_not_end_the_game(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        ServiceManager(str(tmp_path / "nobody")).tell(READY="1")
    assert "was not told READY" in caplog.text


def test_a_service_manager_that_does_not_read_does_not_hold_the_loop_up(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as deaf:
        deaf.bind(str(tmp_path / "deaf"))
        manager = ServiceManager(str(tmp_path / "deaf"))
        began = time.monotonic()
        for _ in range(2000):
            manager.tell(STATUS="x" * 1000)
        assert time.monotonic() - began < 10


# -- ready, alive -----------------------------------------------------------------------------------------------------


def test_nothing_is_ready_before_the_page_is_served() -> None:
    with listening() as heard:
        told_for(0.2, ServiceManager(heard.address, LIMIT), ready=lambda: False)
        assert names(heard) == []


def test_ready_comes_first_and_once_and_then_the_watchdog_is_fed_in_time() -> None:
    with listening() as heard:
        told_for(4 * LIMIT, ServiceManager(heard.address, LIMIT))
        heard_names = names(heard)
    assert heard_names[0] == "READY"
    assert heard_names.count("READY") == 1
    assert heard_names.count("WATCHDOG") >= 4


def test_a_hung_event_loop_feeds_no_more() -> None:
    async def hang(manager: ServiceManager, heard: Listening) -> bool:
        telling = asyncio.create_task(keep_told(manager, yes, yes, well))
        while "WATCHDOG" not in names(heard):  # another program's socket cannot be awaited
            await asyncio.sleep(0.01)
        silent = heard.silent(2 * LIMIT, "WATCHDOG")
        telling.cancel()
        return silent

    with listening() as heard:
        assert asyncio.run(hang(ServiceManager(heard.address, LIMIT), heard))


def test_a_reader_whose_thread_has_ended_is_not_hidden_from_the_watchdog() -> None:
    with listening() as heard:
        told_for(2 * LIMIT, ServiceManager(heard.address, LIMIT), alive=lambda: False)
        heard_names = names(heard)
    assert "READY" in heard_names
    assert "WATCHDOG" not in heard_names
    assert "STATUS" in heard_names


def test_the_status_line_follows_the_table() -> None:
    said = iter(f"picture {number}" for number in range(100))
    with listening() as heard:
        told_for(3 * LIMIT, ServiceManager(heard.address, LIMIT), status=lambda: next(said))
        lines = [told["STATUS"] for told in heard.rest()]
    assert lines[:3] == ["picture 0", "picture 1", "picture 2"]


def stop_and_wait(pid: int) -> None:
    """Have a process hang, and return once it does."""
    os.kill(pid, signal.SIGSTOP)
    deadline = time.monotonic() + PATIENCE
    while "State:\tT" not in Path(f"/proc/{pid}/status").read_text():
        assert time.monotonic() < deadline, "it never stopped"
        time.sleep(0.01)


# -- a whole companion ------------------------------------------------------------------------------------------------


def test_a_service_is_ready_when_its_page_answers_and_says_where_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    port = free_port()
    with listening() as heard:
        monkeypatch.setenv("NOTIFY_SOCKET", heard.address)
        monkeypatch.setenv("WATCHDOG_USEC", "600000")
        with running(tmp_path, "--simulate", port=port) as table:
            ready = heard.until("READY")
            assert f":{port}/" in ready["STATUS"]
            assert table.http.get("/health").status_code == 200
            heard.until("WATCHDOG")
            heard.until("WATCHDOG")


def test_a_service_says_that_it_stops_and_ends_soon_with_phones_connected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with listening() as heard:
        monkeypatch.setenv("NOTIFY_SOCKET", heard.address)
        with running(tmp_path, "--simulate") as table, table.http.stream("GET", "/bell") as bell:
            next(bell.iter_lines())
            heard.until("READY")
            began = time.monotonic()
            assert table.stop(signal.SIGTERM) == 0
            assert time.monotonic() - began < 15, "systemd would wait 90 seconds, a person does not"
            heard.until("STOPPING")


def test_a_hung_service_feeds_no_more_and_says_in_the_log_where_it_hung(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with listening() as heard:
        monkeypatch.setenv("NOTIFY_SOCKET", heard.address)
        monkeypatch.setenv("WATCHDOG_USEC", "600000")
        with running(tmp_path, "--simulate") as table:
            heard.until("WATCHDOG")
            stop_and_wait(table.process.pid)
            heard.rest()
            assert heard.silent(1.0, "WATCHDOG")
            os.kill(table.process.pid, signal.SIGCONT)
            # The dump of threads that run on may itself fall over after its first lines: started anew it is either way.
            assert table.stop(signal.SIGABRT) in (-signal.SIGABRT, -signal.SIGSEGV)
            assert table.process.stdout is not None
            assert "Fatal Python error: Aborted" in table.process.stdout.read()

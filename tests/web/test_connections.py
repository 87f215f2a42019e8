"""Callers who keep the server waiting, on real sockets with little patience."""

from __future__ import annotations

import asyncio
import errno
import logging
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from companion.web.connections import OUT_OF_SOCKETS, FewWords, Limits
from tests.patience import PATIENCE
from tests.web.stand import RunningTable, running

HURRIED = Limits(head=0.4, body=0.4)
HALF_A_HEAD = b"GET / HTTP/1.1\r\nHost: 1"
HALF_A_POST = (
    b"POST /commands HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{"
)
A_LISTENER = b"GET /bell HTTP/1.1\r\nHost: localhost\r\n\r\n"


@contextmanager
def calling(table: RunningTable, said: bytes) -> Iterator[socket.socket]:
    """A caller who says this and no more."""
    with socket.create_connection(("127.0.0.1", table.port), timeout=PATIENCE) as caller:
        caller.sendall(said)
        yield caller


def hung_up(caller: socket.socket) -> bool:
    """Whether the server ends the connection within the caller's timeout; what it says before is skipped."""
    try:
        while caller.recv(65536):
            pass
    except ConnectionError:
        return True
    except TimeoutError:
        return False
    return True


@pytest.mark.parametrize("said", [b"", HALF_A_HEAD, HALF_A_POST], ids=["nothing", "half a head", "half a body"])
def test_a_request_that_never_ends_is_hung_up_on(tmp_path: Path, said: bytes) -> None:
    with running(tmp_path, limits=HURRIED) as table, calling(table, said) as caller:
        assert hung_up(caller)


@pytest.mark.parametrize("path", ["/health", "/", "/table.json"])
def test_an_answers_head_and_body_are_sent_together(tmp_path: Path, path: str) -> None:
    asked = f"GET {path} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n\r\n".encode()
    with running(tmp_path) as table, calling(table, asked) as caller:
        head, _, body = caller.recv(1 << 20).partition(b"\r\n\r\n")
    (length,) = (line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length: "))
    assert len(body) == int(length.partition(b": ")[2]) > 0


def test_an_answer_is_sent_whole_before_its_connection_ends(tmp_path: Path) -> None:
    with running(tmp_path) as table, calling(table, b"GET /health HTTP/1.0\r\nHost: localhost\r\n\r\n") as caller:
        said = b"".join(iter(lambda: caller.recv(65536), b""))
    assert said.endswith(b"}")


def test_a_second_request_that_never_ends_is_hung_up_on(tmp_path: Path) -> None:
    first = b"GET /static/0/none HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with running(tmp_path, limits=HURRIED) as table, calling(table, first + HALF_A_HEAD) as caller:
        assert b"404" in caller.recv(65536)
        assert hung_up(caller)


def test_a_head_that_drips_in_is_not_given_more_time(tmp_path: Path) -> None:
    with running(tmp_path, limits=HURRIED) as table, calling(table, HALF_A_HEAD) as caller:
        deadline = time.monotonic() + PATIENCE
        with pytest.raises(ConnectionError):
            while time.monotonic() < deadline:
                caller.sendall(b"1")
                time.sleep(0.02)


def test_a_phone_that_listens_to_the_bell_is_left_alone(tmp_path: Path) -> None:
    with running(tmp_path, limits=HURRIED) as table, calling(table, A_LISTENER) as phone:
        with calling(table, HALF_A_HEAD) as later:
            assert hung_up(later)
        phone.settimeout(0.8)
        assert not hung_up(phone)


def test_one_connection_too_many_is_closed_at_once_and_the_others_stay(tmp_path: Path) -> None:
    with running(tmp_path, limits=Limits(connections=3)) as table, ExitStack() as callers:
        early = [callers.enter_context(calling(table, A_LISTENER)) for _ in range(3)]
        assert all(b"200" in caller.recv(100) for caller in early)
        assert hung_up(callers.enter_context(calling(table, b"")))
        assert table.desk.bell.listeners == 3
        early[0].close()
        deadline = time.monotonic() + PATIENCE
        while table.desk.bell.listeners == 3 and time.monotonic() < deadline:
            time.sleep(0.01)
        assert b"200" in callers.enter_context(calling(table, A_LISTENER)).recv(100)


def test_one_address_cannot_take_the_connections_of_all(tmp_path: Path) -> None:
    greedy = ("127.0.0.66", 0)
    with running(tmp_path, limits=Limits(each=3)) as table, ExitStack() as callers:

        def call(address: tuple[str, int]) -> socket.socket:
            there = ("127.0.0.1", table.port)
            caller = callers.enter_context(socket.create_connection(there, timeout=PATIENCE, source_address=address))
            caller.sendall(A_LISTENER)
            return caller

        early = [call(greedy) for _ in range(3)]
        assert all(b"200" in caller.recv(100) for caller in early)
        assert hung_up(call(greedy))
        assert b"200" in call(("127.0.0.67", 0)).recv(100)
        early[0].close()
        deadline = time.monotonic() + PATIENCE
        while table.desk.bell.listeners > 3 and time.monotonic() < deadline:
            time.sleep(0.01)
        assert b"200" in call(greedy).recv(100)


@pytest.mark.parametrize("said", [HALF_A_HEAD, HALF_A_POST, A_LISTENER], ids=["head", "body", "bell"])
def test_a_stop_in_the_midst_of_a_request_leaves_no_traceback(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, said: bytes
) -> None:
    with running(tmp_path) as table, calling(table, said):
        time.sleep(0.05)
        assert table.stop() < 2
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING] == []
    assert all(record.exc_info is None for record in caplog.records)


def test_a_lack_of_sockets_is_told_once_a_minute_in_one_line(caplog: pytest.LogCaptureFixture) -> None:
    now = [100.0]
    handler, loop = FewWords(lambda: now[0]), asyncio.new_event_loop()
    lack = {"message": OUT_OF_SOCKETS, "exception": OSError(errno.EMFILE, "Too many open files")}
    for second in range(121):
        now[0] = 100.0 + second
        handler(loop, lack)
    loop.close()
    assert [record.getMessage() for record in caplog.records] == [
        "No more connections can be opened for now: [Errno 24] Too many open files"
    ] * 3
    assert all(record.exc_info is None for record in caplog.records)


def test_other_failures_of_the_loop_are_told_as_ever(caplog: pytest.LogCaptureFixture) -> None:
    loop = asyncio.new_event_loop()
    FewWords()(loop, {"message": "a callback failed", "exception": ValueError("why")})
    loop.close()
    assert caplog.records[0].exc_info


def test_the_loop_of_a_running_server_uses_few_words(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with running(tmp_path) as table:
        lack = {"message": OUT_OF_SOCKETS, "exception": OSError(errno.EMFILE, "Too many open files")}

        async def fail() -> None:
            asyncio.get_running_loop().call_exception_handler(lack)

        for _ in range(3):
            asyncio.run_coroutine_threadsafe(fail(), table.loop).result(3)
    assert [record.name for record in caplog.records if "open files" in record.getMessage()] == [
        "companion.web.connections"
    ]

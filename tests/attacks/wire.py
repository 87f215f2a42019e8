"""What bytes may do: requests that mean two things, that never end, that are too much."""

from __future__ import annotations

import json
import socket
import time
from contextlib import ExitStack, suppress
from typing import ClassVar

import httpx

from tests.attacks.attempt import foiled
from tests.attacks.target import Target

JSON_POST = b" HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
HIDDEN = b"POST /commands" + JSON_POST + b'Content-Length: 38\r\n\r\n{"command_id": "smuggled","kind":"x"} '


def hide_a_request_in_another(target: Target) -> None:
    token = str(target.host.cookies["phone"]).encode()
    before = target.table["revision"]
    post = (
        b"POST /commands HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nCookie: phone="
        + token
        + b"\r\n"
    )
    tricks = (
        b"Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nG",
        b"Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n1e\r\n" + HIDDEN[:30] + b"\r\n0\r\n\r\n",
        b"Content-Length: 2\r\nContent-Length: 40\r\n\r\n{}" + HIDDEN,
        b"Content-Length: 2, 40\r\n\r\n{}",
        b"Content-Length: +2\r\n\r\n{}",
        b"Content-Length: -1\r\n\r\n{}",
        b"Content-Length: 0x2\r\n\r\n{}",
        b"Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
        b"Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
        b"Transfer-Encoding:\x0bchunked\r\n\r\n0\r\n\r\n",
        b"Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n",
    )
    for trick in tricks:
        heard = target.raw(post + trick)
        foiled(not heard or heard[9:10] == b"4" or heard[9:12] == b"501", else_=(trick, heard[:100]))
        foiled(heard.count(b"HTTP/1.1 2") == 0, else_=(trick, heard[:300]))
    foiled(target.table["revision"] == before, else_="a revision was made")


def send_a_head_that_is_none(target: Target) -> None:
    odd = (
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\n folded: yes\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nX: a\x00b\r\n\r\n",
        b"GET /\xff\xfe HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
        b"GET http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n",
        b"CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"\r\n" * 1000,
    )
    for said in odd:
        heard = target.raw(said)
        foiled(b" 200 " not in heard[:20] and b" 500 " not in heard[:20], else_=(said, heard[:80]))
    foiled(target.host.get("/health").is_success, else_="it does not answer any more")


def send_heads_and_bodies_that_are_too_long(target: Target) -> None:
    long_head = b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"X: " + b"a" * 200_000 + b"\r\n\r\n"
    many = b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"".join(b"X%d: y\r\n" % n for n in range(20_000)) + b"\r\n"
    for said in (long_head, many, b"GET /" + b"a" * 200_000 + b" HTTP/1.1\r\n\r\n"):
        heard = target.raw(said)
        foiled(not heard or heard[9:10] == b"4", else_=heard[:80])
    for size in (65_537, 10_000_000):
        with suppress(httpx.TransportError):  # it hung up before all was sent
            answer = target.host.post("/commands", content=b" " * size, headers={"Content-Type": "application/json"})
            foiled(answer.status_code == 413, else_=(size, answer.status_code))
    endless = target.host.post("/commands", content=iter([b"{}"]), headers={"Content-Type": "application/json"})
    foiled(endless.status_code == 411, else_=endless.status_code)


def send_json_that_hurts(target: Target) -> None:
    before = target.table["revision"]
    start = '{"command_id": "hurt", "kind": "play", "command": '
    bodies = (
        b"[" * 60_000,
        b'{"a":' * 10_000,
        start.encode() + b"[" * 20_000 + b"]" * 20_000 + b"}",
        (start + '{"do": NaN}}').encode(),
        (start + '{"do": 1e999}}').encode(),
        (start + '{"do": ' + "9" * 50_000 + "}}").encode(),
        (start + '{"do": "\\ud800"}}').encode(),
        b"\xef\xbb\xbf{}",
        "{}".encode("utf-16"),
        b"\xff" * 100,
        b'{"command_id": "a", "kind": "deal", "kind": "undo", "__proto__": {}}',
        json.dumps({"command_id": "x" * 65, "kind": "deal"}).encode(),
        b"null",
        b"",
    )
    for body in bodies:
        for route in ("/commands", "/pair", "/api/v1/commands", "/api/v1/pair"):
            answer = target.host.post(route, content=body, headers={"Content-Type": "application/json"})
            foiled(answer.status_code in (400, 403, 404, 422, 429), else_=(body[:60], route, answer.status_code))
    foiled(target.table["revision"] == before, else_="a revision was made")
    target.order("new_pin").raise_for_status()


def take_all_connections(target: Target) -> None:
    with ExitStack() as held:
        for _ in range(300):
            with suppress(OSError):
                held.enter_context(target.calls("127.0.0.90"))
        with target.stranger("127.0.0.91") as guest:
            foiled(guest.get("/health").is_success, else_="nobody else is answered")


def listen_to_the_bell_a_thousandfold(target: Target) -> None:
    with ExitStack() as held:
        for _ in range(300):
            with suppress(OSError):
                listener = held.enter_context(target.calls("127.0.0.92"))
                listener.sendall(b"GET /bell HTTP/1.1\r\nHost: localhost\r\n\r\n")
        begun = time.monotonic()
        foiled(target.host.get("/table.json").is_success, else_="the host is not answered")
        foiled(time.monotonic() - begun < 10, else_="the host waits")


class Slow:
    """Callers who keep the server waiting from the beginning; at the end they must have been hung up on."""

    KINDS: ClassVar[dict[str, tuple[bytes, bytes]]] = {
        "a head that drips": (b"GET / HTTP/1.1\r\nHost: localhost\r\n", b"X: y\r\n"),
        "a head that stops": (b"GET / HTTP/1.1\r\nHost: loc", b""),
        "nothing at all": (b"", b""),
        "a body that drips": (
            b"POST /pair" + JSON_POST + b"Content-Length: 9000\r\n\r\n{",
            b" ",
        ),
    }
    PATIENCE = 60.0
    LAST_LOOK = 10.0

    def __init__(self, target: Target) -> None:
        self._callers: dict[str, socket.socket] = {}
        for kind, (said, _) in self.KINDS.items():
            self._callers[kind] = target.calls("127.0.0.95")
            self._callers[kind].sendall(said)
        self._begun = time.monotonic()

    def keep_waiting(self) -> dict[str, bool]:
        """Go on until all are hung up on, or too long; by kind, whether the server waits still."""
        waiting = dict(self._callers)
        end = max(self._begun + self.PATIENCE, time.monotonic() + self.LAST_LOOK)
        while waiting and time.monotonic() < end:
            for kind, caller in list(waiting.items()):
                if _is_gone(caller, self.KINDS[kind][1]):
                    del waiting[kind]
            time.sleep(0.5)
        for caller in self._callers.values():
            caller.close()
        return {kind: kind in waiting for kind in self._callers}


def _is_gone(caller: socket.socket, drip: bytes) -> bool:
    caller.settimeout(0.05)
    try:
        if drip:
            caller.sendall(drip)
        while caller.recv(65536):
            pass
    except TimeoutError:
        return False
    except OSError:
        return True
    return True

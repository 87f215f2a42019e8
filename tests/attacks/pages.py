"""What another site's page in somebody's browser, or someone who writes on the table's own pages, might do."""

from __future__ import annotations

import json
from html import escape
from typing import Any

import httpx

from tests.attacks.attempt import foiled
from tests.attacks.routes import every_route
from tests.attacks.target import Target

EVIL = "http://evil.example"
ORDER = {"command_id": "from afar", "kind": "deal"}
MARK = "<img src=x onerror=alert(1)>"
WRITTEN = (MARK, "<script>alert(1)</script>", "\"'><svg/onload=alert(1)>")


def _pages(target: Target) -> tuple[str, ...]:
    return tuple(path for path in every_route() if not path.startswith(("/static/", "/bell", "/api/v1/bell", "/sim")))


def rebind_a_name_to_the_table(target: Target) -> None:
    port = target.address[1]
    names = (
        "evil.example",
        f"evil.example:{port}",
        "localhost.evil.example",
        "127.0.0.1.",
        "0x7f.1",
        "2130706433",
        "a@127.0.0.1",
    )
    for name in names:
        answer = target.host.get("/", headers={"Host": name})
        foiled(answer.status_code in (400, 421), else_=(name, answer.status_code))
        answer = target.host.post("/commands", json=ORDER, headers={"Host": name, "Origin": f"http://{name}"})
        foiled(answer.status_code in (400, 421), else_=(name, answer.status_code))


def call_two_names_or_none(target: Target) -> None:
    for head in (b"Host: localhost\r\nHost: evil.example", b"X-No: host", b"Host: ", b"Host: localhost, evil.example"):
        heard = target.raw(b"GET /table.json HTTP/1.1\r\n" + head + b"\r\nConnection: close\r\n\r\n")
        foiled(b" 400 " in heard[:20] or b" 421 " in heard[:20], else_=(head, heard[:80]))


def post_from_another_sites_page(target: Target) -> None:
    before = target.table["revision"]
    body = json.dumps(ORDER).encode()
    forms: tuple[tuple[str, bytes], ...] = (
        ("application/x-www-form-urlencoded", b"command_id=a&kind=deal"),
        (
            "multipart/form-data; boundary=x",
            b'--x\r\nContent-Disposition: form-data; name="kind"\r\n\r\ndeal\r\n--x--\r\n',
        ),
        ("text/plain", body),
        ("text/plain; charset=application/json", body),
        ("application/json", body),
        ("", body),
    )
    for kind, sent in forms:
        for origin in (EVIL, "null", f"{target.origin}.evil.example", f"{target.origin}0", "https://127.0.0.1"):
            headers = {"Content-Type": kind, "Origin": origin}
            for route in ("/commands", "/api/v1/commands", "/pair"):
                answer = target.host.post(route, content=sent, headers=headers)
                foiled(answer.status_code in (403, 404, 415), else_=(kind, origin, route, answer.status_code))
    foiled(target.table["revision"] == before, else_="a revision was made")


def post_as_an_old_browser_that_names_no_origin(target: Target) -> None:
    for kind in ("application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain"):
        answer = target.host.post("/commands", content=json.dumps(ORDER), headers={"Content-Type": kind})
        foiled(answer.status_code == 415, else_=(kind, answer.status_code))
    site = {"Sec-Fetch-Site": "cross-site", "Content-Type": "application/json"}
    answer = target.host.post("/commands", content=json.dumps(ORDER), headers=site)
    foiled(answer.status_code == 403, else_=answer.status_code)


def ask_to_be_read_by_another_site(target: Target) -> None:
    for path in _pages(target):
        for method in ("GET", "OPTIONS"):
            headers = {"Origin": EVIL, "Access-Control-Request-Method": "POST"}
            answer = target.host.request(method, path, headers=headers)
            shared = [name for name in answer.headers if name.lower().startswith("access-control")]
            foiled(not shared, else_=(method, path, shared))
            foiled(answer.headers.get("cross-origin-resource-policy") == "same-origin", else_=path)


def open_a_web_socket(target: Target) -> None:
    head = "GET {} HTTP/1.1\r\nHost: {}:{}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    for path in ("/", "/commands", "/table"):
        heard = target.raw((head.format(path, *target.address) + key).encode())
        foiled(b" 101 " not in heard[:20], else_=heard[:80])


def frame_the_pages_to_steal_clicks(target: Target) -> None:
    for path in _pages(target):
        policy = target.host.get(path).headers.get("content-security-policy", "")
        foiled("frame-ancestors 'none'" in policy, else_=path)


def poison_a_cache(target: Target) -> None:
    tricks = {
        "X-Forwarded-Host": "evil.example",
        "X-Forwarded-Proto": "https",
        "X-Original-URL": "/host",
        "X-Rewrite-URL": "/host",
        "X-Forwarded-Prefix": "/evil",
    }
    with target.stranger(**tricks) as stranger:
        for path in _pages(target):
            answer = stranger.get(path, follow_redirects=False)
            foiled("evil" not in answer.text + str(answer.headers), else_=path)
            kept = answer.headers.get("cache-control", "no-store")
            foiled("public" not in kept, else_=(path, kept))
        foiled(stranger.get("/").status_code == 200, else_="another page was served")
    wrong = target.host.get("/static/000000000000/page.js").headers["cache-control"]
    foiled("immutable" not in wrong, else_="a file of another version is kept for ever")


def lead_elsewhere_by_a_link(target: Target) -> None:
    for back in (
        EVIL,
        "//evil.example",
        "/\\evil.example",
        "\\\\evil.example",
        "/%0d%0aX: y",
        "javascript:alert(1)",
        "http:evil",
    ):
        answer = target.host.get("/preferences", params={"back": back, "language": "en\r\nX: y"})
        goes = answer.headers.get("location", "/")
        foiled(goes.startswith("/") and not goes.startswith(("//", "/\\")), else_=(back, goes))
        foiled("x" not in answer.headers, else_=back)


def read_other_files(target: Target) -> None:
    up = ("../", "..%2f", "%2e%2e/", "..%252f", "..\\", "%c0%ae%c0%ae/", "....//")
    names = ("etc/passwd", "state/phones.json", "companion.toml", "pages.py", "state/journal.sqlite3")
    for climb in up:
        for name in names:
            climbing = f"/static/0/{climb * 6}{name}".encode()
            heard = target.raw(b"GET " + climbing + b" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            foiled(b" 200 " not in heard[:20] and b"root:" not in heard, else_=(climbing, heard[:80]))
    for path in (
        "/static/0/page.js%00.css",
        "/static/0//etc/passwd",
        "/panel.png/../state/phones.json",
        "/.git/config",
    ):
        foiled(not target.host.get(path).is_success or path.startswith("/static/0/page.js"), else_=path)


def write_scripts_wherever_text_is_taken(target: Target) -> None:
    guest = target.let_in(target.stranger("127.0.0.80"), MARK)
    for text in WRITTEN:
        setup: dict[str, Any] = {"players": ["explorer", "pilot"], "difficulty": "novice", "seed": text}
        for order in (
            {"kind": "call", "name": text},
            {"kind": "bind", "tag": text, "thing": "tile:watchtower"},
            {"kind": "sit", "seat": text},
            {"kind": "pick", "option": text},
            {"kind": "play", "command": {"do": text, "to": text}},
            {"kind": "start", "game": text, "setup": setup},
            {"kind": "start", "game": "forbidden_island", "setup": {**setup, "island": text}},
        ):
            target.order(**order)
        target.order("call", guest, name=text)
    for path in _pages(target):
        for query in ({}, dict.fromkeys(("step", "back", "game", "key", "setup", "language"), "".join(WRITTEN))):
            _is_written_harmlessly(target.host.get(path, params=query), path)
    guest.close()


def _is_written_harmlessly(answer: httpx.Response, path: str) -> None:
    if "html" not in answer.headers.get("content-type", ""):
        return
    raw = [text for text in WRITTEN if text in answer.text and escape(text) != text]
    foiled(not raw, else_=(path, raw))
    policy = answer.headers["content-security-policy"]
    foiled("script-src 'self';" in policy and "unsafe" not in policy, else_=(path, policy))

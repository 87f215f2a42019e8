"""What went wrong at other tables, as their users reported it, does not here: each test names the report."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from httpx import Response
from starlette.testclient import TestClient

from companion.web.app import create_app
from companion.web.bell import Bell
from companion.web.desk import Desk
from companion.web.pairing import Pins
from companion.web.phones import HOST_AWAY_SECONDS, Phones
from tests.patience import PATIENCE
from tests.web.conftest import ADDRESS, ELSEWHERE
from tests.web.stand import PIN, RunningTable, open_desk, running

TINY = {"players": ["otter", "heron"], "seed": "1", "dark": "dune"}
WALK = {"do": "walk", "places": ["dune"]}
_ids = iter(range(10**6))


@pytest.fixture
def people(desk: Desk) -> Iterator[list[TestClient]]:
    """A host and a player; a game is on the table."""
    desk.session.start("tiny", TINY)
    app = create_app(desk)
    with ExitStack() as leaving:
        clients = [leaving.enter_context(TestClient(app, ADDRESS, client=ELSEWHERE)) for _ in range(2)]
        for client in clients:
            assert client.post("/pair", json={"pin": PIN}).status_code == 200
        yield clients


def give(client: TestClient, kind: str, **order: Any) -> Response:
    body = {"command_id": f"report-{next(_ids)}", "kind": kind, **order}
    answer: Response = client.post("/commands", json=body)
    return answer


def revision(client: TestClient) -> int:
    return int(client.get("/health").json()["revision"])


def test_a_phone_that_was_sent_away_comes_back_with_the_pin_and_is_up_to_date_at_once(
    people: list[TestClient], desk: Desk
) -> None:
    """https://github.com/Tarmslitaren/FrosthavenAssistant/issues/60: kicked clients never got up to date again."""
    host, guest = people
    give(host, "strike", phone=2)
    give(host, "play", command=WALK)
    assert guest.post("/pair", json={"pin": PIN}).status_code == 200
    shown = re.search(r'data-revision="(\d+)"', guest.get("/host").text)
    assert shown is not None
    assert int(shown[1]) == desk.session.snapshot.revision
    assert give(guest, "play", command={"do": "rest"}, expected_revision=int(shown[1])).status_code == 200


def test_a_phone_that_connects_changes_nothing(people: list[TestClient], desk: Desk) -> None:
    """https://github.com/Tarmslitaren/FrosthavenAssistant/issues/290: connecting wiped the host's data."""
    before = desk.session.snapshot
    with TestClient(create_app(desk), ADDRESS, client=ELSEWHERE) as another:
        another.get("/")
        another.post("/pair", json={"pin": PIN})
        another.get("/host")
        for kind in ("state", "load"):
            assert give(another, kind, state={}).status_code == 400
    assert desk.session.snapshot == before


def test_undo_works_from_every_phone_that_is_connected(people: list[TestClient]) -> None:
    """https://github.com/Tarmslitaren/FrosthavenAssistant/issues/17: undo was dead while connected."""
    host, guest = people
    give(host, "play", command={"do": "rest"})
    assert give(guest, "undo").status_code == 200
    give(guest, "play", command={"do": "rest"})
    assert give(host, "undo").status_code == 200


def test_a_phone_ahead_of_a_table_that_was_restored_is_told_so_and_gets_the_table(tmp_path: Path) -> None:
    """https://github.com/Lurkars/gloomhavensecretariat/issues/495: a client ahead of its server showed old states."""
    with open_desk(tmp_path) as desk, TestClient(create_app(desk), ADDRESS, client=("127.0.0.1", 5)) as host:
        desk.session.start("tiny", TINY)
        answer = give(host, "play", command={"do": "rest"}, expected_revision=revision(host) + 1000)
        assert (answer.status_code, answer.json()["code"]) == (409, "stale")
        assert answer.json()["table"]["revision"] == revision(host)
        assert give(host, "play", command={"do": "rest"}, expected_revision=revision(host)).status_code == 200


def test_no_order_can_choose_the_number_of_a_game(people: list[TestClient], desk: Desk) -> None:
    """https://github.com/Lurkars/gloomhavensecretariat/issues/907: a new room code overwrote another campaign."""
    host, _ = people
    for chosen in ({"id": 1}, {"game_id": 1}):
        assert give(host, "start", game="tiny", setup={**TINY, **chosen}).status_code == 422
        assert give(host, "start", game="tiny", setup=TINY, **chosen).status_code == 400
    give(host, "start", game="tiny", setup=TINY)
    assert [past.id for past in desk.session.history()] == [2, 1]


def test_the_second_of_two_orders_is_told_and_given_the_new_table(people: list[TestClient], desk: Desk) -> None:
    """https://github.com/boardgameio/boardgame.io/issues/828 and pull/1274: the second move vanished silently."""
    host, guest = people
    seen = revision(host)
    first = give(host, "play", command=WALK, expected_revision=seen)
    second = give(guest, "play", command={"do": "rest"}, expected_revision=seen)
    assert (first.status_code, second.status_code) == (200, 409)
    assert second.json()["message"] == "The table has moved on. Look again, then decide."
    assert second.json()["table"] == guest.get("/table.json").json()
    assert desk.session.snapshot.seated is not None
    assert desk.session.snapshot.seated.state.actions == 1


def test_a_seat_whose_phone_is_gone_is_played_on_by_the_others(people: list[TestClient], desk: Desk) -> None:
    """https://github.com/boardgameio/boardgame.io/issues/1079: a player who left made the match unusable."""
    host, guest = people
    give(guest, "sit", seat="otter")
    give(host, "sit", seat="heron")
    guest.cookies.clear()
    assert "tiny.word.rest" in host.get("/host/live/play").text
    for command in (WALK, {"do": "rest"}):
        assert give(host, "play", command=command).status_code == 200
    assert give(host, "deal").status_code == 200


def test_a_host_whose_phone_is_gone_is_succeeded(desk: Desk) -> None:
    """https://github.com/boardgameio/boardgame.io/issues/1079: nobody could take the place of who left."""
    now = [1000.0]
    phones = Phones(clock=lambda: now[0])
    with TestClient(create_app(replace(desk, phones=phones)), ADDRESS, client=ELSEWHERE) as guest:
        phones.let_in()
        guest.post("/pair", json={"pin": PIN})
        assert give(guest, "succeed").json()["code"] == "host_is_here"
        now[0] += HOST_AWAY_SECONDS
        assert give(guest, "succeed").status_code == 200
        assert guest.get("/host/phones").status_code == 200


def test_a_listener_that_comes_back_needs_no_replay(people: list[TestClient], desk: Desk) -> None:
    """https://github.com/bigskysoftware/htmx-extensions/issues/184: a new EventSource sends no Last-Event-ID."""
    bell = Bell()

    async def first_stroke() -> object:
        async for stroke in bell.listen():
            return stroke
        return None

    for _ in range(2):
        give(people[0], "play", command={"do": "rest"})
        with ThreadPoolExecutor(1) as elsewhere:
            assert elsewhere.submit(lambda: asyncio.run(first_stroke())).result(10) == "change"


def test_the_bell_beats_in_an_event_that_pages_can_hear(tmp_path: Path) -> None:
    """https://github.com/home-assistant/frontend/issues/17409: a socket looked open hours after it was dropped."""
    import httpx

    with running(tmp_path, bell=Bell(beat_seconds=0.05)) as table:
        heard = ""
        with httpx.stream("GET", f"{table.address}/bell", timeout=PATIENCE) as stream:
            for piece in stream.iter_text():
                heard += piece
                if "event: beat" in heard:
                    break
    assert "event: beat" in heard


def test_the_server_stops_at_once_while_phones_listen(tmp_path: Path) -> None:
    """https://github.com/sysid/sse-starlette/issues/124, 8 and 128: a stop hung while a phone listened."""
    import httpx

    with running(tmp_path) as table, ExitStack() as phones:
        for _ in range(5):
            stream = phones.enter_context(httpx.stream("GET", f"{table.address}/bell", timeout=PATIENCE))
            next(stream.iter_text())
        assert _stopped(table) < 5


def _stopped(table: RunningTable) -> float:
    return table.stop()


def test_browsers_that_send_no_fetch_metadata_over_http_are_not_locked_out(people: list[TestClient]) -> None:
    """https://github.com/rails/rails/pull/56580 and
    https://github.com/kubetail-org/kubetail/pull/1155: on a home network browsers send no Sec-Fetch-Site."""
    body = {"command_id": "plain", "kind": "play", "command": {"do": "rest"}}
    answer = people[1].post("/commands", json=body, headers={"origin": ADDRESS})
    assert answer.status_code == 200


def test_the_version_of_every_file_stands_in_its_path(people: list[TestClient]) -> None:
    """https://github.com/sabeechen/hassio-google-drive-backup/issues/466: Chrome kept old scripts despite ?v=."""
    page = people[0].get("/host").text
    files = re.findall(r'(?:src|href)="(/static/[^"#]+)', page)
    assert files
    build = people[0].get("/health").json()["build"]
    assert all(file.startswith(f"/static/{build}/") for file in files)


def test_one_guard_counts_the_wrong_pins_of_all_routes(desk: Desk) -> None:
    """https://github.com/naqoyqatsi83/cc-buddy/issues/16 and
    https://github.com/screentinker/screentinker/issues/88: a second route was unguarded."""
    with TestClient(create_app(replace(desk, pins=Pins(PIN))), ADDRESS, client=ELSEWHERE) as stranger:
        answers = [
            stranger.post(("/pair", "/api/v1/pair")[n % 2], json={"pin": f"{n:06d}"}).status_code for n in range(10)
        ]
    assert answers == [403] * 5 + [429] * 5


def test_the_address_that_is_shown_is_no_name_and_the_ticket_is_never_sent(desk: Desk) -> None:
    """https://github.com/Nitrokey/nextbox/issues/11, https://github.com/fairscope/PlanktoScope/issues/69 and
    https://github.com/mozilla-mobile/mozilla-vpn-client/issues/11226: .local names are dead on many phones."""
    named = replace(desk, join_url=lambda: "http://192.168.1.37:8000/")
    with TestClient(create_app(named), ADDRESS, client=("127.0.0.1", 5)) as host:
        page = host.get("/host/phones").text
        assert "http://192.168.1.37:8000/" in page
        assert named.pins.ticket not in page
        assert json.dumps(dict(host.get("/").headers)).find(named.pins.ticket) == -1

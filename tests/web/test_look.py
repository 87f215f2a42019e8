"""The pages that are only looked at, what they weigh, and the switch for the odds."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from companion.rules.registry import GAMES
from companion.web.app import create_app
from companion.web.desk import Desk
from tests.web.conftest import ADDRESS, ELSEWHERE, HERE
from tests.web.stand import open_desk

FIRST_LOAD = 60_000
"""Bytes over the wire, packed, that a phone fetches the first time; later only what changed."""
SETUP = {"players": ["explorer", "pilot", "engineer", "diver"], "difficulty": "elite", "seed": "7"}
_ids = count()


@pytest.fixture
def island(tmp_path: Path) -> Iterator[Desk]:
    """A desk with the island on the table, two turns old."""
    with open_desk(tmp_path, GAMES) as desk:
        (game,) = GAMES
        desk.session.start(game, SETUP)
        while desk.session.snapshot.seated and desk.session.snapshot.seated.state.turn < 3:
            legal = desk.session.legal()
            swims = [command for command in legal if command["do"] in ("swim", "discard")]
            if swims:
                desk.session.play(swims[0])
            else:
                desk.session.deal()
        yield desk


@pytest.fixture
def looking(island: Desk) -> Iterator[TestClient]:
    with TestClient(create_app(island), ADDRESS, client=ELSEWHERE) as client:
        yield client


@pytest.fixture
def ruling(island: Desk) -> Iterator[TestClient]:
    with TestClient(create_app(island), ADDRESS, client=HERE) as client:
        yield client


def wire(client: TestClient, path: str) -> tuple[int, bytes]:
    """What comes over the wire for a path, with its length as it was sent, and what a browser makes of it."""
    with client.stream("GET", path, headers={"accept-encoding": "gzip"}) as answer:
        sent = b"".join(answer.iter_raw())
        assert answer.headers["content-encoding"] == "gzip"
        assert "Accept-Encoding" in answer.headers["vary"]
    return len(sent), gzip.decompress(sent)


@pytest.mark.parametrize("path", ["/", "/check", "/games", "/games/1"])
def test_a_first_look_weighs_less_than_sixty_kilobytes(looking: TestClient, path: str) -> None:
    weight, page = wire(looking, path)
    files = {address.partition("#")[0] for address in re.findall(r'"(/static/[^"]+)"', page.decode())}
    assert any(file.endswith("page.js") for file in files)
    base = next(file for file in files if file.endswith("page.js")).removesuffix("page.js")
    imported = {f"{base}{name}" for name in ("forms.js", "naming.js", "confirm.js")}
    assert weight + sum(wire(looking, file)[0] for file in files | imported) < FIRST_LOAD


def test_a_browser_that_cannot_unpack_gets_the_page_as_it_is(looking: TestClient) -> None:
    answer = looking.get("/", headers={"accept-encoding": "identity"})
    assert "content-encoding" not in answer.headers
    assert "<html" in answer.text


def test_everything_a_module_imports_is_served_under_the_same_version(looking: TestClient) -> None:
    for script in re.findall(r'src="(/static/\w+/\w+\.js)"', looking.get("/").text):
        for name in re.findall(r'from "\./(\w+\.js)"', looking.get(script).text):
            assert looking.get(f"{script.rpartition('/')[0]}/{name}").status_code == 200


# -- check the board
def test_the_check_lists_every_tile_with_its_condition_to_anyone(looking: TestClient, island: Desk) -> None:
    page = looking.get("/check").text
    seated = island.session.snapshot.seated
    assert seated is not None
    board = seated.game.portray(seated.state, ()).board
    assert board is not None
    words = island.translator("en")
    for space in board.spaces:
        assert f"<b>{words.name(space.name)}</b>: {words.name(space.condition)}" in page or (
            f"<b>{words.name(space.name)}</b>: {words.text(f'condition.{space.condition}')}" in page
        )
    assert "data-command" not in page


def test_whoever_runs_the_table_gets_a_button_for_each_way_a_tile_could_really_lie(ruling: TestClient) -> None:
    offered = re.findall(r'data-command="([^"]+)" aria-label="Watchtower: (\w+)"', ruling.get("/check").text)
    assert len(offered) == 2
    order = json.loads(offered[0][0].replace("&#34;", '"'))
    assert order["command"]["do"] == "correct"
    answer = ruling.post("/commands", json={"command_id": f"c{next(_ids)}", **order})
    assert answer.status_code == 200
    assert f"<b>Watchtower</b>: {offered[0][1]}" in ruling.get("/check/live").text


def test_a_paused_table_offers_nothing_to_put_right(ruling: TestClient, island: Desk) -> None:
    island.session.pause()
    page = ruling.get("/check").text
    assert "The game is paused." in page
    assert "data-command" not in page


def test_with_no_game_there_is_nothing_to_check(host: TestClient) -> None:
    assert "No game" in host.get("/check").text


# -- looking back
def test_an_earlier_game_shows_charts_the_same_numbers_and_the_log(looking: TestClient) -> None:
    page = looking.get("/games/1").text
    assert page.count('role="img"') == 3
    assert "Water level" in page
    assert re.search(r'<th scope="row">2</th>(<td>\d+</td>){4,5}', page)
    assert 'data-kinds="draw"' in page


def test_earlier_games_and_statistics_are_there_for_all_and_the_buttons_only_for_the_host(
    looking: TestClient, ruling: TestClient, island: Desk
) -> None:
    island.session.play({"do": "correct", "water": 10})
    island.session.leave()
    assert "1 game played to its end. 0 were won." in looking.get("/games").text
    assert "&#34;reopen&#34;" not in looking.get("/games").text
    assert "&#34;reopen&#34;" in ruling.get("/games").text


@pytest.mark.parametrize("file", ["game", "scenario"])
def test_a_game_can_be_taken_away_as_a_file(looking: TestClient, file: str) -> None:
    answer = looking.get(f"/games/1/{file}.json")
    assert answer.headers["content-disposition"] == f'attachment; filename="{file}-1.json"'
    assert answer.json()["game"] == next(iter(GAMES))
    assert f'href="/games/1/{file}.json"' in looking.get("/games/1").text


@pytest.mark.parametrize("path", ["/games/9", "/games/9/game.json", "/games/1/seed.json", "/games/x"])
def test_what_never_was_cannot_be_looked_at(looking: TestClient, path: str) -> None:
    assert looking.get(path).status_code == 404


def test_a_loss_leads_to_the_look_back(looking: TestClient, island: Desk) -> None:
    island.session.play({"do": "correct", "water": 10})
    assert 'href="/games/1">Look back at the game' in looking.get("/").text


# -- the odds
def test_the_odds_stand_on_the_page_and_in_the_json_as_exact_fractions(looking: TestClient) -> None:
    assert "Waters Rise! comes this turn" in looking.get("/").text
    told = looking.get("/table.json").json()["odds"]
    assert re.fullmatch(r"\d+/\d+", told["alarms"][0]["chance"])


def test_odds_that_a_host_switched_off_are_in_no_answer_until_they_are_switched_on(
    looking: TestClient, ruling: TestClient
) -> None:
    tag = looking.get("/table").headers["etag"]
    assert ruling.post("/odds", json={"shown": False}).status_code == 204
    hidden = looking.get("/table", headers={"if-none-match": tag})
    assert hidden.status_code == 200
    for path in ("/", "/table", "/table.json", "/check", "/games/1", "/games/1/game.json"):
        assert not re.search(r"Odds of|comes this turn|chance\b.*\d", looking.get(path).text), path
    assert looking.get("/table.json").json()["odds"] is None
    assert "The odds are hidden." in ruling.get("/").text
    assert ruling.post("/odds", json={"shown": True}).status_code == 204
    assert "Odds of this turn" in looking.get("/").text


def test_only_a_host_switches_the_odds(looking: TestClient, island: Desk) -> None:
    assert looking.post("/odds", json={"shown": False}).status_code == 403
    assert island.odds.granted


@pytest.mark.parametrize("body", [{}, {"shown": "no"}, {"shown": False, "more": 1}, []])
def test_the_switch_takes_yes_or_no_and_nothing_else(ruling: TestClient, island: Desk, body: object) -> None:
    assert ruling.post("/odds", json=body).status_code == 400
    assert island.odds.granted


def test_a_game_without_odds_shows_none_and_no_switch(host: TestClient, desk: Desk) -> None:
    desk.session.start("tiny", {"players": ["otter"], "seed": "1"})
    assert "/odds" not in host.get("/").text
    assert host.get("/table.json").json()["odds"] is None


# -- the log and the list
def test_a_line_that_was_taken_back_is_struck_and_said_to_be_so(looking: TestClient, island: Desk) -> None:
    island.session.undo()
    assert re.search(r'data-kinds="draw undone".*<s>.*</s> <em>taken back</em>', looking.get("/table").text)


def test_the_board_can_be_a_list_instead_of_the_map(looking: TestClient) -> None:
    assert 'class="sea"' in looking.get("/").text
    looking.get("/preferences?board=list")
    page = looking.get("/").text
    assert 'class="sea"' not in page
    assert page.count("<b>Watchtower</b>") == 1


def test_every_legal_command_can_be_told_on_the_list_as_on_the_map(ruling: TestClient) -> None:
    def pointed(page: str) -> set[str]:
        board = page.partition('id="region-board"')[2].partition("</section>")[0]
        return set(re.findall(r'data-(?:command|steps|step)="([^"]+)"', board))

    on_the_map = pointed(ruling.get("/host").text)
    ruling.get("/preferences?board=list")
    assert pointed(ruling.get("/host").text) == on_the_map


def test_the_meter_says_what_comes_after_the_next_rise(looking: TestClient) -> None:
    assert re.search(r"After the next rise: \d cards a turn", looking.get("/").text)

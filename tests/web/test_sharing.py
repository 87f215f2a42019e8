"""What is worked out for one phone serves the next, and shows nobody what is another's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from starlette.testclient import TestClient

from companion.web.acting import PLAY
from companion.web.app import create_app
from companion.web.desk import Desk
from companion.web.templating import Region, Templates
from tests.web.conftest import ADDRESS, ELSEWHERE, HERE

SETUP = {"players": ["otter", "heron"], "seed": "1"}


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each region was rendered."""
    times: Counter[str] = Counter()
    render = Templates.region

    def counted(self: Templates, name: str, known: Mapping[str, Any]) -> Region:
        times[name] += 1
        return render(self, name, known)

    monkeypatch.setattr(Templates, "region", counted)
    return times


@pytest.fixture
def phone(desk: Desk) -> Iterator[TestClient]:
    desk.session.start("tiny", SETUP)
    with TestClient(create_app(desk), ADDRESS, client=ELSEWHERE) as client:
        yield client


def paired(desk: Desk, number: int) -> dict[str, str]:
    _, token = desk.phones.let_in(f"phone {number}", host=True)
    return {"Authorization": f"Bearer {token}"}


def test_fifty_phones_in_one_language_have_each_region_made_once(phone: TestClient, made: Counter[str]) -> None:
    for _ in range(50):
        phone.get("/table")
    assert set(made.values()) == {1}


def test_phones_that_look_different_share_what_is_the_same(phone: TestClient, made: Counter[str]) -> None:
    for theme in ("light", "dark"):
        for path in ("/", "/table"):
            phone.get(path, headers={"Cookie": f"theme={theme}"})
    assert set(made.values()) == {1}


def test_a_phone_that_prefers_the_list_gets_the_list(phone: TestClient) -> None:
    assert 'class="sea"' in phone.get("/table").text
    assert 'class="sea"' not in phone.get("/table", headers={"Cookie": "board=list"}).text


def test_another_language_is_made_for_itself(phone: TestClient, made: Counter[str]) -> None:
    told = {phone.get("/table", headers={"Accept-Language": tag}).text for tag in ("en", "pt-BR", "bg", "en")}
    assert len(told) == 3
    assert set(made.values()) == {3}


def test_players_share_the_table_but_not_what_they_may_do(phone: TestClient, desk: Desk, made: Counter[str]) -> None:
    for number in range(3):
        phone.get("/host/live/play", headers=paired(desk, number))
    assert {name for name, times in made.items() if times == 1} == PLAY.shared
    assert {name for name, times in made.items() if times == 3} == set(PLAY.regions) - PLAY.shared
    assert {"turn", "controls", "me", "board"}.isdisjoint(PLAY.shared)


def test_a_looker_sees_no_buttons_of_a_host_who_looked_before(desk: Desk) -> None:
    desk.session.start("tiny", SETUP)
    app = create_app(desk)
    with TestClient(app, ADDRESS, client=HERE) as host, TestClient(app, ADDRESS, client=ELSEWHERE) as looker:
        assert "data-command" in host.get("/host/live/play").text
        assert "data-command" not in looker.get("/table").text
        assert "data-post" not in looker.get("/table").text


def test_a_change_is_seen_by_the_next_who_looks(phone: TestClient, desk: Desk) -> None:
    before = phone.get("/table").text
    desk.session.deal()
    assert phone.get("/table").text != before

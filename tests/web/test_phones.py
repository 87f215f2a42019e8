from __future__ import annotations

import errno
import json
import stat
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from httpx import Response
from starlette.testclient import TestClient

from companion.rules.game import Refused
from companion.web.app import create_app
from companion.web.desk import Desk
from companion.web.phone_file import PhoneFile
from companion.web.phones import (
    HOST_AWAY_SECONDS,
    KEEP_AGAIN_SECONDS,
    PHONES_AT_MOST,
    UNSEEN_SECONDS,
    House,
    Memory,
    Phones,
    UndoRule,
    named,
)
from tests.web.conftest import ADDRESS, ELSEWHERE
from tests.web.stand import PIN

TODAY = 1_800_000_000.0


class Clock:
    def __init__(self, now: float = TODAY) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


def phones(folder: Path, date: Clock | None = None, clock: Clock | None = None, **options: Any) -> Phones:
    return Phones(PhoneFile(folder), date=date or Clock(), clock=clock or Clock(), **options)


def code(act: Any) -> str:
    with pytest.raises(Refused) as refused:
        act()
    return refused.value.code


# -- the list
def test_the_first_phone_is_a_host_and_so_is_the_next_where_none_is_left(tmp_path: Path) -> None:
    known = phones(tmp_path)
    first, second = known.let_in()[0], known.let_in()[0]
    assert (first.host, second.host) == (True, False)
    known.strike(first.number)
    assert known.let_in()[0].host


def test_the_only_host_stays_one_until_there_is_another(tmp_path: Path) -> None:
    known = phones(tmp_path)
    host, player = known.let_in()[0], known.let_in()[0]
    assert code(lambda: known.appoint(host.number, False)) == "last_host"
    known.appoint(player.number, True)
    known.appoint(host.number, False)
    assert [phone.host for phone in known.house.phones] == [False, True]


def test_a_player_becomes_a_host_where_none_was_seen_for_ten_minutes(tmp_path: Path) -> None:
    clock = Clock()
    known = phones(tmp_path, clock=clock)
    (_, cookie), (player, _) = known.let_in(), known.let_in()
    clock.now += HOST_AWAY_SECONDS - 1
    assert code(lambda: known.succeed(player.number)) == "host_is_here"
    known.of(cookie)
    clock.now += HOST_AWAY_SECONDS - 1
    assert code(lambda: known.succeed(player.number)) == "host_is_here"
    clock.now += 1
    known.succeed(player.number)
    assert all(phone.host for phone in known.house.phones)


def test_a_restart_does_not_count_as_absence(tmp_path: Path) -> None:
    known = phones(tmp_path)
    known.let_in()
    player, _ = known.let_in()
    again = phones(tmp_path, clock=Clock(0.0))
    assert code(lambda: again.succeed(player.number)) == "host_is_here"


def test_phones_seats_and_rules_are_kept_over_restarts(tmp_path: Path) -> None:
    known = phones(tmp_path)
    phone, cookie = known.let_in("Ana")
    known.seat(lambda seats: seats.taken(1, "otter", phone.number))
    known.rule(UndoRule.HOST)
    again = phones(tmp_path)
    found = again.of(cookie)
    assert found is not None
    assert found.name == "Ana"
    assert again.house.seats.of(1, found.number) == {"otter"}
    assert again.house.undo is UndoRule.HOST
    assert phones(tmp_path, undo=UndoRule.ALL).house.undo is UndoRule.ALL


def test_a_struck_phone_is_out_and_its_seats_are_free_and_its_number_is_never_given_again(tmp_path: Path) -> None:
    known = phones(tmp_path)
    phone, cookie = known.let_in()
    known.seat(lambda seats: seats.taken(1, "otter", phone.number))
    known.strike(phone.number)
    assert known.of(cookie) is None
    assert known.house.seats.holders(1, "otter") == ()
    assert phones(tmp_path).of(cookie) is None
    assert known.let_in()[0].number > phone.number
    assert code(lambda: known.strike(phone.number)) == "no_such_phone"


def test_a_phone_that_pairs_again_keeps_its_seats_its_name_and_its_rights(tmp_path: Path) -> None:
    known = phones(tmp_path)
    before, _ = known.let_in("Ana")
    known.seat(lambda seats: seats.taken(1, "otter", before.number))
    after, _ = known.let_in(instead=before)
    assert (after.name, after.host, known.house.seats.of(1, after.number)) == ("Ana", True, frozenset({"otter"}))
    assert len(known.house.phones) == 1


def test_a_phone_that_was_not_seen_for_a_month_is_out(tmp_path: Path) -> None:
    date = Clock()
    _, cookie = phones(tmp_path, date).let_in()
    date.now += UNSEEN_SECONDS - 1
    assert phones(tmp_path, date).of(cookie) is not None
    date.now += UNSEEN_SECONDS - 1
    assert phones(tmp_path, date).of(cookie) is not None
    date.now += UNSEEN_SECONDS
    assert phones(tmp_path, date).of(cookie) is None


def test_a_clock_that_was_not_set_throws_nobody_out(tmp_path: Path) -> None:
    date = Clock(100.0)
    _, cookie = phones(tmp_path, date).let_in()
    date.now = TODAY
    assert phones(tmp_path, date).of(cookie) is not None


def test_there_are_not_ever_more_phones_and_hosts_go_last(tmp_path: Path) -> None:
    known = phones(tmp_path)
    host, _ = known.let_in()
    for _ in range(PHONES_AT_MOST + 3):
        known.let_in()
    assert len(known.house.phones) == PHONES_AT_MOST
    assert host in known.house.phones


def test_names_are_short_printable_and_in_one_line() -> None:
    assert named("  Ana\n\u202e  Maria\x00 ") == "Ana Maria"
    assert len(named("x" * 500)) == 24


# -- the file
def test_the_file_holds_no_cookie_and_is_its_owners_alone(tmp_path: Path) -> None:
    _, cookie = phones(tmp_path).let_in()
    kept = tmp_path / "phones.json"
    assert cookie not in kept.read_text()
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert not list(tmp_path.glob("*.new"))


@pytest.mark.parametrize("text", ["", "{", "[]", '{"phones": [{"number": "x"}]}', "\x00", '{"undo": "nobody"}'])
def test_a_file_that_cannot_be_read_lets_nobody_in_and_says_so_in_one_line(
    tmp_path: Path, text: str, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "phones.json").write_text(text)
    assert phones(tmp_path).house == House()
    assert len(caplog.messages) == 1
    assert "needs the PIN again" in caplog.messages[0]


class FullCard(Memory):
    """A card that takes nothing while it is full."""

    full = True
    tried = 0

    def write(self, house: House) -> None:
        self.tried += 1
        if self.full:
            raise OSError(errno.ENOSPC, "No space left on device")
        super().write(house)


def test_a_full_card_turns_nobody_away_and_keeps_them_once_it_takes_them(caplog: pytest.LogCaptureFixture) -> None:
    card, now = FullCard(), [0.0]
    known = Phones(card, clock=lambda: now[0])
    phone, cookie = known.let_in("Ana")
    known.rule(UndoRule.HOST)
    assert known.of(cookie) == phone
    assert caplog.messages == ["The list of phones is in memory only, until it can be written: No space left on device"]
    card.full = False
    known.keep_again()
    assert card.kept == House()
    now[0] += KEEP_AGAIN_SECONDS
    known.keep_again()
    assert card.kept == known.house
    assert Phones(card).of(cookie) == phone


def test_a_card_that_takes_everything_is_not_asked_again() -> None:
    card, now = FullCard(), [0.0]
    card.full = False
    known = Phones(card, clock=lambda: now[0])
    known.let_in()
    now[0] += 10 * KEEP_AGAIN_SECONDS
    known.keep_again()
    assert card.tried == 1


def test_a_phone_sent_away_while_the_card_is_full_is_out_at_once() -> None:
    card = FullCard()
    card.full = False
    known = Phones(card)
    known.let_in()
    phone, cookie = known.let_in()
    card.full = True
    known.strike(phone.number)
    assert known.of(cookie) is None


# -- over the pages
@pytest.fixture
def people(desk: Desk) -> Iterator[list[TestClient]]:
    """A host and two players; a game is on the table."""
    desk.session.start("tiny", {"players": ["otter", "heron"], "seed": "1", "dark": "dune"})
    app = create_app(desk)
    with ExitStack() as leaving:
        clients = [leaving.enter_context(TestClient(app, ADDRESS, client=ELSEWHERE)) for _ in range(3)]
        for client in clients:
            assert client.post("/pair", json={"pin": PIN}).status_code == 200
        yield clients


def give(client: TestClient, kind: str, **order: Any) -> Response:
    answer: Response = client.post("/commands", json={"command_id": f"{kind}{order}", "kind": kind, **order})
    return answer


def test_a_seat_is_taken_left_and_handed_over(people: list[TestClient], desk: Desk) -> None:
    _, ana, bob = people
    assert give(ana, "sit", seat="otter").status_code == 200
    assert give(bob, "sit", seat="otter").status_code == 200
    assert desk.phones.house.seats.holders(1, "otter") == (2, 3)
    give(ana, "get_up", seat="otter")
    assert desk.phones.house.seats.holders(1, "otter") == (3,)
    give(bob, "hand_over", seat="otter", phone=2)
    assert desk.phones.house.seats.holders(1, "otter") == (2,)
    assert give(bob, "hand_over", seat="otter", phone=77).json()["code"] == "no_such_phone"
    assert give(bob, "sit", seat="emu").json()["code"] == "no_such_seat"


def test_a_phone_acts_for_a_seat_that_another_holds(people: list[TestClient], desk: Desk) -> None:
    _, ana, bob = people
    give(ana, "sit", seat="otter")
    give(bob, "sit", seat="heron")
    page = bob.get("/host/live/play").text
    assert page.index('id="for-others"') < page.index("tiny.word.rest")
    assert give(bob, "play", command={"do": "rest"}).status_code == 200
    own = ana.get("/host/live/play").text
    assert 'id="for-others"' not in own or own.index("tiny.word.rest") < own.index('id="for-others"')


def test_a_host_may_keep_undo_to_hosts(people: list[TestClient]) -> None:
    host, ana, _ = people
    give(ana, "play", command={"do": "rest"})
    assert give(ana, "undo").status_code == 200
    give(ana, "redo")
    assert give(host, "undo_rule", undo="host").status_code == 200
    for order in ({"kind": "undo"}, {"kind": "redo"}, {"kind": "pick", "option": "undo"}):
        answer = ana.post("/commands", json={"command_id": f"again{order}", **order})
        assert (answer.status_code, answer.json()["code"]) == (422, "undo_is_the_hosts")
    assert '"kind": "undo"' not in ana.get("/host/live/play").text
    assert host.post("/commands", json={"command_id": "hosts", "kind": "undo"}).status_code == 200


def test_a_host_sends_phones_away_one_or_all(people: list[TestClient], desk: Desk) -> None:
    host, ana, bob = people
    assert give(host, "strike", phone=2).status_code == 200
    assert ana.get("/host").status_code == 403
    assert bob.get("/host").status_code == 200
    ticket = desk.pins.ticket
    assert give(host, "strike_all").status_code == 200
    assert (bob.get("/host").status_code, host.get("/host").status_code) == (403, 200)
    assert ticket != desk.pins.ticket


def test_a_phone_leaves_by_itself(people: list[TestClient]) -> None:
    _, ana, _ = people
    assert give(ana, "go").status_code == 200
    assert ana.get("/host").status_code == 403


def test_the_companions_own_browser_takes_a_seat_by_being_put_on_the_list(host: TestClient, desk: Desk) -> None:
    desk.session.start("tiny", {})
    answer = give(host, "sit", seat="otter")
    assert answer.status_code == 200
    assert "phone=" in answer.headers["set-cookie"]
    assert desk.phones.house.phones[0].host
    assert desk.phones.house.seats.holders(1, "otter") == (1,)


def test_every_page_knows_of_a_change_of_the_list(people: list[TestClient]) -> None:
    host, ana, _ = people
    before = host.get("/host/live/phones")
    again = {"if-none-match": before.headers["etag"]}
    assert host.get("/host/live/phones", headers=again).status_code == 304
    give(ana, "call", name="Ana <b>")
    after = host.get("/host/live/phones", headers=again)
    assert after.status_code == 200
    assert "Ana &lt;b&gt;" in after.text


def test_what_is_kept_is_what_was_said(people: list[TestClient], tmp_path: Path) -> None:
    give(people[1], "call", name="Ана")
    kept = json.loads((tmp_path / "phones.json").read_text())
    assert [phone["name"] for phone in kept["phones"]] == ["", "Ана", ""]

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import cache
from html import unescape
from html.parser import HTMLParser
from itertools import count
from typing import Any

import pytest
from starlette.testclient import TestClient

from companion.i18n import translator
from companion.ports import Advice, DeviceState, DeviceStatus
from companion.web.app import create_app
from companion.web.desk import Desk, PanelPicture
from tests.web.conftest import ADDRESS, ELSEWHERE, HERE
from tests.web.stand import Standing

_ids = count()
TINY = {"game": "tiny", "setup": {"players": ["otter", "heron"], "seed": "1", "dark": "dune"}}
PAGES = ("/", "/host", "/host/correct", "/host/tags", "/host/games", "/check", "/games", "/games/1")
FRAGMENTS = ("/table", "/host/live/play", "/host/live/correct", "/host/live/tags", "/host/live/games", "/check/live")


def revs(fragment: str) -> dict[str, str]:
    return dict(re.findall(r'data-region="(\w+)" data-rev="(\w+)"', fragment))


class Balance(HTMLParser):
    """Follows opening and closing tags; HTML's void elements close themselves."""

    VOID = frozenset({"meta", "link", "input", "img", "br"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.faults: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = dict(attrs)
        self.ids += [value for name, value in attrs if name == "id" and value]
        self.faults += [f"inline {name}" for name in names if name == "style" or name.startswith("on")]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}>")


@pytest.fixture
def started(desk: Desk) -> Desk:
    desk.session.start("tiny", TINY["setup"])  # type: ignore[arg-type]  # a mapping of plain values
    desk.session.deal()
    return desk


@pytest.mark.parametrize("language", ["en", "pt-BR", "bg"])
@pytest.mark.parametrize("path", PAGES)
def test_every_page_is_sound_html_without_inline_script_or_style(
    host: TestClient, started: Desk, path: str, language: str
) -> None:
    page = host.get(path, headers={"accept-language": language})
    assert page.status_code == 200
    assert f'<html lang="{language}"' in page.text
    balance = Balance()
    balance.feed(page.text)
    assert (balance.faults, balance.open) == ([], [])
    assert len(balance.ids) == len(set(balance.ids))
    assert "<script>" not in page.text


@pytest.mark.parametrize("language", ["en", "pt-BR", "bg"])
def test_no_page_misses_a_message_of_its_own(started: Desk, language: str, caplog: pytest.LogCaptureFixture) -> None:
    fresh = replace(started, translator=cache(translator.__wrapped__), panel_standing=lambda: Standing(3, 2))
    with TestClient(create_app(fresh), ADDRESS, client=HERE) as client:
        for path in (*PAGES, *FRAGMENTS):
            assert client.get(path, headers={"accept-language": language}).status_code == 200
    faults = [line for line in caplog.messages if "has no message" in line or "cannot be filled" in line]
    assert [line for line in faults if "message tiny." not in line and "message verb." not in line] == []


def test_a_page_names_no_address_but_its_own(host: TestClient, started: Desk) -> None:
    for path in PAGES:
        assert not re.search(r"""(?:src|href)="(?:https?:)?//""", host.get(path).text)
    for path in host.get("/").text.split('"'):
        if path.startswith("/static/"):
            asset = host.get(path.partition("#")[0])
            assert asset.status_code == 200
            assert not re.search(r"""(?:url\(|from |import |fetch\()["']?(?:https?:)?//""", asset.text)


def test_what_a_page_shows_is_escaped(host: TestClient, desk: Desk) -> None:
    advice = Advice("advice.reader.gone", {"port": '"><b onclick=x>/dev/ttyACM0'})
    desk.session.observe(DeviceStatus("<script>reader</script>", DeviceState.LOST, advice))
    page = host.get("/").text
    assert "&lt;script&gt;reader" in page
    assert "&lt;b onclick=x&gt;/dev/ttyACM0 went away" in page
    assert "<b onclick" not in page


def test_a_phone_that_has_the_table_is_told_so(viewer: TestClient, started: Desk) -> None:
    first = viewer.get("/table")
    tag = first.headers["etag"]
    again = viewer.get("/table", headers={"if-none-match": f'"other", W/{tag}'})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
    started.session.deal()
    fresh = viewer.get("/table", headers={"if-none-match": tag})
    assert fresh.status_code == 200
    assert fresh.headers["etag"] != tag


def test_a_page_of_an_earlier_run_is_never_taken_for_this_ones(viewer: TestClient, desk: Desk) -> None:
    tag = viewer.get("/table").headers["etag"]
    with TestClient(create_app(desk), ADDRESS, client=ELSEWHERE) as later:
        assert later.get("/table", headers={"if-none-match": tag}).status_code == 200


@pytest.mark.parametrize("path", ["/", "/host"])
def test_until_the_first_command_a_page_says_how_to_lay_the_real_box(host: TestClient, desk: Desk, path: str) -> None:
    lay = "Set the real box up as this page shows it"
    assert lay not in host.get(path).text
    desk.session.start("tiny", TINY["setup"])  # type: ignore[arg-type]  # a mapping of plain values
    page = host.get(path).text
    assert page.index(lay) < page.index('class="sea"')
    desk.session.play({"do": "walk", "places": ["dune"]})
    assert lay not in host.get(path).text
    desk.session.undo()
    assert lay in host.get(path).text


def test_an_ended_game_offers_no_pause(host: TestClient, started: Desk) -> None:
    assert "&#34;pause&#34;" in host.get("/host").text
    started.session.play({"do": "correct", "storm": 4})
    assert "&#34;pause&#34;" not in host.get("/host").text


def test_the_tag_of_a_page_depends_on_language_and_looks(viewer: TestClient, started: Desk) -> None:
    kinds: list[dict[str, Any]] = [
        {},
        {"headers": {"accept-language": "bg"}},
        {"headers": {"cookie": "theme=dark"}},
        {"headers": {"cookie": "size=large"}},
    ]
    tags = [viewer.get("/", **kind).headers["etag"] for kind in kinds]
    assert len(set(tags)) == len(kinds)


def test_only_the_regions_that_changed_get_a_new_rev(viewer: TestClient, started: Desk) -> None:
    before = revs(viewer.get("/table").text)
    started.session.undo()
    after = revs(viewer.get("/table").text)
    changed = {region for region in before if before[region] != after[region]}
    assert "turn" in changed
    assert "log" in changed
    assert not changed & {"goals", "panel", "devices"}


def test_the_page_and_the_fragment_hold_the_same_regions(viewer: TestClient, started: Desk) -> None:
    assert revs(viewer.get("/").text) == revs(viewer.get("/table").text)


def test_a_new_picture_of_the_panel_changes_the_tag_without_a_revision(desk: Desk) -> None:
    shown = [Standing(4, 2)]
    with TestClient(create_app(replace(desk, panel_standing=lambda: shown[0])), ADDRESS, client=ELSEWHERE) as client:
        late = client.get("/table")
        assert "The panel is 2 changes behind." in late.text
        shown[0] = Standing(4, 4)
        current = client.get("/table", headers={"if-none-match": late.headers["etag"]})
    assert current.status_code == 200
    assert "behind" not in current.text


@pytest.mark.parametrize("shown", [2, 4])
def test_the_page_says_how_long_a_picture_takes_on_this_panel(desk: Desk, shown: int) -> None:
    standing = Standing(4, shown, takes=24.4)
    with TestClient(create_app(replace(desk, panel_standing=lambda: standing)), ADDRESS, client=ELSEWHERE) as client:
        assert "A picture takes about 24 seconds here." in client.get("/").text


def test_a_panel_that_rests_in_quiet_hours_says_so_and_how_far_it_is_behind(desk: Desk) -> None:
    standing = Standing(4, 2, resting=True)
    with TestClient(create_app(replace(desk, panel_standing=lambda: standing)), ADDRESS, client=ELSEWHERE) as client:
        page = client.get("/").text
    assert "The panel rests until the quiet hours end" in page
    assert "The panel is 2 changes behind." in page


def test_what_a_device_tells_is_worded_in_the_readers_language(viewer: TestClient, desk: Desk) -> None:
    advice = Advice("advice.port.missing", {"port": "/dev/ttyACM0"})
    desk.session.observe(DeviceStatus("reader", DeviceState.WAITING, advice))
    page = viewer.get("/", headers={"accept-language": "bg"}).text
    assert "Няма четец на /dev/ttyACM0" in page


def test_testers_read_what_a_device_tells_as_code_and_in_english(viewer: TestClient, desk: Desk) -> None:
    desk.session.observe(DeviceStatus("panel", DeviceState.READY))
    desk.session.observe(DeviceStatus("reader", DeviceState.LOST, Advice("advice.reader.gone", {"port": "/dev/x"})))
    panel, reader = viewer.get("/table.json", headers={"accept-language": "bg"}).json()["devices"]
    assert panel == {"device": "panel", "state": "ready", "advice": None}
    assert (reader["advice"]["code"], reader["advice"]["params"]) == ("advice.reader.gone", {"port": "/dev/x"})
    assert reader["advice"]["text"].startswith("/dev/x went away: plug the reader in again")


def test_what_was_found_out_of_a_reader_is_told_to_hosts(desk: Desk) -> None:
    found = Advice("advice.reader.found", {"protocol": "rdm6300", "baud": 9600})
    desk.session.observe(DeviceStatus("reader", DeviceState.READY, found))
    app = create_app(desk)
    with TestClient(app, ADDRESS, client=HERE) as host, TestClient(app, ADDRESS, client=ELSEWHERE) as looker:
        assert "reader is ready. It speaks rdm6300 at 9600 baud." in host.get("/host").text
        assert "rdm6300" not in looker.get("/").text


def test_a_panel_in_trouble_says_what_to_do(desk: Desk) -> None:
    standing = Standing(4, 2, ok=False, advice=Advice("advice.panel.no_life"))
    with TestClient(create_app(replace(desk, panel_standing=lambda: standing)), ADDRESS, client=ELSEWHERE) as client:
        page = client.get("/").text
    assert "The panel shows an old picture." in page
    assert "The panel gives no sign of life" in page


def test_the_panels_picture_is_served_with_a_tag(desk: Desk) -> None:
    app = create_app(replace(desk, panel_picture=lambda: PanelPicture("p7", b"png bytes")))
    with TestClient(app, ADDRESS, client=ELSEWHERE) as client:
        assert 'src="/panel.png?v=p7"' in client.get("/").text
        picture = client.get("/panel.png?v=p7")
        assert (picture.content, picture.headers["content-type"]) == (b"png bytes", "image/png")
        assert client.get("/panel.png", headers={"if-none-match": '"p7"'}).status_code == 304


def test_a_picture_with_the_pin_is_for_the_room_and_for_those_let_in(desk: Desk) -> None:
    picture = PanelPicture("p7", b"with the PIN", shows_pin=True)
    app = create_app(replace(desk, panel_picture=lambda: picture, panel_standing=lambda: Standing(4, 4)))
    with TestClient(app, ADDRESS, client=ELSEWHERE) as client:
        assert client.get("/panel.png").status_code == 404
        assert client.get("/panel.png", headers={"if-none-match": '"p7"'}).status_code == 404
        assert "/panel.png" not in client.get("/").text
        assert "Only the people in the room" in client.get("/").text
    with TestClient(app, ADDRESS, client=HERE) as client:
        assert "Only the people in the room" not in client.get("/").text
        assert client.get("/panel.png").content == b"with the PIN"
        assert "/panel.png" in client.get("/").text


def test_a_table_without_a_panel_has_no_picture(viewer: TestClient) -> None:
    assert viewer.get("/panel.png").status_code == 404
    assert "/panel.png" not in viewer.get("/").text


def test_the_language_is_negotiated_and_the_choice_wins(viewer: TestClient) -> None:
    portuguese = {"accept-language": "fr, pt-PT;q=0.8, en;q=0.5"}
    assert 'lang="pt-BR"' in viewer.get("/", headers=portuguese).text
    assert 'lang="en"' in viewer.get("/", headers={"accept-language": "fr"}).text
    answer = viewer.get("/preferences?language=bg&back=/host", headers=portuguese, follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, "/host")
    assert '<html lang="bg"' in viewer.get("/", headers=portuguese).text


def test_unknown_wishes_are_not_kept(viewer: TestClient) -> None:
    answer = viewer.get("/preferences?language=xx&theme=pink&size=<b>", follow_redirects=False)
    assert "set-cookie" not in answer.headers
    assert 'data-theme="auto"' in viewer.get("/", headers={"cookie": "theme=pink; language=xx"}).text


@pytest.mark.parametrize(
    "back", ["http://evil.example", "//evil.example", "/\\evil.example", "evil", "/a\r\nX: 1", "", "http://["]
)
def test_preferences_lead_back_to_this_table_only(viewer: TestClient, back: str) -> None:
    answer = viewer.get("/preferences", params={"back": back}, follow_redirects=False)
    assert answer.headers["location"] == "/"


def test_looks_are_kept(viewer: TestClient) -> None:
    viewer.get("/preferences?theme=dark&size=largest")
    assert 'data-theme="dark" data-size="largest"' in viewer.get("/").text


def test_static_files_of_this_version_are_kept_for_ever_and_others_not_at_all(viewer: TestClient) -> None:
    script = re.search(r'src="(/static/(\w+)/page.js)"', viewer.get("/").text)
    assert script is not None
    assert "immutable" in viewer.get(script[1]).headers["cache-control"]
    assert viewer.get(script[1]).headers["content-type"].startswith("text/javascript")
    older = viewer.get("/static/0123456789ab/page.js")
    assert (older.status_code, older.headers["cache-control"]) == (200, "no-store")
    assert viewer.get(f"/static/{script[2]}/nothing.js").status_code == 404
    assert viewer.get(f"/static/{script[2]}/../app.py").status_code == 404


def test_the_public_view_can_be_read_as_json(viewer: TestClient, started: Desk) -> None:
    told = viewer.get("/table.json").json()
    assert told["revision"] == started.session.snapshot.revision
    assert told["game"] == "tiny"
    assert told["portrait"]["board"]["spaces"][0]["name"] == "pier"
    assert told["state"]["game"] == "tiny"
    assert told["can_undo"] is True
    assert told["log"][0]["number"] > told["log"][-1]["number"]


def test_without_a_game_the_json_says_so(viewer: TestClient) -> None:
    told = viewer.get("/table.json").json()
    assert (told["game"], told["portrait"], told["log"]) == (None, None, [])


def test_health_tells_revision_and_build(viewer: TestClient, desk: Desk) -> None:
    told = viewer.get("/health").json()
    assert told["ok"] is True
    assert told["revision"] == desk.session.snapshot.revision
    assert f"/static/{told['build']}/" in viewer.get("/").text


def test_a_wrong_address_is_told_in_the_readers_words(viewer: TestClient) -> None:
    page = viewer.get("/nothing", headers={"accept": "text/html", "accept-language": "pt"})
    assert page.status_code == 404
    assert "Não há nada neste endereço." in page.text
    assert viewer.get("/nothing").json() == {"code": "not_found", "message": "There is nothing at this address."}
    assert viewer.get("/commands").status_code == 405
    assert viewer.get("/host/games/x").status_code == 404


def test_an_earlier_game_is_listed_with_its_log_and_can_be_taken_up_again(host: TestClient, started: Desk) -> None:
    started.session.leave()
    page = host.get("/host/games").text
    assert 'href="/games/1"' in page
    assert "&#34;reopen&#34;" in page
    assert "tiny.drawn" in host.get("/games/1").text
    assert host.get("/games/99").status_code == 404


def test_the_start_form_asks_what_each_game_must_be_told(host: TestClient) -> None:
    page = host.get("/host/games").text
    assert page.count('data-order="start"') == 1
    assert page.count('name="players.') == 3
    assert '<select name="players.1" autocomplete="off" required>' in page
    assert '<input type="radio" name="weather" value="mild" checked>' in page
    assert 'name="seed"' in page
    assert "Real cards, drawn at the table" in page
    assert "take the starting hands and the cards already discarded out of the real decks" in page


def test_the_corrections_form_offers_every_adjustable_value(host: TestClient, started: Desk) -> None:
    page = host.get("/host/correct").text
    seated = started.session.snapshot.seated
    assert seated is not None
    for adjustable in seated.game.adjustables(seated.state):
        key = f' data-key="{adjustable.key}"' if adjustable.key else ""
        assert f'data-part="{adjustable.part}"{key}' in page


def test_the_play_page_reaches_every_legal_command_by_its_own_buttons(host: TestClient, desk: Desk) -> None:
    """Follow every button that tells more; each legal command must be on one."""
    desk.session.start("tiny", {"players": ["otter", "heron"], "seed": "1", "dark": "dune"})
    met: set[str] = set()
    _follow(host, [], met)
    assert met == {repr(command) for command in desk.session.legal()}


def _follow(host: TestClient, steps: list[str], met: set[str]) -> None:
    page = host.get("/host/live/play", params={"step": steps}).text
    orders = (json.loads(unescape(text)) for text in re.findall(r'data-command="([^"]+)"', page))
    met.update(repr(order["command"]) for order in orders if order["kind"] == "play")
    for text in re.findall(r'data-steps="([^"]+)"', page):
        further = json.loads(unescape(text))
        if len(further) > len(steps):
            _follow(host, further, met)

"""Evenings at the simulated table: every press and scan goes through the real drivers."""

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from companion.rules.forbidden_island.reach import walks
from companion.rules.registry import GAMES
from simulator.tags import fake_tag
from tests.cli.companions import Companion, running

ISLAND = GAMES["forbidden_island"]


def moved_on(table: Companion, act: Any) -> dict[str, Any]:
    """The table after an act that changes it."""
    before = table.table()["revision"]
    act()
    return table.until(lambda seen: seen if seen["revision"] > before else None)


def test_a_scanned_tile_moves_the_pawn_and_a_long_press_pauses(tmp_path: Path) -> None:
    with running(tmp_path, "--simulate") as table:
        table.start()
        state = ISLAND.read_state(table.table()["state"])
        tile = next(tile for tile in sorted(walks(state, state.active)) if tile not in state.flooded)
        after = moved_on(table, lambda: table.scan(fake_tag(f"tile:{tile}")))
        assert after["state"]["pawns"]["explorer"] == tile
        assert moved_on(table, lambda: table.press("A", long=True))["paused"]


def test_a_whole_game_is_dealt_to_its_end_by_one_button(tmp_path: Path) -> None:
    with running(tmp_path, "--simulate") as table:
        table.start(difficulty="legendary", players=["explorer", "pilot", "diver", "engineer"])
        for _ in range(150):
            seen = table.table()["state"]
            if seen["phase"] in ("won", "lost"):
                break
            if seen["swimming"] or max(map(len, seen["hands"].values())) > 5:
                state = ISLAND.read_state(seen)
                command = ISLAND.command_json(ISLAND.legal(state)[0])
                assert table.order("play", command=command).status_code == 200
            else:
                moved_on(table, lambda: table.press("A"))
        assert table.table()["state"]["phase"] == "lost"
        assert table.http.get("/panel.png").status_code == 200
        assert moved_on(table, lambda: table.press("D"))["state"]["phase"] != "lost"


def test_an_unplugged_reader_is_told_and_heals(tmp_path: Path) -> None:
    def reader_is(state: str) -> Any:
        return lambda seen: any(told["device"] == "reader" and told["state"] == state for told in seen["devices"])

    with running(tmp_path, "--simulate") as table:
        table.until(reader_is("ready"))
        table.post("/sim/reader", {"do": "unplug"})
        table.until(reader_is("lost"))
        table.post("/sim/reader", {"do": "plug"})
        table.until(reader_is("ready"))


def signalled(table: Companion) -> dict[str, Any]:
    """What light and buzzer said last."""
    return dict(table.http.get("/sim/state").json()["signal"] or {})


def answer_to_b(table: Companion) -> dict[str, Any]:
    """What light and buzzer say to a press of B."""
    before = signalled(table).get("number", 0)
    table.press("B")
    table.until(lambda _: signalled(table).get("number", 0) > before)
    return signalled(table)


def test_holding_b_mutes_the_buzzer_and_it_stays_so_after_a_restart(tmp_path: Path) -> None:
    for aloud in (True, False):
        with running(tmp_path, "--simulate") as table:
            table.start()
            assert answer_to_b(table)["aloud"] is aloud
            if aloud:
                told = moved_on(table, lambda: table.press("B", long=True))
                assert told["notice"]["phrase"]["code"] == "notice.muted"
            assert table.stop() == 0


def test_a_phone_that_loses_the_game_is_heard_at_the_table(tmp_path: Path) -> None:
    with running(tmp_path, "--simulate") as table:
        table.start(difficulty="legendary", tracking="cards")
        while table.table()["state"]["phase"] not in ("won", "lost"):
            if table.order("deal").status_code != 200:
                legal = ISLAND.legal(ISLAND.read_state(table.table()["state"]))
                assert table.order("play", command=ISLAND.command_json(legal[0])).status_code == 200
        assert signalled(table)["mood"] == "lost"


def pictures(table: Companion) -> int:
    """How many pictures the panel has shown."""
    return int(table.http.get("/sim/state").json()["panel"]["picture"])


def test_in_quiet_hours_a_start_shows_how_to_come_in_but_a_game_waits_until_somebody_acts(tmp_path: Path) -> None:
    now = datetime.now()
    begin, end = (f"{now + timedelta(hours=hours):%H:%M}" for hours in (-2, 2))
    settings = tmp_path / "companion.toml"
    settings.write_text(f'[table]\nquiet = ["{begin}", "{end}"]\n[web]\nhost = "127.0.0.1"\n', encoding="utf-8")
    with running(tmp_path, "--simulate", "--config", str(settings)) as table:
        table.until(lambda _: pictures(table) == 1)
        table.start()
        table.until(lambda _: pictures(table) == 2)
    with running(tmp_path, "--simulate", "--config", str(settings)) as table:
        table.until(lambda _: "rests until the quiet hours end" in table.http.get("/").text)
        assert pictures(table) == 0
        assert answer_to_b(table)["aloud"] is False
        table.until(lambda _: pictures(table) == 1)

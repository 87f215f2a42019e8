"""What a tournament plays, keeps and counts."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.tournament.ledger import Ledger, LedgerError
from simulator.tournament.match import Match, Result, Terms, matches, play_matches, seats
from simulator.tournament.score import scores, table, wilson

TERMS = Terms("forbidden_island", "random", "tests")
HARD = ("novice", "normal", "elite", "legendary")


def result(number: int, *, won: bool = False, reason: str | None = "drowned", difficulty: str = "novice") -> Result:
    return Result(Match(2, difficulty, number), won, None if won else reason, 10, 100, 0.5)


def test_a_tournament_mixes_its_games_so_that_each_kind_comes_along_from_the_start() -> None:
    assert [(match.players, match.difficulty) for match in matches((2, 4), ("novice", "elite"), 2)][:4] == [
        (2, "novice"),
        (2, "elite"),
        (4, "novice"),
        (4, "elite"),
    ]
    assert list(seats("forbidden_island")) == [2, 3, 4]


def test_a_match_is_the_same_whichever_matches_are_played_with_it() -> None:
    wanted = list(matches((2, 3), ("novice",), 3))
    together = play_matches(TERMS, wanted)
    assert [play_matches(TERMS, [match])[0] for match in reversed(wanted)] == together[::-1]
    assert play_matches(Terms("forbidden_island", "random", "other"), wanted) != together


def test_results_are_kept_and_taken_up_again(tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"
    with Ledger(file, TERMS) as ledger:
        ledger.add([result(0), result(1, won=True)])
    with Ledger(file, TERMS) as ledger:
        assert sorted(ledger.results) == [Match(2, "novice", 0), Match(2, "novice", 1)]
        ledger.add([result(1, won=True), result(2)])
    with Ledger(file, TERMS) as ledger:
        assert [ledger.results[match].won for match in sorted(ledger.results)] == [False, True, False]


@given(st.integers(min_value=0, max_value=1000))
def test_a_file_cut_at_any_byte_is_taken_up_after_its_last_whole_line(
    tmp_path_factory: pytest.TempPathFactory, cut: int
) -> None:
    file = tmp_path_factory.mktemp("cut") / "results.jsonl"
    with Ledger(file, TERMS) as ledger:
        ledger.add([result(number) for number in range(4)])
    whole = file.read_bytes()
    file.write_bytes(whole[: cut % len(whole)])
    lines = whole[: cut % len(whole)].count(b"\n")
    with Ledger(file, TERMS) as ledger:
        assert len(ledger.results) == max(0, lines - 1)
        ledger.add([result(number) for number in range(4)])
    assert sorted(file.read_bytes().splitlines()) == sorted(whole.splitlines())


@pytest.mark.parametrize("content", ["", "x" * 40 + "\nmore", '{"tournament": 3}\n', '["a"]\n', "x"])
def test_a_file_of_something_else_is_left_alone(tmp_path: Path, content: str) -> None:
    file = tmp_path / "notes.txt"
    file.write_text(content)
    if not content:
        Ledger(file, TERMS).__exit__(None, None, None)
        return
    with pytest.raises(LedgerError, match="is not a file of results; choose another"):
        Ledger(file, TERMS)
    assert file.read_text() == content


def test_another_tournament_s_file_is_refused_with_what_it_holds(tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"
    Ledger(file, TERMS).__exit__(None, None, None)
    with pytest.raises(LedgerError, match="holds another tournament \\(seed 'tests'\\)"):
        Ledger(file, Terms("forbidden_island", "random", "2"))


SOUND = json.dumps(asdict(result(1)))


@pytest.mark.parametrize(
    "line",
    [
        b'{"match": 3}',
        b"garbage",
        b"\xff\x00",
        b"",
        b"[" * 100_000,
        SOUND.replace('"players": 2', '"players": [2]').encode(),
        SOUND.replace('"won": false', '"won": "no"').encode(),
        SOUND.replace('"turns": 10', '"turns": null').encode(),
    ],
    ids=range(8),
)
def test_a_line_that_is_no_result_is_told_with_its_number_and_what_to_do(tmp_path: Path, line: bytes) -> None:
    file = tmp_path / "results.jsonl"
    with Ledger(file, TERMS) as ledger:
        ledger.add([result(0)])
    before = file.read_bytes() + line + b"\n"
    file.write_bytes(before)
    with pytest.raises(LedgerError, match=r"line 3 is no result: .*; delete that line, and the same command goes on"):
        Ledger(file, TERMS)
    assert file.read_bytes() == before


def test_a_file_that_somebody_writes_is_not_written_by_another_until_it_is_let_go(tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"
    with Ledger(file, TERMS) as ledger:
        with pytest.raises(LedgerError, match="another companion tournament is writing it"):
            Ledger(file, TERMS)
        ledger.add([result(0)])
    with Ledger(file, TERMS) as ledger:
        assert len(ledger.results) == 1


def test_a_file_that_was_refused_is_let_go(tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"
    Ledger(file, TERMS).__exit__(None, None, None)
    with pytest.raises(LedgerError) as refused:
        Ledger(file, Terms("forbidden_island", "random", "2"))
    Ledger(file, TERMS).__exit__(None, None, None)
    assert "another tournament" in str(refused.value)


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(LedgerError, match="cannot be used: No such file or directory"):
        Ledger(tmp_path / "no" / "results.jsonl", TERMS)


@pytest.mark.parametrize(
    ("won", "played", "low", "high"),
    [
        (0, 0, 0.0, 1.0),
        (0, 10, 0.0, 0.2775),
        (10, 10, 0.7225, 1.0),
        (50, 100, 0.4038, 0.5962),
        (81, 263, 0.2553, 0.3662),
    ],
)
def test_the_confidence_interval_is_wilson_s(won: int, played: int, low: float, high: float) -> None:
    assert list(wilson(won, played)) == pytest.approx([low, high], abs=1e-4)


def test_scores_are_by_difficulty_in_its_order_then_by_players_with_the_ways_of_losing() -> None:
    games = [result(0, difficulty="elite"), result(0, won=True), result(1), result(2), result(3, reason="water_level")]
    elite_last = scores(games, HARD)
    assert [(score.difficulty, score.played, score.won) for score in elite_last] == [("novice", 4, 1), ("elite", 1, 0)]
    assert dict(elite_last[0].losses) == {"drowned": 2, "water_level": 1}
    assert json.dumps(elite_last[0].json())
    line = table(elite_last)[1]
    assert line.split()[:4] == ["novice", "2", "4", "25.0%"]
    assert line.endswith("drowned 50.0%, water_level 25.0%")

"""What went wrong with moves, take-backs and scans at other tables does not here: each test names the report."""

from __future__ import annotations

from typing import Any

import pytest

from companion.ports import TagArrived
from companion.rules.game import JsonObject
from companion.table.meaning import Act
from companion.table.session import Session
from tests.table.sittings import Clock, line_of, press, scan, seated, sit_down, tiny_session

SETUP = {"players": ["explorer", "pilot"], "difficulty": "novice", "seed": "7"}


def go_on(session: Session, presses: int = 12) -> list[JsonObject]:
    """Deal wherever it can be, else do the first thing that can be done; all commands of the game."""
    for _ in range(presses):
        if session.deals():
            session.deal()
        elif session.legal():
            session.play(session.legal()[0])
    return [seated(session).game.command_json(move.command) for move in line_of(session).moves]


def test_a_take_back_over_a_turn_restores_the_decks_that_were_shuffled_in_it() -> None:
    """https://github.com/Lurkars/gloomhavensecretariat/issues/126: undo over a round left decks shuffled."""
    session = sit_down()
    session.start("forbidden_island", SETUP)
    before = seated(session).state
    commands = go_on(session, 40)
    assert any("waters_rise" in command.values() for command in commands)
    while seated(session).can_undo:
        session.undo()
    assert seated(session).state == before


def test_a_card_that_was_drawn_and_taken_back_is_the_same_card_again() -> None:
    """https://github.com/terraforming-mars/terraforming-mars/issues/1846, 4317 and 5569: undo gave another draw.

    https://github.com/magefree/mage/issues/8058: the chance was not rolled back with the rest.
    """
    session = sit_down()
    session.start("forbidden_island", SETUP)
    first = go_on(session)
    while seated(session).can_undo:
        session.undo()
    assert go_on(session) == first
    assert {command["do"] for command in first} >= {"draw_treasure", "draw_flood"}


@pytest.mark.parametrize("told", ["place:tower", "place:mill", "place:pier"])
def test_every_scan_is_answered_at_once_also_one_that_fits_nothing(told: str) -> None:
    """https://github.com/jromang/picochess/issues/101 and 152: a wrong act at the board had no answer at all."""
    session = tiny_session()
    revision = session.snapshot.revision
    snapshot = scan(session, told)
    moved = len(line_of(session).moves) == 1
    assert snapshot.revision > revision
    assert moved or snapshot.gesture is not None or snapshot.notice is not None


def test_a_take_back_in_the_middle_of_a_thought_leaves_no_clock_running_and_the_table_awake() -> None:
    """https://github.com/jromang/picochess/issues/147: after a take-back the clock ran on and the board was dead."""
    clock = Clock()
    session = sit_down(clock=clock)
    session.start("tiny", {"seed": 1, "dark": "mill"})
    session.play({"do": "rest"})
    press(session, "C")
    session.undo()
    before: Any = seated(session).state
    assert session.snapshot.gesture is None
    clock.now += 7 * 24 * 3600
    session.tick()
    assert seated(session).state == before
    session.play({"do": "rest"})
    assert len(line_of(session).moves) == 1


def test_a_command_tag_is_no_piece_and_a_piece_no_command() -> None:
    """https://github.com/lichess-org/lila/issues/11783: the gesture that ends a game was sent as moves."""
    session = tiny_session()
    before = seated(session).state
    session.bind("04A1", Act("pause"))
    session.observe(TagArrived("reader", "04A1"))
    assert (session.snapshot.paused, seated(session).state, line_of(session).moves) == (True, before, ())

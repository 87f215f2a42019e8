"""Scripts: what can be said in them, and what is answered to what cannot."""

from __future__ import annotations

import pytest

from simulator.faults import Fault
from simulator.script import FORMS, SLOTS, Act, ScriptError, Sort, read_act, read_script

EXAMPLES = {
    "PIECE": "tile watchtower",
    "READER": "box",
    "PROTOCOL": "pn532",
    "BUTTON": "C",
    "SECONDS": "2.5",
    "CHANGE": "-60",
    "PERCENT": "5",
    "N": "3",
    "FAULT": "torn frames",
    "ORDER": "deals",
    "JSON": '{"do": "move"}',
    "TEXT": '"Turn 1"',
    "WORD": "do:move",
    "PATH": "state.pawns.pilot",
    "VALUE": "fools landing",
}


def filled(form: str) -> str:
    """A form with an example in each slot, and all that may be left out."""
    bare = form.replace("[", "").replace("]", "")
    return " ".join(EXAMPLES.get(word, word) for word in bare.split())


@pytest.mark.parametrize("name", FORMS)
def test_every_line_that_a_script_can_have_is_read_as_what_it_is(name: str) -> None:
    act = read_act(filled(FORMS[name][1]), 4)
    assert (act.name, act.line, act.sort) == (name, 4, FORMS[name][0])
    wanted = {word.strip("[]") for word in FORMS[name][1].split()} & SLOTS.keys()
    assert act.given == {slot.lower(): EXAMPLES[slot] for slot in wanted}


def test_what_is_in_brackets_may_be_left_out() -> None:
    assert read_act("tap deal").given == {"piece": "deal"}
    assert read_act("lift from box").given == {"reader": "box"}
    assert read_act("lift").given == {}
    assert read_act("tap tag 04A1 on box").given == {"piece": "tag 04A1", "reader": "box"}


def test_comments_and_empty_lines_are_passed_over_and_lines_keep_their_numbers() -> None:
    acts = read_script('# an evening\n\nseed 4\npress A   # deal\npanel shows "#12"\n')
    assert [(act.name, act.line) for act in acts] == [("seed", 3), ("press", 4), ("panel_shows", 5)]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (
            "plase tile watchtower",
            "expected `place PIECE [on READER]`, where PIECE is a piece such as `tile watchtower`",
        ),
        ("press E", "expected `press BUTTON [N times]`, where BUTTON is A, B, C or D; N is a whole number"),
        ("wait", "expected `wait SECONDS s`, where SECONDS is seconds such as `3` or `0.5`"),
        ("phone 1 flies", "expected `phone N does JSON` or "),
        ("reader box speaks morse", "PROTOCOL is line, codes, rdm6300, id12, pn532 or r200"),
        ("fault earthquake 5 %", f"FAULT is one of {', '.join(Fault)}"),
        ("xyzzy", "expected a line that begins with one of all, clock, cut"),
        ("phone 1 does {no json}", "is no JSON"),
    ],
)
def test_what_cannot_be_read_is_answered_with_the_line_and_what_is_expected(line: str, told: str) -> None:
    with pytest.raises(ScriptError) as fault:
        read_script(f"press A\n{line}\n")
    assert str(fault.value).startswith("line 2: ")
    assert told in str(fault.value)


def test_every_fault_of_a_script_is_told_at_once() -> None:
    with pytest.raises(ScriptError) as fault:
        read_script("press E\npress A\nwait\n")
    assert [line.partition(":")[0] for line in str(fault.value).splitlines()] == ["line 1", "line 3"]


def test_a_piece_that_no_box_has_is_told_with_the_other_faults() -> None:
    with pytest.raises(ScriptError) as fault:
        read_script("press E\nplace tile nowhere\ntap tile copper\nlift tag 04A1\nwait\n", {"tile:copper_gate"})
    assert [line.partition(": expected")[0] for line in str(fault.value).splitlines()] == [
        "line 1: press E",
        "line 2: place tile nowhere: no box has a tile nowhere",
        "line 3: tap tile copper: no box has a tile copper; did you mean tile copper_gate?",
        "line 5: wait",
    ]


def test_the_table_is_put_together_before_the_first_act() -> None:
    with pytest.raises(ScriptError, match="line 2: seed 4: must stand before the first act"):
        read_script("press A\nseed 4\n")


def test_an_act_is_written_as_it_was_read() -> None:
    assert str(read_act("tap tile watchtower on box for 2 s")) == "tap tile watchtower on box for 2 s"
    assert Act("wait", {}, "wait").number("seconds", 7) == 7
    assert Sort.ACT is read_act("lift").sort

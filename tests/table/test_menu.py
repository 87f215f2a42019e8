"""The menu: what can be picked with no gesture open."""

from __future__ import annotations

from tests.table.sittings import line_of, press, seated, sit_down


def test_where_all_depends_on_one_question_the_menu_is_its_answers() -> None:
    session = sit_down()
    session.start("forbidden_island", {"players": ["explorer", "pilot"], "difficulty": "novice", "tracking": "cards"})
    while seated(session).state.asked is None:
        session.deal()
    asked = seated(session).state.asked
    answers = [
        f"command:{session.legal().index({'do': 'settle', 'tile': asked, 'sank': sank})}" for sank in (True, False)
    ]
    assert [option.pick for option in session.menu()] == [*answers, "undo"]
    press(session, "C")
    press(session, "B")
    press(session, "C")
    assert seated(session).game.command_json(line_of(session).moves[-1].command) == {
        "do": "settle",
        "tile": asked,
        "sank": False,
    }

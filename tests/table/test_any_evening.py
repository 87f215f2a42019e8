"""Whatever a table does in an evening, in any order, over restarts."""

from __future__ import annotations

import random
import tempfile
from pathlib import Path
from typing import Any, ClassVar

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from companion.ports import Button, Press, TagArrived
from companion.rules.game import Refused, Thing
from companion.rules.registry import GAMES
from companion.table.session import Session
from tests.table.sittings import get_up, line_of, seated, sit_down, table_of

chances = st.integers(0, 10**9).map(random.Random)


class Evening(RuleBasedStateMachine):
    """The model is a list of positions to go back to and a list to go forth to, for every game ever begun."""

    game: str
    setup: ClassVar[dict[str, Any]]
    corrections: ClassVar[list[dict[str, Any]]]

    @initialize(seed=st.integers(0, 10**6), decks=st.sampled_from(["companion", "table"]), one=st.booleans())
    def sit_down(self, seed: int, decks: str, one: bool) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.one = one
        self.session = self.opened()
        self.back: dict[int, list[Any]] = {}
        self.forth: dict[int, list[Any]] = {}
        self.revision = self.changed_at = 0
        self.begin(seed, decks)

    def opened(self) -> Session:
        return sit_down(Path(self.folder.name) / "journal.db", one_card_a_press=self.one)

    def begin(self, seed: int, decks: str) -> None:
        self.session.start(self.game, {**self.setup, "seed": seed, "decks": decks})
        self.back[self.id], self.forth[self.id] = [self.state], []

    @property
    def id(self) -> int:
        return seated(self.session).id

    @property
    def state(self) -> Any:
        return seated(self.session).state

    def moved(self) -> None:
        """Take over what was just played."""
        known = self.back[self.id]
        new = line_of(self.session).moves[len(known) - 1 :]
        if new:
            known.extend(move.after for move in new)
            self.forth[self.id] = []

    @rule(chance=chances)
    def play(self, chance: random.Random) -> None:
        if legal := self.session.legal():
            self.session.play(chance.choice(legal))
            self.moved()

    @rule(chance=chances)
    def correct(self, chance: random.Random) -> None:
        self.session.play({"do": "correct", **chance.choice(self.corrections)})
        self.moved()

    @rule()
    def deal(self) -> None:
        try:
            self.session.deal()
        except Refused:
            return
        self.moved()

    @rule()
    def undo(self) -> None:
        here = self.back[self.id]
        if len(here) == 1:
            return
        self.session.undo()
        self.forth[self.id].append(here.pop())

    @rule()
    def redo(self) -> None:
        if not self.forth[self.id]:
            return
        self.session.redo()
        self.back[self.id].append(self.forth[self.id].pop())

    @rule(chance=chances)
    def pick(self, chance: random.Random) -> None:
        gesture = self.session.snapshot.gesture
        offered = gesture.options if gesture and gesture.options else self.session.menu()
        picks = [option.pick for option in offered if option.pick not in ("undo", "redo")]
        if picks:
            self.session.pick(chance.choice(picks))
            self.moved()

    @rule(presses=st.lists(st.sampled_from("BC"), max_size=6))
    def press(self, presses: list[str]) -> None:
        for button in presses:
            gesture = self.session.snapshot.gesture
            if button == "C" and gesture and gesture.options[gesture.cursor].pick in ("undo", "redo"):
                continue
            self.session.observe(Press(Button(button)))
        self.moved()

    @rule(chance=chances)
    def scan(self, chance: random.Random) -> None:
        kind = chance.choice(seated(self.session).game.tagged())
        thing = Thing(kind.kind, chance.choice(kind.names))
        if str(thing) not in self.session.tags():
            self.session.bind(str(thing), thing)
        self.session.observe(TagArrived("reader", str(thing)))
        self.moved()

    @rule()
    def pause_and_go_on(self) -> None:
        self.session.pause()
        self.session.resume()

    @rule()
    def restart(self) -> None:
        before = table_of(self.session)
        get_up(self.session)
        self.session = self.opened()
        assert table_of(self.session) == before

    @precondition(lambda self: len(self.back) < 3)
    @rule(seed=st.integers(0, 10**6), decks=st.sampled_from(["companion", "table"]))
    def another_game(self, seed: int, decks: str) -> None:
        self.begin(seed, decks)

    @rule(chance=chances)
    def reopen(self, chance: random.Random) -> None:
        self.session.leave()
        self.session.reopen(chance.choice(sorted(self.back)))

    @invariant()
    def the_table_is_as_the_model(self) -> None:
        there = seated(self.session)
        assert there.state == self.back[self.id][-1]
        assert (there.can_undo, there.can_redo) == (len(self.back[self.id]) > 1, bool(self.forth[self.id]))
        assert [line.retracted for line in there.log].count(False) <= len(self.back[self.id]) - 1

    @invariant()
    def the_journal_folds_to_the_table(self) -> None:
        folded = self.session._table.read(self.id)
        assert folded.seated() == seated(self.session)
        assert folded.line.undone == line_of(self.session).undone

    @invariant()
    def revisions_only_grow(self) -> None:
        assert self.session.snapshot.revision >= self.revision
        self.revision = self.session.snapshot.revision

    @invariant()
    def the_position_is_sound(self) -> None:
        assert seated(self.session).game.faults(self.state) == ()

    def teardown(self) -> None:
        if hasattr(self, "session"):
            get_up(self.session)
            self.folder.cleanup()


class TinyEvening(Evening):
    game = "tiny"
    setup: ClassVar = {"players": ["otter", "heron"]}
    corrections: ClassVar = [{"storm": 1}, {"lamps": {"mill": "lit"}}, {"at": {"otter": "tower", "heron": "tower"}}]


class ForbiddenIslandEvening(Evening):
    game = "forbidden_island"
    setup: ClassVar = {"players": ["engineer", "navigator"], "difficulty": "novice"}
    corrections: ClassVar = [{"water": 2}, {"tiles": {"observatory": "flooded"}}]


usual = settings(max_examples=25, stateful_step_count=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
TestTinyEvening = TinyEvening.TestCase
TestTinyEvening.settings = usual
if "forbidden_island" in GAMES:
    TestForbiddenIslandEvening = ForbiddenIslandEvening.TestCase
    TestForbiddenIslandEvening.settings = usual

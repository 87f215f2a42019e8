"""Random people at a table: they play what may be played, by scans, buttons and phones, and make human mistakes."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from typing import Any

from companion.cli.simulation.performer import PHONES, mishaps
from companion.cli.simulation.virtual_table import VirtualTable
from companion.rules.game import AnyGame, Mentions, Refused, Thing
from companion.table.snapshot import Snapshot
from simulator.faults import Fault

MISHAP, MISTAKE = 0.12, 0.15
"""The chance that an act is a mishap, and that it is a mistake."""

CURE_AFTER = (1, 8)
"""A mishap is cured after so many acts."""


class People:
    """Who sits at a table and says each next act, in a script's words.

    What they do depends on ``seed`` and on what they see at the table. ``faults`` may befall the table between acts.
    """

    def __init__(self, table: VirtualTable, seed: int, faults: Sequence[Fault]) -> None:
        self._table = table
        self._dice = random.Random(f"people {seed}")
        self._mishaps = [told for fault, told in mishaps().items() if fault in faults]
        self._cures: list[tuple[int, str]] = []
        self._done = 0
        self._pieces = sorted(str(meaning) for meaning in table.life.house.session.taught().values())

    def next_act(self) -> str:
        """What is done next."""
        self._done += 1
        due = [cure for cure in self._cures if cure[0] <= self._done]
        if due:
            self._cures.remove(due[0])
            return due[0][1]
        luck = self._dice.random()
        if self._mishaps and luck < MISHAP:
            return self._mishap()
        return self._mistake() if luck < MISHAP + MISTAKE else self._move()

    # -- what befalls them
    def _mishap(self) -> str:
        mishap, cure = self._dice.choice(self._mishaps)
        slots = {
            "READER": self._reader(),
            "BUTTON": self._dice.choice("ABCD"),
            "N": self._phone(),
            "SECONDS": str(self._dice.choice((-86400, -60, 3600, 90000))),
        }
        if mishap == mishaps()[Fault.KILLED][0]:
            mishap = self._dice.choice((mishap, "cut the power"))
        if cure:
            self._cures.append((self._done + self._dice.randint(*CURE_AFTER), _filled(cure, slots)))
        return _filled(mishap, slots)

    # -- what they do wrong
    def _mistake(self) -> str:
        mistakes: tuple[Callable[[], str], ...] = (
            lambda: f"tap {self._piece()} on {self._reader()}",
            lambda: f"tap tag 04{self._dice.randbytes(6).hex().upper()} on {self._reader()}",
            lambda: f"place {self._piece()} on {self._reader()}",
            lambda: f"lift from {self._reader()}",
            lambda: f"tap {self._piece()} on {self._reader()} for 0.1 s",
            lambda: f"press {self._dice.choice('ABCD')} {self._dice.randint(1, 3)} times",
            lambda: f"hold {self._dice.choice('ABCD')}",
            lambda: f"hold {self._dice.choice('ABCD')} for 12 s",
            lambda: f"noise on {self._reader()}",
            lambda: f"reset {self._reader()}",
            lambda: f"phone {self._phone()} repeats",
            lambda: f"phone {self._phone()} {self._dice.choice(('undoes', 'redoes', 'cancels', 'pauses', 'resumes'))}",
            lambda: (
                f'phone {self._phone()} sends {{"kind": "deal", "expected_revision": {self._dice.randint(0, 999)}}}'
            ),
            lambda: f"phone {self._phone()} picks {self._piece().replace(' ', ':')}",
            lambda: f'phone {self._phone()} does {{"do": "{self._dice.choice(("move", "nonsense"))}"}}',
            lambda: f"phone {self._phone()} leaves" if self._dice.random() < 0.1 else "wait 1 s",
            lambda: f"wait {self._dice.choice((2, 10, 70))} s",
        )
        return self._dice.choice(mistakes)()

    # -- what they do right
    def _move(self) -> str:
        snapshot = self._snapshot
        seated = snapshot.seated
        if seated is None or seated.game.outcome(seated.state) is not None:
            return self._start()
        if snapshot.paused:
            return self._dice.choice((f"phone {self._phone()} resumes", "hold A"))
        if snapshot.gesture is not None and self._dice.random() < 0.7:
            return self._answer(snapshot)
        if self._table.life.house.session.deals() and self._dice.random() < 0.4:
            return self._dice.choice(("press A", f"phone {self._phone()} deals", f"tap deal on {self._reader()}"))
        return self._tell(seated.game, seated.state)

    def _start(self) -> str:
        game = self._dice.choice(sorted(self._table.games))
        return f"phone {self._phone()} starts {game} {json.dumps(random_setup(self._table.games[game], self._dice))}"

    def _answer(self, snapshot: Snapshot) -> str:
        """Go on with the gesture that is open."""
        gesture = snapshot.gesture
        if gesture is None or not gesture.options:
            return "press D"
        option = self._dice.choice(gesture.options).pick
        ways = [f"phone {self._phone()} picks {option}", "press C", "press B"]
        if not option.startswith(("command:", "do:")) and ":" in option:
            ways.append(f"tap {option.replace(':', ' ')} on {self._reader()}")
        return self._dice.choice(ways)

    def _tell(self, game: AnyGame, state: Any) -> str:
        """Tell a command that may be played."""
        legal = game.legal(state)
        if not legal:
            return "press A"
        command = self._dice.choice(legal)
        if self._dice.random() < 0.5:
            return f"phone {self._phone()} does {json.dumps(game.command_json(command))}"
        mentioned = game.mentions(state, command)
        if self._dice.random() < 0.6:
            return self._scan(mentioned)
        return self._dice.choice(("press C", "press B", f"phone {self._phone()} picks do:{mentioned.verb}"))

    def _scan(self, mentioned: Mentions) -> str:
        things = [thing for thing in sorted(mentioned.things) if str(thing) in self._pieces]
        thing = self._dice.choice(things) if things else None
        told = f"do:{mentioned.verb}" if thing is None or self._dice.random() < 0.2 else _words(thing)
        return f"tap {told if told.replace(' ', ':') in self._pieces else 'choose'} on {self._reader()}"

    # -- chance
    @property
    def _snapshot(self) -> Snapshot:
        return self._table.life.house.session.snapshot

    def _reader(self) -> str:
        return self._dice.choice([reader.name for reader in self._table.readers])

    def _late_order(self) -> str:
        return json.dumps({"kind": "deal", "expected_revision": self._dice.randint(0, 999)})

    def _phone(self) -> str:
        return str(self._dice.randint(1, PHONES))

    def _piece(self) -> str:
        return self._dice.choice(self._pieces).replace(":", " ", 1) if self._dice.random() < 0.9 else "deal"


def random_setup(game: AnyGame, dice: random.Random) -> dict[str, Any]:
    """A set-up by chance that the game can be begun with; what is optional is left to the dealer."""
    for _ in range(100):
        setup: dict[str, Any] = {"seed": dice.randrange(1_000_000)}
        for choice in game.choices():
            if choice.optional:
                continue
            picked = dice.sample([str(option) for option in choice.options], dice.randint(choice.least, choice.most))
            setup[choice.key] = picked[0] if choice.single else picked
        if dice.random() < 0.15:
            setup["decks"] = "table"
        try:
            game.complete({key: value for key, value in setup.items() if key not in ("seed", "decks")}, _first)
        except Refused:
            continue
        return setup
    raise ValueError(f"no set-up of {game.name} was found by chance")


def _first(_purpose: str, options: Sequence[str]) -> str:
    return options[0]


def _words(thing: Thing) -> str:
    return f"{thing.kind} {thing.name}"


def _filled(form: str, slots: dict[str, str]) -> str:
    return " ".join(slots.get(word, word) for word in form.split())

"""Forbidden Island as a :class:`companion.rules.game.Game`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.rules.forbidden_island import commands as c
from companion.rules.forbidden_island import events as e
from companion.rules.forbidden_island import people, setup, text
from companion.rules.forbidden_island.arrange import arrange
from companion.rules.forbidden_island.components import Card, Phase, Tile
from companion.rules.forbidden_island.decide import decide
from companion.rules.forbidden_island.evolve import evolve
from companion.rules.forbidden_island.faults import faults
from companion.rules.forbidden_island.legal import legal
from companion.rules.forbidden_island.odds import odds
from companion.rules.forbidden_island.portrait import portray
from companion.rules.forbidden_island.state import State
from companion.rules.game import Adjustable, Choice, Draw, JsonObject, Mentions, Outcome, Pick, Tagged
from companion.rules.odds import Odds
from companion.rules.portrait import Phrase, Portrait


class ForbiddenIsland:
    """The rules of Forbidden Island; see the protocol for what each function promises."""

    name = text.NAME

    def choices(self) -> tuple[Choice, ...]:
        return setup.choices()

    def complete(self, json: JsonObject, pick: Pick) -> dict[str, Any]:
        return setup.complete(json, pick)

    def start(self, json: JsonObject) -> State:
        return setup.start(json)

    def arrange(self, state: State, parts: JsonObject) -> State:
        return arrange(state, parts)

    def legal(self, state: State) -> tuple[c.Command, ...]:
        return legal(state)

    def decide(self, state: State, command: c.Command) -> tuple[e.Event, ...]:
        return decide(state, command)

    def evolve(self, state: State, event: e.Event) -> State:
        return evolve(state, event)

    def due(self, state: State) -> Draw | None:
        """The draw that can be made now; none while someone swims, holds too many cards, or a question is open."""
        if state.over or state.swimming or state.over_limit or state.asked is not None or not state.draws_left:
            return None
        if state.phase is Phase.FLOOD:
            return Draw("flood", state.next_flood_cards, state.draws_left)
        zone = state.next_treasure_cards if state.hands else state.treasure_deck.top
        return Draw("treasure", zone, state.draws_left) if zone else None

    def draw(self, state: State, card: str) -> c.Command:
        return c.DrawFlood(Tile(card)) if state.phase is Phase.FLOOD else c.DrawTreasure(Card(card))

    def needs_card(self, command: c.Command) -> bool:
        return isinstance(command, c.DrawTreasure | c.DrawFlood) and command.card is None

    def speak_up(self, state: State, events: Sequence[e.Event]) -> bool:
        return people.speak_up(state, events)

    def answers_the_deal(self, command: c.Command) -> bool:
        """Saying whether a tile sank."""
        return isinstance(command, c.Settle)

    def ready_to_deal(self, state: State) -> c.Command | None:
        """Ending the actions."""
        pressed = state.swimming or state.over_limit or state.asked is not None
        return c.EndActions() if state.phase is Phase.ACTIONS and not pressed else None

    def outcome(self, state: State) -> Outcome | None:
        if not state.over:
            return None
        return Outcome(state.phase is Phase.WON, state.lost_by.value if state.lost_by else None)

    def turn(self, state: State) -> int:
        return state.turn

    def faults(self, state: State) -> tuple[Phrase, ...]:
        return faults(state)

    def mentions(self, state: State, command: c.Command) -> Mentions:
        return people.mentions(command, state.active)

    def tagged(self) -> tuple[Tagged, ...]:
        return people.tagged()

    def verbs(self) -> tuple[str, ...]:
        return tuple(verb for verb in text.COMMANDS if verb != "correct")

    def adjustables(self, state: State) -> tuple[Adjustable, ...]:
        return people.adjustables(state)

    def portray(self, state: State, recent: Sequence[e.Event]) -> Portrait:
        return portray(state, recent)

    def odds(self, state: State) -> Odds | None:
        return odds(state)

    def tell(self, event: e.Event) -> Phrase | None:
        return people.tell(event)

    def word(self, command: c.Command) -> Phrase:
        return people.word(command)

    def state_json(self, state: State) -> dict[str, Any]:
        return text.state_json(state)

    def read_state(self, json: JsonObject) -> State:
        return text.read_state(json)

    def command_json(self, command: c.Command) -> dict[str, Any]:
        return text.command_json(command)

    def read_command(self, json: JsonObject) -> c.Command:
        return text.read_command(json)

    def event_json(self, event: e.Event) -> dict[str, Any]:
        return text.event_json(event)

    def read_event(self, json: JsonObject) -> e.Event:
        return text.read_event(json)

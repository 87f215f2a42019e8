"""A tiny cooperative game that proves that nothing above the rules knows any game by name.

Lamps stand on four places in a row: pier, dune, mill, tower. A turn has two actions (walk, or light one dark lamp or
two at once), then two cards of the weather deck: a place darkens its lamp, and a dark lamp is lost; a gale makes the
storm rise and puts the discards back on top; a flare goes to the active player, who may hold one, and lights any lamp
at any time. All lamps lit and everyone at the tower: signal, and the game is won. A lamp lost at the tower or a storm
of 4 ends it.

A set-up may name the place that is ``dark`` and the cards ``stacked`` on top; what it does not name is left to chance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import reduce
from itertools import combinations
from typing import Any

from companion.rules.decks import Deck
from companion.rules.game import Adjustable, Choice, Draw, JsonObject, Mentions, Outcome, Pick, Refused, Tagged, Thing
from companion.rules.odds import Odds
from companion.rules.portrait import (
    Board,
    Cue,
    Ending,
    Goal,
    Meter,
    Phrase,
    Pile,
    Portrait,
    Result,
    Seat,
    Space,
    Tone,
    Word,
)

PLACES = ("pier", "dune", "mill", "tower")
SEATS = ("otter", "heron", "badger")
COLOURS = dict(zip(SEATS, ("blue", "white", "black"), strict=True))
CARDS = (*PLACES, *PLACES, "flare", "flare", "gale", "gale")
TONES = {"lit": Tone.GOOD, "dark": Tone.WARNING, "lost": Tone.DANGER}
CUES = {"gale": Cue.ALARM}
SKULL = 4


@dataclass(frozen=True, slots=True)
class State:
    seats: tuple[str, ...]
    at: tuple[str, ...]
    flares: tuple[int, ...]
    lamps: tuple[str, ...]
    deck: Deck
    discard: tuple[str, ...] = ()
    storm: int = 1
    active: int = 0
    turn: int = 1
    actions: int = 2
    draws: int = 0
    phase: str = "actions"


@dataclass(frozen=True, slots=True)
class Command:
    """``do``: walk light rest draw drop flare signal correct; the other fields where they apply."""

    do: str
    places: tuple[str, ...] = ()
    seat: str | None = None
    card: str | None = None
    storm: int | None = None
    lamps: tuple[tuple[str, str], ...] | None = None
    at: tuple[tuple[str, str], ...] | None = None


@dataclass(frozen=True, slots=True)
class Event:
    """``name`` and what it happened to: a place, card, seat or amount, and the state's new value in ``became``."""

    name: str
    what: str = ""
    became: str = ""


class TinyGame:
    name = "tiny"

    # -- set-up
    def choices(self) -> tuple[Choice, ...]:
        return (
            Choice("players", SEATS, SEATS[:2], least=1, most=3, ordered=True),
            Choice("weather", ("mild", "rough"), ("mild",)),
            Choice("dark", PLACES, (), optional=True),
            Choice("stacked", (*PLACES, "flare", "gale"), (), most=6, ordered=True, optional=True),
        )

    def complete(self, setup: JsonObject, pick: Pick) -> dict[str, Any]:
        unknown = set(setup) - {"players", "weather", "dark", "stacked"}
        seats, weather = setup.get("players", SEATS[:2]), setup.get("weather", "mild")
        seats_sound = isinstance(seats, (list, tuple)) and len(seats) >= 1 and all(seat in SEATS for seat in seats)
        if unknown or not seats_sound or len(set(seats)) < len(seats) or weather not in ("mild", "rough"):
            raise Refused("bad_request", part=sorted(unknown)[0] if unknown else "players")
        dark = setup["dark"] if "dark" in setup else pick("dark", PLACES)
        stacked = setup.get("stacked", ("pier",))
        if dark not in PLACES or not isinstance(stacked, (list, tuple)) or not 0 < len(stacked) <= len(CARDS):
            raise Refused("bad_request", part="dark" if dark not in PLACES else "stacked")
        kept = {"stacked": list(stacked)} if "stacked" in setup else {}
        return {"players": list(seats), "weather": weather, "dark": dark, **kept}

    def start(self, setup: JsonObject) -> State:
        seats = tuple(setup["players"])
        lamps = tuple("dark" if place == setup["dark"] else "lit" for place in PLACES)
        storm = {"mild": 1, "rough": 2}[setup["weather"]]
        deck = Deck.of(CARDS)
        for card in setup.get("stacked", ()):
            deck = deck.without(card)
        deck = Deck.of(*([card] for card in setup.get("stacked", ())), *deck.zones)
        return State(seats, ("pier",) * len(seats), (0,) * len(seats), lamps, deck, storm=storm)

    def arrange(self, state: State, parts: JsonObject) -> State:
        try:
            return self.read_state({**self.state_json(state), **parts})
        except (KeyError, TypeError, ValueError) as error:
            raise Refused("bad_request") from error

    # -- play
    def legal(self, state: State) -> tuple[Command, ...]:
        return () if self.outcome(state) else tuple(self._legal(state))

    def _legal(self, state: State) -> Iterator[Command]:
        held = [seat for seat, flares in zip(state.seats, state.flares, strict=True) if flares]
        dark = [place for place, lamp in zip(PLACES, state.lamps, strict=True) if lamp == "dark"]
        yield from (Command("flare", (place,), seat) for seat in held for place in dark)
        if max(state.flares) > 1:
            yield from (Command("drop", seat=seat, card="flare") for seat in held if state.flares[_i(state, seat)] > 1)
        elif state.phase == "weather":
            yield from (Command("draw", card=card) for card in dict.fromkeys(state.deck.top))
        else:
            here = PLACES.index(state.at[state.active])
            near = [place for place in PLACES if abs(PLACES.index(place) - here) == 1]
            lightable = [place for place in (*near, PLACES[here]) if place in dark]
            yield from (Command("walk", (place,)) for place in near)
            yield from (Command("light", places) for n in (1, 2) for places in combinations(sorted(lightable), n))
            yield Command("rest")
            if set(state.lamps) == {"lit"} and set(state.at) == {"tower"}:
                yield Command("signal")

    def decide(self, state: State, command: Command) -> tuple[Event, ...]:
        if command.do == "correct":
            return self._corrected(command)
        if command not in self.legal(state):
            raise Refused(self._why_not(state, command))
        events = tuple(self._happen(state, command))
        after = reduce(self.evolve, events, state)
        done = after.phase == "weather" and not after.draws and max(after.flares) <= 1 and not self.outcome(after)
        return (*events, Event("turn_began", after.seats[(after.active + 1) % len(after.seats)])) if done else events

    def _why_not(self, state: State, command: Command) -> str:
        if self.outcome(state):
            return "game_over"
        if command.do not in ("drop", "flare") and max(state.flares) > 1:
            return "must_discard"
        drawing = command.do == "draw"
        return "card_not_possible" if drawing and state.phase == "weather" else "wrong_phase"

    def _corrected(self, command: Command) -> tuple[Event, ...]:
        storm = () if command.storm is None else (Event("corrected_storm", became=str(command.storm)),)
        lamps = (Event("corrected_lamp", *pair) for pair in command.lamps or ())
        return (*storm, *lamps, *(Event("corrected_at", *pair) for pair in command.at or ()))

    def _happen(self, state: State, command: Command) -> Iterator[Event]:
        if command.do in ("rest", "signal"):
            yield Event({"rest": "rested", "signal": "signalled"}[command.do])
        elif command.do == "walk":
            yield from (Event("walked", state.seats[state.active], command.places[0]), Event("acted"))
        elif command.do == "draw":
            yield from self._drawn(state, command.card or "")
        else:
            yield from (Event("flare_used", command.seat) for _ in [0] if command.seat)
            yield from (Event("lit", place) for place in command.places)
            yield from (Event("acted") for _ in [0] if command.do == "light")

    def _drawn(self, state: State, card: str) -> Iterator[Event]:
        yield Event("drawn", card)
        if card == "flare":
            yield Event("flare_got", state.seats[state.active])
        elif card == "gale":
            yield Event("storm_rose", became=str(state.storm + 1))
        else:
            yield Event("darkened" if state.lamps[PLACES.index(card)] == "lit" else "lost", card)

    def evolve(self, state: State, event: Event) -> State:
        return _EVOLVE[event.name](state, event)

    def due(self, state: State) -> Draw | None:
        can = state.phase == "weather" and state.draws and max(state.flares) <= 1 and not self.outcome(state)
        return Draw("weather", state.deck.top, state.draws) if can else None

    def draw(self, state: State, card: str) -> Command:
        return Command("draw", card=card)

    def needs_card(self, command: Command) -> bool:
        return command.do == "draw" and command.card is None

    def speak_up(self, state: State, events: Sequence[Event]) -> bool:
        return any(event.name == "storm_rose" for event in events) and any(state.flares)

    def answers_the_deal(self, command: Command) -> bool:
        return False

    def ready_to_deal(self, state: State) -> Command | None:
        return Command("rest") if state.phase == "actions" and not self.outcome(state) else None

    def outcome(self, state: State) -> Outcome | None:
        if state.phase == "won":
            return Outcome(True)
        if state.storm >= SKULL:
            return Outcome(False, "storm")
        return Outcome(False, "tower") if state.lamps[-1] == "lost" else None

    def turn(self, state: State) -> int:
        return state.turn

    def faults(self, state: State) -> tuple[Phrase, ...]:
        lost_cards = len(CARDS) - len(state.deck) - len(state.discard) - sum(state.flares)
        return (Phrase("tiny.fault.cards", {"n": lost_cards}),) if lost_cards else ()

    # -- for people
    def mentions(self, state: State, command: Command) -> Mentions:
        things = {Thing("place", place) for place in command.places}
        if command.card or command.do == "flare":
            things.add(Thing("weather", command.card or "flare"))
        seats = {Thing("seat", command.seat)} if command.seat else set()
        whose = None if command.do == "draw" else command.seat or state.seats[state.active]
        return Mentions(command.do, frozenset(things), frozenset(seats), whose)

    def tagged(self) -> tuple[Tagged, ...]:
        weather = Tagged("weather", (*PLACES, "flare", "gale"), dict.fromkeys(CARDS, 2))
        return (Tagged("place", PLACES), weather, Tagged("seat", SEATS))

    def verbs(self) -> tuple[str, ...]:
        return ("walk", "light", "rest", "draw", "drop", "flare", "signal")

    def adjustables(self, state: State) -> tuple[Adjustable, ...]:
        storms = tuple(str(storm) for storm in range(1, SKULL + 1))
        lamps = zip(PLACES, state.lamps, strict=True)
        return (
            Adjustable("storm", None, (str(state.storm),), storms, number=True),
            *(Adjustable("lamps", place, (lamp,), tuple(TONES)) for place, lamp in lamps),
            *(Adjustable("at", seat, (at,), PLACES) for seat, at in zip(state.seats, state.at, strict=True)),
        )

    def portray(self, state: State, recent: Sequence[Event]) -> Portrait:
        outcome = self.outcome(state)
        ending = outcome and Ending(outcome.won, Phrase(f"tiny.ending.{outcome.reason or 'signalled'}"))
        losses = {event.what for event in recent if event.name == "lost"}
        drawn = tuple(
            Result("weather", event.what, "drawn", cue=Cue.LOSS if event.what in losses else CUES.get(event.what))
            for event in recent
            if event.name == "drawn"
        )
        return Portrait(
            turn=state.turn,
            phase=state.phase,
            awaited=Phrase(f"tiny.await.{state.phase}", {"seat": state.seats[state.active]}),
            active=state.seats[state.active],
            steps_left=state.actions if state.phase == "actions" else state.draws,
            board=Board(1, len(PLACES), tuple(self._space(state, at) for at in range(len(PLACES)))),
            meters=(Meter("storm", ("1", "2", "3", "skull"), state.storm - 1, 2, min(state.storm, 3)),),
            piles=(Pile("weather", tuple(map(len, state.deck.zones)), state.discard),),
            goals=tuple(Goal(place, lamp == "lit") for place, lamp in zip(PLACES, state.lamps, strict=True)),
            seats=tuple(self._seat(state, at) for at in range(len(state.seats))),
            results=drawn,
            ending=ending or None,
        )

    def _space(self, state: State, at: int) -> Space:
        pawns = tuple(seat for seat, place in zip(state.seats, state.at, strict=True) if place == PLACES[at])
        lamp = state.lamps[at]
        return Space(PLACES[at], 0, at, lamp, TONES[lamp], lamp == "lost", pawns, "lamp" if at == 3 else None)

    def _seat(self, state: State, at: int) -> Seat:
        name, cards = state.seats[at], ("flare",) * state.flares[at]
        return Seat(name, COLOURS[name], at == state.active, cards, 1, state.at[at])

    def odds(self, state: State) -> Odds | None:
        return None

    def tell(self, event: Event) -> Phrase | None:
        given = {"what": event.what, "became": event.became}
        params: dict[str, Word] = {key: value for key, value in given.items() if value}
        return None if event.name in ("rested", "acted") else Phrase(f"tiny.{event.name}", params)

    def word(self, command: Command) -> Phrase:
        return Phrase(f"tiny.word.{command.do}", {"places": command.places, "seat": command.seat or ""})

    # -- text forms
    def state_json(self, state: State) -> dict[str, Any]:
        values = {field.name: getattr(state, field.name) for field in fields(State)}
        values["deck"] = [list(zone) for zone in state.deck.zones]
        return {"game": "tiny"} | {key: list(v) if isinstance(v, tuple) else v for key, v in values.items()}

    def read_state(self, json: JsonObject) -> State:
        values: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in json.items() if k != "game"}
        try:
            values["deck"] = Deck.of(*json["deck"])
            state = State(**values)
            faults = self.faults(state)
        except (KeyError, TypeError) as error:
            raise Refused("bad_state") from error
        if faults:
            raise Refused("bad_state", fault=faults[0])
        return state

    def command_json(self, command: Command) -> dict[str, Any]:
        told = {field.name: getattr(command, field.name) for field in fields(Command)}
        told["places"] = list(command.places) or None
        told["lamps"], told["at"] = (None if part is None else dict(part) for part in (command.lamps, command.at))
        return {key: value for key, value in told.items() if value is not None}

    def read_command(self, json: JsonObject) -> Command:
        if not isinstance(json, Mapping) or set(json) - {field.name for field in fields(Command)}:
            raise Refused("bad_request")
        if json.get("do") not in ("walk", "light", "rest", "draw", "drop", "flare", "signal", "correct"):
            raise Refused("unknown_command")
        try:
            pairs = {key: tuple(dict(json[key]).items()) for key in ("lamps", "at") if key in json}
            return Command(**{**json, "places": tuple(json.get("places", ())), **pairs})
        except (TypeError, ValueError) as error:
            raise Refused("bad_request") from error

    def event_json(self, event: Event) -> dict[str, Any]:
        return {"event": event.name, "what": event.what, "became": event.became}

    def read_event(self, json: JsonObject) -> Event:
        if set(json) != {"event", "what", "became"} or json["event"] not in _EVOLVE:
            raise ValueError(f"not an event: {json!r}")
        return Event(json["event"], json["what"], json["became"])


def _i(state: State, seat: str) -> int:
    return state.seats.index(seat)


def _put(values: tuple[Any, ...], at: int, value: Any) -> tuple[Any, ...]:
    return (*values[:at], value, *values[at + 1 :])


def _lamp(lamp: str) -> Callable[[State, Event], State]:
    return lambda state, event: replace(state, lamps=_put(state.lamps, PLACES.index(event.what), lamp))


def _acted(state: State, event: Event) -> State:
    return replace(state, actions=state.actions - 1) if state.actions > 1 else _rested(state, event)


def _walked(state: State, event: Event) -> State:
    return replace(state, at=_put(state.at, _i(state, event.what), event.became))


def _drawn(state: State, event: Event) -> State:
    deck, kept = state.deck.without(event.what), () if event.what == "flare" else (event.what,)
    return _refilled(replace(state, deck=deck, discard=(*state.discard, *kept), draws=state.draws - 1))


def _refilled(state: State) -> State:
    return state if len(state.deck) else replace(state, deck=Deck.of(state.discard), discard=())


def _rose(state: State, event: Event) -> State:
    return replace(state, storm=int(event.became), deck=state.deck.topped(state.discard), discard=())


def _got(state: State, event: Event, more: int = 1) -> State:
    at = _i(state, event.what)
    return replace(state, flares=_put(state.flares, at, state.flares[at] + more))


def _used(state: State, event: Event) -> State:
    return replace(_got(state, event, more=-1), discard=(*state.discard, "flare"))


def _rested(state: State, event: Event) -> State:
    return replace(state, phase="weather", actions=0, draws=2)


def _turn_began(state: State, event: Event) -> State:
    return replace(state, phase="actions", active=_i(state, event.what), turn=state.turn + 1, actions=2, draws=0)


_EVOLVE: dict[str, Callable[[State, Event], State]] = {
    "walked": _walked,
    "acted": _acted,
    "lit": _lamp("lit"),
    "rested": _rested,
    "signalled": lambda state, event: replace(state, phase="won"),
    "flare_used": _used,
    "flare_got": _got,
    "drawn": _drawn,
    "storm_rose": _rose,
    "darkened": _lamp("dark"),
    "lost": _lamp("lost"),
    "turn_began": _turn_began,
    "corrected_storm": lambda state, event: replace(state, storm=int(event.became)),
    "corrected_lamp": lambda state, event: _lamp(event.became)(state, event),
    "corrected_at": _walked,
}

"""The JSON of version 1, field by field. A name that stands here keeps its meaning for as long as version 1 is served.

Every field has an example, so that the example of a whole answer is put together from its parts and never goes stale.
The examples tell of a made-up game of lamps on a shore.
"""

from __future__ import annotations

from types import UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Field

Revision = Annotated[
    int,
    Field(
        ge=0,
        description="Counts every published change of the table, for ever; it also goes on after a restart.",
        examples=[42],
    ),
]
GameId = Annotated[int, Field(ge=0, description="The game's number in the history.", examples=[7])]
Tone = Literal["plain", "good", "warning", "danger"]
ToneField = Annotated[
    Tone, Field(description="How much it matters; the same for every game and language.", examples=["warning"])
]


class Shape(BaseModel):
    """What every answer's parts share: fixed names, nothing else beside them."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Problem(Shape):
    """Why a request was not carried out. Nothing has changed."""

    code: str = Field(description="What is wrong, in one word that never changes.", examples=["stale"])
    message: str = Field(
        description="The same in the asker's language, for people.",
        examples=["The table has moved on. Look again, then decide."],
    )


class Sentence(Shape):
    """A sentence, worded in the asker's language, with the code and the parameters that it was made of."""

    code: str = Field(description="The message's code, the same in every language.", examples=["lamps.await.actions"])
    params: dict[str, Word] = Field(
        description="What fills it in: numbers, names of things, lists of names, further sentences.",
        examples=[{"seat": "otter", "n": 2}],
    )
    text: str = Field(description="The sentence.", examples=["Otter has two actions left."])


Word = Union[int, str, list[str], Sentence]


class Named(Shape):
    """A thing of the game: its name in the protocol, and how people call it."""

    name: str = Field(description="The name, the same in every language.", examples=["pier"])
    label: str = Field(description="The name in the asker's language.", examples=["Pier"])


def such_as(name: str, label: str, description: str | None = None) -> Any:
    """A field that holds a named thing, with its example."""
    return Field(description=description, examples=[{"name": name, "label": label}])


class Space(Shape):
    """One place of the board. A place that is ``gone`` is out of the game."""

    place: Named
    row: int = Field(ge=0, description="From 0 at the top.", examples=[0])
    column: int = Field(ge=0, description="From 0 at the left.", examples=[2])
    condition: Named = such_as("dark", "dark", "The place's state: dry, flooded, dark ...")
    tone: ToneField
    gone: bool = Field(description="Whether the place is lost.", examples=[False])
    pawns: list[Named] = Field(description="Whose pawns stand here.", examples=[[{"name": "otter", "label": "Otter"}]])
    badge: Named | None = such_as("lamp", "Lamp", "A symbol that is printed on the place.")


class Board(Shape):
    """The board as a grid; cells that no space names are off the board."""

    rows: int = Field(ge=1, examples=[1])
    columns: int = Field(ge=1, examples=[4])
    spaces: list[Space]


class Meter(Shape):
    """A track with a marker, such as a water level."""

    meter: Named = such_as("storm", "Storm")
    marks: list[str] = Field(
        description="The labels, first to last; one that is no number names a symbol.",
        examples=[["1", "2", "3", "skull"]],
    )
    at: int = Field(ge=0, description="Index of the mark under the marker, from 0.", examples=[1])
    danger: int = Field(ge=0, description="Index from which the meter is alarming.", examples=[2])
    alarming: bool = Field(description="Whether the marker has reached ``danger``.", examples=[False])
    reading: int | None = Field(description="What the marker means now (cards a turn); null at a symbol.", examples=[2])


class Pile(Shape):
    """A deck and its open discards. In which order the cards of a deck lie is not known to any answer."""

    pile: Named = such_as("weather", "Weather")
    left: int = Field(ge=0, description="Cards left to draw.", examples=[9])
    zones: list[int] = Field(
        description="The cards left to draw, zone by zone from the top; within a zone every order is possible.",
        examples=[[2, 7]],
    )
    discard: list[Named] = Field(description="The open discards, the oldest first.")
    removed: list[Named] = Field(description="Cards that are out of the game.")


class Goal(Shape):
    """Something to win."""

    goal: Named = such_as("tower", "Tower")
    reached: bool = Field(examples=[False])
    progress: int = Field(ge=0, description="Gathered by whoever is nearest.", examples=[2])
    needed: int = Field(ge=0, description="Needed to win it; 0 where nothing is gathered.", examples=[4])


class Seat(Shape):
    """A player of the game."""

    seat: Named = such_as("otter", "Otter")
    colour: str = Field(description="The pawn's colour.", examples=["blue"])
    active: bool = Field(description="Whether it is this seat's turn.", examples=[True])
    cards: list[Named] | None = Field(description="The open hand; null where the companion does not track it.")
    limit: int | None = Field(description="The greatest number of cards in hand.", examples=[5])
    place: Named | None = Field(description="Where the pawn stands; null where it is not tracked.")
    alert: Sentence | None = Field(description="What this seat must do before anything else.")


class Result(Shape):
    """What one card came to in this turn."""

    pile: Named = such_as("weather", "Weather")
    card: Named
    effect: Named = such_as("darkened", "went dark", "Flooded, sank, drawn, darkened ...")
    tone: ToneField
    seat: Named | None = such_as("otter", "Otter", "Who drew it; null for nobody's card.")


class Ending(Shape):
    """How the game ended."""

    won: bool = Field(examples=[True])
    reason: Sentence


class Position(Shape):
    """The game as it lies on the table. All of it is public at the table itself."""

    turn: int = Field(ge=1, description="The turn's number, from 1.", examples=[3])
    phase: Named = such_as("actions", "Actions")
    active: Named | None = such_as("otter", "Otter", "Whose turn it is.")
    steps_left: int | None = Field(description="Actions or cards left in this phase.", examples=[2])
    board: Board | None
    meters: list[Meter]
    piles: list[Pile]
    goals: list[Goal]
    seats: list[Seat] = Field(description="In the order of play.")
    pool: list[Named] | None = Field(description="Cards among the players, where it is not tracked who holds them.")
    results: list[Result] = Field(description="This turn's cards, the oldest first.")
    ending: Ending | None = Field(description="Null while the game goes on.")


class Thing(Shape):
    """A piece of the box."""

    kind: str = Field(examples=["place"])
    name: str = Field(examples=["pier"])
    label: str = Field(description="The name in the asker's language.", examples=["Pier"])


class Option(Shape):
    """One thing that can be picked next."""

    pick: str = Field(description="What to send as the ``option`` of a ``pick``.", examples=["do:walk"])
    label: Sentence


class Gesture(Shape):
    """A move that is half told: what was scanned and pressed so far, and what can follow."""

    verb: str | None = Field(examples=["walk"])
    things: list[Thing]
    options: list[Option]
    cursor: int = Field(ge=0, description="The option that the table's buttons stand on, from 0.", examples=[0])


class Notice(Shape):
    """The answer to the last scan or press; it belongs to one revision and is told once."""

    revision: Revision
    tone: ToneField
    sentence: Sentence


class Device(Shape):
    """A device of the table."""

    device: str = Field(description="Its name in the settings.", examples=["reader"])
    state: Literal["waiting", "ready", "lost", "failed"] = Field(
        description="Waiting for it to appear, ready, lost after it was ready, failed until it is seen to.",
        examples=["lost"],
    )
    advice: Sentence | None = Field(description="What to do about it; null when it is ready.")


class Table(Shape):
    """The live table as anyone in the room may see it."""

    revision: Revision
    game: Named | None = such_as("lamps", "Lamps", "Null while no game is on the table.")
    game_id: GameId | None
    paused: bool = Field(examples=[False])
    can_undo: bool = Field(examples=[True])
    can_redo: bool = Field(examples=[False])
    awaited: Sentence = Field(description="What the table is waiting for.")
    told: list[Sentence] = Field(description="What happened last.")
    position: Position | None
    gesture: Gesture | None
    notice: Notice | None
    unsaved: Sentence | None = Field(
        description="Set while the card does not take what happens; null while all is on the disk."
    )
    devices: list[Device]


class State(Shape):
    """The position in the engine's protocol: what its ``load`` takes."""

    revision: Revision
    game: str | None = Field(examples=["lamps"])
    game_id: GameId | None
    state: dict[str, Any] | None = Field(
        description="The game's own form, with each deck as zones of cards in unknown order.",
        examples=[{"game": "lamps", "deck": [["dune"], ["gale", "mill"]], "storm": 2}],
    )


class LegalCommand(Shape):
    """One command that the rules allow now."""

    command: dict[str, Any] = Field(
        description="What to send as the ``command`` of a ``play``.", examples=[{"do": "walk", "places": ["dune"]}]
    )
    label: Sentence


class LegalCommands(Shape):
    """Every command that the rules allow now; none while no game goes on."""

    revision: Revision
    paused: bool = Field(description="While the game rests every command is refused.", examples=[False])
    commands: list[LegalCommand]


class Menu(Shape):
    """What can be picked step by step: the buttons' way through the legal commands."""

    revision: Revision
    options: list[Option]
    gesture: Gesture | None = Field(description="Where one is open, its options come before the menu's.")


class LogLine(Shape):
    """What one command came to."""

    number: int = Field(ge=0, description="The entry's number in the game's journal.", examples=[12])
    turn: int = Field(ge=1, examples=[3])
    sentences: list[Sentence]
    retracted: bool = Field(description="Whether it was taken back.", examples=[False])


class Log(Shape):
    """The story of the game on the table, the oldest line first."""

    revision: Revision
    game_id: GameId | None
    lines: list[LogLine]


AnyShape = TypeVar("AnyShape", bound=Shape)


def example_of(shape: type[AnyShape]) -> AnyShape:
    """A whole answer, put together from the examples of its fields."""
    return shape.model_validate({name: _example(field) for name, field in shape.model_fields.items()})


def _example(field: Any) -> Any:
    return field.examples[0] if field.examples else _part(field.annotation)


def _part(annotation: Any) -> Any:
    if isinstance(annotation, type) and issubclass(annotation, Shape):
        return example_of(annotation)
    within = get_args(annotation)
    if get_origin(annotation) is list:
        return [_part(within[0])]
    if get_origin(annotation) in (Union, UnionType):
        return _part(within[0])
    if get_origin(annotation) is Annotated:
        return within[1].examples[0]
    return {str: "2", int: 2}[annotation]

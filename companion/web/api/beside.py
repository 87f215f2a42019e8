"""The JSON of version 1 beside the table: devices, history, odds, people, tags, games, and what orders come to."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from companion.web.api.shapes import (
    Device,
    GameId,
    LogLine,
    Named,
    Revision,
    Sentence,
    Shape,
    ToneField,
    such_as,
)

Chance = Annotated[
    str,
    Field(description="An exact fraction from 0 to 1.", pattern=r"^(0|1|[1-9][0-9]*/[1-9][0-9]*)$", examples=["1/3"]),
]


class PanelStanding(Shape):
    """How far the e-ink panel is behind the table."""

    behind: int = Field(ge=0, description="How many changes came since the one that it shows.", examples=[1])
    takes: float | None = Field(description="Seconds that a picture takes, once that is known.", examples=[27.5])
    resting: bool = Field(description="Whether the newest picture waits for the quiet hours to end.", examples=[False])
    wanted: int | None = Field(description="The revision that it shall show.", examples=[42])
    shown: int | None = Field(description="The revision that it shows.", examples=[41])
    ok: bool = Field(description="Whether the last picture came through.", examples=[True])
    advice: Sentence | None


class Devices(Shape):
    """All devices and how they are."""

    revision: Revision
    devices: list[Device]
    panel: PanelStanding | None = Field(description="Null where the table has no panel.")


class Outcome(Shape):
    """How a game of the history ended."""

    won: bool = Field(examples=[False])
    reason: str | None = Field(description="A code of the game; null for a win.", examples=["storm"])


class PastGame(Shape):
    """One game that was ever started."""

    id: GameId
    game: Named = such_as("lamps", "Lamps")
    setup: dict[str, Any] = Field(
        description="What it was begun with, every chance of the set-up settled.",
        examples=[{"players": ["otter", "heron"], "weather": "mild", "decks": "companion"}],
    )
    started_at: str = Field(
        description="ISO 8601, UTC; a hint only, for a table's clock may be wrong.",
        examples=["2026-05-01T18:30:00+00:00"],
    )
    turns: int = Field(ge=0, examples=[14])
    outcome: Outcome | None = Field(description="Null while it is unfinished.")
    on_table: bool = Field(description="Whether it is the game on the table.", examples=[False])


class History(Shape):
    """All games ever started, the newest first."""

    revision: Revision
    games: list[PastGame]


class PastLog(Shape):
    """One game of the history with its story, the oldest line first."""

    game: PastGame
    lines: list[LogLine]


class NextCard(Shape):
    """A card that can be the next of its pile."""

    card: Named
    n: int = Field(ge=1, description="Equal cards that may lie there.", examples=[2])
    chance: Chance


class Prospect(Shape):
    """A pile whose cards are due this turn, the likeliest next card first."""

    pile: Named = such_as("weather", "Weather")
    draws: int = Field(ge=0, description="Cards that are due as things stand.", examples=[2])
    cards: list[NextCard]


class Fate(Shape):
    """What may become of something this turn."""

    effect: Named = such_as("darkened", "went dark")
    tone: ToneField
    chance: Chance


class Risk(Shape):
    """A place with all that can become of it this turn."""

    place: Named
    fates: list[Fate]


class Alarm(Shape):
    """Something that matters more than one card."""

    alarm: Sentence
    tone: ToneField
    chance: Chance


class OddsOfTurn(Shape):
    """The rest of this turn in chances, worked out exactly from the zones of the decks; the likeliest risks first."""

    prospects: list[Prospect]
    risks: list[Risk]
    alarms: list[Alarm]


class Odds(Shape):
    """What those who count cards know."""

    revision: Revision
    odds: OddsOfTurn | None = Field(description="Null where there are none, and where the table does not want them.")


class Guest(Shape):
    """A phone or program that was let in."""

    phone: int = Field(ge=0, description="Its number on the list.", examples=[3])
    name: str = Field(description="Its name, empty where it has none.", examples=["Ana"])
    host: bool = Field(examples=[False])
    away: int = Field(ge=0, description="Whole minutes since it looked.", examples=[0])
    me: bool = Field(description="Whether it is the asker.", examples=[True])


class HeldSeat(Shape):
    """A seat of the game on the table, and the phones that hold it."""

    seat: Named = such_as("otter", "Otter")
    holders: list[int] = Field(description="Their numbers.", examples=[[3]])


class People(Shape):
    """Who is at the table."""

    revision: Revision
    seats: list[HeldSeat]
    phones: list[Guest]


class Tag(Shape):
    """A tag and what it stands for."""

    tag: str = Field(description="What the reader reads.", examples=["04A3C6CA"])
    meaning: str = Field(
        description="A piece of the box as KIND:NAME, or what a button or a menu says.", examples=["place:pier"]
    )
    label: str = Field(description="The same in the asker's language.", examples=["Pier"])


class Tags(Shape):
    """All tags that were taught."""

    revision: Revision
    last_tag: str | None = Field(description="The last tag scanned that nobody taught yet.", examples=["04B7"])
    tags: list[Tag]


class Choice(Shape):
    """One question of a set-up: send ``least`` to ``most`` of the options under its key."""

    key: Named = such_as("players", "Who sits down")
    options: list[Named] = Field(examples=[[{"name": "otter", "label": "Otter"}, {"name": "heron", "label": "Heron"}]])
    default: list[str] = Field(examples=[["otter", "heron"]])
    least: int = Field(ge=0, examples=[1])
    most: int = Field(ge=1, examples=[3])
    ordered: bool = Field(description="Whether the order of picking matters.", examples=[True])
    optional: bool = Field(description="Whether it is left to chance where the key is not sent.", examples=[False])
    single: bool = Field(description="Whether a string is sent instead of a list.", examples=[False])


class Pieces(Shape):
    """A kind of thing of the box; tags can be stuck to each."""

    kind: Named = such_as("place", "Places")
    things: list[Named]


class Game(Shape):
    """A game that can be started, and what is asked before."""

    game: Named = such_as("lamps", "Lamps")
    choices: list[Choice]
    pieces: list[Pieces]


class Games(Shape):
    """The games that this companion knows."""

    games: list[Game]


class Preferences(Shape):
    """How this browser is answered; programs rather send ``Accept-Language``."""

    language: str = Field(description="The language of this answer.", examples=["en"])
    languages: list[str] = Field(examples=[["en", "pt-BR", "bg"]])
    theme: str = Field(examples=["auto"])
    themes: list[str] = Field(examples=[["auto", "light", "dark"]])
    board: str = Field(description="The island as a map or as a list.", examples=["map"])
    boards: list[str] = Field(examples=[["map", "list"]])
    size: str = Field(examples=["normal"])
    sizes: list[str] = Field(examples=[["normal", "large", "largest"]])


class Companion(Shape):
    """Who answers here."""

    version: str = Field(description="The companion's version.", examples=["1.0.0"])
    build: str = Field(description="Changes with the pages' files.", examples=["a1b2c3d4e5f6"])
    revision: Revision
    role: Literal["watcher", "player", "host"] = Field(
        description="What the asker may do: look, act for every seat, or also begin, end and correct games.",
        examples=["player"],
    )
    seats: list[str] = Field(description="The seats that the asker holds.", examples=[["otter"]])
    games: list[str] = Field(description="The games that can be started.", examples=[["lamps"]])
    languages: list[str] = Field(examples=[["en", "pt-BR", "bg"]])


class Played(Shape):
    """The order was carried out, now or when it was sent before."""

    revision: Revision
    saved: bool = Field(
        description="Whether it is on the disk; else it counts all the same, in memory, until the disk takes it.",
        examples=[True],
    )


class Paired(Shape):
    """The asker was let in."""

    token: str = Field(
        description="What to send as `Authorization: Bearer TOKEN`; keep it secret. It stays good over restarts, until "
        "the phone is struck off the list or was away for a month.",
        examples=["pQ3nS8vY1kZ0rT5wLx2cB7mJ4hG9fD6aE"],
    )
    phone: int = Field(ge=0, description="The asker's number on the list of phones.", examples=[3])
    role: Literal["player", "host"] = Field(description="The first that is let in is a host.", examples=["player"])


Rung = Annotated[
    str,
    Field(
        description="Server-sent events. Each ``data`` is JSON: ``revision`` and ``build``. An event without "
        "a name says that there is something new; ``beat`` only says, every ten seconds, that the line still stands.",
        examples=['retry: 2000\ndata: {"revision": 42, "build": "a1b2c3d4e5f6"}\n\n'],
    ),
]

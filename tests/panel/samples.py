"""Tables to draw: an ordinary turn, the worst one, reduced tracking, ends; and a second game of another kind."""

from __future__ import annotations

from dataclasses import replace

from companion.rules.portrait import (
    Board,
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
)

CLASSIC = ("..##..", ".####.", "######", "######", ".####.", "..##..")
MARKS = ("2", "2", "3", "3", "3", "4", "4", "5", "5", "skull")
LAYOUT = (
    "watchtower",
    "temple_of_the_moon",
    "howling_garden",
    "coral_palace",
    "fools_landing",
    "bronze_gate",
    "copper_gate",
    "cave_of_embers",
    "gold_gate",
    "silver_gate",
    "iron_gate",
    "temple_of_the_sun",
    "whispering_garden",
    "cave_of_shadows",
    "tidal_palace",
    "breakers_bridge",
    "cliffs_of_abandon",
    "crimson_forest",
    "dunes_of_deception",
    "lost_lagoon",
    "misty_marsh",
    "observatory",
    "phantom_rock",
    "twilight_hollow",
)
BADGES = {
    "temple_of_the_moon": "earth_stone",
    "temple_of_the_sun": "earth_stone",
    "howling_garden": "statue_of_the_wind",
    "whispering_garden": "statue_of_the_wind",
    "cave_of_embers": "crystal_of_fire",
    "cave_of_shadows": "crystal_of_fire",
    "coral_palace": "oceans_chalice",
    "tidal_palace": "oceans_chalice",
    "fools_landing": "landing",
}
COLOURS = {
    "diver": "black",
    "engineer": "red",
    "explorer": "green",
    "messenger": "white",
    "navigator": "yellow",
    "pilot": "blue",
}
CONDITIONS = {"dry": Tone.PLAIN, "flooded": Tone.WARNING, "sunk": Tone.DANGER}


def board(
    flooded: str = "", sunk: str = "", pawns: dict[str, str] | None = None, shape: tuple[str, ...] = CLASSIC
) -> Board:
    cells = [(row, column) for row, line in enumerate(shape) for column, mark in enumerate(line) if mark == "#"]
    where: dict[str, list[str]] = {}
    for role, tile in (pawns or {}).items():
        where.setdefault(tile, []).append(role)
    spaces = []
    for tile, (row, column) in zip(LAYOUT, cells, strict=True):
        condition = "flooded" if tile in flooded.split() else "sunk" if tile in sunk.split() else "dry"
        spaces.append(
            Space(
                tile,
                row,
                column,
                condition,
                CONDITIONS[condition],
                condition == "sunk",
                tuple(where.get(tile, ())),
                BADGES.get(tile),
            )
        )
    return Board(len(shape), len(shape[0]), tuple(spaces))


def meter(at: int) -> Meter:
    reading = int(MARKS[at]) if MARKS[at].isdecimal() else None
    return Meter("water", MARKS, at, 7, reading)


def goals(*reached: str, **progress: int) -> tuple[Goal, ...]:
    names = ("earth_stone", "statue_of_the_wind", "crystal_of_fire", "oceans_chalice")
    return tuple(Goal(name, name in reached, progress.get(name, 0), 4) for name in names)


def seat(
    role: str, cards: str | None = "", place: str | None = None, alert: Phrase | None = None, active: bool = False
) -> Seat:
    hand = None if cards is None else tuple(cards.split())
    return Seat(role, COLOURS[role], active, hand, None if hand is None else 5, place, alert)


def drawn(card: str, role: str) -> Result:
    if card == "waters_rise":
        return Result("treasure", card, "rise", Tone.DANGER, role)
    return Result("treasure", card, "drawn", Tone.PLAIN, role)


def flooded(tile: str) -> Result:
    return Result("flood", tile, "flooded", Tone.WARNING)


def sank(tile: str) -> Result:
    return Result("flood", tile, "sank", Tone.DANGER)


def awaits(code: str, **params: object) -> Phrase:
    return Phrase(f"forbidden_island.await.{code}", params)  # type: ignore[arg-type]  # tests pass only words


START = Portrait(
    turn=1,
    phase="actions",
    awaited=awaits("actions", player="explorer", n=3),
    active="explorer",
    steps_left=3,
    board=board(
        "howling_garden gold_gate tidal_palace misty_marsh observatory watchtower",
        pawns={"explorer": "copper_gate", "pilot": "fools_landing", "engineer": "bronze_gate"},
    ),
    meters=(meter(0),),
    piles=(
        Pile("treasure", (22,)),
        Pile(
            "flood", (18,), ("howling_garden", "gold_gate", "tidal_palace", "misty_marsh", "observatory", "watchtower")
        ),
    ),
    goals=goals(earth_stone=1, oceans_chalice=2, crystal_of_fire=1),
    seats=(
        seat("explorer", "earth_stone sandbags", "copper_gate", active=True),
        seat("pilot", "oceans_chalice oceans_chalice", "fools_landing"),
        seat("engineer", "crystal_of_fire helicopter_lift", "bronze_gate"),
    ),
)

TURN = replace(
    START,
    turn=7,
    awaited=awaits("actions", player="pilot", n=2),
    active="pilot",
    steps_left=2,
    board=board(
        "howling_garden gold_gate misty_marsh observatory temple_of_the_sun",
        "twilight_hollow tidal_palace",
        {"explorer": "temple_of_the_moon", "pilot": "coral_palace", "engineer": "coral_palace"},
    ),
    meters=(meter(3),),
    piles=(
        Pile(
            "treasure", (14,), ("waters_rise", "earth_stone", "earth_stone", "earth_stone", "earth_stone", "sandbags")
        ),
        Pile(
            "flood",
            (5, 9),
            ("gold_gate", "misty_marsh", "observatory", "temple_of_the_sun"),
            ("twilight_hollow", "tidal_palace"),
        ),
    ),
    goals=goals("earth_stone", oceans_chalice=3, crystal_of_fire=2),
    seats=(
        seat("explorer", "earth_stone crystal_of_fire statue_of_the_wind sandbags", "temple_of_the_moon"),
        seat(
            "pilot",
            "oceans_chalice oceans_chalice oceans_chalice helicopter_lift crystal_of_fire",
            "coral_palace",
            active=True,
        ),
        seat("engineer", "crystal_of_fire crystal_of_fire statue_of_the_wind", "coral_palace"),
    ),
    results=(
        drawn("statue_of_the_wind", "explorer"),
        drawn("waters_rise", "explorer"),
        flooded("temple_of_the_sun"),
        sank("tidal_palace"),
        flooded("misty_marsh"),
    ),
)
"""An ordinary turn: the last player's cards are still shown."""

WORST = replace(
    TURN,
    turn=19,
    phase="flood",
    awaited=awaits("swim", players=("explorer", "messenger", "navigator")),
    active="explorer",
    steps_left=0,
    board=board(
        "cave_of_embers cave_of_shadows whispering_garden coral_palace copper_gate iron_gate",
        "cliffs_of_abandon dunes_of_deception fools_landing twilight_hollow tidal_palace observatory gold_gate",
        {
            "explorer": "cliffs_of_abandon",
            "messenger": "cliffs_of_abandon",
            "navigator": "cliffs_of_abandon",
            "diver": "coral_palace",
        },
    ),
    meters=(meter(8),),
    goals=goals("earth_stone", "crystal_of_fire", oceans_chalice=3),
    seats=(
        seat(
            "explorer",
            "helicopter_lift statue_of_the_wind statue_of_the_wind statue_of_the_wind oceans_chalice sandbags",
            "cliffs_of_abandon",
            awaits("discard", player="explorer", n=1),
            active=True,
        ),
        seat(
            "messenger",
            "oceans_chalice oceans_chalice oceans_chalice earth_stone sandbags",
            "cliffs_of_abandon",
            awaits("swim", players=("messenger",)),
        ),
        seat("navigator", "", "cliffs_of_abandon", awaits("swim", players=("navigator",))),
        seat("diver", "helicopter_lift earth_stone", "coral_palace"),
    ),
    results=(
        drawn("helicopter_lift", "explorer"),
        drawn("waters_rise", "explorer"),
        sank("dunes_of_deception"),
        flooded("whispering_garden"),
        sank("fools_landing"),
        flooded("temple_of_the_moon"),
        sank("cliffs_of_abandon"),
    ),
)
"""Seven results, four players, the longest names, pawns in the water."""

CARDS_ONLY = replace(
    TURN,
    awaited=awaits("free_actions", player="pilot"),
    steps_left=None,
    board=None,
    seats=tuple(replace(seated, cards=None, limit=None, place=None) for seated in TURN.seats),
    pool=(
        "earth_stone",
        "sandbags",
        "oceans_chalice",
        "oceans_chalice",
        "oceans_chalice",
        "helicopter_lift",
        "crystal_of_fire",
        "crystal_of_fire",
        "statue_of_the_wind",
    ),
)
"""The companion deals and counts, and tracks neither island nor hands."""

WON = replace(
    TURN,
    turn=21,
    phase="won",
    awaited=awaits("over"),
    active=None,
    goals=goals("earth_stone", "statue_of_the_wind", "crystal_of_fire", "oceans_chalice"),
    seats=tuple(replace(seated, active=False) for seated in TURN.seats),
    ending=Ending(True, Phrase("forbidden_island.ending.won")),
)

LOST = replace(
    WORST,
    phase="lost",
    awaited=awaits("over"),
    seats=tuple(replace(seated, active=False, alert=None) for seated in WORST.seats),
    ending=Ending(False, Phrase("forbidden_island.ending.fools_landing_sank")),
)

ORCHARD = Portrait(
    turn=3,
    phase="pick",
    awaited=Phrase("orchard.await.pick", {"player": "Ana"}),
    active="Ana",
    board=Board(
        1,
        3,
        (
            Space("path", 0, 0, "open", pawns=("raven",)),
            Space("gate", 0, 1, "open", Tone.WARNING),
            Space("tree", 0, 2, "bare", Tone.DANGER, True),
        ),
    ),
    meters=(Meter("raven", ("0", "1", "2", "home"), 1, 2, None),),
    piles=(Pile("fruit", (9,), ("apple",)),),
    goals=(Goal("apple", True), Goal("plum", False, 2, 4)),
    seats=(Seat("Ana", "red", True, ("apple", "plum")), Seat("Борис", "blue")),
    results=(Result("fruit", "apple", "ripe", Tone.GOOD, "Ana"), Result("fruit", "raven", "came", Tone.DANGER)),
)
"""A game that no catalogue and no symbol knows."""

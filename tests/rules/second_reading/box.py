"""The box: rules page 1.1, 1.2 and the silhouettes of 1.13."""

from __future__ import annotations

from typing import Any

Position = dict[str, Any]
Order = dict[str, Any]

TREASURE_OF = {
    "temple_of_the_moon": "earth_stone",
    "temple_of_the_sun": "earth_stone",
    "whispering_garden": "statue_of_the_wind",
    "howling_garden": "statue_of_the_wind",
    "cave_of_embers": "crystal_of_fire",
    "cave_of_shadows": "crystal_of_fire",
    "coral_palace": "oceans_chalice",
    "tidal_palace": "oceans_chalice",
}
START = {
    "pilot": "fools_landing",
    "engineer": "bronze_gate",
    "explorer": "copper_gate",
    "navigator": "gold_gate",
    "messenger": "silver_gate",
    "diver": "iron_gate",
}
PLAIN = (
    "breakers_bridge",
    "cliffs_of_abandon",
    "crimson_forest",
    "dunes_of_deception",
    "lost_lagoon",
    "misty_marsh",
    "observatory",
    "phantom_rock",
    "twilight_hollow",
    "watchtower",
)
TILES = sorted([*TREASURE_OF, *START.values(), *PLAIN])
ROLES = sorted(START)
TREASURES = sorted(set(TREASURE_OF.values()))
TREASURE_DECK = sorted([*TREASURES * 5, *["waters_rise"] * 3, *["helicopter_lift"] * 3, *["sandbags"] * 2])
KINDS = sorted(set(TREASURE_DECK))
METER = {1: 2, 2: 2, 3: 3, 4: 3, 5: 3, 6: 4, 7: 4, 8: 5, 9: 5}
SKULL = 10
START_MARK = {"novice": 1, "normal": 2, "elite": 3, "legendary": 4}

AS_PRINTED = {
    "classic": "..##../.###./####/####/.###./..##..",
    "treasure_island": "##...##/.####./..##../..##../.####./##...##",
    "island_of_shadows": "####/####/####/####",
    "volcano_island": "####/####/##.##/####/####",
    "island_of_death": "..##../#####/.####./..##../..##../..##..",
    "bay_of_gulls": "...##.../...##.../#..##..#/######/.####./...##...",
    "bone_island": ".##..##./######/######/.##..##.",
    "coral_reef": ".##..../###.../####./.####/...###/....##.",
    "skull_island": "####/#.##.#/####/.###./.###.",
    "bridge_of_horrors": "##...###/#######/###...##",
    "atoll_of_decisions": "..##../.##.##./##...##/#.....#/##...##/.##.##./..##..",
    "arch_of_fate": "...##.../..####../.##.##./##...##/##.....##",
}
"""The rules page's own silhouettes: every three ``#`` in a row are printed as two there."""

SILHOUETTE = {
    "classic": "..##../.####./######/######/.####./..##..",
    "treasure_island": "##...##/.#####./..###../..###../.#####./##...##",
    "island_of_shadows": "######/######/######/######",
    "volcano_island": "#####/#####/##.##/#####/#####",
    "island_of_death": "..###../#######/.#####./..###../..###../..###..",
    "bay_of_gulls": "...##.../...##.../#..##..#/########/.######./...##...",
    "bone_island": ".##..##./########/########/.##..##.",
    "coral_reef": ".##..../####.../######./.######/...####/....##.",
    "skull_island": "######/#.##.#/######/.####./.####.",
    "bridge_of_horrors": "###...####/##########/####...###",
    "atoll_of_decisions": "..###../.##.##./##...##/#.....#/##...##/.##.##./..###..",
    "arch_of_fate": "...###.../..#####../.###.###./###...###/##.....##",
}
"""The silhouettes with 24 places and rows of one width that are printed like that (one only for each)."""

"""What lies in the box: roles, tiles, cards, the water meter (rules page 1.1 and 1.2)."""

from __future__ import annotations

from enum import StrEnum


class Role(StrEnum):
    """The six adventurers."""

    DIVER = "diver"
    ENGINEER = "engineer"
    EXPLORER = "explorer"
    MESSENGER = "messenger"
    NAVIGATOR = "navigator"
    PILOT = "pilot"


class Treasure(StrEnum):
    """The four treasures; also the names of their cards."""

    EARTH_STONE = "earth_stone"
    STATUE_OF_THE_WIND = "statue_of_the_wind"
    CRYSTAL_OF_FIRE = "crystal_of_fire"
    OCEANS_CHALICE = "oceans_chalice"


class Card(StrEnum):
    """The kinds of card in the treasure deck."""

    EARTH_STONE = "earth_stone"
    STATUE_OF_THE_WIND = "statue_of_the_wind"
    CRYSTAL_OF_FIRE = "crystal_of_fire"
    OCEANS_CHALICE = "oceans_chalice"
    HELICOPTER_LIFT = "helicopter_lift"
    SANDBAGS = "sandbags"
    WATERS_RISE = "waters_rise"


class Tile(StrEnum):
    """The 24 tiles; also the names of the flood cards."""

    FOOLS_LANDING = "fools_landing"
    BRONZE_GATE = "bronze_gate"
    COPPER_GATE = "copper_gate"
    GOLD_GATE = "gold_gate"
    IRON_GATE = "iron_gate"
    SILVER_GATE = "silver_gate"
    TEMPLE_OF_THE_MOON = "temple_of_the_moon"
    TEMPLE_OF_THE_SUN = "temple_of_the_sun"
    HOWLING_GARDEN = "howling_garden"
    WHISPERING_GARDEN = "whispering_garden"
    CAVE_OF_EMBERS = "cave_of_embers"
    CAVE_OF_SHADOWS = "cave_of_shadows"
    CORAL_PALACE = "coral_palace"
    TIDAL_PALACE = "tidal_palace"
    BREAKERS_BRIDGE = "breakers_bridge"
    CLIFFS_OF_ABANDON = "cliffs_of_abandon"
    CRIMSON_FOREST = "crimson_forest"
    DUNES_OF_DECEPTION = "dunes_of_deception"
    LOST_LAGOON = "lost_lagoon"
    MISTY_MARSH = "misty_marsh"
    OBSERVATORY = "observatory"
    PHANTOM_ROCK = "phantom_rock"
    TWILIGHT_HOLLOW = "twilight_hollow"
    WATCHTOWER = "watchtower"


class Condition(StrEnum):
    """A tile's side up, or gone."""

    DRY = "dry"
    FLOODED = "flooded"
    SUNK = "sunk"


class Difficulty(StrEnum):
    """The starting mark of the water meter."""

    NOVICE = "novice"
    NORMAL = "normal"
    ELITE = "elite"
    LEGENDARY = "legendary"


class Phase(StrEnum):
    """The three phases of a turn, and the two ends."""

    ACTIONS = "actions"
    TREASURE = "treasure"
    FLOOD = "flood"
    WON = "won"
    LOST = "lost"


class Loss(StrEnum):
    """The four ways to lose."""

    FOOLS_LANDING_SANK = "fools_landing_sank"
    TREASURE_SANK = "treasure_sank"
    DROWNED = "drowned"
    WATER_LEVEL = "water_level"


class Tracking(StrEnum):
    """How much the companion tracks: the piles and the water, the island too, or pawns and hands as well."""

    CARDS = "cards"
    ISLAND = "island"
    EVERYTHING = "everything"


START_TILE = {
    Role.DIVER: Tile.IRON_GATE,
    Role.ENGINEER: Tile.BRONZE_GATE,
    Role.EXPLORER: Tile.COPPER_GATE,
    Role.MESSENGER: Tile.SILVER_GATE,
    Role.NAVIGATOR: Tile.GOLD_GATE,
    Role.PILOT: Tile.FOOLS_LANDING,
}

PAWN_COLOUR = {
    Role.DIVER: "black",
    Role.ENGINEER: "red",
    Role.EXPLORER: "green",
    Role.MESSENGER: "white",
    Role.NAVIGATOR: "yellow",
    Role.PILOT: "blue",
}

TREASURE_TILES = {
    Treasure.EARTH_STONE: (Tile.TEMPLE_OF_THE_MOON, Tile.TEMPLE_OF_THE_SUN),
    Treasure.STATUE_OF_THE_WIND: (Tile.HOWLING_GARDEN, Tile.WHISPERING_GARDEN),
    Treasure.CRYSTAL_OF_FIRE: (Tile.CAVE_OF_EMBERS, Tile.CAVE_OF_SHADOWS),
    Treasure.OCEANS_CHALICE: (Tile.CORAL_PALACE, Tile.TIDAL_PALACE),
}

TREASURE_OF_TILE = {tile: treasure for treasure, tiles in TREASURE_TILES.items() for tile in tiles}

TREASURE_CARD = {treasure: Card(treasure.value) for treasure in Treasure}
TREASURE_OF_CARD = {card: treasure for treasure, card in TREASURE_CARD.items()}

TREASURE_DECK: dict[Card, int] = {
    **dict.fromkeys(TREASURE_CARD.values(), 5),
    Card.HELICOPTER_LIFT: 3,
    Card.SANDBAGS: 2,
    Card.WATERS_RISE: 3,
}
"""How many of each card: 28 in all."""

FLOOD_CARDS_AT_MARK = (2, 2, 3, 3, 3, 4, 4, 5, 5)
"""Flood cards a turn at marks 1 to 9; mark 10 is the skull."""
SKULL = 10

START_MARK = {Difficulty.NOVICE: 1, Difficulty.NORMAL: 2, Difficulty.ELITE: 3, Difficulty.LEGENDARY: 4}

HAND_LIMIT = 5
ACTIONS_A_TURN = 3
TREASURE_CARDS_A_TURN = 2
CARDS_TO_CAPTURE = 4
FLOODED_AT_START = 6
CARDS_AT_START = 2
FEWEST_PLAYERS = 2
MOST_PLAYERS = 4


def flood_cards_at(mark: int) -> int:
    """Flood cards to draw a turn at ``mark``; 0 at the skull."""
    return FLOOD_CARDS_AT_MARK[mark - 1] if 1 <= mark < SKULL else 0

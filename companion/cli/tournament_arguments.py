"""The arguments of ``companion tournament``."""

from __future__ import annotations

import argparse
from pathlib import Path

GAMES, SEED = 200, "1"


def add_tournament(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    command = commands.add_parser(
        "tournament",
        help="let bots play many games, and count",
        description="Play many games with a bot, by seed: the same games on any machine, whatever the number of "
        "processes. Stop it at any time; with --results the same command goes on where it was.",
    )
    bots = "random, steady, learned, strong, or 'command: PROGRAM' for one of your own (default: steady)"
    command.add_argument("--player", default="steady", help=bots)
    command.add_argument("--game", help="which game (default: the first that bots can play)")
    command.add_argument("--players", metavar="N,N", help="how many play (default: every number)")
    command.add_argument("--difficulty", metavar="NAME,NAME", help="how hard (default: every difficulty)")
    told = "games of each kind (default: %(default)s)"
    command.add_argument("--games", type=int, default=GAMES, metavar="N", help=told)
    command.add_argument("--seed", default=SEED, help="any text; the same seed, the same games (default: %(default)s)")
    command.add_argument("--jobs", type=int, metavar="N", help="processes (default: one for each core)")
    kept = "keep each game here, and go on from what is there"
    command.add_argument("--results", type=Path, metavar="FILE", help=kept)
    drawn = "draw it, as .svg or .png; may be given twice"
    command.add_argument("--chart", type=Path, metavar="FILE", action="append", default=[], help=drawn)
    command.add_argument("--json", action="store_true", help="print the table as JSON")
    command.add_argument("--dask", metavar="ADDRESS", help="play on this Dask cluster, such as tcp://HOST:8786")

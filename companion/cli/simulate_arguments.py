"""The arguments of ``companion simulate`` and ``companion soak``."""

from __future__ import annotations

import argparse
import math
from pathlib import Path

FAULTS = "faults that strike by chance: names with commas between them, or all"


def add_simulate(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add both commands to the command line."""
    simulate = commands.add_parser(
        "simulate",
        help="play scripts and records at a simulated table",
        description="Play what people do at a table, line by line, and see what must be seen (docs/simulator.md). "
        "Exits 1 at the first line that is not as it says.",
    )
    simulate.add_argument("files", nargs="+", type=Path, metavar="FILE", help="a script, or a record of a real table")
    simulate.add_argument("--real-time", action="store_true", help="through real ports and pins, as slow as life")
    simulate.add_argument("--faults", default="", metavar="NAMES", help=FAULTS)
    simulate.add_argument("--chance", type=_percent, default=3.0, metavar="PERCENT", help="the chance of each (3)")
    simulate.add_argument("--seed", type=_seed, metavar="N", help="decides what strikes when, instead of the script's")
    _add_soak(commands)


def _add_soak(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    soak = commands.add_parser(
        "soak",
        help="let random people play at a table where everything breaks",
        description="Evening after evening in virtual time, watched all the time. A fault is shrunk to a small script.",
    )
    soak.add_argument("--minutes", type=_minutes, default=10.0, metavar="N", help="how long (10)")
    soak.add_argument("--seed", type=_seed, default=0, metavar="N", help="the first evening's (0)")
    soak.add_argument("--acts", type=_count, default=120, metavar="N", help="acts in an evening (120)")
    soak.add_argument("--faults", default="all", metavar="NAMES", help=f"{FAULTS} (all)")
    soak.add_argument("--into", type=Path, default=Path(), metavar="FOLDER", help="where a script is written (here)")


def _seed(text: str) -> int:
    return _whole(text, 0)


def _count(text: str) -> int:
    return _whole(text, 1)


def _whole(text: str, least: int) -> int:
    if not text.isdecimal() or int(text) < least:
        raise argparse.ArgumentTypeError(f"must be a whole number from {least}, not {text!r}")
    return int(text)


def _minutes(text: str) -> float:
    return _number(text, 0.0, 1440.0)


def _percent(text: str) -> float:
    return _number(text, 0.0, 100.0)


def _number(text: str, least: float, most: float) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not least <= number <= most:
        raise argparse.ArgumentTypeError(f"must be a number from {least:g} to {most:g}, not {text!r}")
    return number

"""``companion simulate`` and ``companion soak``: scripts, records and long runs of random people at a virtual table."""

from __future__ import annotations

import argparse
import logging
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from companion.cli.simulation.playing import Fault, pieces_of, play_virtually
from companion.cli.simulation.real_table import play_really
from companion.cli.simulation.replay import is_record, replay
from companion.cli.simulation.soak import Evening, as_script, evening, small_script
from companion.rules.registry import GAMES
from simulator.faults import Fault as Mishap
from simulator.script import Act, ScriptError, read_act, read_script

FAILED, UNREADABLE = 1, 2
ALL = "all"


class CannotSimulate(Exception):
    """The request makes no sense; the text says in one line what to do."""


def run_simulate(options: argparse.Namespace) -> int:
    """Play scripts and records. 0 where all went as they say, 1 where one did not, 2 where one cannot be read."""
    _hush()
    worst = 0
    for path in options.files:
        try:
            worst = max(worst, _play(path, options))
        except (ScriptError, CannotSimulate) as fault:
            for line in str(fault).splitlines():
                print(f"{path}: {line}", file=sys.stderr)
            worst = UNREADABLE
    return worst


def _hush() -> None:
    """Say nothing of what the simulated table logs; whoever watches it reads that."""
    logging.getLogger().setLevel(logging.ERROR)
    for handler in logging.getLogger().handlers:
        handler.setLevel(logging.CRITICAL)


def _play(path: Path, options: argparse.Namespace) -> int:
    text = _text(path)
    if is_record(text):
        missed = replay(text)
        print(f"{path}: {missed or 'told again what was told then'}")
        return FAILED if missed else 0
    acts = _with_faults(read_script(text, pieces_of(GAMES)), options)
    began = time.monotonic()
    fault = play_really(acts, GAMES) if options.real_time else play_virtually(acts, GAMES)
    print(f"{path}: {_summary(fault, acts, time.monotonic() - began)}")
    return FAILED if fault else 0


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as failure:
        raise CannotSimulate(f"cannot be read: {failure.strerror}") from None
    except UnicodeDecodeError:
        raise CannotSimulate("is not UTF-8 text") from None


def _summary(fault: Fault | None, acts: Sequence[Act], seconds: float) -> str:
    return f"failed at {fault}" if fault else f"all {len(acts)} lines as they say, in {seconds:.1f} s"


def _with_faults(acts: tuple[Act, ...], options: argparse.Namespace) -> tuple[Act, ...]:
    """A script with the faults and the seed of the command line."""
    seed = () if options.seed is None else (read_act(f"seed {options.seed}"),)
    settled = [act for act in acts if act.sort.name == "SETUP" and not (seed and act.name == "seed")]
    rest = [act for act in acts if act.sort.name != "SETUP"]
    faults = (read_act(f"fault {fault} {options.chance:g} %") for fault in wished(options.faults))
    return (*seed, *settled, *faults, *rest)


def wished(told: str) -> tuple[Mishap, ...]:
    """The faults that a comma-separated list names, or ``all``. Raises CannotSimulate."""
    if told == ALL:
        return tuple(Mishap)
    names = [name.strip() for name in told.split(",") if name.strip()]
    unknown = [name for name in names if name not in tuple(Mishap)]
    if unknown:
        raise CannotSimulate(f"--faults: there is no fault {unknown[0]!r}; there are {', '.join(Mishap)}, or {ALL}")
    return tuple(map(Mishap, names))


def run_soak(options: argparse.Namespace) -> int:
    """Evening after evening until the time is up. 0 where nothing was wrong, 1 where something was, with its script."""
    _hush()
    try:
        faults = wished(options.faults)
    except CannotSimulate as fault:
        print(fault, file=sys.stderr)
        return UNREADABLE
    began = time.monotonic()
    acts = evenings = 0
    hours, seed = 0.0, options.seed
    while not evenings or time.monotonic() - began < 60 * options.minutes:
        lived = evening(seed, GAMES, faults, options.acts)
        evenings, acts, hours, seed = evenings + 1, acts + len(lived.acts), hours + lived.seconds / 3600, seed + 1
        if lived.fault is not None:
            return _found(lived, options.into)
        _progress(f"evening {evenings}, {acts} acts, {hours:.1f} hours at the table, nothing wrong")
    print(f"seeds {options.seed} to {seed - 1}: {evenings} evenings, {acts} acts, {hours:.1f} hours: nothing was wrong")
    return 0


def _found(lived: Evening, into: Path) -> int:
    print(f"seed {lived.seed}, act {len(lived.acts)}: {lived.fault}")
    small = small_script(lived, GAMES, lambda left: _progress(f"shrinking: {left} acts left"))
    path = into / f"soak-{lived.seed}.script"
    path.write_text(as_script(small, lived), encoding="utf-8")
    print(f"{len(small)} lines show it again: companion simulate {path}")
    return FAILED


def _progress(told: str) -> None:
    if sys.stderr.isatty():
        print(f"\r{told}\033[K", end="", file=sys.stderr, flush=True)

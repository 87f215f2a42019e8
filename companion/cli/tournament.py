"""``companion tournament``: many games by seed on all cores or on a cluster, and what they show."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from tqdm import tqdm

from companion.cli.tournament_chart import write_chart
from companion.rules.registry import QUICK
from simulator.bots.command import CommandPlayer
from simulator.bots.lineup import player
from simulator.bots.player import BadAnswer
from simulator.tournament.crew import CrewError, on_a_cluster, on_this_machine
from simulator.tournament.ledger import Ledger, LedgerError
from simulator.tournament.match import Match, Result, Terms, matches, offered, seats
from simulator.tournament.score import scores, table

BATCH = 4
"""Games handed out at once: short enough for the slowest player, long enough for the fastest."""
MOST_FAULTS = 3
"""Faults of a bot that are told; the others are counted."""


class CannotPlay(Exception):
    """The tournament cannot be played as asked; the text says in one line why."""


def run_tournament(options: argparse.Namespace) -> int:
    """Play and print. 0 when all games are played, 2 where they cannot be, 130 where it was stopped."""
    options.game = options.game or next(iter(QUICK))
    try:
        return _run(options)
    except (CannotPlay, CrewError, LedgerError) as fault:
        print(fault, file=sys.stderr)
        return 2


def _run(options: argparse.Namespace) -> int:
    terms, wanted = _asked(options)
    if options.results is None:
        results = dict[Match, Result]()
        stopped = _play(options, terms, wanted, results, None)
    else:
        with Ledger(options.results, terms) as ledger:
            results = ledger.results
            stopped = _play(options, terms, wanted, results, ledger)
    _report(options, terms, [results[match] for match in wanted if match in results])
    if stopped and options.results:
        print(f"Stopped; {options.results} keeps what was played: the same command goes on.", file=sys.stderr)
    return 130 if stopped else 0


def _asked(options: argparse.Namespace) -> tuple[Terms, list[Match]]:
    """The tournament that the command line asks for. Raises CannotPlay."""
    if options.game not in QUICK:
        raise CannotPlay(f"--game: must be {', '.join(QUICK)}, not {options.game!r}")
    _try_player(options)
    if options.games < 1:
        raise CannotPlay(f"--games: must be 1 or more, not {options.games}")
    if options.jobs is not None and options.jobs < 1:
        raise CannotPlay(f"--jobs: must be 1 or more, not {options.jobs}")
    for path in options.chart:
        _try_chart(path)
    counts = _chosen("--players", options.players, [str(number) for number in seats(options.game)])
    hard = _chosen("--difficulty", options.difficulty, offered(options.game, "difficulty"))
    wanted = list(matches([int(count) for count in counts], hard, options.games))
    return Terms(options.game, options.player, options.seed), wanted


def _try_player(options: argparse.Namespace) -> None:
    """Raises CannotPlay where there is no such player or its program does not start; on a cluster it is not tried."""
    try:
        with closing(player(options.player)) as someone:
            if isinstance(someone, CommandPlayer) and not options.dask:
                someone.start()
    except ValueError as fault:
        raise CannotPlay(f"--player: {fault}") from None
    except BadAnswer as fault:
        raise CannotPlay(f"--player: {fault}; it must be a program that can be run, as in 'command: ./mybot'") from None


def _try_chart(path: Path) -> None:
    """Raises CannotPlay where a chart could not be written when all is played."""
    if path.suffix.lower() not in (".svg", ".png"):
        raise CannotPlay(f"--chart: must end in .svg or .png, not {path}")
    if not path.parent.is_dir():
        raise CannotPlay(f"--chart: {path} cannot be written: there is no folder {path.parent}")
    if path.is_dir():
        raise CannotPlay(f"--chart: {path} cannot be written: it is a folder")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise CannotPlay(f"--chart: {path} cannot be written: no permission; choose another place")


def _chosen(option: str, told: str | None, possible: Sequence[str]) -> list[str]:
    if told is None:
        return list(possible)
    chosen = [word.strip() for word in told.split(",")]
    unknown = [word for word in chosen if word not in possible]
    if unknown:
        raise CannotPlay(f"{option}: must be of {', '.join(possible)}, not {unknown[0]!r}")
    return list(dict.fromkeys(chosen))


def _play(
    options: argparse.Namespace, terms: Terms, wanted: list[Match], results: dict[Match, Result], ledger: Ledger | None
) -> bool:
    """Play what is missing; whether somebody stopped it."""
    missing = [match for match in wanted if match not in results]
    if not missing:
        return False
    bar = tqdm(total=len(wanted), initial=len(wanted) - len(missing), unit="game", disable=None, smoothing=0.05)
    try:
        with closing(_crew(options, terms, missing)) as coming, bar:
            for batch in coming:
                if ledger is not None:
                    ledger.add(batch)
                results.update({result.match: result for result in batch})
                bar.update(len(batch))
    except KeyboardInterrupt:
        return True
    return False


def _crew(options: argparse.Namespace, terms: Terms, missing: list[Match]) -> Generator[list[Result], None, None]:
    if options.dask:
        return on_a_cluster(terms, missing, options.dask, BATCH)
    return on_this_machine(terms, missing, options.jobs or os.cpu_count() or 1, BATCH)


def _report(options: argparse.Namespace, terms: Terms, results: list[Result]) -> None:
    found = scores(results, offered(options.game, "difficulty"))
    if options.json:
        told: dict[str, Any] = {**terms.json(), "scores": [score.json() for score in found]}
        print(json.dumps(told, indent=1))
    else:
        print("\n".join(table(found)))
    for line in _faults(results):
        print(line, file=sys.stderr)
    for path in options.chart:
        try:
            write_chart(path, f"{terms.player}, seed {terms.seed}", found)
        except OSError as failure:
            raise CannotPlay(f"{path}: cannot be written: {failure.strerror}") from None


def _faults(results: Iterable[Result]) -> Iterator[str]:
    """What bots did wrong, a line each, the first few."""
    faulty = [result for result in results if result.fault]
    for result in faulty[:MOST_FAULTS]:
        match = result.match
        yield f"{match.difficulty}, {match.players} players, game {match.number}: {result.fault}"
    if len(faulty) > MOST_FAULTS:
        yield f"... and {len(faulty) - MOST_FAULTS} more games lost by such answers"

"""``companion``: its commands and their arguments."""

from __future__ import annotations

import argparse
import logging
import os
import sys
from collections.abc import Sequence
from io import TextIOWrapper
from pathlib import Path

from companion import __version__
from companion.cli.simulate_arguments import add_simulate
from companion.cli.tag_arguments import add_tags
from companion.cli.tournament_arguments import add_tournament

EPILOG = """\
examples:
  companion run --simulate             a table made of software, on http://127.0.0.1:8000
  companion run --config FILE          the real table: reader, buttons, panel as FILE says
  companion doctor                     what is wrong on this machine, and what mends it
  companion tags enrol                 teach the tags of the box, piece by piece
  companion engine                     rules over JSON Lines, for testers and bots
  companion check scenarios/*.json     play scenario files
  companion simulate FILE              play a script, or a record, at a virtual table
  companion soak --minutes 10          random people and every fault, until something is wrong
  companion tournament --games 1000    let bots play, and count
"""


def parser() -> argparse.ArgumentParser:
    """The whole command line."""
    top = argparse.ArgumentParser(
        prog="companion",
        description="A table companion for cooperative cardboard games: it deals, keeps track, and shows the table "
        "on e-ink and on every phone in the room.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action="version", version=f"companion {__version__}")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    _add_run(commands)
    commands.add_parser(
        "engine",
        help="speak the engine protocol on standard input and output",
        description="Speak the engine protocol: one JSON object a line in, exactly one out, until the input ends.",
    )
    check = commands.add_parser(
        "check",
        help="play scenario files and say which hold",
        description="Play scenario files: one line a scenario, then 'N passed, N failed'. Exits 1 where any failed.",
    )
    check.add_argument("files", nargs="+", type=Path, metavar="FILE", help="a scenario file, or a folder of them")
    _add_doctor(commands)
    add_tags(commands)
    add_tournament(commands)
    add_simulate(commands)
    return top


def _add_run(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    run = commands.add_parser(
        "run",
        help="run the table: web pages, reader, buttons, panel",
        description="Run the table until Ctrl-C. Without --config every setting has its default.",
    )
    run.add_argument("--config", type=Path, metavar="FILE", help="settings (TOML); deploy/companion.example.toml")
    run.add_argument("--simulate", action="store_true", help="stand-ins for all hardware, with their page at /sim")
    run.add_argument("--record", type=Path, metavar="FILE", help="write down what readers send and buttons do")
    run.add_argument("--host", metavar="ADDRESS", help="listen on this address instead of the settings'")
    run.add_argument("--port", type=int, metavar="PORT", help="listen on this port instead of the settings'")
    run.add_argument("--state", type=Path, metavar="FOLDER", help="keep the games in this folder instead")


def _add_doctor(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    doctor = commands.add_parser(
        "doctor",
        help="say what is wrong on this machine and what mends it",
        description="Look at this machine and its settings: one line a finding, with the command that mends it. "
        "Changes nothing, needs no network. Exits 1 where something keeps the table from working.",
    )
    told = "settings (TOML); left out, /etc/companion/companion.toml where there is one"
    doctor.add_argument("--config", type=Path, metavar="FILE", help=told)
    doctor.add_argument("--state", type=Path, metavar="FOLDER", help="the games are in this folder instead")
    doctor.add_argument("--json", action="store_true", help="for programs")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the process's exit status."""
    options = parser().parse_args(arguments)
    _write_any_letter()
    level = logging.INFO if options.command == "run" else logging.CRITICAL
    logging.basicConfig(level=level, format="%(levelname)s %(name)s: %(message)s", stream=sys.stderr)
    logging.getLogger("uvicorn").setLevel(logging.WARNING)
    try:
        return _run(options)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _write_any_letter() -> None:
    """Where the terminal has no such letter it shows a question mark; what cannot be read is one, too."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")


def _run(options: argparse.Namespace) -> int:
    """Each command's modules are imported only when it runs, so that none pays for another's."""
    if options.command == "engine":
        from companion.cli.engine import run_engine

        return run_engine()
    if options.command == "check":
        from companion.cli.check import run_check

        return run_check(options.files)
    if options.command == "doctor":
        from companion.cli.doctor import run_doctor

        return run_doctor(options)
    if options.command == "tags":
        from companion.cli.tags import run_tags

        return run_tags(options)
    if options.command == "run":
        from companion.cli.run import run_table

        return run_table(options)
    return _run_without_people(options)


def _run_without_people(options: argparse.Namespace) -> int:
    """Run a command that plays by itself."""
    if options.command == "tournament":
        from companion.cli.tournament import run_tournament

        return run_tournament(options)
    from companion.cli.simulate import run_simulate, run_soak

    return run_simulate(options) if options.command == "simulate" else run_soak(options)

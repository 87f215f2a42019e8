"""The arguments of ``companion tags …``."""

from __future__ import annotations

import argparse
from pathlib import Path

from companion.labels.layout import PAGES, PRESETS

INSTALLED = Path("/etc/companion/companion.toml")
STANDARD = Path("-")

HELP = """\
examples:
  companion tags enrol                     name each piece of the box and scan its tag
  companion tags list                      every tag and what it means
  companion tags export tags.json          keep them, or give them to the next table
  companion tags import tags.json          take them in
  companion tags forget 04A1B2C3D4E5F6     one tag; tile:watchtower instead forgets all tags of that piece
  companion tags sheet labels.pdf          QR labels for a code scanner: nothing needs to be taught then
"""


def add_tags(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """The arguments of every ``companion tags …``."""
    tags = commands.add_parser(
        "tags",
        help="teach tags, list, exchange and print them",
        description="Tags: stickers on pieces of the box, or saying a command.",
        epilog=HELP,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    does = tags.add_subparsers(dest="does", required=True, metavar="WHAT")
    enrol = _add(does, "enrol", "name the pieces one by one and take their tags from the reader")
    enrol.add_argument("--game", metavar="NAME", help="whose box; left out, the game on the table, or the only one")
    enrol.add_argument("--piece", metavar="PIECE", help="begin there: a name, or KIND:NAME such as tile:watchtower")
    _add(does, "list", "list every tag and what it means; the companion may be running")
    export = _add(does, "export", "write all tags to a file; the companion may be running")
    export.add_argument(
        "file", nargs="?", type=Path, default=STANDARD, metavar="FILE", help="standard output if left out"
    )
    bring = _add(does, "import", "take in the tags of a file, all of them or none")
    bring.add_argument("file", type=Path, metavar="FILE", help="'-' for standard input")
    how = bring.add_mutually_exclusive_group()
    how.add_argument("--overwrite", action="store_true", help="where file and table differ, the file is right")
    how.add_argument("--replace", action="store_true", help="forget every tag that is not in the file, too")
    forget = _add(does, "forget", "forget tags")
    forget.add_argument("names", nargs="+", metavar="TAG", help="a tag, or KIND:NAME or a command for all its tags")
    _add_sheet(does)


def _add(does: argparse._SubParsersAction[argparse.ArgumentParser], name: str, told: str) -> argparse.ArgumentParser:
    added = does.add_parser(name, help=told, description=f"{told[0].upper()}{told[1:]}.")
    added.add_argument("--config", type=Path, metavar="FILE", help=f"settings; left out, {INSTALLED} if it is there")
    added.add_argument("--state", type=Path, metavar="FOLDER", help="the games are in this folder instead")
    return added


def _add_sheet(does: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    sheet = _add(does, "sheet", "print a PDF of QR labels for every piece and command")
    sheet.add_argument(
        "file", nargs="?", type=Path, default=Path("labels.pdf"), metavar="FILE", help="labels.pdf if left out"
    )
    sheet.add_argument("--game", metavar="NAME", help="whose box; left out, every game's")
    sheet.add_argument("--kinds", metavar="KIND,…", help="only these: tile, …, press (commands), do (actions)")
    sheet.add_argument("--language", metavar="LANGUAGE", help="of the words on the labels; left out, the table's")
    sheet.add_argument("--layout", choices=PRESETS, help="a sheet of stickers, or plain paper (a4, letter)")
    sheet.add_argument("--page", choices=PAGES, help="plain paper: its size")
    sheet.add_argument("--label", metavar="WIDTHxHEIGHT", help="plain paper: the size of a label in mm, such as 25x32")
    sheet.add_argument("--margin", type=float, metavar="MM", help="plain paper: what is kept free at every edge")
    sheet.add_argument("--gap", type=float, metavar="MM", help="plain paper: from one label to the next")
    sheet.add_argument("--skip", type=int, default=0, metavar="N", help="leave the first N places empty")
    sheet.add_argument("--no-cut-marks", action="store_true", help="no marks at the corners of labels")

"""``companion tags``: what the tags of the table mean, taught, listed, exchanged and printed."""

from __future__ import annotations

import argparse
import sqlite3
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from companion.cli.kept_settings import load_or_restore
from companion.cli.tag_arguments import INSTALLED, STANDARD
from companion.i18n import LANGUAGES, translator
from companion.labels.layout import LayoutError
from companion.rules.game import AnyGame, Refused
from companion.rules.portrait import Phrase
from companion.rules.registry import GAMES
from companion.settings import Settings, SettingsError
from companion.table.journal import Journal, JournalError
from companion.table.journal_copy import read_journal
from companion.table.journal_file import used_by_another
from companion.table.journal_tables import Broken
from companion.table.meaning import Meaning, label_of, read_meaning
from companion.table.session import Session
from companion.table.tag_file import TagFileError, read_tag_file, tag_file
from companion.table.tags import Merging
from companion.table.whole_file import write_whole

JOURNAL = "journal.sqlite3"
WORDS = translator(LANGUAGES[0])


class CannotTag(Exception):
    """It cannot be done; the text says in one line what to do, or in a line for each fault."""


def run_tags(options: argparse.Namespace) -> int:
    """Do it. 0 when done, 2 where it cannot be done, with a line that says what to do."""
    try:
        settings = chosen_settings(options)
        return _run(options, settings)
    except (CannotTag, SettingsError, LayoutError) as fault:
        print(fault, file=sys.stderr)
        return 2


def _run(options: argparse.Namespace, settings: Settings) -> int:
    match options.does:
        case "enrol":
            from companion.cli.enrol import run_enrol

            with opened_session(settings) as session:
                return run_enrol(session, settings, options.game, options.piece)
        case "sheet":
            from companion.cli.label_sheet import run_sheet

            return run_sheet(options, settings)
        case "list":
            return _list(known_tags(settings))
        case "export":
            return _export(known_tags(settings), options.file)
        case "import":
            return _import(settings, options)
    return _forget(settings, options.names)


def chosen_settings(options: argparse.Namespace) -> Settings:
    """The settings of the file, with another state folder where one is named. Raises SettingsError."""
    config = options.config or (INSTALLED if INSTALLED.exists() else None)
    settings, copy = load_or_restore(config, options.state) if config else (Settings(), None)
    if copy is not None:
        _tell(Phrase("notice.settings_restored", {"path": str(config), "copy": str(copy)}))
    return replace(settings, table=replace(settings.table, state=options.state or settings.table.state))


def game_named(name: str | None, among: Mapping[str, AnyGame] = GAMES) -> AnyGame:
    """The game of that name, or the only one. Raises CannotTag."""
    chosen = next(iter(among)) if name is None and len(among) == 1 else name
    if chosen is None or chosen not in among:
        wrong = "--game is missing" if name is None else f"--game: there is no game {name!r}"
        raise CannotTag(f"{wrong}; there are {', '.join(among)}")
    return among[chosen]


# -- the journal
@contextmanager
def opened_session(settings: Settings) -> Iterator[Session]:
    """The table's session, which no companion may be holding. Raises CannotTag."""
    path = settings.table.state / JOURNAL
    try:
        journal = Journal(path)
    except JournalError as fault:
        raise CannotTag(_running(settings) if str(fault) == str(used_by_another(path)) else str(fault)) from None
    try:
        if journal.unsaved is not None:
            raise CannotTag(f"The tags cannot be kept in {path}: {WORDS.say(journal.unsaved)}")
        session = Session(GAMES, journal)
        if session.snapshot.notice is not None:
            _tell(session.snapshot.notice.phrase)
        yield session
        if journal.unsaved is not None:
            raise CannotTag(f"Nothing of it is kept: {WORDS.say(journal.unsaved)}")
    finally:
        journal.close()


def _tell(phrase: Phrase) -> None:
    """Say what happened, beside what was asked for."""
    print(WORDS.say(phrase), file=sys.stderr)


def _running(settings: Settings) -> str:
    page = f"http://localhost:{settings.web.port}/host/tags"
    return (
        f"The companion is running and holds journal and readers: teach, import and forget tags on its page {page} "
        "(or on a phone), or stop it first with: sudo systemctl stop companion"
    )


def known_tags(settings: Settings) -> Mapping[str, Meaning]:
    """What each tag means, also while a companion is running. Raises CannotTag."""
    path = settings.table.state / JOURNAL
    if not path.exists():
        raise CannotTag(f"No table is kept in {settings.table.state} yet: name its folder with --state or --config")
    try:
        journal = read_journal(path)
        rows = journal.execute("SELECT tag, thing FROM tag ORDER BY tag").fetchall()
        journal.close()
    except (OSError, sqlite3.Error, Broken) as fault:
        raise CannotTag(f"The journal {path} cannot be read: {fault}") from None
    return {tag: meaning for tag, text in rows if (meaning := _meaning(text)) is not None}


def _meaning(text: str) -> Meaning | None:
    try:
        return read_meaning(text)
    except ValueError:
        return None


# -- what is done
def _list(tags: Mapping[str, Meaning]) -> int:
    for tag, meaning in sorted(tags.items(), key=lambda known: (known[1].kind, str(known[1]), known[0])):
        print(f"{tag}\t{meaning}\t{WORDS.say(label_of(meaning))}")
    return 0


def _export(tags: Mapping[str, Meaning], file: Path) -> int:
    text = tag_file(tags)
    if file == STANDARD:
        sys.stdout.buffer.write(text.encode())
        return 0
    write(file, text.encode())
    print(f"{_counted(len(tags), 'tag')} written to {file}")
    return 0


def write(file: Path, content: bytes) -> None:
    """Write a file whole. Raises CannotTag."""
    try:
        write_whole(file, content)
    except OSError as failure:
        raise CannotTag(f"{file} cannot be written: {failure.strerror}") from None


def _import(settings: Settings, options: argparse.Namespace) -> int:
    try:
        tags = read_tag_file(_text(options.file), GAMES)
    except TagFileError as wrong:
        lines = (f"{options.file}: {WORDS.say(fault)}" for fault in wrong.faults)
        raise CannotTag("\n".join(lines)) from None
    overwriting = Merging.OVERWRITE if options.overwrite else Merging.ADD
    with opened_session(settings) as session:
        try:
            snapshot = session.bring(tags, Merging.REPLACE if options.replace else overwriting)
        except Refused as refused:
            hint = " (--overwrite: the file is)" if refused.code == "tags_differ" else ""
            raise CannotTag(f"{refusal(refused)}{hint}") from None
    if snapshot.notice is not None:
        print(WORDS.say(snapshot.notice.phrase))
    return 0


def _text(file: Path) -> str:
    try:
        content = sys.stdin.buffer.read() if file == STANDARD else file.read_bytes()
        return content.decode()
    except OSError as failure:
        raise CannotTag(f"{file}: cannot be read: {failure.strerror}") from None
    except UnicodeDecodeError as failure:
        raise CannotTag(f"{file}: is not UTF-8 text (byte {failure.start})") from None


def _forget(settings: Settings, names: list[str]) -> int:
    with opened_session(settings) as session:
        tags = {name: _tags_named(session.taught(), name) for name in names}
        unknown = [name for name, found in tags.items() if not found]
        if unknown:
            raise CannotTag(f"No tag is known as {', '.join(unknown)}; nothing was forgotten. See: companion tags list")
        forgotten = dict.fromkeys(tag for found in tags.values() for tag in found)
        for tag in forgotten:
            session.unbind(tag)
    print(f"{_counted(len(forgotten), 'tag')} forgotten")
    return 0


def _tags_named(known: Mapping[str, Meaning], name: str) -> list[str]:
    return [name] if name in known else [tag for tag, meaning in known.items() if str(meaning) == name]


def refusal(refused: Refused) -> str:
    """A refusal in words."""
    return WORDS.say(Phrase(f"refusal.{refused.code}", refused.params))


def _counted(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"

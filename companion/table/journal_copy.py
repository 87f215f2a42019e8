"""Copies of the journal: beside it, for the day it is damaged, and in memory, where it can be read but not written."""

from __future__ import annotations

import gzip
import logging
import os
import shutil
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from companion.table.journal_tables import Broken, check_pages, check_tables, in_memory
from companion.table.whole_file import sync_folder, write_whole

logger = logging.getLogger(__name__)

GZIP = b"\x1f\x8b"
MEMORY_FOLDER = Path("/dev/shm")
QUIET_READS = 5


def copy_path(path: Path) -> Path:
    """Where the newest copy of a journal lies."""
    return path.with_name(f"{path.name}.copy")


def earlier_copy_path(path: Path) -> Path:
    """Where the copy before that lies."""
    return path.with_name(f"{path.name}.copy-before")


def log_path(path: Path) -> Path:
    """Where the write-ahead log of a journal lies."""
    return path.with_name(f"{path.name}-wal")


def copies(path: Path) -> tuple[Path, ...]:
    """The copies that there are, the newest first."""
    return tuple(copy for copy in (copy_path(path), earlier_copy_path(path)) if copy.exists())


def copy_journal(mirror: sqlite3.Connection, path: Path) -> None:
    """Copy the journal in memory beside the one at ``path``, packed; the copy there was becomes the earlier one.

    A copy that fails is logged, for the journal itself is whole.
    """
    copy = copy_path(path)
    fresh = copy.with_name(f"{copy.name}-fresh")
    try:
        write_whole(fresh, gzip.compress(mirror.serialize(), mtime=0))
        with suppress(FileNotFoundError):
            copy.replace(earlier_copy_path(path))
        fresh.replace(copy)
        sync_folder(copy.parent)
    except OSError as error:
        logger.warning("The journal could not be copied to %s: %s", copy, error)


def copied(copy: Path) -> bytes | None:
    """The journal in a copy, packed or not; None where that cannot be read."""
    try:
        content = copy.read_bytes()
        return gzip.decompress(content) if content.startswith(GZIP) else content
    except (OSError, EOFError, zlib.error) as error:
        logger.warning("The copy %s cannot be read: %s", copy, error)
        return None


def read_journal(path: Path) -> sqlite3.Connection:
    """The journal at ``path`` in memory, its file left alone: not written, not locked, even while another writes it.

    Raises Broken, sqlite3.Error, OSError.
    """
    with _read_aside(path) as aside, closing(sqlite3.connect(aside)) as source:
        check_pages(source)
        check_tables(source)
        return in_memory(source)


@contextmanager
def _read_aside(path: Path) -> Iterator[Path]:
    """The journal and its log, as they were at one moment, in a folder of memory where there is one."""
    roomy = MEMORY_FOLDER if os.access(MEMORY_FOLDER, os.W_OK) else None
    with TemporaryDirectory(prefix="journal-", dir=roomy) as folder:
        aside = Path(folder) / path.name
        for _ in range(QUIET_READS):
            before = _marks(path)
            shutil.copyfile(path, aside)
            log_path(aside).unlink(missing_ok=True)
            with suppress(FileNotFoundError):
                shutil.copyfile(log_path(path), log_path(aside))
            if _marks(path) == before:
                break
        yield aside


def _marks(path: Path) -> list[tuple[int, int] | None]:
    return [_mark(file) for file in (path, log_path(path))]


def _mark(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_size, found.st_mtime_ns


def is_sound(copy: Path) -> bool:
    """Whether a copy holds a journal that could be restored."""
    content = copied(copy)
    if content is None:
        return False
    with TemporaryDirectory(prefix="journal-") as folder:
        plain = Path(folder) / "journal"
        plain.write_bytes(content)
        try:
            read_journal(plain).close()
        except (sqlite3.Error, OSError, Broken):
            return False
    return True

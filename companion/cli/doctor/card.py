"""Where games are kept: room, permission, the journal and its copies."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from companion.cli.doctor.findings import Case, Finding, Grade
from companion.cli.run import JOURNAL
from companion.table.journal_copy import copies, is_sound, read_journal
from companion.table.journal_tables import Broken

MEGABYTE = 1_000_000
LOW_BYTES, LEAST_BYTES = 100 * MEGABYTE, 5 * MEGABYTE
LOW_INODES = 100
UNSAVED = "the table plays on but cannot save"


def _folder(case: Case) -> Path:
    """The state folder, or what is there of the way to it."""
    folder = Path(os.path.abspath(case.settings.table.state))  # noqa: PTH100 - links stay as they are named
    return next((each for each in (folder, *folder.parents) if case.machine.at(each).exists()), Path("/"))


def room(case: Case) -> Iterator[Finding]:
    """Room on the disk of the games."""
    folder = _folder(case)
    found = case.machine.space(case.machine.at(folder))
    free = found.f_bavail * found.f_frsize
    told = f"{free / MEGABYTE:.0f} MB are free where the games are kept ({folder})"
    mend = "sudo apt clean && sudo journalctl --vacuum-size=50M; 'sudo du -xh / | sort -h | tail' names what is large"
    if free < LEAST_BYTES or (found.f_files and found.f_favail < LOW_INODES):
        yield Finding("disk", Grade.PROBLEM, f"only {told}: {UNSAVED}", mend)
    elif free < LOW_BYTES:
        yield Finding("disk", Grade.WARNING, f"only {told}: soon {UNSAVED}", mend)
    else:
        yield Finding("disk", Grade.OK, told)


def writable(case: Case) -> Iterator[Finding]:
    """Whether the disk, and the folder, take anything at all."""
    machine, folder = case.machine, _folder(case)
    if machine.space(machine.at(folder)).f_flag & os.ST_RDONLY:
        told = f"the disk of {folder} is read-only: {UNSAVED}"
        mend = f"sudo mount -o remount,rw {_mount_point(case, folder)}; if it happens again, the card is worn out"
        yield Finding("state", Grade.PROBLEM, told, mend)
    elif not machine.at(folder).is_dir():
        told = f"{folder} is a file, where the folder for the games should be: the table does not start"
        yield Finding("state", Grade.PROBLEM, told, f"state = another folder in {case.config}, or --state FOLDER")
    elif not _may_write(case, folder):
        owner = machine.owner(machine.at(folder))
        told = f"{machine.player} may not write in {folder}, which is {owner.user}'s: {UNSAVED}"
        yield Finding("state", Grade.PROBLEM, told, f"sudo chown -R {machine.player} {folder}")
    else:
        yield Finding("state", Grade.OK, f"{machine.player} may write in {folder}")
    yield from _overlay(case, folder)


def _may_write(case: Case, folder: Path) -> bool:
    machine, path = case.machine, case.machine.at(folder)
    if machine.player == machine.user:
        return os.access(path, os.W_OK)
    owner = machine.owner(path)
    in_group = machine.player in (machine.members(owner.group) or ())
    return owner.user == machine.player or bool(owner.mode & 0o002 or (in_group and owner.mode & 0o020))


def _mounts(case: Case) -> dict[str, str]:
    """The kinds of file system by mount point."""
    rows = (line.split() for line in (case.machine.text("/proc/mounts") or "").splitlines())
    return {row[1]: row[2] for row in rows if len(row) > 2}


def _mount_point(case: Case, folder: Path) -> str:
    mounts = _mounts(case)
    return next((str(each) for each in (folder, *folder.parents) if str(each) in mounts), "/")


def _overlay(case: Case, folder: Path) -> Iterator[Finding]:
    point = _mount_point(case, folder)
    if _mounts(case).get(point) == "overlay" and case.machine.model is not None:
        told = f"{folder} lies on the overlay of a read-only system: every game is forgotten at the next start"
        mend = "sudo raspi-config nonint disable_overlayfs && sudo reboot, or a state folder on a second partition"
        yield Finding("state", Grade.WARNING, told, mend)


def journal(case: Case) -> Iterator[Finding]:
    """Whether the journal is sound; it is read aside, so that a table that runs is not disturbed."""
    path = case.machine.at(Path(os.path.abspath(case.settings.table.state)) / JOURNAL)  # noqa: PTH100 - as above
    kept = copies(path)
    if not path.exists():
        if kept:
            told = "the journal is gone; the next start takes the games from its last copy"
            yield Finding("journal", Grade.PROBLEM, told, "sudo systemctl restart companion")
        else:
            yield Finding("journal", Grade.OK, "no game was played here yet")
        return
    yield _sound(path, kept)
    yield from _copies(path, kept)


def _sound(path: Path, kept: tuple[Path, ...]) -> Finding:
    try:
        connection = read_journal(path)
    except (sqlite3.Error, Broken) as fault:
        rest = "its last copy" if any(map(is_sound, kept)) else "nothing, for there is no sound copy"
        told = f"the journal is damaged ({fault}); the next start keeps it aside and goes on from {rest}"
        return Finding("journal", Grade.PROBLEM, told, "sudo systemctl restart companion")
    (games,) = connection.execute("SELECT count(*) FROM game").fetchone()
    connection.close()
    return Finding("journal", Grade.OK, f"the journal is sound: {games} games, {path.stat().st_size / 1000:.0f} kB")


def _copies(path: Path, kept: tuple[Path, ...]) -> Iterator[Finding]:
    for copy in kept:
        if not is_sound(copy):
            told = f"the journal's copy {copy.name} is damaged; the next game's end makes a new one"
            yield Finding("journal", Grade.WARNING, told, f"rm {copy}")
    aside = sorted(path.parent.glob(f"{path.name}.broken-*[0-9]"))
    if aside:
        told = f"{len(aside)} damaged journals were kept aside; a card that damages files again and again is worn out"
        yield Finding("journal", Grade.WARNING, told, f"when nobody misses a game: rm {path}.broken-*")

"""A copy of the settings file beside the games, for the day the file itself comes out of a power cut empty.

Editors write such a file in place, or rename it before its content is on the disk; what is left then is nothing, or
zeros. Any other fault is a person's, and told as such.
"""

from __future__ import annotations

import logging
import os
import tomllib
from collections.abc import Iterable
from pathlib import Path

from companion.settings import Settings, load_settings, read_settings
from companion.table.whole_file import OWNER_ONLY, write_whole

logger = logging.getLogger(__name__)

NAME = "settings.kept.toml"
STATE_DIRECTORY = "STATE_DIRECTORY"
"""What the service manager calls the folder of the games."""


def load_or_restore(path: Path, state: Path | None = None) -> tuple[Settings, Path | None]:
    """The settings of a file, and the copy they were taken from where the file was lost to a power cut.

    ``state`` is the state folder that the command line names. Raises SettingsError.
    """
    copy = next((folder / NAME for folder in _folders(path, state) if (folder / NAME).is_file()), None)
    if copy is None or not is_torn(path):
        return load_settings(path), None
    logger.warning("%s is empty, as after a power cut: the settings of the last start are used, from %s", path, copy)
    return read_settings(tomllib.loads(copy.read_text("utf-8-sig")), str(copy), path.parent), copy


def keep(path: Path, folder: Path) -> None:
    """Copy sound settings into a state folder, where they differ from what lies there; a failure is logged."""
    copy = folder / NAME
    try:
        content = path.read_bytes()
        if not is_torn(path) and not (copy.is_file() and copy.read_bytes() == content):
            folder.mkdir(parents=True, exist_ok=True)
            write_whole(copy, content, OWNER_ONLY)
    except OSError as failure:
        logger.warning("The settings could not be copied to %s: %s", copy, failure)


def is_torn(path: Path) -> bool:
    """Whether a file is what power cuts leave: empty, or with zeros in it."""
    try:
        content = path.read_bytes()
    except OSError:
        return False
    return not content.strip() or b"\0" in content


def _folders(path: Path, state: Path | None) -> Iterable[Path]:
    """Where the copy may lie; the settings that would say so are lost."""
    given = os.environ.get(STATE_DIRECTORY)
    named = [state] if state else [Path(folder) for folder in (given or "").split(":") if folder]
    return (*named, path.parent / Settings().table.state)

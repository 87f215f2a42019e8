"""The secret that signs the host's cookie, kept in the state folder: a restart asks no host for the PIN again."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from stat import S_IMODE

NAME = "secret"
SECRET_BYTES = 32
OWNER_ONLY = 0o600


def kept_secret(folder: Path) -> bytes:
    """The secret of a state folder, made where there is none.

    One that is too short, or that others on the machine may read, is replaced. Raises OSError.
    """
    path = folder / NAME
    if path.exists() and not S_IMODE(path.stat().st_mode) & ~OWNER_ONLY:
        secret = path.read_bytes()
        if len(secret) == SECRET_BYTES:
            return secret
    secret = secrets.token_bytes(SECRET_BYTES)
    _put(path, secret)
    return secret


def _put(path: Path, secret: bytes) -> None:
    """Write the file whole or not at all, whenever the power fails."""
    fresh = path.with_name(f"{path.name}.new")
    fresh.unlink(missing_ok=True)
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ONLY), "wb") as file:
        file.write(secret)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)

"""The file that keeps the phones, the seats and the house's rules over restarts; only its owner may read it.

A file that cannot be read lets nobody in: everybody types the PIN again.
"""

from __future__ import annotations

import json
import logging
import os
from dataclasses import asdict
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from companion.web.phones import House

_log = logging.getLogger(__name__)

NAME = "phones.json"
OWNER_ONLY = 0o600
_HOUSE: TypeAdapter[House] = TypeAdapter(House)


class PhoneFile:
    """The file in a state folder."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / NAME

    def read(self) -> House:
        """The house as it was kept; an empty one where there is no file, or none that can be read."""
        try:
            return _HOUSE.validate_json(self.path.read_bytes())
        except FileNotFoundError:
            return House()
        except (OSError, ValidationError) as fault:
            _log.warning("%s cannot be read, so that every phone needs the PIN again: %s", self.path, _short(fault))
            return House()

    def write(self, house: House) -> None:
        """Write the file whole or not at all, whenever the power fails. Raises OSError."""
        fresh = self.path.with_name(f"{NAME}.new")
        fresh.unlink(missing_ok=True)
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ONLY), "w", encoding="utf-8") as file:
            json.dump(asdict(house), file, ensure_ascii=False)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(self.path)
        folder = os.open(self.path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _short(fault: Exception) -> str:
    return str(fault).splitlines()[0] if str(fault) else type(fault).__name__

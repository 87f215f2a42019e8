"""The pages' own files: style sheets, script and drawings, under a path that changes whenever one of them does.

A game may bring a skin, found by the game's name: ``static/games/NAME.css`` (how its board looks) and
``static/games/NAME.svg`` (a sprite: one ``<symbol id="THING">`` a thing). Without one the pages show words and shapes.
"""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

PACKING = 6
"""How hard gzip tries: beyond this a small computer gains nothing."""
STATIC = Path(__file__).parent / "static"
_TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}


@dataclass(frozen=True, slots=True)
class Asset:
    """One file as it is served; ``packed`` is its content in gzip's form."""

    content: bytes
    media_type: str
    packed: bytes


@dataclass(frozen=True, slots=True)
class Assets:
    """All files by their path below ``static/``, read once; ``version`` is a hash over all of them."""

    files: Mapping[str, Asset]
    version: str
    skins: tuple[str, ...]
    """The style sheets of games, as paths."""
    symbols: Mapping[str, frozenset[str]]
    """By game, the things its sprite draws."""

    def address(self, path: str) -> str:
        """The address a page uses for a file."""
        return f"/static/{self.version}/{path}"


def read_assets(folder: Path = STATIC) -> Assets:
    """Read every file below a folder."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    files = {path.relative_to(folder).as_posix(): _asset(path) for path in paths}
    digest = hashlib.sha256()
    for name, asset in files.items():
        digest.update(name.encode() + b"\0" + asset.content + b"\0")
    skins = tuple(name for name in files if re.fullmatch(r"games/\w+\.css", name))
    sprites = {name[6:-4]: asset for name, asset in files.items() if re.fullmatch(r"games/\w+\.svg", name)}
    symbols = {game: _drawn(sprite) for game, sprite in sprites.items()}
    return Assets(files, digest.hexdigest()[:12], skins, symbols)


def _asset(path: Path) -> Asset:
    content = path.read_bytes()
    return Asset(content, _media_type(path), packed(content))


def packed(content: bytes) -> bytes:
    """Content in gzip's form, the same bytes for the same content."""
    return gzip.compress(content, PACKING, mtime=0)


def _media_type(path: Path) -> str:
    return _TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"


def _drawn(sprite: Asset) -> frozenset[str]:
    return frozenset(re.findall(r'<symbol id="(\w+)"', sprite.content.decode()))

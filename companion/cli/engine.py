"""``companion engine``."""

from __future__ import annotations

import sys

from companion.engine.protocol import Engine, serve
from companion.i18n.translator import translator
from companion.rules.registry import GAMES


def run_engine() -> int:
    """Speak the protocol on standard input and output until the input ends."""
    serve(Engine(GAMES, translator("en")), sys.stdin.buffer, sys.stdout)
    return 0

"""``companion check``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from companion.engine.scenario import Checker
from companion.i18n.translator import translator
from companion.rules.registry import GAMES


def run_check(paths: Iterable[Path]) -> int:
    """Play every scenario; 1 where any failed."""
    checker = Checker(GAMES, translator("en"))
    failed = passed = 0
    for verdict in (verdict for path in _files(paths) for verdict in checker.check_file(path)):
        print(verdict, flush=True)
        failed += bool(verdict.fault)
        passed += not verdict.fault
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


def _files(paths: Iterable[Path]) -> Iterator[Path]:
    """The files themselves; for a folder the scenario files below it."""
    for path in paths:
        if path.is_dir():
            yield from sorted(path.rglob("*.json"))
        else:
            yield path

"""Debian programs that `make test` installs; a test that wants one that is not there is skipped by its name."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]
DEPLOY = PROJECT / "deploy"
WRITTEN = [path for path in DEPLOY.rglob("*") if path.is_file() and path.parent.name != "__pycache__"]
"""What lies in deploy/, without what Python leaves there where tests load a program of it."""


def program(name: str) -> str:
    """The path of a program; skips the test where it is not installed."""
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed here")
    return found


def run(*command: str | Path) -> subprocess.CompletedProcess[str]:
    """Run to the end; nothing is raised."""
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=120, check=False)


def shell(script: str, *sourced: str) -> subprocess.CompletedProcess[str]:
    """A script after the installer's parts were read, as install.sh does it."""
    parts = "".join(f". {DEPLOY / 'lib' / name}.sh\n" for name in ("say", *sourced))
    return subprocess.run(["/bin/sh", "-euc", parts + script], capture_output=True, text=True, timeout=60, check=False)

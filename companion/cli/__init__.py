"""The composition root: the command line, and the only place that knows drivers and simulator."""

from companion.cli.main import main

__all__ = ["main"]

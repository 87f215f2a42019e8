"""How long tests wait for what another thread, program or browser does in its own time."""

from __future__ import annotations

PATIENCE = 60.0
"""Seconds: a busy machine is slow, what is broken never gets there. Nothing that works waits so long."""

"""For all tests: a busy machine is no reason for a property test to fail."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("table", deadline=None)
settings.load_profile("table")

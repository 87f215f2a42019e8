"""The games that the companion knows, by name."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from companion.rules.forbidden_island.fast.game import QuickForbiddenIsland
from companion.rules.forbidden_island.game import ForbiddenIsland
from companion.rules.game import AnyGame
from companion.rules.quick import QuickGame

GAMES: Mapping[str, AnyGame] = MappingProxyType({game.name: game for game in (ForbiddenIsland(),)})

QUICK: Mapping[str, QuickGame] = MappingProxyType({game.name: game for game in (QuickForbiddenIsland(),)})
"""Those of them that programs can play fast."""

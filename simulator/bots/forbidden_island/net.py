"""The net: towers for treasures, players and places, each summed up, then two layers to the chance to win.

Its weights (``weights.npz``) were learned from games that it played against the sea by itself (``docs/bots.md``).
"""

from __future__ import annotations

from functools import cache
from importlib import resources

import numpy as np

from simulator.bots.forbidden_island.features import Seen
from simulator.bots.forbidden_island.outlook import Floats

Layer = tuple[Floats, Floats]
"""Weights, shape (in, out), and biases."""
LAYERS = ("treasures", "players", "places", "first", "second", "last")


class Net:
    """The six layers by name."""

    def __init__(self, layers: dict[str, Layer]) -> None:
        self.treasures, self.players, self.places, self.first, self.second, self.last = (
            layers[each] for each in LAYERS
        )

    def __call__(self, look: Seen) -> Floats:
        """The log odds to win, one for each stance."""
        places = layer(look.places, self.places) * look.spots[:, :, None]
        parts = (
            look.whole,
            layer(look.treasures, self.treasures).sum(1),
            layer(look.players, self.players).sum(1),
            places.sum(1),
        )
        hidden = layer(layer(np.concatenate(parts, 1), self.first), self.second)
        weights, bias = self.last
        odds: Floats = hidden @ weights + bias
        return odds


def layer(inputs: Floats, parts: Layer) -> Floats:
    """What a layer makes of its inputs; nothing comes out below 0."""
    weights, biases = parts
    outputs: Floats = np.maximum(inputs @ weights + biases, 0)
    return outputs


@cache
def learned() -> Net:
    """The net with the weights that come along."""
    with resources.files(__package__).joinpath("weights.npz").open("rb") as file, np.load(file) as arrays:
        return Net({each: (arrays[each].astype(float), arrays[f"{each} bias"].astype(float)) for each in LAYERS})

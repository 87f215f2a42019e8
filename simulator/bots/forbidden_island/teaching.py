"""Teach the net: play games, fit the weights to what came of them, play on with those; see ``docs/bots.md``.

Run as a module. With the numbers given there, a desktop computer takes a day.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from tqdm import tqdm

from companion.rules.registry import QUICK
from simulator.bots.forbidden_island.features import Seen
from simulator.bots.forbidden_island.lessons import Lessons, joined, lessons
from simulator.bots.forbidden_island.net import LAYERS, Layer, Net, layer, learned
from simulator.bots.forbidden_island.outlook import Floats
from simulator.bots.forbidden_island.policy import Learned
from simulator.tournament.match import Match, matches, offered, seated, seats

GAME = "forbidden_island"
BATCH = 1024
FORGETTING = 0.9, 0.999
"""How much of the gradients' mean, and of their squares' mean, is kept at each step (Adam)."""


def layers(net: Net) -> dict[str, Layer]:
    """The layers of a net by name."""
    return {name: getattr(net, name) for name in LAYERS}


def loss(net: Net, part: Lessons) -> float:
    """The cross entropy between what lessons say and what the net says."""
    odds = net(part.looks)[:, 0]
    return float(np.mean(np.logaddexp(0, odds) - part.chances * odds))


def gradients(net: Net, part: Lessons) -> dict[str, Layer]:
    """The gradient of the loss by each layer's weights and biases."""
    looks = part.looks
    towers = {"treasures": looks.treasures, "players": looks.players, "places": looks.places}
    hidden = {name: layer(table, getattr(net, name)) for name, table in towers.items()}
    hidden["places"] = hidden["places"] * looks.spots[:, :, None]
    inputs = np.concatenate((looks.whole, *(each.sum(1) for each in hidden.values())), 1)
    first = layer(inputs, net.first)
    second = layer(first, net.second)
    odds = (second @ net.last[0] + net.last[1])[:, 0]
    back = ((1 / (1 + np.exp(-odds)) - part.chances) / len(part.chances))[:, None]
    found: dict[str, Layer] = {"last": (second.T @ back, back.sum(0))}
    back = back @ net.last[0].T * (second > 0)
    found["second"] = (first.T @ back, back.sum(0))
    back = back @ net.second[0].T * (first > 0)
    found["first"] = (inputs.T @ back, back.sum(0))
    back, begin = back @ net.first[0].T, looks.whole.shape[1]
    for name, table in towers.items():
        end = begin + hidden[name].shape[2]
        each = back[:, None, begin:end] * (hidden[name] > 0)
        found[name] = (np.einsum("nki,nkj->ij", table, each), each.sum((0, 1)))
        begin = end
    return found


class Adam:
    """Steps down a gradient, each weight at a pace of its own (Kingma and Ba, 2015)."""

    def __init__(self, weights: Floats, rate: float) -> None:
        self.weights = weights.astype(float)
        self._rate, self._steps = rate, 0
        self._mean, self._square = np.zeros_like(self.weights), np.zeros_like(self.weights)

    def step(self, slope: Floats, share: float) -> None:
        """One step, of a share of the full rate."""
        self._steps += 1
        slow, slower = FORGETTING
        self._mean += (1 - slow) * (slope - self._mean)
        self._square += (1 - slower) * (slope**2 - self._square)
        mean, square = self._mean / (1 - slow**self._steps), self._square / (1 - slower**self._steps)
        self.weights -= self._rate * share * mean / (np.sqrt(square) + 1e-8)


def fitted(net: Net, taught: Sequence[Lessons], steps: int, rate: float, seed: str) -> Net:
    """A net with weights fitted to lessons in ever smaller steps, each from games with one number of players."""
    rng = Random(seed)
    steppers = {name: (Adam(weights, rate), Adam(biases, rate)) for name, (weights, biases) in layers(net).items()}

    def now() -> Net:
        return Net({name: (weights.weights, biases.weights) for name, (weights, biases) in steppers.items()})

    for step in range(steps):
        (part,) = rng.choices(taught, [len(each.chances) for each in taught])
        slopes = gradients(now(), some(part, rng.choices(range(len(part.chances)), k=BATCH)))
        for name, (weights, biases) in steppers.items():
            weights.step(slopes[name][0], 1 - step / steps)
            biases.step(slopes[name][1], 1 - step / steps)
    return now()


def some(part: Lessons, rows: Sequence[int]) -> Lessons:
    """The lessons with these numbers."""
    looks = part.looks
    tables = (looks.whole, looks.treasures, looks.players, looks.places, looks.spots)
    return Lessons(Seen(*(table[rows].astype(float) for table in tables)), part.chances[rows])


def save(net: Net, path: Path) -> None:
    """Write a net so that :func:`.net.learned` reads it, in single precision."""
    arrays: dict[str, Any] = {}
    for name, (weights, biases) in layers(net).items():
        arrays |= {name: weights.astype(np.float32), f"{name} bias": biases.astype(np.float32)}
    with path.open("wb") as file:
        np.savez(file, **arrays)


def played(net: Net, whim: float, seed: str, match: Match) -> Lessons:
    """The lessons of one game."""
    luck = Random(f"{seed}/{match}").random
    return lessons(seated(QUICK[GAME], match, luck), Learned(net), luck, whim)


def one_round(net: Net, told: argparse.Namespace, seed: str) -> Net:
    """Play the games of a round and fit a net to them."""
    every = list(matches(seats(GAME), offered(GAME, "difficulty"), told.games))
    by_seats: dict[int, list[Lessons]] = {}
    with ProcessPoolExecutor() as crew:
        games = crew.map(partial(played, net, told.whim, seed), every, chunksize=4)
        for match, lesson in zip(every, tqdm(games, total=len(every), desc=seed), strict=True):
            by_seats.setdefault(match.players, []).append(lesson)
    taught = [joined(each) for each in by_seats.values()]
    better = fitted(net, taught, told.steps, told.rate, seed)
    for part in taught:
        print(f"{len(part.chances)} lessons: loss {loss(net, part):.4f}, then {loss(better, part):.4f}")
    return better


def main(words: Sequence[str] | None = None) -> None:
    """Play, fit, and write the weights, as often as is asked."""
    say = argparse.ArgumentParser(description="Teach the net of the learned player by its own games.")
    say.add_argument("--rounds", type=int, default=10, help="how often to play and fit")
    say.add_argument("--games", type=int, default=1500, help="games of each kind a round")
    say.add_argument("--steps", type=int, default=4000, help="steps of the fit a round")
    say.add_argument("--rate", type=float, default=1e-3, help="the size of the first steps")
    say.add_argument("--whim", type=float, default=0.15, help="how far a whim strays, in log odds")
    say.add_argument("--seed", default="teach", help="any text")
    say.add_argument("--out", type=Path, default=Path("weights.npz"), help="where to write the weights")
    told = say.parse_args(words)
    net = learned()
    for number in range(told.rounds):
        net = one_round(net, told, f"{told.seed}/{number}")
        save(net, told.out)


if __name__ == "__main__":
    main()

"""Teaching the net: lessons are what came of a game, gradients are slopes, and fitting makes it less wrong."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import pytest

from simulator.bots.experts import expert
from simulator.bots.forbidden_island import lessons as diary
from simulator.bots.forbidden_island.lessons import Lessons, joined, lessons
from simulator.bots.forbidden_island.net import LAYERS, Net, learned
from simulator.bots.forbidden_island.policy import Learned
from simulator.bots.forbidden_island.teaching import fitted, gradients, layers, loss, main, save, some

from .matches import GAME, setup

expert(GAME)


def of_games(number: int, whim: float = 0.2) -> Lessons:
    taught = [lessons(setup(), Learned(), Random(seed).random, whim) for seed in range(number)]
    return joined(taught)


def untaught(seed: int) -> Net:
    rng = np.random.default_rng(seed)
    shapes = {name: (weights.shape, biases.shape) for name, (weights, biases) in layers(learned()).items()}
    return Net({name: (rng.normal(0, 0.2, of), rng.normal(0, 0.1, to)) for name, (of, to) in shapes.items()})


def test_without_whims_and_trust_in_guesses_a_game_s_lessons_are_how_it_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(diary, "WHIMS", 0.0)
    monkeypatch.setattr(diary, "TRUST", 1.0)
    ends = {float(each) for seed in range(3) for each in lessons(setup(), Learned(), Random(seed).random, 0.0).chances}
    assert ends <= {0.0, 1.0}


def test_what_came_before_a_whim_is_judged_by_the_best_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(diary, "WHIMS", 1.0)
    taught = lessons(setup(), Learned(), Random(1).random, 0.0)
    assert 0 < taught.chances[0] < 1
    assert len(set(taught.chances)) > 5


@pytest.mark.parametrize("name", LAYERS)
def test_the_gradient_is_the_slope_of_the_loss(name: str) -> None:
    part, net = some(of_games(1), range(8)), untaught(2)
    slopes, rng = gradients(net, part)[name], Random(name)
    for which in (0, 1):
        weights = layers(net)[name][which]
        for _ in range(4):
            place = tuple(rng.randrange(size) for size in weights.shape)
            kept = weights[place]
            weights[place] = kept + 1e-5
            above = loss(net, part)
            weights[place] = kept - 1e-5
            below = loss(net, part)
            weights[place] = kept
            assert slopes[which][place] == pytest.approx((above - below) / 2e-5, abs=1e-5)


def test_a_net_that_knows_nothing_learns() -> None:
    part, net = of_games(4), untaught(5)
    better = fitted(net, [part], 100, 3e-3, "learn")
    assert loss(better, part) < 0.7 * loss(net, part)
    assert loss(fitted(net, [part], 3, 3e-3, "x"), part) == loss(fitted(net, [part], 3, 3e-3, "x"), part)


def test_what_is_saved_can_be_loaded_and_says_the_same(tmp_path: Path) -> None:
    save(learned(), tmp_path / "weights.npz")
    with np.load(tmp_path / "weights.npz") as arrays:
        for name, (weights, biases) in layers(learned()).items():
            assert np.array_equal(arrays[name], weights) and np.array_equal(arrays[f"{name} bias"], biases)


def test_a_round_plays_every_kind_of_game_fits_and_writes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["--rounds", "1", "--games", "1", "--steps", "2", "--out", str(tmp_path / "new.npz")])
    assert capsys.readouterr().out.count("lessons: loss") == 3
    assert (tmp_path / "new.npz").stat().st_size > 20_000

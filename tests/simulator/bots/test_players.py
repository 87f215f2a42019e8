"""The referee and the players: repeatable by seed, legal, and as good as promised."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from companion.rules.quick import Chance, QuickGame
from simulator.bots.experts import expert
from simulator.bots.lineup import NAMES, player
from simulator.bots.player import PolicyPlayer, RandomPlayer
from simulator.bots.referee import FORFEIT, play
from simulator.bots.sampling import Depth, SamplingPlayer, Try
from simulator.tournament.score import wilson

from .matches import GAME, setup


@pytest.mark.parametrize("name", NAMES)
def test_a_game_is_its_set_up_its_player_and_its_seed(name: str) -> None:
    someone = SamplingPlayer(Depth(3, (1, 1), 1)) if name == "strong" else player(name)
    games = [play(GAME, setup(), someone, seed) for seed in ("a", "b", "a")]
    assert games[0] == games[2] != games[1]


def test_the_random_player_loses() -> None:
    games = [play(GAME, setup(), RandomPlayer(), f"r{number}") for number in range(40)]
    assert not any(game.won for game in games)
    assert {game.reason for game in games} >= {"fools_landing_sank", "treasure_sank"}


def test_the_steady_player_wins_more_than_two_of_five_novice_games_of_two() -> None:
    steady, games = PolicyPlayer(), 250
    roles = ("diver", "engineer", "explorer", "messenger", "navigator", "pilot")
    won = sum(
        play(GAME, setup(*Random(number).sample(roles, 2)), steady, f"goal {number}", checked=False).won
        for number in range(games)
    )
    assert wilson(won, games)[0] > 0.4


def test_looking_ahead_leaves_the_position_as_it_was_and_answers_with_an_option() -> None:
    position = GAME.deal(setup(), Random(2).random)
    before, strong = position.save(), SamplingPlayer(Depth(4, (2, 2), 1))
    strong.begin(GAME, Random(1).random)
    assert tuple(strong.choose(position)) in expert(GAME).options(position, 4)
    assert position.save() == before


def test_a_try_knows_its_chance_and_how_sure_it_is() -> None:
    tried = Try(())
    assert (tried.chance, tried.error) == (0.0, 1.0)
    for chance in (0.0, 1.0, 1.0, 0.0):
        tried.add(chance)
    assert tried.chance == 0.5
    assert tried.error == pytest.approx(0.2887, abs=1e-4)


class Stubborn:
    """Says the same whatever it is asked."""

    name = "stubborn"

    def __init__(self, *codes: int) -> None:
        self._codes = codes

    def begin(self, game: QuickGame, chance: Chance) -> None:
        return

    def choose(self, position: Any) -> Sequence[int]:
        return self._codes

    def close(self) -> None:
        return


@pytest.mark.parametrize(
    ("codes", "told"),
    [
        ((), "no card to wait for"),
        ((31,), "no legal command"),
        ((8 << 12,), "draws are the dealer's"),
    ],
)
def test_an_answer_that_cannot_be_played_loses_the_game_and_says_why(codes: tuple[int, ...], told: str) -> None:
    played = play(GAME, setup(), Stubborn(*codes), "x")
    assert (played.won, played.reason, played.commands) == (False, FORFEIT, 0)
    assert told in played.fault


def test_a_player_that_there_is_not_is_refused_with_the_names_of_those_there_are() -> None:
    with pytest.raises(ValueError, match="random, steady, learned, strong"):
        player("clever")
    with pytest.raises(ValueError, match="must be followed by a program"):
        player("command: ")
    with pytest.raises(ValueError, match='has no closing quotation; quote as in "command: '):
        player("command: 'unbalanced")

"""Which places of the board can be pointed at, and what pointing at each would pick."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from companion.rules.game import Thing
from companion.table.snapshot import Gesture, Option, Seated

VERB = "do:"


def pointable(seated: Seated, menu: Sequence[Option], gesture: Gesture | None) -> Mapping[str, Thing]:
    """By its name, each thing that can be picked now; names that stand for things of several kinds are left out.

    While a gesture asks, these are its options; else the menu's own things and all that the legal commands of its
    verbs mention.
    """
    things = _things(gesture.options) if gesture else (*_things(menu), *_mentioned(seated, menu))
    by_name: dict[str, set[Thing]] = {}
    for thing in things:
        by_name.setdefault(thing.name, set()).add(thing)
    return {name: next(iter(kinds)) for name, kinds in by_name.items() if len(kinds) == 1}


def _things(options: Sequence[Option]) -> Iterable[Thing]:
    picks = (option.pick for option in options)
    return (Thing.parse(pick) for pick in picks if ":" in pick and not pick.startswith((VERB, "command:")))


def _mentioned(seated: Seated, menu: Sequence[Option]) -> Iterable[Thing]:
    verbs = {option.pick.removeprefix(VERB) for option in menu if option.pick.startswith(VERB)}
    legal = seated.game.legal(seated.state)
    mentions = (seated.game.mentions(seated.state, command) for command in legal)
    return (thing for one in mentions if one.verb in verbs for thing in one.things | one.implied)

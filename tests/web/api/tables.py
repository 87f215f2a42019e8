"""Tables to ask the API about."""

from __future__ import annotations

from companion.ports import Advice, DeviceState, DeviceStatus
from companion.rules.game import Thing
from companion.web.desk import Desk

ADDRESS = "http://192.168.1.37:8000"
TINY = {"players": ["otter", "heron"], "seed": "a seed that nobody may read", "dark": "dune"}


def at_the_table(desk: Desk) -> None:
    """Play a little of everything: a game put away, one begun, a move taken back, a lost reader, a tag, a notice."""
    session = desk.session
    session.start("tiny", TINY)
    session.leave()
    session.start("tiny", TINY)
    session.play({"do": "walk", "places": ["dune"]})
    session.play({"do": "light", "places": ["dune"]})
    session.undo()
    session.bind("04A1", Thing("place", "mill"))
    session.observe(DeviceStatus("reader", DeviceState.LOST, Advice("advice.port.missing", {"port": "/dev/ttyACM0"})))
    session.pick("do:walk")

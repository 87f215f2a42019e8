"""A hasty table at a slow panel: whole games, drawn as they are, in a time that passes only where somebody waits."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PIL import Image

from companion.i18n import translator
from companion.panel.draw import draw
from companion.panel.worker import Clockwork, PanelWorker
from companion.ports import PANEL_MODELS, Palette
from companion.rules.game import AnyGame, Refused
from companion.rules.registry import GAMES
from companion.table.journal import Journal
from companion.table.session import Session, TableOptions
from companion.table.snapshot import Snapshot
from companion.views.panel import Join, screen_for
from simulator.software_panel import SoftwarePanel
from tests.panel.slow_panel import Story
from tests.tiny_game import TinyGame

MODEL = PANEL_MODELS["impression-7.3"]
ALL: dict[str, AnyGame] = {**GAMES, "tiny": TinyGame()}
SETUPS = {"forbidden_island": {"players": ["explorer", "pilot"], "difficulty": "novice"}, "tiny": {}}
RESULTS = 30


def render(snapshot: Snapshot, size: tuple[int, int], palette: Palette) -> Image.Image:
    return draw(screen_for(snapshot, Join("http://192.168.1.37:8000/")), size, palette, translator("en"))


def one_result(session: Session) -> Callable[[], object]:
    """One card dealt; whatever must be done first is done by whoever must, and a game that ends begins anew."""

    def deal() -> None:
        while True:
            try:
                session.deal()
            except Refused:
                legal = session.legal()
                if not legal:
                    session.undo()
                else:
                    session.play(legal[0])
                continue
            return

    return deal


@pytest.mark.parametrize("seconds_between", [0.05, 0.3, 1.0])
@pytest.mark.parametrize("game", SETUPS)
def test_thirty_rapid_results_end_with_the_newest_picture_and_at_most_three_refreshes(
    game: str, seconds_between: float
) -> None:
    session = Session(ALL, Journal(":memory:"), options=TableOptions(one_card_a_press=True))
    session.start(game, {"seed": 4, **SETUPS[game]})
    story = Story()
    panel = SoftwarePanel(MODEL, sleep=story.pass_by)
    worker = PanelWorker(panel, render, clockwork=Clockwork(story.clock, story.wait))
    session.subscribe(worker.submit)
    for number in range(RESULTS):
        story.at(1.0 + number * seconds_between, one_result(session))
    story.at(200.0, worker.stop)
    worker.work()
    assert panel.refresh_seconds == 30.0
    assert panel.shown is not None
    assert panel.shown.number <= 3
    assert panel.shown.picture.tobytes() == render(session.snapshot, panel.size, panel.palette).tobytes()
    assert (worker.standing.shown, worker.standing.behind) == (session.snapshot.revision, 0)
    assert session.snapshot.revision >= RESULTS

"""The odds as a table shows them: by pile what comes next, and what may become of each place."""

from __future__ import annotations

from dataclasses import dataclass

from companion.rules.odds import Alarm, Fate, Odds, Prospect
from companion.table.snapshot import Seated


@dataclass(frozen=True, slots=True)
class RiskView:
    """A place, how it stands (empty where there is no board), and what may become of it this turn, the worst first."""

    name: str
    condition: str
    fates: tuple[Fate, ...]


@dataclass(frozen=True, slots=True)
class OddsView:
    """The rest of the turn in chances; the places most at risk come first."""

    alarms: tuple[Alarm, ...]
    prospects: tuple[Prospect, ...]
    risks: tuple[RiskView, ...]


def odds_view(seated: Seated) -> OddsView | None:
    """The odds of the seated game; None where it gives none."""
    odds: Odds | None = seated.game.odds(seated.state)
    if odds is None:
        return None
    board = seated.game.portray(seated.state, ()).board
    standing = {space.name: space.condition for space in (board.spaces if board else ())}
    risks = (RiskView(risk.name, standing.get(risk.name, ""), risk.fates) for risk in odds.risks)
    return OddsView(odds.alarms, odds.prospects, tuple(risks))

"""The simulator's own page: a tray of tagged pieces, the reader, the buttons and the panel, for a person to play with.

It speaks to the devices only, never to the game, so whatever it does has gone through the real drivers.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from pathlib import Path
from typing import Annotated, Any, Literal

from fastapi import APIRouter, HTTPException, Response
from fastapi.responses import FileResponse, HTMLResponse
from jinja2 import Environment, FileSystemLoader, select_autoescape
from pydantic import BaseModel, ConfigDict, StringConstraints

from companion.ports import Button
from simulator.table import SimulatedTable
from simulator.tags import Piece

HERE = Path(__file__).parent

BUTTONS: dict[Button, tuple[str, str | None]] = {
    Button.A: ("deal", "pause"),
    Button.B: ("next", "mute"),
    Button.C: ("choose", None),
    Button.D: ("back, undo", "redo"),
}
"""What each button does, pressed and held (None where holding it does the same)."""

TagText = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=100, pattern=r"^[ -~]+$")]


class _Order(BaseModel):
    model_config = ConfigDict(extra="forbid")


class OneTag(_Order):
    """A tag to lay on the reader."""

    tag: TagText


class SomeTag(_Order):
    """A tag to take off the reader; all of them where none is named."""

    tag: TagText | None = None


class ButtonOrder(_Order):
    """A button to press."""

    button: Button
    long: bool = False


class ReaderOrder(_Order):
    """What happens to the reader."""

    do: Literal["plug", "unplug", "noise"]


class PanelOrder(_Order):
    """Whether the panel is dead."""

    dead: bool


def router(table: SimulatedTable) -> APIRouter:
    """The page and its orders, all below ``/sim``. Orders are JSON and answer with the table's state."""
    pages = APIRouter(prefix="/sim")
    _serve_page(pages, table)
    _serve_panel(pages, table)
    _take_orders(pages, table)
    return pages


def standing(table: SimulatedTable) -> dict[str, Any]:
    """What the page shows that can change, as JSON."""
    panel, shown, given = table.panel, table.panel.shown, table.signal.last
    return {
        "signal": {"number": given.number, "mood": given.mood.value, "aloud": given.aloud} if given else None,
        "reader": {"plugged": table.reader.plugged, "placed": table.reader.placed},
        "panel": {
            "model": panel.name,
            "size": panel.size,
            "refreshing": panel.refreshing,
            "dead": panel.dead,
            "picture": shown.number if shown else 0,
        },
    }


def _serve_page(pages: APIRouter, table: SimulatedTable) -> None:
    templates = Environment(loader=FileSystemLoader(HERE / "templates"), autoescape=select_autoescape())
    tray = _tray(table.pieces)

    @pages.get("", response_class=HTMLResponse)
    def page() -> str:
        return templates.get_template("sim.html").render(tray=tray, buttons=BUTTONS, panel=table.panel)

    @pages.get("/sim.css")
    def style() -> FileResponse:
        return FileResponse(HERE / "static" / "sim.css", media_type="text/css")

    @pages.get("/sim.js")
    def script() -> FileResponse:
        return FileResponse(HERE / "static" / "sim.js", media_type="text/javascript")

    @pages.get("/state")
    def state() -> dict[str, Any]:
        return standing(table)


def _serve_panel(pages: APIRouter, table: SimulatedTable) -> None:
    @pages.get("/panel.png")
    def picture() -> Response:
        png = table.panel.png()
        if png is None:
            raise HTTPException(404, "The panel is still blank.")
        return Response(png, media_type="image/png", headers={"Cache-Control": "no-store"})

    @pages.post("/panel")
    def panel(order: PanelOrder) -> dict[str, Any]:
        table.panel.dead = order.dead
        return standing(table)


def _take_orders(pages: APIRouter, table: SimulatedTable) -> None:
    @pages.post("/place")
    def place(order: OneTag) -> dict[str, Any]:
        table.reader.place(order.tag)
        return standing(table)

    @pages.post("/lift")
    def lift(order: SomeTag) -> dict[str, Any]:
        table.reader.lift(order.tag)
        return standing(table)

    @pages.post("/tap")
    def tap(order: OneTag) -> dict[str, Any]:
        table.reader.tap(order.tag)
        return standing(table)

    @pages.post("/press")
    def press(order: ButtonOrder) -> dict[str, Any]:
        table.buttons.press(order.button, long=order.long)
        return standing(table)

    @pages.post("/reader")
    def reader(order: ReaderOrder) -> dict[str, Any]:
        getattr(table.reader, order.do)()
        return standing(table)


def _tray(pieces: Iterable[Piece]) -> list[tuple[str, list[Piece]]]:
    """The pieces by kind, kinds and pieces in the order of the alphabet."""
    ordered = sorted(pieces, key=lambda piece: (piece.kind, piece.label))
    return [(kind, list(group)) for kind, group in groupby(ordered, key=lambda piece: piece.kind)]

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
from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from companion.ports import Button
from simulator.faults import ON_THE_WIRE, Fault
from simulator.sim_reader import SimReader
from simulator.table import DIALECTS, SimulatedTable
from simulator.tags import Piece

HERE = Path(__file__).parent

BUTTONS: dict[Button, tuple[str, str | None]] = {
    Button.A: ("deal", "pause"),
    Button.B: ("next", "mute"),
    Button.C: ("choose", None),
    Button.D: ("back, undo", "redo"),
}
"""What each button does, pressed and held (None where holding it does the same)."""

SHAKY = (*ON_THE_WIRE, Fault.BOUNCING)
"""The faults that the page can turn on: they strike by themselves, all others are a person's to bring about."""

SPEEDS = ((1.0, "as slow as a real one"), (0.1, "ten times as fast"), (0.0, "at once"))
"""How slow the panel may be."""

TagText = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=100, pattern=r"^[ -~]+$")]


class _Order(BaseModel):
    model_config = ConfigDict(extra="forbid")


class _ReaderOrder(_Order):
    """What happens at a reader; at the first where none is named."""

    reader: str | None = None


class OneTag(_ReaderOrder):
    """A tag to lay on a reader."""

    tag: TagText


class SomeTag(_ReaderOrder):
    """A tag to take off a reader; all of them where none is named."""

    tag: TagText | None = None


class ButtonOrder(_Order):
    """A button to press."""

    button: Button
    long: bool = False


class HoldOrder(_Order):
    """A button to hold for so many seconds, with a contact that bounces so many times."""

    button: Button
    seconds: Annotated[float, Field(gt=0, le=30)]
    bounces: Annotated[int, Field(ge=0, le=50)] = 2


class TouchOrder(_Order):
    """Whether something lies on a button."""

    button: Button
    closed: bool


class ReaderOrder(_ReaderOrder):
    """What happens to a reader."""

    do: Literal["plug", "unplug", "noise", "reset"]


class SwapOrder(_ReaderOrder):
    """A reader of another protocol, in the place of one."""

    protocol: str


class PanelOrder(_Order):
    """Whether the panel is dead, how many times as long it takes as it did, and how slow it is (1: as a real one)."""

    dead: bool | None = None
    ageing: Annotated[float, Field(ge=0.1, le=10)] | None = None
    slowness: Annotated[float, Field(ge=0, le=1)] | None = None


class FaultOrder(_Order):
    """The chance of a fault in per cent."""

    fault: Fault
    percent: Annotated[float, Field(ge=0, le=100)]


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
        "readers": {
            name: {"plugged": reader.plugged, "placed": reader.placed, "protocol": table.speaking[name]}
            for name, reader in table.readers.items()
        },
        "faults": {fault: round(100 * table.chances.of.get(fault, 0.0), 1) for fault in SHAKY},
        "panel": {
            "model": panel.name,
            "size": panel.size,
            "refreshing": panel.refreshing,
            "dead": panel.dead,
            "picture": shown.number if shown else 0,
            "slowness": panel.slowness,
            "ageing": panel.ageing,
            "ghost": shown is not None and shown.ghost is not None,
            "words": shown.words if shown else (),
        },
    }


def _serve_page(pages: APIRouter, table: SimulatedTable) -> None:
    templates = Environment(loader=FileSystemLoader(HERE / "templates"), autoescape=select_autoescape())
    tray = _tray(table.pieces)

    @pages.get("", response_class=HTMLResponse)
    def page() -> str:
        offered = {"buttons": BUTTONS, "protocols": tuple(DIALECTS), "faults": SHAKY, "speeds": SPEEDS}
        readers = tuple(table.readers)
        return templates.get_template("sim.html").render(tray=tray, panel=table.panel, readers=readers, **offered)

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
        for name, value in order.model_dump(exclude_none=True).items():
            setattr(table.panel, name, value)
        return standing(table)

    @pages.post("/fault")
    def fault(order: FaultOrder) -> dict[str, Any]:
        table.chances.of[order.fault] = order.percent / 100
        return standing(table)


def _take_orders(pages: APIRouter, table: SimulatedTable) -> None:
    @pages.post("/place")
    def place(order: OneTag) -> dict[str, Any]:
        _reader(table, order).place(order.tag)
        return standing(table)

    @pages.post("/lift")
    def lift(order: SomeTag) -> dict[str, Any]:
        _reader(table, order).lift(order.tag)
        return standing(table)

    @pages.post("/tap")
    def tap(order: OneTag) -> dict[str, Any]:
        _reader(table, order).tap(order.tag)
        return standing(table)

    @pages.post("/press")
    def press(order: ButtonOrder) -> dict[str, Any]:
        table.buttons.press(order.button, long=order.long, bounces=table.chances.bounces)
        return standing(table)

    @pages.post("/hold")
    def hold(order: HoldOrder) -> dict[str, Any]:
        table.buttons.hold(order.button, order.seconds, order.bounces)
        return standing(table)

    @pages.post("/touch")
    def touch(order: TouchOrder) -> dict[str, Any]:
        table.buttons.touch(order.button, order.closed)
        return standing(table)

    @pages.post("/reader")
    def reader(order: ReaderOrder) -> dict[str, Any]:
        getattr(_reader(table, order), order.do)()
        return standing(table)

    @pages.post("/swap")
    def swap(order: SwapOrder) -> dict[str, Any]:
        _reader(table, order)
        if order.protocol not in DIALECTS:
            raise HTTPException(422, f"There is no reader that speaks {order.protocol}.")
        table.swap(order.reader or next(iter(table.readers)), order.protocol)
        return standing(table)


def _reader(table: SimulatedTable, order: _ReaderOrder) -> SimReader:
    if order.reader is None:
        return table.reader
    if order.reader not in table.readers:
        raise HTTPException(422, f"There is no reader {order.reader}.")
    return table.readers[order.reader]


def _tray(pieces: Iterable[Piece]) -> list[tuple[str, list[Piece]]]:
    """The pieces by kind, kinds and pieces in the order of the alphabet."""
    ordered = sorted(pieces, key=lambda piece: (piece.kind, piece.label))
    return [(kind, list(group)) for kind, group in groupby(ordered, key=lambda piece: piece.kind)]

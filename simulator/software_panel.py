"""A panel without hardware: as slow as a real one where that is wanted, and its picture can be looked at."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING

from companion.ports import SCREEN_RGB, Advice, Palette, PanelModel, ShowResult

if TYPE_CHECKING:
    from PIL import Image


@dataclass(frozen=True, slots=True)
class ShownPicture:
    """A picture that stands on the panel; ``number`` counts them from 1."""

    number: int
    picture: Image.Image


class SoftwarePanel:
    """Stands in for a panel of any model.

    ``slowness`` scales its refresh time: 1 is as slow as the real one, 0 takes no time. Showing is one thread's
    business; everything else may be read from any thread.
    """

    def __init__(
        self, model: PanelModel, *, slowness: float = 1.0, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        self.dead = False
        self.refreshing = False
        self.shown: ShownPicture | None = None
        self._model = model
        self._slowness = slowness
        self._sleep = sleep

    @property
    def name(self) -> str:
        """The model, for messages."""
        return self._model.name

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self._model.size

    @property
    def palette(self) -> Palette:
        """The inks and their indices."""
        return self._model.palette

    @property
    def refresh_seconds(self) -> float:
        """How long one picture takes here."""
        return self._model.refresh_seconds * self._slowness

    def show(self, picture: Image.Image) -> ShowResult:
        """Show a picture, unless the panel is dead; a picture that a real panel could not show is refused."""
        misfit = self._misfit(picture)
        if misfit is not None:
            return ShowResult(False, 0.0, misfit)
        self.refreshing = not self.dead
        self._sleep(self.refresh_seconds)
        self.refreshing = False
        if self.dead:
            return ShowResult(False, self.refresh_seconds, Advice("advice.panel.no_life"))
        self.shown = ShownPicture(self.shown.number + 1 if self.shown else 1, picture.copy())
        return ShowResult(True, self.refresh_seconds)

    def close(self) -> None:
        """Keep the last picture, as e-ink does."""

    def png(self) -> bytes | None:
        """What stands on the panel, in the colours of a screen; None before the first picture."""
        shown = self.shown
        if shown is None:
            return None
        coloured = shown.picture.copy()
        coloured.putpalette(_screen_palette(self.palette))
        png = BytesIO()
        coloured.save(png, "PNG")
        return png.getvalue()

    def _misfit(self, picture: Image.Image) -> Advice | None:
        if picture.mode != "P" or picture.size != self.size:
            return Advice("advice.panel.misfit", {"width": picture.width, "height": picture.height})
        known = {index for _, index in self.palette.inks}
        strange = [index for _, index in picture.getcolors() or () if index not in known]
        return Advice("advice.panel.colours", {"colours": ", ".join(map(str, strange))}) if strange else None


def _screen_palette(palette: Palette) -> list[int]:
    colours = [0] * 3 * (max(index for _, index in palette.inks) + 1)
    for ink, index in palette.inks:
        colours[3 * index : 3 * index + 3] = SCREEN_RGB[ink]
    return colours

"""A panel without hardware: as slow as a real one where that is wanted, and its picture can be looked at."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING

from companion.ports import SCREEN_RGB, Advice, Ink, Palette, PanelModel, ShowResult

if TYPE_CHECKING:
    from PIL import Image


@dataclass(frozen=True, slots=True)
class ShownPicture:
    """A picture that stands on the panel; ``number`` counts them from 1, ``words`` are the texts on it.

    ``ghost`` is an earlier picture that shines through, because the refresh was interrupted or came too soon.
    """

    number: int
    picture: Image.Image
    words: tuple[str, ...] = ()
    ghost: Image.Image | None = None


class SoftwarePanel:
    """Stands in for a panel of any model.

    ``slowness`` scales its refresh time: 1 is as slow as the real one, 0 takes no time; ``ageing`` does so too, as cold
    or age do, without its driver's knowledge. An ``early`` driver returns when half of the refresh is over and does not
    wait for the rest. A refresh that begins before its end, or one ``interrupt``ed, leaves a ghost. Showing is one
    thread's business; everything else may be read and set from any thread.
    """

    def __init__(
        self,
        model: PanelModel,
        *,
        slowness: float = 1.0,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.dead = False
        self.early = False
        self.ageing = 1.0
        self._clock = clock
        self._over = float("-inf")
        self._coming: Image.Image | None = None
        self.refreshing = False
        self.shown: ShownPicture | None = None
        self._model = model
        self.slowness = slowness
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
        return self._model.refresh_seconds * self.slowness

    def show(self, picture: Image.Image) -> ShowResult:
        """Show a picture, unless the panel is dead; a picture that a real panel could not show is refused."""
        misfit = self._misfit(picture)
        if misfit is not None:
            return ShowResult(False, 0.0, misfit)
        if not self.early and self._over > self._clock():
            self._sleep(self._over - self._clock())
        begun, takes = self._clock(), self.refresh_seconds * self.ageing
        last = self.shown.picture if self.shown and begun < self._over else None
        self.refreshing, self._coming, self._over = not self.dead, picture, begun + takes
        self._sleep(takes / 2 if self.early else takes)
        self.refreshing, self._coming = False, None
        self._over = self._over if self.early else float("-inf")
        if self.dead:
            return ShowResult(False, takes, Advice("advice.panel.no_life"))
        self._stand(picture, last)
        return ShowResult(True, takes)

    def interrupt(self) -> None:
        """Cut the power: a picture that is on its way is left half-way, with the one before in it."""
        coming, self._coming, self.refreshing = self._coming, None, False
        self._over = float("-inf")
        if coming is not None and not self.dead:
            white = self.palette.index(Ink.WHITE)
            self._stand(coming, self.shown.picture if self.shown else coming.point(lambda _: white))

    def _stand(self, picture: Image.Image, ghost: Image.Image | None) -> None:
        number = self.shown.number + 1 if self.shown else 1
        self.shown = ShownPicture(number, picture.copy(), tuple(picture.info.get("words", ())), ghost)

    def close(self) -> None:
        """Keep the last picture, as e-ink does."""

    def png(self) -> bytes | None:
        """What stands on the panel, in the colours of a screen; None before the first picture."""
        shown = self.shown
        if shown is None:
            return None
        coloured = visible(shown)
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


def visible(shown: ShownPicture) -> Image.Image:
    """What can be seen: the picture, and in every other pixel of it the ghost, where there is one."""
    from PIL import Image

    seen = shown.picture.copy()
    if shown.ghost is not None:
        stride = (seen.width + 7) // 8
        rows = (bytes((0xAA if row % 2 else 0x55,)) * stride for row in range(seen.height))
        seen.paste(shown.ghost, mask=Image.frombytes("1", seen.size, b"".join(rows)))
    return seen


def _screen_palette(palette: Palette) -> list[int]:
    colours = [0] * 3 * (max(index for _, index in palette.inks) + 1)
    for ink, index in palette.inks:
        colours[3 * index : 3 * index + 3] = SCREEN_RGB[ink]
    return colours

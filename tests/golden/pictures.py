"""Which pictures of the panel are kept: every palette at three sizes in three languages, all screens at each size."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from pathlib import Path

from PIL import Image

from companion.i18n import LANGUAGES, translator
from companion.panel import draw
from companion.ports import PALETTES
from tests.panel.screens import SCREENS

FOLDER = Path(__file__).parent
SIZES = ((212, 104), (400, 300), (800, 480))


@dataclass(frozen=True, slots=True)
class Golden:
    """One picture: a screen on a panel in a language."""

    screen: str
    size: tuple[int, int]
    palette: str
    language: str

    @property
    def path(self) -> Path:
        """Where it is kept."""
        width, height = self.size
        return FOLDER / f"{self.screen}-{width}x{height}-{self.palette}-{self.language}.png"

    def draw(self) -> Image.Image:
        """The picture as it is drawn now."""
        return draw(SCREENS[self.screen], self.size, PALETTES[self.palette], translator(self.language))


def _in_turn() -> list[Golden]:
    """Each size, palette and language once; the screens take turns."""
    pictures, names = [], list(SCREENS)
    for number, size in enumerate(SIZES):
        for place, (palette, language) in enumerate(product(PALETTES, LANGUAGES)):
            pictures.append(Golden(names[(place + 5 * number) % len(names)], size, palette, language))
    return pictures


CHOSEN = (
    Golden("table", (800, 480), "spectra-six", "en"),
    Golden("table", (400, 300), "black-white-red", "en"),
    Golden("table", (212, 104), "black-white-red", "en"),
    Golden("join", (800, 480), "spectra-six", "en"),
    Golden("set-up", (800, 480), "spectra-six", "en"),
    Golden("seven-results", (212, 104), "black-white", "bg"),
    Golden("seven-results", (250, 122), "four-colour", "bg"),
    Golden("seven-results", (400, 300), "black-white", "bg"),
    Golden("seven-results", (600, 448), "seven-colour", "bg"),
    Golden("seven-results", (1600, 1200), "spectra-six", "pt-BR"),
    Golden("table", (640, 400), "spectra-six", "pt-BR"),
    Golden("table", (300, 400), "black-white-yellow", "en"),
)
"""Those that the README shows, the other sizes, and the tightest ones."""

PICTURES = tuple(dict.fromkeys((*_in_turn(), *CHOSEN)))

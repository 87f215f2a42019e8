"""From a screen to a picture in the panel's own inks, and the worker that keeps a slow panel up to date."""

from companion.panel.draw import draw
from companion.panel.png import picture_png
from companion.panel.worker import PanelStanding, PanelWorker

__all__ = ["PanelStanding", "PanelWorker", "draw", "picture_png"]

"""The panel's picture for a screen."""

from __future__ import annotations

from io import BytesIO

from PIL import Image


def picture_png(picture: Image.Image) -> bytes:
    """A drawn picture as PNG in the inks' screen colours, which :func:`companion.panel.draw.draw` gave its palette."""
    written = BytesIO()
    picture.save(written, "PNG", optimize=False)
    return written.getvalue()

"""How a phone finds the table: the address with the ticket behind it, as a QR code for a page."""

from __future__ import annotations

import segno
from markupsafe import Markup


def ticketed(url: str, ticket: str) -> str:
    """The address with the ticket in its fragment, which no browser sends and no log keeps."""
    return f"{url}#{ticket}"


def invitation(url: str, ticket: str) -> Markup | None:
    """The drawing of the QR code, hidden from those who hear the page; None without an address."""
    if not url:
        return None
    code = segno.make(ticketed(url, ticket), error="m", micro=False)
    drawing = code.svg_inline(scale=4, border=4, dark="#000", light="#fff", omitsize=True, svgclass="code")
    return Markup(drawing.replace("<svg ", '<svg aria-hidden="true" ', 1))

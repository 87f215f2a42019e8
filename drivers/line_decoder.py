"""Readers that send lines of text: sketches around an MFRC522 or PN532, and scanners in serial (CDC) mode.

There is no standard and no checksum. A line ends with CR, LF or both, or, for scanners set to send no ending, with
silence. What comes first after the port was opened may be the end of a line whose start went by unheard, and is passed
over unless a moment of silence went before it. What a line says is read in :mod:`drivers.line_text`.
"""

from __future__ import annotations

from collections.abc import Callable

from companion.ports import Advice
from drivers.decoder import Bad, Found, NoTag, Read
from drivers.line_text import LineFormat, read_line

LONGEST_LINE = 256
"""Bytes in a line, ending not counted; a QR code of a game piece is far shorter."""

STALE_SECONDS = 1.0
"""After so long a silence no line goes on: what came of it is thrown away."""


class LineDecoder:
    """Decodes lines of text; ``idle`` is the silence in seconds that ends a line, for scanners that send no ending.

    ``proof`` tells of a line that is a tag whether only such a reader could have sent it.
    """

    def __init__(
        self, form: LineFormat = LineFormat.UID, idle: float | None = None, proof: Callable[[bytes], bool] = bool
    ) -> None:
        self._form = form
        self._idle = idle
        self._proof = proof
        self._line = bytearray()
        self._skipping = False
        self._mid_line = False
        self._recognised = False

    @property
    def recognised(self) -> bool:
        """Whether a line came that was a tag, and its proof."""
        return self._recognised

    def opened(self) -> bytes:
        """Forget half a line, and the end of one whose start nobody heard; such readers need no greeting."""
        self._clear()
        self._mid_line = True
        self._recognised = False
        return b""

    def question(self) -> bytes:
        """Such readers speak by themselves."""
        return b""

    def feed(self, received: bytes) -> list[Found]:
        """The tags and faults of every line that these bytes end."""
        found: list[Found] = []
        for byte in received:
            if byte in b"\r\n":
                found += self._end()
            elif not self._skipping:
                self._line.append(byte)
                found += self._too_long()
        return found

    def silence(self, seconds: float) -> list[Found]:
        """A line that ended by silence, or one that stopped half-way; else no tag."""
        if not self._line:
            self._mid_line = False
            return [NoTag()]
        if self._idle is not None and seconds >= self._idle:
            return [*self._end()]
        if seconds < STALE_SECONDS:
            return []
        self._clear()
        return [Bad(Advice("advice.line.stopped", {"setting": "idle"}))]

    def _too_long(self) -> list[Bad]:
        if len(self._line) <= LONGEST_LINE:
            return []
        self._line.clear()
        self._skipping = True
        return [Bad(Advice("advice.line.long", {"most": LONGEST_LINE}))]

    def _end(self) -> list[Read | Bad]:
        line, whole = bytes(self._line), not self._mid_line
        self._clear()
        found = read_line(line, self._form) if whole else None
        self._recognised = self._recognised or (isinstance(found, Read) and self._proof(line))
        return [] if found is None else [found]

    def _clear(self) -> None:
        self._line.clear()
        self._skipping = self._mid_line = False

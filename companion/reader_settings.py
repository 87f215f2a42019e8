"""The ``[[readers]]`` tables of the settings file: where each reader is, what it speaks, and what it stands for.

What a table leaves out is the protocol's own: its speed, whether it repeats a tag, and how long a silence means gone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from companion.section import Section

Mode = Literal["repeat", "once"]

AUTO, LINE, RDM6300, ID12, PN532, R200 = "auto", "line", "rdm6300", "id12", "pn532", "r200"

OTHER_DEVICES = ("panel", "buttons", "signal", "mqtt")
"""Names that readers cannot have, because messages call other devices so."""

_PORT = re.compile(r"^(/.+|[0-9a-fA-F]{4}:[0-9a-fA-F]{4}(:.+)?)$")
_PLACE = re.compile(r"[a-z][a-z0-9_]*:[a-z0-9_]+")


@dataclass(frozen=True, slots=True)
class Manner:
    """How a protocol is spoken: its speed, whether a reader repeats a tag, and how long a silence means gone."""

    baud: int
    mode: Mode
    gone_after: float


MANNERS: dict[str, Manner] = {
    RDM6300: Manner(9600, "repeat", 0.5),
    ID12: Manner(9600, "once", 0.5),
    PN532: Manner(115200, "repeat", 1.0),
    R200: Manner(115200, "repeat", 2.0),
    LINE: Manner(9600, "repeat", 1.5),
}
"""The protocols by name. Frames come every 65 ms; polls every 150 ms, and miss some; sketches repeat every second."""


@dataclass(frozen=True, slots=True)
class ReaderSettings:
    """A tag reader. Times are in seconds; what is None is the protocol's own (see ``manner``).

    ``place`` is what every scan on this reader also means: a verb (``do:shore_up``) or a thing (``role:pilot``).
    """

    name: str
    port: str
    protocol: str = AUTO
    format: Literal["uid", "decimal", "text"] = "uid"
    baud: int | None = None
    mode: Mode | None = None
    gone_after: float | None = None
    repeat_gap: float = 1.0
    idle: float | None = None
    place: str | None = None

    def manner(self, protocol: str) -> Manner:
        """How this reader speaks a protocol: as the settings say, else as the protocol mostly is."""
        usual = MANNERS[protocol]
        once = protocol == LINE and self.format == "text"
        return Manner(
            self.baud or usual.baud,
            self.mode or ("once" if once else usual.mode),
            usual.gone_after if self.gone_after is None else self.gone_after,
        )


def read_readers(sections: list[Section]) -> tuple[ReaderSettings, ...]:
    """The readers of a file's tables; two that have one name or one port are noted."""
    readers: list[ReaderSettings] = []
    for number, section in enumerate(sections, 1):
        reader = _reader(section, "reader" if number == 1 else f"reader {number}")
        if reader.name in OTHER_DEVICES:
            section.note("name", f"must be another one: {reader.name!r} is reserved for the {reader.name}")
        elif reader.name in (earlier.name for earlier in readers):
            section.note("name", f"must be another one: there are two devices called {reader.name!r}")
        if reader.port and any(reader.port == earlier.port for earlier in readers):
            section.note("port", f"must be another one: two readers are at {reader.port!r}")
        readers.append(reader)
    return tuple(readers)


def _reader(section: Section, name: str) -> ReaderSettings:
    default = ReaderSettings(name, "")
    settings = ReaderSettings(
        name=section.text("name", default.name),
        port=section.text("port", default.port),
        protocol=section.one_of("protocol", (AUTO, *MANNERS), default.protocol),
        format=section.one_of("format", ("uid", "decimal", "text"), default.format),
        baud=section.whole("baud", default.baud, 50, 4_000_000),
        mode=section.one_of("mode", ("repeat", "once"), default.mode),
        gone_after=section.seconds("gone_after", default.gone_after, 0.1, 60),
        repeat_gap=section.seconds("repeat_gap", default.repeat_gap, 0, 60),
        idle=section.seconds("idle", default.idle, 0.02, 0.9),
        place=section.text("place", default.place),
    )
    _check_port(section, settings.port)
    if settings.place is not None and not _PLACE.fullmatch(settings.place):
        expected = 'a verb such as "do:shore_up" or a thing such as "role:pilot"'
        section.note("place", f"must be {expected}, not {settings.place!r}")
    section.finish()
    return settings


def _check_port(section: Section, port: str) -> None:
    expected = 'a device such as "/dev/ttyACM0" or a USB identity such as "1a86:7523"'
    if "port" not in section and section.is_table:
        section.note("port", f"is missing; it must be {expected}")
    elif port and not _PORT.match(port):
        section.note("port", f"must be {expected}, not {port!r}")

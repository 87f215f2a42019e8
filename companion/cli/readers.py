"""The readers of the settings, and what each stands for."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from companion.ports import Scanner
from companion.reader_settings import AUTO, ID12, LINE, PN532, R200, RDM6300, Manner, ReaderSettings
from companion.rules.game import AnyGame
from companion.table.labels import is_label

if TYPE_CHECKING:
    from drivers.auto import AnyTongue
    from drivers.decoder import Decoder
    from drivers.interpreter import Interpreter, Tongue
    from drivers.presence import Presence
    from simulator.recording import Recorder

SURE_READS = {RDM6300: 2, PN532: 2, R200: 2}
"""Where a tag is read several times a second, only the second read of it counts: ghosts are hardly read twice."""

CERTAIN_FIRST = (PN532, R200, ID12, RDM6300, LINE)
"""The order in which protocols are believed where the port's is not known."""


def scanner(settings: ReaderSettings, recorder: Recorder | None = None) -> Scanner:
    """The reader that the settings describe; ``recorder`` writes down what it sends."""
    from companion.cli.recording import recorded
    from drivers.serial_port import open_wire
    from drivers.serial_reader import SerialReader

    opening = open_wire if recorder is None else recorded(settings.name, recorder, open_wire)
    return SerialReader(settings.name, settings.port, interpreter(settings), open_port=opening)


def interpreter(settings: ReaderSettings) -> Interpreter:
    """What makes the bytes of the reader that the settings describe into arrivals."""
    from drivers.interpreter import OneTongue

    return _any_tongue(settings) if settings.protocol == AUTO else OneTongue(tongue(settings, settings.protocol))


def places(readers: Sequence[ReaderSettings], games: Mapping[str, AnyGame]) -> dict[str, str]:
    """What each reader stands for, by its name. ValueError where no game knows a word, with what to do."""
    known = sorted({word for game in games.values() for word in _words(game)})
    for reader in readers:
        if reader.place is not None and reader.place not in known:
            near = difflib.get_close_matches(reader.place, known, n=1)
            hint = f"did you mean {near[0]}?" if near else f"for example {known[0]}"
            raise ValueError(f"The reader {reader.name!r} stands for {reader.place!r}, which no game knows; {hint}")
    return {reader.name: reader.place for reader in readers if reader.place is not None}


def _words(game: AnyGame) -> list[str]:
    things = [f"{tagged.kind}:{name}" for tagged in game.tagged() for name in tagged.names]
    return [*(f"do:{verb}" for verb in game.verbs()), *things]


def tongue(settings: ReaderSettings, protocol: str) -> Tongue:
    """A protocol as a reader of these settings speaks it."""
    from drivers.interpreter import Tongue

    manner = settings.manner(protocol)
    presence = _presence(settings, manner, SURE_READS.get(protocol, 1))
    return Tongue(protocol, manner.baud, _decoder(settings, protocol), presence, asks=protocol in (PN532, R200))


def _any_tongue(settings: ReaderSettings) -> AnyTongue:
    from drivers.auto import ANY_SPEED, AnyTongue
    from drivers.interpreter import Tongue
    from drivers.line_decoder import LineDecoder
    from drivers.line_text import LineFormat

    speed = settings.baud or ANY_SPEED
    framed = [tongue(settings, protocol) for protocol in CERTAIN_FIRST if protocol != LINE]
    manner = settings.manner(LINE)
    lines = Tongue(LINE, speed, _decoder(settings, LINE), _presence(settings, manner, 1))
    codes = LineDecoder(LineFormat.TEXT, settings.idle, _is_code)
    scanned = Tongue(LINE, speed, codes, _presence(settings, Manner(manner.baud, "once", 0), 1))
    return AnyTongue([*framed, scanned, lines])


def _is_code(line: bytes) -> bool:
    """Whether only a code scanner can have sent a line: by its AIM identifier, or because it is one of our labels."""
    from drivers.line_text import is_scanned

    return is_scanned(line) or is_label(line.decode("utf-8", "replace"))


def _decoder(settings: ReaderSettings, protocol: str) -> Decoder:
    from drivers.em4100_decoder import Em4100Decoder
    from drivers.line_decoder import LineDecoder
    from drivers.line_text import LineFormat
    from drivers.pn532_decoder import Pn532Decoder
    from drivers.r200_decoder import R200Decoder

    makers: dict[str, Callable[[], Decoder]] = {
        RDM6300: Em4100Decoder,
        ID12: Em4100Decoder.id12,
        PN532: Pn532Decoder,
        R200: R200Decoder,
        LINE: partial(LineDecoder, LineFormat(settings.format), settings.idle),
    }
    return makers[protocol]()


def _presence(settings: ReaderSettings, manner: Manner, reads: int) -> Presence:
    from drivers.presence import PassingTags, RestingTags

    if manner.mode == "once":
        return PassingTags(settings.name, settings.repeat_gap)
    return RestingTags(settings.name, manner.gone_after, reads)

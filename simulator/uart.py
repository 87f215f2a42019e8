"""What a listener at the wrong speed hears: the bits of one speed, sampled at another, as a UART does it."""

from __future__ import annotations

BITS = 8


def heard(sent: bytes, speed: int, listening: int) -> bytes:
    """The bytes that a UART at ``listening`` baud makes of bytes sent without a pause at ``speed`` baud (8N1)."""
    if speed == listening:
        return sent
    levels = _levels(sent)
    bit = speed / listening
    received = bytearray()
    at = 0.0
    while (start := levels.find(0, int(at))) >= 0:
        samples = [_level(levels, start + bit * (1.5 + place)) for place in range(BITS)]
        received.append(sum(level << place for place, level in enumerate(samples)))
        at = start + bit * (BITS + 1.5)
        at = _idle(levels, at)
    return bytes(received)


def _levels(sent: bytes) -> bytes:
    """The line's level in each bit time: a start bit (0), eight bits, lowest first, a stop bit (1)."""
    return bytes(level for byte in sent for level in (0, *((byte >> place) & 1 for place in range(BITS)), 1))


def _level(levels: bytes, at: float) -> int:
    return levels[int(at)] if at < len(levels) else 1


def _idle(levels: bytes, at: float) -> float:
    """Where the next start bit may be: after a stop bit that was missed, the line must be idle first."""
    if _level(levels, at):
        return at
    idle = levels.find(1, int(at))
    return float(len(levels) if idle < 0 else idle)

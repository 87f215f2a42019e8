"""Finding out what a port speaks: every protocol listens at once, and the first whole message decides.

The speeds are tried in turn, for a moment each. Readers that only answer are asked, one sort at a time; the others are
waited for, which takes a tag. No tag is told before its protocol is certain: by a checksum, by the answer to a
question, or by a whole line that is an id. Noise moves on to the next speed at once; readable text shows that the speed
is right, so it is kept. When a reader that was recognised falls silent or turns to noise, the search begins again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.ports import Advice, DeviceState
from drivers.decoder import Bad, Read
from drivers.ids import brief
from drivers.interpreter import Standing, Told, Tongue

ANY_SPEED = 0
"""The speed of a tongue that is spoken at any."""

RARE_SPEEDS = (57600, 38400, 19200)
"""Tried only after noise at the others."""

ASK_SECONDS = 1.2
LISTEN_SECONDS = 3.0
PATIENT_SECONDS = 10.0
"""How long a speed is listened to: with a question, without one, and after noise at another speed."""

NOISY_BYTES = 8
"""So many bytes, a quarter of which are no text, are noise, once they are followed by silence ..."""

FLOOD_BYTES = 64
"""... or so many are."""

TEXT_BYTES = 12
"""So many bytes that are all text show that the speed is right."""

DOUBT_SECONDS = 5.0
"""A reader that was recognised and has made no sense for so long may be another by now."""

_FRAMING = b"\x02\x03\t\r\n"
_NONSENSE = ("advice.frame.noise", "advice.reader.silent", "advice.line.no_text", "advice.line.control")
_LISTENING = Advice("advice.reader.listening")


@dataclass(frozen=True, slots=True)
class _Phase:
    """A speed to listen at, and the reader to ask meanwhile."""

    baud: int
    asked: Tongue | None = None


class _Heard:
    """What came in one phase, judged by its bytes alone."""

    def __init__(self) -> None:
        self._count = self._odd = 0
        self._line = bytearray()
        self.quoted: str | None = None
        """The last readable line."""

    def add(self, received: bytes) -> None:
        """Weigh bytes that made no message."""
        self._count += len(received)
        self._odd += sum(not (0x20 <= byte < 0x7F or byte in _FRAMING) for byte in received)
        *ended, open_line = bytes(self._line + received).replace(b"\r", b"\n").split(b"\n")
        self._line = bytearray(open_line[-FLOOD_BYTES:])
        lines = [line.decode("ascii").strip() for line in ended if line.strip()] if self.is_text else []
        self.quoted = lines[-1] if lines else self.quoted

    @property
    def is_text(self) -> bool:
        """Whether it is text and enough of it."""
        return self._count >= TEXT_BYTES and not self._odd

    def goes_on(self, silent: float) -> bool:
        """Whether a message may be coming in just now: at another speed its rest would be lost."""
        return not silent and self._count < FLOOD_BYTES

    def is_noise(self, silent: float) -> bool:
        """Whether it is no text and will make no message any more."""
        many = NOISY_BYTES if silent else FLOOD_BYTES
        return self._count >= many and 4 * self._odd >= self._count


class AnyTongue:
    """The interpreter of a port of which only the place is known. ``tongues`` are in the order of certainty."""

    def __init__(self, tongues: Sequence[Tongue]) -> None:
        self._tongues = tuple(tongues)
        self._phases = _phases(self._tongues)
        self._phase = self._phases[0]
        self._known: Tongue | None = None
        self._advice = _LISTENING
        self._noisy = False
        self._sense_at = 0.0
        self._greeting = b""
        self._listen(0.0, LISTEN_SECONDS)

    @property
    def baud(self) -> int:
        """The speed of the reader that was recognised, or the one that is tried now."""
        return self._phase.baud

    @property
    def standing(self) -> Standing:
        """Ready with what was recognised, or waiting with what would help."""
        if self._known is None:
            return Standing(DeviceState.WAITING, self._advice)
        found = Advice("advice.reader.found", {"protocol": self._known.protocol, "baud": self.baud})
        return Standing(DeviceState.READY, found)

    def opened(self, now: float) -> bytes:
        """The port was (re)opened; what was there before is tried first."""
        self._search(now)
        return b""

    def question(self) -> bytes:
        """The question of the reader that was recognised, or of the one that is tried now."""
        asked = self._known or self._phase.asked
        greeting, self._greeting = self._greeting, b""
        return greeting + (asked.decoder.question() if asked else b"")

    def hear(self, received: bytes, silent: float, now: float) -> list[Told]:
        """What one read came to."""
        if self._known is not None:
            return self._understood(self._known, received, silent, now)
        told = self._recognised(received, silent, now)
        return self._unrecognised(received, silent, now) if told is None else told

    # -- with a reader that was recognised
    def _understood(self, known: Tongue, received: bytes, silent: float, now: float) -> list[Told]:
        found = known.decoded(received, silent)
        told = known.settled(found, now)
        nonsense = any(isinstance(each, Bad) and each.reason.code in _NONSENSE for each in found)
        if any(isinstance(each, Read) for each in found) or (received and found and not nonsense):
            self._sense_at = now
        elif nonsense and now - self._sense_at >= DOUBT_SECONDS:
            self._search(now)
        return told

    # -- the search
    def _search(self, now: float) -> None:
        self._known = None
        self._noisy = False
        self._advice = _LISTENING
        self._listen(now, LISTEN_SECONDS)

    def _listen(self, now: float, seconds: float) -> None:
        """Begin to listen in the present phase."""
        self._until = now + (ASK_SECONDS if self._phase.asked else seconds)
        self._heard = _Heard()
        greetings = [(tongue, tongue.decoder.opened()) for tongue in self._tongues]
        self._greeting = b"".join(greeting for tongue, greeting in greetings if tongue is self._phase.asked)

    def _recognised(self, received: bytes, silent: float, now: float) -> list[Told] | None:
        """Let every protocol of this speed listen; what the first says that is certain now."""
        for tongue in self._tongues:
            if tongue.baud in (self.baud, ANY_SPEED):
                found = tongue.decoded(received, silent)
                if tongue.decoder.recognised:
                    self._known, self._sense_at = tongue, now
                    self._phase = _Phase(self.baud, tongue if tongue.asks else None)
                    tongue.presence.resume(now)
                    return tongue.settled(found, now)
        return None

    def _unrecognised(self, received: bytes, silent: float, now: float) -> list[Told]:
        self._heard.add(received)
        if self._heard.is_noise(silent):
            self._advice = Advice("advice.reader.speed", {"baud": self.baud})
            self._noisy = True
            self._next(now, other_speed=True)
            return [Bad(self._advice)]
        if self._heard.quoted:
            quoted = brief(self._heard.quoted)
            self._advice = Advice("advice.reader.text", {"text": quoted, "setting": 'format = "text"'})
        if not self._heard.is_text and now >= self._until and not self._heard.goes_on(silent):
            self._next(now)
        return []

    def _next(self, now: float, *, other_speed: bool = False) -> None:
        """Go on to the next phase, after noise to the next of another speed."""
        phases = _phases(self._tongues, rare=self._noisy)
        at = phases.index(self._phase) + 1 if self._phase in phases else 0
        following = [*phases[at:], *phases[:at]]
        left = self.baud
        self._phase = next((phase for phase in following if phase.baud != left or not other_speed), self._phase)
        self._listen(now, PATIENT_SECONDS if other_speed else LISTEN_SECONDS)


def _phases(tongues: Sequence[Tongue], *, rare: bool = False) -> tuple[_Phase, ...]:
    """Ask each reader that answers, at its speed; listen at the speeds at which none is asked."""
    asking = [_Phase(tongue.baud, tongue) for tongue in tongues if tongue.asks]
    speeds = [tongue.baud for tongue in tongues if tongue.baud != ANY_SPEED]
    if rare and ANY_SPEED in (tongue.baud for tongue in tongues):
        speeds += RARE_SPEEDS
    asked = {phase.baud for phase in asking}
    return (*asking, *(_Phase(baud) for baud in dict.fromkeys(speeds) if baud not in asked))

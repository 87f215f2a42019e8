"""What a page may ask for: the bodies of ``POST /commands``, checked, each knowing how the session carries it out."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypedDict

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, TypeAdapter

from companion.rules.game import Refused
from companion.table.meaning import read_meaning
from companion.table.session import EnrolmentStep, Session
from companion.table.snapshot import Snapshot

GREATEST = 2**53 - 1
"""The greatest whole number that a browser can write exactly."""

Id = Annotated[str, StringConstraints(min_length=1, max_length=64)]
Text = Annotated[str, StringConstraints(min_length=1, max_length=200)]


class How(TypedDict):
    """What every call of the session takes besides."""

    command_id: str
    expected: int | None


class BaseOrder(BaseModel):
    """What every order says: its id, and the revision that it was meant for."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    command_id: Id
    expected_revision: Annotated[int, Field(ge=0, le=GREATEST)] | None = None

    @property
    def how(self) -> How:
        """The order's id and the revision it was meant for."""
        return How(command_id=self.command_id, expected=self.expected_revision)


class Play(BaseOrder):
    """Play a command of the game, or a correction."""

    kind: Literal["play"]
    command: dict[str, Any]

    def carry_out(self, session: Session) -> Snapshot:
        """Hand the command to the session."""
        return session.play(self.command, **self.how)


class Start(BaseOrder):
    """Begin a new game."""

    kind: Literal["start"]
    game: Text
    setup: dict[str, Any]

    def carry_out(self, session: Session) -> Snapshot:
        """Seat the game."""
        return session.start(self.game, self.setup, **self.how)


class Pick(BaseOrder):
    """Choose an option of the gesture, or begin one."""

    kind: Literal["pick"]
    option: Text

    def carry_out(self, session: Session) -> Snapshot:
        """Hand the option to the session."""
        return session.pick(self.option, **self.how)


class Reopen(BaseOrder):
    """Seat an earlier game again."""

    kind: Literal["reopen"]
    game_id: Annotated[int, Field(ge=0, le=GREATEST)]

    def carry_out(self, session: Session) -> Snapshot:
        """Seat it."""
        return session.reopen(self.game_id, **self.how)


class Bind(BaseOrder):
    """Teach a tag which thing it is stuck to, or which command it says."""

    kind: Literal["bind"]
    tag: Text
    thing: Text

    def carry_out(self, session: Session) -> Snapshot:
        """Keep the tag's thing. Refused: bad_request for a text that names none."""
        try:
            meaning = read_meaning(self.thing)
        except ValueError as error:
            raise Refused("bad_request", field="thing") from error
        return session.bind(self.tag, meaning, **self.how)


class Unbind(BaseOrder):
    """Forget a tag."""

    kind: Literal["unbind"]
    tag: Text

    def carry_out(self, session: Session) -> Snapshot:
        """Forget it."""
        return session.unbind(self.tag, **self.how)


class Enrol(BaseOrder):
    """Have pieces named and take their tags; ``piece`` is named first, and its tag ``replacing`` replaced."""

    kind: Literal["enrol"]
    game: Text
    piece: Text | None = None
    replacing: Text | None = None

    def carry_out(self, session: Session) -> Snapshot:
        """Begin, go on or jump."""
        return session.enrol(self.game, self.piece, self.replacing, **self.how)


class Enrolment(BaseOrder):
    """One step of the enrolment that goes on."""

    kind: Literal["enrolment"]
    step: EnrolmentStep

    def carry_out(self, session: Session) -> Snapshot:
        """Take the step."""
        return session.enrolment(self.step, **self.how)


class Plain(BaseOrder):
    """An order that its name says whole; the session has a method of that name."""

    kind: Literal["deal", "undo", "redo", "cancel", "pause", "resume", "leave"]

    def carry_out(self, session: Session) -> Snapshot:
        """Call the method."""
        snapshot: Snapshot = getattr(session, self.kind)(**self.how)
        return snapshot


Order = Play | Start | Pick | Reopen | Bind | Unbind | Enrol | Enrolment | Plain
_ORDERS: TypeAdapter[Order] = TypeAdapter(Annotated[Order, Field(discriminator="kind")])


def read_order(body: bytes) -> Order:
    """Read and check a body. ValueError (pydantic's ValidationError is one) for anything that is no order."""
    return _ORDERS.validate_python(read_json(body))


def read_json(body: bytes) -> Mapping[str, Any]:
    """Read a JSON object whose numbers and texts are safe to keep and to send on; ValueError otherwise."""
    try:
        value = json.loads(body, parse_int=_whole, parse_float=_finite, parse_constant=_finite)
        json.dumps(value, ensure_ascii=False).encode()  # a lone half of a surrogate pair cannot be written
    except RecursionError as error:
        raise ValueError("the JSON is nested too deeply") from error
    if not isinstance(value, dict):
        raise ValueError("the JSON is not an object")  # noqa: TRY004 - what came is wrong, not a caller's type
    return value


def _whole(text: str) -> int:
    number = int(text)
    if abs(number) > GREATEST:
        raise ValueError(f"the number {text[:20]} is too large")
    return number


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text[:20]} is not a number to count with")
    return number

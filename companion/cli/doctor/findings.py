"""What the doctor says: one line a finding, with what it means for the game and the command that mends it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from companion.cli.doctor.machine import Machine
from companion.settings import NO_PANEL, SOFTWARE_PANEL, Settings


class Grade(StrEnum):
    """``skipped`` is what this machine has not; ``problem`` keeps something from working."""

    OK = "ok"
    SKIPPED = "skipped"
    WARNING = "warning"
    PROBLEM = "problem"


@dataclass(frozen=True, slots=True)
class Finding:
    """What one check found; ``mend`` is a command, or what to do, and None where there is nothing to do."""

    check: str
    grade: Grade
    text: str
    mend: str | None = None


@dataclass(frozen=True, slots=True)
class Case:
    """A machine with the settings that it is to run by; ``config`` is their file, None where there is none."""

    machine: Machine
    settings: Settings = field(default_factory=Settings)
    config: Path | None = None

    @property
    def wants_panel(self) -> bool:
        """Whether a real panel is to be driven; where nobody says, one may be."""
        return self.config is None or self.settings.panel.model not in (NO_PANEL, SOFTWARE_PANEL)

    @property
    def wants_pins(self) -> bool:
        """Whether buttons, a light or a buzzer are."""
        signal = self.settings.signal
        return self.config is None or self.settings.buttons.enabled or (signal.light, signal.buzzer) != (None, None)

    @property
    def fault(self) -> Grade:
        """How bad it is that a device cannot work: a problem where the settings name it, else good to know."""
        return Grade.PROBLEM if self.config is not None else Grade.WARNING


Check = Callable[[Case], Iterable[Finding]]


@dataclass(frozen=True, slots=True)
class NamedCheck:
    """A check by its name; ``pi`` ones say nothing on other machines."""

    name: str
    look: Check
    pi: bool = False


def look(case: Case, checks: Iterable[NamedCheck]) -> Iterator[Finding]:
    """Everything that is found. A check that fails is a finding itself."""
    is_pi = case.machine.model is not None
    skipped: list[str] = []
    for check in checks:
        if check.pi and not is_pi:
            skipped.append(check.name)
        else:
            yield from _looked(case, check)
    if skipped:
        told = f"this is no Raspberry Pi, so these were not looked at: {', '.join(skipped)}"
        yield Finding("pi", Grade.SKIPPED, told)


def _looked(case: Case, check: NamedCheck) -> Iterable[Finding]:
    try:
        return tuple(check.look(case))
    except PermissionError as failure:
        told = f"could not be looked at: {failure.strerror}: {failure.filename}"
        return (Finding(check.name, Grade.WARNING, told, "sudo companion doctor"),)
    except Exception as failure:  # a probe of a sick machine may fail in any way, and the others must still be made
        told = f"could not be looked at: {type(failure).__name__}: {failure}"
        return (Finding(check.name, Grade.WARNING, told),)

"""``companion doctor``: what is wrong on this machine, and the command that mends it."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, replace
from pathlib import Path

from companion import __version__
from companion.cli.doctor import access, boot, card, health, panel, readers
from companion.cli.doctor.findings import Case, Finding, Grade, NamedCheck, look
from companion.cli.doctor.machine import Machine
from companion.cli.kept_settings import is_torn, load_or_restore
from companion.settings import Settings, SettingsError

INSTALLED = Path("/etc/companion/companion.toml")
"""The settings of an installed table, looked at where no others are named."""

CHECKS = (
    NamedCheck("python", health.python),
    NamedCheck("packages", health.packages),
    NamedCheck("power", health.power, pi=True),
    NamedCheck("temperature", health.temperature),
    NamedCheck("memory", health.memory),
    NamedCheck("clock", health.clock),
    NamedCheck("disk", card.room),
    NamedCheck("state", card.writable),
    NamedCheck("journal", card.journal),
    NamedCheck("companion", health.service),
    NamedCheck("port", health.port),
    NamedCheck("spi", boot.spi, pi=True),
    NamedCheck("i2c", boot.i2c, pi=True),
    NamedCheck("chip-select", boot.chip_select, pi=True),
    NamedCheck("panel", panel.panel, pi=True),
    NamedCheck("inky", panel.library, pi=True),
    NamedCheck("lgpio", panel.pins, pi=True),
    NamedCheck("gpiochip", panel.header, pi=True),
    NamedCheck("serial-console", boot.serial_console, pi=True),
    NamedCheck("uart", boot.header_uart, pi=True),
    NamedCheck("udev", access.udev_rule),
    NamedCheck("groups", access.devices),
    NamedCheck("reader", readers.ports),
    NamedCheck("baud", readers.speeds),
    NamedCheck("port-holder", readers.holders),
    NamedCheck("intruders", readers.intruders),
)


def run_doctor(options: argparse.Namespace) -> int:
    """Look, say what was found. 0 where the table can play, 1 where something keeps it from that."""
    machine = Machine()
    findings = examine(machine, options.config, options.state)
    print(as_json(machine, findings) if options.json else as_text(findings))
    return int(any(finding.grade is Grade.PROBLEM for finding in findings))


def examine(machine: Machine, config: Path | None = None, state: Path | None = None) -> tuple[Finding, ...]:
    """All findings, the settings' first."""
    if config is None and machine.exists(INSTALLED):
        config = machine.at(INSTALLED)
    settings, told = _settings(config)
    if state is not None:
        settings = _kept_in(settings, state)
    return (*told, *look(Case(machine, settings, config), CHECKS))


def _kept_in(settings: Settings, state: Path) -> Settings:
    return replace(settings, table=replace(settings.table, state=state))


def _settings(config: Path | None) -> tuple[Settings, tuple[Finding, ...]]:
    if config is None:
        told = "no settings file named (--config FILE): a table without reader, panel and buttons, played from phones"
        return Settings(), (Finding("settings", Grade.OK, told),)
    try:
        settings, copy = load_or_restore(config)
    except SettingsError as fault:
        mend = f"correct {config}; deploy/companion.example.toml explains every key"
        lines = (Finding("settings", Grade.PROBLEM, f"{line}: the table does not start", mend) for line in fault.lines)
        return Settings(), tuple(lines)
    if is_torn(config):
        told = (
            f"{config} is empty, as after a power cut; the settings are {f'from {copy}' if copy else 'all the usual'}"
        )
        mend = (
            f"sudo cp {copy} {config}" if copy else f"write {config}; deploy/companion.example.toml explains every key"
        )
        return settings, (Finding("settings", Grade.PROBLEM, told, mend),)
    return settings, (Finding("settings", Grade.OK, f"{config} is understood"),)


def as_text(findings: Iterable[Finding]) -> str:
    """One line a finding, and what it comes to."""
    findings = tuple(findings)
    lines = [_line(finding) for finding in findings]
    return "\n".join([*lines, summary(findings)])


def _line(finding: Finding) -> str:
    mend = f". To mend it: {finding.mend}" if finding.mend else ""
    return " ".join(f"{finding.grade.value:<8} {finding.check}: {finding.text}{mend}".split("\n"))


def summary(findings: Iterable[Finding]) -> str:
    """How many problems and warnings there are."""
    counted = Counter(finding.grade for finding in findings)
    problems, warnings = counted[Grade.PROBLEM], counted[Grade.WARNING]
    if not problems and not warnings:
        return "All is well."
    return f"{problems} {_many('problem', problems)}, {warnings} {_many('warning', warnings)}."


def _many(word: str, n: int) -> str:
    return word if n == 1 else f"{word}s"


def as_json(machine: Machine, findings: Iterable[Finding]) -> str:
    """The same for programs."""
    findings = tuple(findings)
    counted = Counter(finding.grade for finding in findings)
    told = {
        "ok": not counted[Grade.PROBLEM],
        "problems": counted[Grade.PROBLEM],
        "warnings": counted[Grade.WARNING],
        "version": __version__,
        "machine": machine.model,
        "findings": [asdict(finding) for finding in findings],
    }
    return json.dumps(told, indent=2)

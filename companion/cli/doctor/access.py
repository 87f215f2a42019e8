"""Who may use which device: groups, the udev rule, and groups that count from the next login on."""

from __future__ import annotations

from collections.abc import Iterator

from companion.cli.doctor.findings import Case, Finding, Grade

RULES = ("/etc/udev/rules.d", "/lib/udev/rules.d", "/usr/lib/udev/rules.d")
INSTALL_RULE = (
    "sudo cp deploy/61-table-companion.rules /etc/udev/rules.d/ && "
    "sudo udevadm control --reload && sudo udevadm trigger --settle"
)
GROUP_READS_AND_WRITES, ANYONE_READS_AND_WRITES = 0o060, 0o006


def has_rule(case: Case) -> bool:
    """Whether the companion's udev rule is installed."""
    return any(case.machine.names(folder, "*table-companion*.rules") for folder in RULES)


def udev_rule(case: Case) -> Iterator[Finding]:
    """The rule that gives readers their group and keeps modem programs away."""
    if not case.settings.readers:
        return
    if has_rule(case):
        yield Finding("udev", Grade.OK, "the companion's udev rule is installed")
    else:
        told = (
            "the companion's udev rule is missing, so a reader may belong to nobody and modem programs may write to it"
        )
        yield Finding("udev", Grade.WARNING, told, INSTALL_RULE)


def devices(case: Case) -> Iterator[Finding]:
    """Every device node that the table uses, and whether its player may."""
    wanted: dict[str, str] = {}
    if case.wants_panel:
        wanted |= dict.fromkeys(case.machine.names("/dev", "spidev0.0"), "the panel stays blank")
        wanted |= dict.fromkeys(case.machine.names("/dev", "i2c-1"), "the panel cannot say what it is")
    if case.wants_panel or case.wants_pins:
        wanted |= dict.fromkeys(case.machine.names("/dev", "gpiochip0"), "panel and buttons do not work")
    for reader in case.settings.readers:
        if reader.port.startswith("/") and case.machine.exists(reader.port):
            wanted[reader.port] = f"{reader.name} is not heard"
    for path, meaning in wanted.items():
        yield _of_device(case, path, meaning)


def _of_device(case: Case, path: str, meaning: str) -> Finding:
    machine, player = case.machine, case.machine.player
    owner = machine.owner(machine.at(path))
    name, group = "groups", owner.group
    if player in ("root", owner.user) or owner.mode & ANYONE_READS_AND_WRITES == ANYONE_READS_AND_WRITES:
        return Finding(name, Grade.OK, f"{player} may use {path}")
    if group == "root" or owner.mode & GROUP_READS_AND_WRITES != GROUP_READS_AND_WRITES:
        told = f"{path} belongs to {owner.user}:{group} alone, so {meaning}"
        return Finding(name, Grade.PROBLEM, told, f"{INSTALL_RULE}, then plug it in again")
    if player not in (machine.members(group) or ()):
        told = f"{player} is not in the group {group}, which owns {path}, so {meaning}"
        return Finding(name, Grade.PROBLEM, told, f"sudo usermod -aG {group} {player}, then log in again")
    if player == machine.user and group not in machine.groups:
        told = f"{player} is in the group {group}, but not in this session yet, so {meaning}"
        return Finding(name, Grade.PROBLEM, told, "log out and in again (a service: sudo systemctl restart companion)")
    return Finding(name, Grade.OK, f"{player} may use {path} (group {group})")

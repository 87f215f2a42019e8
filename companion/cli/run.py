"""``companion run``: the table, put together and kept going."""

from __future__ import annotations

import argparse
import asyncio
import gc
import logging
import signal
import socket
import sys
import time
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from companion.cli.address import Doorplate, listen
from companion.cli.devices import Devices, Simulation, real_devices, simulated_devices
from companion.cli.house import Door, House
from companion.cli.kept_settings import keep, load_or_restore
from companion.cli.notify import explain_kills, service_manager
from companion.cli.readers import places
from companion.i18n import LANGUAGES
from companion.i18n.translator import translator
from companion.rules.portrait import Phrase
from companion.rules.registry import GAMES
from companion.settings import NO_PANEL, SOFTWARE_PANEL, Settings, SettingsError
from companion.table.journal import Journal, JournalError
from companion.web.pairing import Pins
from companion.web.phone_file import PhoneFile
from companion.web.phones import Phones, UndoRule
from simulator.recording import Recorder

SIMULATED_HOST = "127.0.0.1"
"""The simulator's page lets anyone press the buttons, so that it is for this machine only unless told otherwise."""

JOURNAL = "journal.sqlite3"
HIGHEST_PORT = 65535


class CannotRun(Exception):
    """The table cannot be put together; the text says in one line what to do."""


def run_table(options: argparse.Namespace) -> int:
    """Run until a signal ends it. 0 after a clean stop, 2 where the table could not be put together."""
    try:
        found, copy = load_or_restore(options.config, options.state) if options.config else (Settings(), None)
        settings = chosen_settings(options, found)
        with ExitStack() as put_away:
            listening = _listening(settings, put_away)
            journal = _journal(settings, put_away)
            _check_places(settings)
            devices = _devices(settings, options.simulate, _recorder(options.record, put_away), put_away)
            house = House(settings, GAMES, journal, devices, _door(settings))
            _tend_settings(options.config, copy, settings.table.state, house)
            _welcome(settings, house, options.simulate)
            _stop_on_signals()
            manager = service_manager()
            explain_kills(manager)
            gc.freeze()  # what is loaded by now stays: the collector need not look at it with every page that is made
            asyncio.run(house.run(listening, manager))
    except (CannotRun, SettingsError) as fault:
        print(fault, file=sys.stderr)
        return 2
    return 0


def chosen_settings(options: argparse.Namespace, settings: Settings) -> Settings:
    """The settings of the file, with what the command line says instead. Raises CannotRun."""
    web = settings.web
    if options.simulate and not options.config:
        web = replace(web, host=SIMULATED_HOST)
    if options.port is not None and not 1 <= options.port <= HIGHEST_PORT:
        raise CannotRun(f"--port: must be from 1 to {HIGHEST_PORT}, not {options.port}")
    web = replace(
        web,
        host=options.host or web.host,
        port=options.port or web.port,
    )
    table = replace(settings.table, state=options.state or settings.table.state)
    panel = replace(settings.panel, model=SOFTWARE_PANEL) if options.simulate else settings.panel
    return replace(settings, web=web, table=table, panel=panel)


def _listening(settings: Settings, put_away: ExitStack) -> socket.socket:
    host, port = settings.web.host, settings.web.port
    try:
        listening = listen(host, port)
    except OSError as failure:
        raise CannotRun(
            f"The pages cannot be served on {host}, port {port}: {failure.strerror}. "
            "Choose another with --port, or stop what uses it."
        ) from None
    put_away.callback(listening.close)
    return listening


def _journal(settings: Settings, put_away: ExitStack) -> Journal:
    try:
        journal = Journal(settings.table.state / JOURNAL)
    except JournalError as fault:
        raise CannotRun(str(fault)) from None
    put_away.callback(journal.close)
    return journal


def _check_places(settings: Settings) -> None:
    try:
        places(settings.readers, GAMES)
    except ValueError as fault:
        raise CannotRun(f"{fault}.") from None


def _door(settings: Settings) -> Door:
    web = settings.web
    undo = None if web.undo is None else UndoRule(web.undo)
    phones = Phones(PhoneFile(settings.table.state), undo=undo)
    return Door(Doorplate(web.host, web.port), Pins(web.pin), phones)


def _tend_settings(config: Path | None, copy: Path | None, state: Path, house: House) -> None:
    """Keep a copy of the settings, or say on every screen that they are from one."""
    if config and copy:
        house.session.warn(Phrase("notice.settings_restored", {"path": str(config), "copy": str(copy)}))
    elif config:
        keep(config, state)


def _recorder(path: Path | None, put_away: ExitStack) -> Recorder | None:
    if path is None:
        return None
    try:
        recorder = Recorder(path, time.monotonic)
    except OSError as failure:
        raise CannotRun(f"--record {path}: {failure.strerror}; name another file") from None
    put_away.callback(recorder.close)
    return recorder


def _devices(settings: Settings, simulate: bool, recorder: Recorder | None, put_away: ExitStack) -> Devices:
    if simulate:
        simulation = Simulation(GAMES, translator(settings.table.language), recorder)
        return simulated_devices(settings, simulation, put_away)
    return real_devices(settings, recorder)


def _welcome(settings: Settings, house: House, simulate: bool) -> None:
    url = house.url
    print(f"The table:      {url}")
    print(f"For the host:   {url}host{_pin_in_words(settings, house)}")
    if simulate:
        print(f"The simulator:  {url}sim   (tags, buttons and the panel)")
    unsaved = house.session.snapshot.unsaved
    kept = translator(LANGUAGES[0]).say(unsaved.phrase) if unsaved else "Games are kept here."
    print(f"{Path(settings.table.state).resolve()}: {kept} Stop with Ctrl-C.", flush=True)


def _pin_in_words(settings: Settings, house: House) -> str:
    """The PIN, for whoever sits at this terminal. What a service says is kept in logs: there the panel tells it.

    Without a panel there is no other place.
    """
    if settings.web.open_to_all:
        return ""
    seen = sys.stdout.isatty() or settings.panel.model == NO_PANEL
    return f"   (PIN from other machines: {house.pin})" if seen else "   (PIN from other machines: on the panel)"


def _stop_on_signals() -> None:
    """Let the server stop at SIGINT and SIGTERM and everything else be put away after it.

    The server handles both while it runs and raises them again when it is done; by then there is nothing left to do.
    """
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: logging.getLogger(__name__).info("stopping"))

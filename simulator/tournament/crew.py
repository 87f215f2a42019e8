"""Who plays the matches: processes of this machine, or the machines of a Dask cluster."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Generator, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from itertools import islice
from multiprocessing.connection import wait as wait_for

from simulator.bots.command import end_programs
from simulator.tournament.match import Match, Result, Terms, play_matches

AHEAD = 3
"""Batches handed out for each process: enough that none waits, few enough that a stop loses little."""


SCHEDULER_SECONDS = 20
"""How long a Dask scheduler may take to answer."""


class CrewError(Exception):
    """The matches cannot be played there; the text says in one line what to do."""


def batches(matches: Iterable[Match], size: int) -> Iterator[list[Match]]:
    """The matches in portions."""
    coming = iter(matches)
    while batch := list(islice(coming, size)):
        yield batch


def on_this_machine(
    terms: Terms, matches: Sequence[Match], jobs: int, size: int
) -> Generator[list[Result], None, None]:
    """Play matches in ``jobs`` processes; results come in any order. Nothing is left running when it is closed."""
    spawning = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(jobs, mp_context=spawning, initializer=_live_no_longer_than_the_first_process)
    coming = batches(matches, size)
    going: set[Future[list[Result]]] = set()
    try:
        while True:
            with _deaf_to_ctrl_c():
                more = islice(coming, jobs * AHEAD - len(going))
                going |= {pool.submit(play_matches, terms, batch) for batch in more}
            if not going:
                return
            done, going = wait(going, return_when=FIRST_COMPLETED)
            for each in done:
                yield each.result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _live_no_longer_than_the_first_process() -> None:
    """In a process that plays: end with whoever started it, even where that one was killed and could say nothing."""
    first = multiprocessing.parent_process()
    assert first is not None

    def watch() -> None:
        wait_for([first.sentinel])
        end_programs()
        os._exit(1)

    threading.Thread(target=watch, name="first process", daemon=True).start()


@contextmanager
def _deaf_to_ctrl_c() -> Iterator[None]:
    """Processes and threads that start meanwhile do not hear Ctrl-C: the first process hears it, after this."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def on_a_cluster(
    terms: Terms, matches: Sequence[Match], address: str, size: int
) -> Generator[list[Result], None, None]:
    """Play matches on a Dask cluster; a batch whose worker is lost is played again elsewhere. Raises CrewError."""
    try:
        from distributed import Client, as_completed
    except ImportError:
        raise CrewError("Dask is not installed; pip install 'table-companion[dask]'") from None
    try:
        client = Client(address, timeout=SCHEDULER_SECONDS, set_as_default=False)  # type: ignore[no-untyped-call]  # Dask's own
    except (OSError, ValueError) as failure:
        raise CrewError(f"{address}: no Dask scheduler answers there ({failure})") from None
    with client:
        going = [client.submit(play_matches, terms, batch, pure=False, retries=3) for batch in batches(matches, size)]
        for done in as_completed(going, loop=client.loop):  # type: ignore[no-untyped-call]  # Dask's own
            yield done.result()
            done.release()

"""The same games, whoever plays them: processes, or a cluster that loses a worker in mid-run."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from simulator.tournament.crew import CrewError, on_a_cluster, on_this_machine
from simulator.tournament.match import Result, Terms, matches, play_matches
from tests.ports import free_port

TERMS = Terms("forbidden_island", "random", "crew")
WANTED = list(matches((2, 4), ("novice", "legendary"), 12))


def in_order(results: list[Result]) -> list[Result]:
    return sorted(results, key=lambda result: result.match)


@pytest.mark.parametrize("jobs", [1, 3])
def test_the_number_of_processes_changes_nothing(jobs: int) -> None:
    played = [result for batch in on_this_machine(TERMS, WANTED, jobs, 5) for result in batch]
    assert in_order(played) == in_order(play_matches(TERMS, WANTED))


def test_a_stop_in_mid_run_leaves_no_process_behind_and_what_came_counts() -> None:
    coming = on_this_machine(TERMS, WANTED, 2, 2)
    first = next(coming)
    coming.close()
    assert first == play_matches(TERMS, [result.match for result in first])


@contextmanager
def program(*words: str, until: str = "") -> Iterator[subprocess.Popen[str]]:
    """A program of the cluster; returns once it has said so."""
    run = subprocess.Popen([sys.executable, "-m", *words], stderr=subprocess.PIPE, text=True)
    try:
        assert run.stderr is not None
        for line in run.stderr:
            if until in line:
                break
        yield run
    finally:
        run.kill()
        run.wait()


def test_a_worker_killed_in_mid_run_costs_no_game_and_doubles_none(tmp_path: Path) -> None:
    pytest.importorskip("distributed", reason="Dask is not installed")
    terms = Terms("forbidden_island", "steady", "cluster")
    port = free_port()
    address = f"tcp://127.0.0.1:{port}"
    worker = ("distributed.cli.dask_worker", address, "--nthreads", "1", "--no-nanny", "--no-dashboard")
    folders = [("--local-directory", str(tmp_path / name)) for name in "ab"]
    scheduler = ("distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard")
    with (
        program(*scheduler, until="Scheduler at"),
        program(*worker, *folders[0], until="Registered to") as doomed,
        program(*worker, *folders[1], until="Registered to"),
    ):
        coming = on_a_cluster(terms, WANTED, address, 2)
        played = next(coming)
        doomed.kill()
        for batch in coming:
            played = played + batch
    assert [result.match for result in in_order(played)] == sorted(WANTED)
    assert in_order(played) == in_order(play_matches(terms, WANTED))


def test_a_scheduler_that_is_not_there_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed", reason="Dask is not installed")
    monkeypatch.setattr("simulator.tournament.crew.SCHEDULER_SECONDS", 0.5)
    with pytest.raises(CrewError, match="no Dask scheduler answers there"):
        next(on_a_cluster(TERMS, WANTED, f"tcp://127.0.0.1:{free_port()}", 2))


def test_without_dask_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(CrewError, match="pip install 'table-companion\\[dask\\]'"):
        next(on_a_cluster(TERMS, WANTED, "tcp://127.0.0.1:1", 2))

"""Which program has a port open."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from drivers.port_holders import port_holders


@pytest.fixture
def terminal() -> Iterator[str]:
    master, slave = os.openpty()
    yield os.ttyname(slave)
    os.close(slave)
    os.close(master)


def test_this_program_is_found_by_name_and_number(terminal: str) -> None:
    (holder,) = port_holders(terminal)
    assert holder.endswith(f" (pid {os.getpid()})")
    assert port_holders(terminal, but=os.getpid()) == ()


def test_another_program_is_found_also_through_a_link(terminal: str, tmp_path: Path) -> None:
    link = tmp_path / "by-id"
    link.symlink_to(terminal)
    code = "import sys; port = open(sys.argv[1], 'rb'); print('open', flush=True); sys.stdin.read()"
    with subprocess.Popen(
        [sys.executable, "-c", code, str(link)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"open\n"
        (holder,) = port_holders(str(link), but=os.getpid())
        assert f"(pid {other.pid})" in holder
        other.communicate()


def test_what_may_not_be_seen_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "17").mkdir()
    (tmp_path / "self").mkdir()
    (tmp_path / "18" / "fd").mkdir(parents=True)
    port = tmp_path.resolve() / "port"
    port.touch()
    (tmp_path / "18" / "fd" / "3").symlink_to(port)
    (tmp_path / "18" / "fd" / "4").symlink_to("/dev/none")
    assert port_holders(str(port), proc=tmp_path) == ("a program (pid 18)",)
    assert port_holders(str(port), proc=tmp_path / "none") == ()

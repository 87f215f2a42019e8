"""The host's secret outlives a restart, and nobody else on the machine reads it."""

from __future__ import annotations

import os
from pathlib import Path
from stat import S_IMODE

import pytest

from companion.cli.secret import kept_secret
from tests.cli.companions import Companion, companion, free_port, one_line, running

ELSEWHERE = {"X-Forwarded-For": "192.168.1.20"}


def mode(path: Path) -> int:
    return S_IMODE(path.stat().st_mode)


def test_a_secret_is_made_once_and_kept(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        secret = kept_secret(tmp_path)
    finally:
        os.umask(before)
    assert len(secret) == 32
    assert kept_secret(tmp_path) == secret == (tmp_path / "secret").read_bytes()
    assert mode(tmp_path / "secret") == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["secret"]


def test_two_tables_have_two_secrets(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    assert kept_secret(tmp_path / "one") != kept_secret(tmp_path / "two")


@pytest.mark.parametrize("broken", [b"", b"x" * 31, b"x" * 33])
def test_a_broken_secret_is_replaced(tmp_path: Path, broken: bytes) -> None:
    path = tmp_path / "secret"
    path.write_bytes(broken)
    path.chmod(0o600)
    secret = kept_secret(tmp_path)
    assert len(secret) == 32
    assert kept_secret(tmp_path) == secret


def test_a_secret_that_others_may_read_is_replaced(tmp_path: Path) -> None:
    known = kept_secret(tmp_path)
    (tmp_path / "secret").chmod(0o640)
    assert kept_secret(tmp_path) != known
    assert mode(tmp_path / "secret") == 0o600


def test_what_a_power_cut_left_half_written_is_in_nobodys_way(tmp_path: Path) -> None:
    (tmp_path / "secret.new").write_bytes(b"half")
    secret = kept_secret(tmp_path)
    assert kept_secret(tmp_path) == secret
    assert not (tmp_path / "secret.new").exists()


def test_a_secret_that_cannot_be_kept_is_said_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "state" / "secret").mkdir(parents=True, mode=0o700)
    told = companion("run", "--simulate", "--port", str(free_port()), "--state", "state", cwd=tmp_path)
    assert told.returncode == 2
    assert "secret cannot be kept in state" in one_line(told.stderr)


def let_in(table: Companion, pin: str) -> str:
    answer = table.http.post("/host/pair", json={"pin": pin}, headers={**ELSEWHERE, "Origin": str(table.http.base_url)})
    assert answer.status_code == 200
    return answer.cookies["host"]


def test_a_host_is_known_again_after_a_restart(tmp_path: Path) -> None:
    settings = '[web]\nhost = "127.0.0.1"\npin = "482913"\n[panel]\nmodel = "none"\n[buttons]\nenabled = false\n'
    (tmp_path / "table.toml").write_text(settings)
    port = free_port()
    with running(tmp_path, "--config", "table.toml", port=port) as table:
        cookie = let_in(table, "482913")
        table.stop()
    with running(tmp_path, "--config", "table.toml", port=port) as table:
        assert table.http.get("/host", headers=ELSEWHERE).status_code == 403
        known = table.http.get("/host", headers={**ELSEWHERE, "Cookie": f"host={cookie}"})
        assert known.status_code == 200

import signal
from pathlib import Path

import pytest

from tests.cli.companions import companion, one_line, running
from tests.ports import free_port


def test_a_simulated_table_serves_its_pages_and_its_simulator(tmp_path: Path) -> None:
    with running(tmp_path, "--simulate") as table:
        for path in ("/", "/host", "/sim", "/table.json", "/health"):
            assert table.http.get(path).status_code == 200, path


def test_a_table_with_no_hardware_at_all_is_playable(tmp_path: Path) -> None:
    with running(tmp_path, "--host", "127.0.0.1") as table:
        table.start()
        assert table.order("deal").status_code == 200
        assert table.http.get("/sim").status_code == 404


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_cleanly_and_soon(tmp_path: Path, number: int) -> None:
    with running(tmp_path, "--simulate") as table:
        assert table.stop(number) == 0
        assert table.process.stdout is not None
        assert "Traceback" not in table.process.stdout.read()


def test_a_game_goes_on_after_a_power_cut(tmp_path: Path) -> None:
    port = free_port()
    with running(tmp_path, "--simulate", port=port) as table:
        table.start()
        table.order("deal")
        before = table.table()
        table.process.kill()
    with running(tmp_path, "--simulate", port=port) as table:
        after = table.table()
        assert after["state"] == before["state"]
        assert after["revision"] > before["revision"]
        assert table.order("undo").status_code == 200


def test_a_port_in_use_is_said_in_one_line(tmp_path: Path) -> None:
    port = free_port()
    with running(tmp_path, "--simulate", port=port):
        told = companion("run", "--simulate", "--port", str(port), "--state", "other", cwd=tmp_path)
    assert told.returncode == 2
    assert f"port {port}" in one_line(told.stderr)


def test_two_companions_do_not_share_a_journal(tmp_path: Path) -> None:
    with running(tmp_path, "--simulate"):
        told = companion("run", "--simulate", "--port", str(free_port()), cwd=tmp_path)
    assert told.returncode == 2
    assert "another companion" in one_line(told.stderr)


def test_missing_devices_are_told_and_the_table_plays_on(tmp_path: Path) -> None:
    settings = '[web]\nhost = "127.0.0.1"\n[panel]\nmodel = "impression-4"\n[buttons]\n'
    (tmp_path / "table.toml").write_text(f'{settings}[[readers]]\nname = "tags"\nport = "/dev/not-there"\n')
    with running(tmp_path, "--config", "table.toml") as table:
        advice = table.until(
            lambda seen: (
                {told["device"]: told["advice"] for told in seen["devices"] if told["state"] != "ready"}
                if len(seen["devices"]) >= 2
                else None
            )
        )
        assert advice["tags"]["params"] == {"port": "/dev/not-there"}
        assert "No reader at /dev/not-there" in advice["tags"]["text"]
        assert advice["buttons"]
        table.start()
        assert table.order("deal").status_code == 200
        table.stop()
        assert table.process.stdout is not None
        assert "Traceback" not in table.process.stdout.read()

"""A Mosquitto that wants a password, and one that wants TLS."""

from __future__ import annotations

import logging
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from companion.mqtt.broker import BrokerSettings
from companion.ports import Advice, DeviceState
from companion.table.session import Session
from tests.mqtt.mosquitto import Mosquitto, mosquitto, program
from tests.mqtt.test_publisher import READY, first_status, publishing

SECRET = "a secret of this test"


@pytest.fixture
def login(tmp_path: Path) -> tuple[str, ...]:
    file = tmp_path / "users"
    subprocess.run([program("mosquitto_passwd"), "-b", "-c", str(file), "companion", SECRET], check=True)
    return ("allow_anonymous false", f"password_file {file}")


def with_password(port: int, folder: Path, password: str) -> BrokerSettings:
    file = folder / "password"
    file.write_text(f"{password}\n")
    return BrokerSettings("127.0.0.1", port, "companion", file)


def test_the_right_password_opens_and_is_never_logged(
    session: Session, tmp_path: Path, login: tuple[str, ...], caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG), mosquitto(tmp_path, *login) as broker:
        settings = with_password(broker.port, tmp_path, SECRET)
        with publishing(session, settings) as ear:
            ear.wait_for(READY)
        assert SECRET not in repr(settings)
    assert SECRET not in caplog.text


def test_a_wrong_password_is_said_and_put_right_without_a_restart(
    session: Session, tmp_path: Path, login: tuple[str, ...], caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG), mosquitto(tmp_path, *login) as broker:
        settings = with_password(broker.port, tmp_path, "a wrong secret")
        with publishing(session, settings) as ear:
            assert first_status(ear) == (
                DeviceState.FAILED,
                Advice("advice.mqtt.login", {"broker": f"127.0.0.1:{broker.port}"}),
            )
            with_password(broker.port, tmp_path, SECRET)
            ear.wait_for(READY)
    assert "a wrong secret" not in caplog.text


def test_a_password_file_that_is_missing_is_said(session: Session, tmp_path: Path) -> None:
    settings = BrokerSettings("127.0.0.1", 1, "companion", tmp_path / "nowhere")
    with publishing(session, settings) as ear:
        state, advice = first_status(ear)
        assert state is DeviceState.FAILED
        assert advice == Advice(
            "advice.mqtt.password", {"path": str(tmp_path / "nowhere"), "cause": "No such file or directory"}
        )


@pytest.fixture
def certificates(tmp_path: Path) -> Path:
    """A folder with a certificate for 127.0.0.1 that signs itself."""
    if shutil.which("openssl") is None:
        pytest.skip("no openssl: apt-get install openssl")
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"),
            *("-days", "2", "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"),
            *("-keyout", str(tmp_path / "key.pem"), "-out", str(tmp_path / "cert.pem")),
        ],
        check=True,
        capture_output=True,
    )
    return tmp_path


def over_tls(folder: Path) -> tuple[str, ...]:
    return ("allow_anonymous true", f"certfile {folder / 'cert.pem'}", f"keyfile {folder / 'key.pem'}")


def test_a_broker_with_a_certificate_of_its_own_is_trusted_where_it_is_named(
    session: Session, certificates: Path
) -> None:
    with mosquitto(certificates, *over_tls(certificates)) as broker:
        settings = BrokerSettings("127.0.0.1", broker.port, tls=True, ca_file=certificates / "cert.pem")
        with publishing(session, settings) as ear:
            ear.wait_for(READY)
        with publishing(session, replace(settings, ca_file=None)) as ear:
            state, advice = first_status(ear)
            assert state is DeviceState.FAILED
            assert advice is not None
            assert advice.code == "advice.mqtt.tls"
            assert "self-signed" in str(advice.params["cause"]) or "self signed" in str(advice.params["cause"])


def test_tls_at_a_port_without_it_is_said(session: Session, broker: Mosquitto) -> None:
    with publishing(session, BrokerSettings("127.0.0.1", broker.port, tls=True)) as ear:
        _, advice = first_status(ear)
        assert advice is not None
        assert advice.code in ("advice.mqtt.tls", "advice.mqtt.absent")


def test_a_certificate_that_cannot_be_read_is_said(session: Session, tmp_path: Path) -> None:
    settings = BrokerSettings("127.0.0.1", 1, tls=True, ca_file=tmp_path / "nowhere.pem")
    with publishing(session, settings) as ear:
        state, advice = first_status(ear)
        assert (state, advice and advice.code) == (DeviceState.FAILED, "advice.mqtt.ca")

"""Which Python packages go with a package or a folder of wheels, for which machine."""

from __future__ import annotations

import importlib.machinery
import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from tests.deploy.programs import DEPLOY, PROJECT


@pytest.fixture(scope="module")
def gathering() -> ModuleType:
    """gather-wheels as a module."""
    loader = importlib.machinery.SourceFileLoader("gather_wheels", str(DEPLOY / "gather-wheels"))
    spec = importlib.util.spec_from_loader("gather_wheels", loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


@pytest.fixture(autouse=True)
def in_the_project(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(PROJECT)


def names(gathering: ModuleType, python: str, machine: str) -> set[str]:
    found: set[str] = gathering.needed(
        {"python_version": python, "python_full_version": f"{python}.0", "platform_machine": machine}
    )
    return found


@pytest.mark.parametrize("machine", ["x86_64", "aarch64", "armv7l"])
@pytest.mark.parametrize("python", ["3.11", "3.13"])
def test_everything_is_pinned_and_debian_s_own_is_left_to_debian(
    gathering: ModuleType, python: str, machine: str
) -> None:
    wanted = names(gathering, python, machine)
    assert {"pillow", "pydantic-core", "uvicorn", "inky", "gpiod"} <= wanted
    assert not wanted & {"numpy", "spidev", "pytest", "mypy"}
    assert wanted <= set(gathering.pins(Path("constraints.txt")))


def test_lgpio_comes_as_a_wheel_only_where_there_is_one(gathering: ModuleType) -> None:
    assert "lgpio" in names(gathering, "3.11", "aarch64")
    assert "lgpio" not in names(gathering, "3.13", "aarch64")
    assert "lgpio" not in names(gathering, "3.11", "armv7l")


def test_wheels_may_not_want_a_newer_libc_than_debian_12_has(gathering: ModuleType) -> None:
    offered = gathering.platforms("aarch64")
    assert "--platform=manylinux_2_36_aarch64" in offered
    assert "--platform=manylinux_2_37_aarch64" not in offered
    assert "--platform=manylinux2014_aarch64" in offered

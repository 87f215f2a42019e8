"""The list of public reports is true: it has all of them, and each names tests that are there and speak of it."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[1]
REPORTS = 32
_HEADING = re.compile(r"^## (\d+)\. .+$", re.M)
_ADDRESS = re.compile(r"\(https://github\.com/([\w.-]+/[\w.-]+)/(?:issues|pull)/(\d+)\)")
_TEST = re.compile(r"^- `(tests/[\w/]+\.py)::(test_\w+)`$", re.M)


class Entry(NamedTuple):
    """What the list says of one report: repository and number of each address, file and name of each test."""

    number: int
    addresses: list[tuple[str, str]]
    tests: list[tuple[str, str]]


def read_list(page: str = "public-reports.md") -> list[Entry]:
    _, *parts = _HEADING.split((ROOT / "docs" / page).read_text(encoding="utf-8"))
    return [
        Entry(int(number), _ADDRESS.findall(text), _TEST.findall(text))
        for number, text in zip(parts[::2], parts[1::2], strict=True)
    ]


def docstring(file: str, name: str) -> str:
    """What a test says of itself; fails where there is no such test."""
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    (test,) = (each for each in tree.body if isinstance(each, ast.FunctionDef) and each.name == name)
    return ast.get_docstring(test) or ""


def speaks_of(told: str, repository: str, number: str) -> bool:
    return repository in told and re.search(rf"\b{number}\b", told) is not None


def test_every_report_is_listed_once() -> None:
    assert [entry.number for entry in read_list()] == list(range(1, REPORTS + 1))
    assert all(entry.addresses for entry in read_list())


@pytest.mark.parametrize("entry", read_list(), ids=lambda entry: str(entry.number))
def test_each_report_has_a_test_that_names_its_address(entry: Entry) -> None:
    told = {test: docstring(*test) for test in entry.tests}
    unnamed = [at for at in entry.addresses if not any(speaks_of(each, *at) for each in told.values())]
    assert unnamed == []
    idle = [test for test, each in told.items() if not any(speaks_of(each, *at) for at in entry.addresses)]
    assert idle == []

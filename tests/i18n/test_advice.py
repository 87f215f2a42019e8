"""Whatever a device can tell has its words in the three languages, filled in by what the device gives."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from string import Formatter

import pytest

import companion.i18n
from companion.i18n import LANGUAGES
from companion.i18n.catalogue import read_catalogue
from drivers import buttons, signal

ROOT = Path(__file__).parents[2]
ROOMS = ("companion", "drivers", "simulator")


@cache
def told() -> dict[str, frozenset[str]]:
    """Every code that an Advice is made with, and the names of the parameters it gets there."""
    found: dict[str, frozenset[str]] = {}
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Advice":
                    given = _given(node)
                    for code in _codes(node.args[0]):
                        assert found.setdefault(code, given) == given, code
    return found


def _codes(code: ast.expr) -> Iterator[str]:
    if isinstance(code, ast.Constant):
        yield str(code.value)
        return
    assert isinstance(code, ast.JoinedStr), ast.unparse(code)
    for device in (buttons.DEVICE, signal.DEVICE):
        yield "".join(str(part.value) if isinstance(part, ast.Constant) else device for part in code.values)


def _given(call: ast.Call) -> frozenset[str]:
    if len(call.args) == 1:
        return frozenset()
    params = call.args[1]
    assert isinstance(params, ast.Dict), ast.unparse(call)
    return frozenset(str(key.value) for key in params.keys if isinstance(key, ast.Constant))


def messages(language: str) -> dict[str, str]:
    """The wordings of advice by code, with the short ones."""
    forms = read_catalogue(language, Path(companion.i18n.__file__).parent / language).forms
    return {code: texts[0] for code, texts in forms.items() if code.startswith("advice.")}


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def test_every_device_was_heard() -> None:
    devices = {code.split(".")[1] for code in told()}
    assert devices == {"port", "reader", "frame", "line", "tag", "buttons", "signal", "panel", "mqtt"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_whatever_a_device_can_tell_has_a_message_and_no_message_is_left_over(language: str) -> None:
    whole = {code for code in messages(language) if not code.endswith(".short")}
    assert whole == set(told())


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_message_is_filled_in_with_all_that_its_device_gives(language: str) -> None:
    for code, given in told().items():
        assert placeholders(messages(language)[code]) == given, code


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_short_message_needs_nothing_that_its_device_does_not_give(language: str) -> None:
    for code, text in messages(language).items():
        if code.endswith(".short"):
            assert placeholders(text) <= told()[code.removesuffix(".short")], code


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_message_is_a_sentence_in_one_line(language: str) -> None:
    assert [code for code, text in messages(language).items() if not text.endswith(".") or "\n" in text] == []

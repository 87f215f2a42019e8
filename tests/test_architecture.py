"""Who may import whom, what may be imported at all, and that an import does nothing."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
GAME = "companion.rules.forbidden_island"
PLAYER = "simulator.bots.forbidden_island"
"""The game's own room among the bots."""
CORE = {"companion.rules", "companion.table"}
SEES = {
    "companion.rules": set[str](),
    "companion.ports": set[str](),
    "companion.i18n": {"companion.rules.portrait"},
    "companion.table": {"companion.rules", "companion.ports"},
    "companion.engine": {*CORE, "companion.i18n"},
    "companion.views": {*CORE, "companion.ports"},
    "companion.panel": {*CORE, "companion.views", "companion.i18n", "companion.ports"},
    "companion.labels": {*CORE, "companion.i18n", "companion.panel"},
    "companion.web": {*CORE, "companion.views", "companion.i18n", "companion.labels", "companion.ports"},
    "companion.mqtt": {*CORE, "companion.views", "companion.i18n", "companion.ports"},
    "companion.section": set[str](),
    "companion.mqtt_settings": {"companion.section"},
    "companion.quiet": set[str](),
    "companion.reader_settings": {"companion.section"},
    "companion.settings": {
        "companion.i18n",
        "companion.mqtt_settings",
        "companion.ports",
        "companion.quiet",
        "companion.reader_settings",
        "companion.section",
    },
    "companion.cli": {"companion", "drivers", "simulator"},
    "companion.__main__": {"companion.cli"},
    "companion": set[str](),
    "drivers": {"companion.ports"},
    "simulator": {"companion.ports", "companion.rules"},
}
"""Each room sees itself and these; only the command line sees all."""

PURE = {
    "__future__",
    "abc",
    "collections",
    "dataclasses",
    "enum",
    "fractions",
    "functools",
    "itertools",
    "math",
    "operator",
    "re",
    "types",
    "typing",
}
"""What the rules may use of the standard library: no clock, chance, files, threads or logs."""

HARDWARE = {
    "gpiozero",
    "serial",
    "inky",
    "gpiod",
    "gpiodevice",
    "spidev",
    "smbus",
    "smbus2",
    "lgpio",
    "RPi",
    "pigpio",
    "paho",
}
TEXT = {".py", ".html", ".js", ".css", ".svg", ".toml", ".txt"}
MOST_LINES = 450


def _sources() -> list[Path]:
    folders = ("companion", "drivers", "simulator")
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def _module(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {_module(path): path for path in _sources()}
EACH = pytest.mark.parametrize("module", MODULES)


@cache
def _tree(module: str) -> ast.Module:
    return ast.parse(MODULES[module].read_text(encoding="utf-8"))


def _named(node: ast.AST) -> Iterator[str]:
    """The modules that an import statement names, ``from companion import table`` as ``companion.table``."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    if isinstance(node, ast.ImportFrom):
        assert node.level == 0, "imports name their module in full"
        for alias in node.names:
            below = f"{node.module}.{alias.name}"
            yield below if below in MODULES else str(node.module)


def _imports(module: str) -> set[str]:
    return {name for node in ast.walk(_tree(module)) for name in _named(node)}


def _within(name: str, room: str) -> bool:
    return name == room or name.startswith(f"{room}.")


def _room(module: str) -> str:
    return max((room for room in SEES if _within(module, room)), key=len)


@EACH
def test_a_module_imports_only_what_its_room_may_see(module: str) -> None:
    room = _room(module)
    ours = {name for name in _imports(module) if name.partition(".")[0] in ("companion", "drivers", "simulator")}
    beyond = {name for name in ours if not any(_within(name, seen) for seen in {room, *SEES[room]})}
    assert not {name for name in beyond if name != "companion"}


def test_every_room_of_the_house_has_its_rule() -> None:
    assert not {module for module in MODULES if _room(module) == "companion"} - {"companion"}


@EACH
def test_a_module_above_the_rules_knows_no_game(module: str) -> None:
    if not any(_within(module, own) for own in (GAME, PLAYER)) and module != "companion.rules.registry":
        assert not {name for name in _imports(module) if _within(name, GAME)}


def test_no_layer_above_its_rules_says_the_name_of_the_game() -> None:
    folders = ("companion", "drivers", "simulator")
    files = (path for folder in folders for path in (ROOT / folder).rglob("*") if path.suffix in TEXT)
    own = [
        ROOT / folder for folder in (*(each.replace(".", "/") for each in (GAME, PLAYER)), "companion/web/static/games")
    ]
    spoken = [
        path.relative_to(ROOT)
        for path in files
        if not any(path.is_relative_to(folder) for folder in own)
        and re.search("forbidden[ _-]?island", path.read_text(encoding="utf-8"), re.IGNORECASE)
    ]
    assert sorted(spoken) == [Path("companion/rules/registry.py"), Path("simulator/bots/experts.py")]


@pytest.mark.parametrize("module", [module for module in MODULES if _within(module, "companion.rules")])
def test_the_rules_use_the_pure_part_of_the_standard_library_only(module: str) -> None:
    foreign = {name.partition(".")[0] for name in _imports(module) if not _within(name, "companion.rules")}
    assert foreign <= PURE


@pytest.mark.parametrize("module", [module for module in MODULES if _within(module, "companion.rules")])
def test_the_rules_open_print_and_ask_for_nothing(module: str) -> None:
    called = {
        node.func.id
        for node in ast.walk(_tree(module))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    assert not called & {"open", "print", "input", "exec", "eval", "__import__", "breakpoint"}


def _run_at_import(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements that run when a module is imported."""
    for statement in body:
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef) or _for_types_only(statement):
            continue
        yield statement
        for inner in ("body", "orelse", "finalbody", "handlers"):
            for each in getattr(statement, inner, []):
                yield from _run_at_import(each.body if isinstance(each, ast.ExceptHandler) else [each])


def _for_types_only(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.If) and ast.unparse(statement.test).endswith("TYPE_CHECKING")


@EACH
def test_hardware_libraries_are_imported_when_a_device_is_opened(module: str) -> None:
    at_import = {
        name.partition(".")[0] for statement in _run_at_import(_tree(module).body) for name in _named(statement)
    }
    assert not at_import & HARDWARE


IMPORT_ALL = """
import sys, threading, importlib
done = []
def watch(event, arguments):
    if event == "open" and isinstance(arguments[1], str) and set(arguments[1]) & set("wax+"):
        done.append((event, arguments[0]))
    elif event.split(".")[0] in ("socket", "subprocess", "sqlite3", "shutil") and event != "socket.__new__":
        done.append((event, str(arguments)))
    elif event in ("os.mkdir", "os.remove", "os.rename", "os.system"):
        done.append((event, str(arguments)))
sys.addaudithook(watch)
for name in sys.argv[1:]:
    importlib.import_module(name)
print(done, threading.active_count())
"""


def test_importing_any_module_does_nothing(tmp_path: Path) -> None:
    modules = [module for module in MODULES if module != "companion.__main__"]
    surroundings = {**os.environ, "PYTHONPATH": str(ROOT), "HOME": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, "-c", IMPORT_ALL, *modules],
        cwd=tmp_path,
        env=surroundings,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout, done.stderr) == ("[] 1\n", "")
    assert not list(tmp_path.iterdir())


def test_no_file_is_too_long_to_read() -> None:
    folders = ("companion", "drivers", "simulator", "tests")
    files = (path for folder in folders for path in (ROOT / folder).rglob("*.py"))
    lengths = {path.relative_to(ROOT): len(path.read_text(encoding="utf-8").splitlines()) for path in files}
    assert not {path: length for path, length in lengths.items() if length > MOST_LINES}


def test_the_second_reading_of_the_rules_does_not_look_at_the_first() -> None:
    for path in (ROOT / "tests/rules/second_reading").glob("*.py"):
        named = [name for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) for name in _second(node)]
        assert not [name for name in named if name.startswith("companion")]


def _second(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    if isinstance(node, ast.ImportFrom):
        yield node.module or ""

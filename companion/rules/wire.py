"""Plain dataclasses as JSON objects, checked while they are read.

Understands str enums, str, int, bool, tuples, mappings with enum keys, and ``None`` for optional fields (which are
left out where they are None when written).
"""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from enum import StrEnum
from functools import cache
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

T = TypeVar("T")


class Malformed(ValueError):
    """A JSON value that is not of the form; ``where`` is the path of the field."""

    def __init__(self, where: str) -> None:
        super().__init__(where)
        self.where = where


def _find_hints(kind: type) -> dict[str, Any]:
    hints = get_type_hints(kind)
    return {field.name: hints[field.name] for field in fields(kind)}


def _find_needed(kind: type) -> frozenset[str]:
    bare = (f.name for f in fields(kind) if f.default is MISSING and f.default_factory is MISSING)
    return frozenset(name for name in bare if not _optional(_hints(kind)[name]))


def _optional(hint: Any) -> bool:
    return get_origin(hint) in (Union, types.UnionType)


_hints: Callable[[type], dict[str, Any]] = cache(_find_hints)
_needed: Callable[[type], frozenset[str]] = cache(_find_needed)


def plain(value: Any) -> Any:
    """A field's value in JSON's own types."""
    if isinstance(value, StrEnum):
        return value.value
    if isinstance(value, Mapping):
        return {plain(key): plain(entry) for key, entry in value.items()}
    if isinstance(value, tuple):
        return [plain(entry) for entry in value]
    return value


def write(value: Any) -> dict[str, Any]:
    """A dataclass as a JSON object; None fields are left out."""
    told = ((name, getattr(value, name)) for name in _hints(type(value)))
    return {name: plain(field) for name, field in told if field is not None}


def read(kind: type[T], json: Mapping[str, Any]) -> T:
    """A dataclass from a JSON object. Raises Malformed for a missing, unknown or wrong field."""
    hints = _hints(kind)
    for name in json:
        if name not in hints:
            raise Malformed(name)
    for name in sorted(_needed(kind)):
        if name not in json:
            raise Malformed(name)
    absent = {name: None for name in hints if _optional(hints[name]) and name not in json}
    return kind(**absent | {name: convert(hints[name], value, name) for name, value in json.items()})


def convert(hint: Any, value: Any, where: str) -> Any:
    """``value`` as the annotated type. Raises Malformed naming ``where``."""
    origin = get_origin(hint)
    if _optional(hint):
        (inner,) = (arm for arm in get_args(hint) if arm is not type(None))
        return None if value is None else convert(inner, value, where)
    if origin is tuple:
        return _tuple(get_args(hint)[0], value, where)
    if origin is not None and issubclass(origin, Mapping):
        return _mapping(get_args(hint), value, where)
    return _single(hint, value, where)


def _tuple(hint: Any, value: Any, where: str) -> tuple[Any, ...]:
    if not isinstance(value, (list, tuple)):
        raise Malformed(where)
    return tuple(convert(hint, entry, where) for entry in value)


def _mapping(hints: tuple[Any, Any], value: Any, where: str) -> dict[Any, Any]:
    if not isinstance(value, Mapping):
        raise Malformed(where)
    key_hint, entry_hint = hints
    return {convert(key_hint, key, where): convert(entry_hint, entry, f"{where}.{key}") for key, entry in value.items()}


def _single(hint: type, value: Any, where: str) -> Any:
    if issubclass(hint, StrEnum):
        try:
            return hint(value) if isinstance(value, str) else hint("")
        except ValueError:
            raise Malformed(where) from None
    if not isinstance(value, hint) or (hint is int and isinstance(value, bool)):
        raise Malformed(where)
    return value

"""The engine protocol: JSON Lines in, exactly one JSON object out for each, whatever a peer sends."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping
from typing import Any, BinaryIO, TextIO

from companion.engine.opening import open_game, open_position
from companion.engine.perft import perft
from companion.i18n.translator import Translator
from companion.rules.game import AnyGame, JsonObject, Refused
from companion.rules.portrait import Phrase
from companion.table.line import AnyMove, Line

MOST_DEPTH = 100

Answer = dict[str, Any]

_log = logging.getLogger(__name__)


class NotJson(ValueError):
    """A line that is no JSON object; the text says what is wrong with it."""


def read_object(raw: bytes) -> dict[str, Any]:
    """The JSON object of a line. Raises NotJson."""
    try:
        value = json.loads(raw.decode(), parse_constant=_no_constant)
    except UnicodeDecodeError:
        raise NotJson("the line is not UTF-8 text") from None
    except RecursionError:
        raise NotJson("the line is nested too deeply") from None
    except ValueError as error:
        raise NotJson(f"the line is not JSON: {error}") from None
    if not isinstance(value, dict):
        raise NotJson("the line is not a JSON object")
    return value


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


class Engine:
    """One peer's session: a game in memory, and an answer to every line."""

    def __init__(self, games: Mapping[str, AnyGame], translator: Translator) -> None:
        self._games = games
        self._translator = translator
        self._line: Line | None = None
        self._requests: dict[str, tuple[Callable[[JsonObject], Answer], frozenset[str] | None]] = {
            "new": (self._new, None),
            "load": (self._load, frozenset({"state", "seed", "decks"})),
            "state": (self._state, frozenset()),
            "legal": (self._legal, frozenset()),
            "do": (self._do, frozenset({"command"})),
            "deal": (self._deal, frozenset()),
            "undo": (self._undo, frozenset()),
            "redo": (self._redo, frozenset()),
            "perft": (self._perft, frozenset({"depth"})),
        }

    def answer(self, raw: bytes) -> Answer:
        """The answer to one line. Never raises."""
        try:
            return self._answer(read_object(raw))
        except NotJson as error:
            return _error("bad_request", str(error))
        except Refused as refused:
            return _error(refused.code, self._translator.say(Phrase(f"refusal.{refused.code}", refused.params)))
        except Exception as error:  # a fault of ours must not end a peer's session, nor show it a traceback
            _log.error("a request could not be answered: %r", error)
            _log.debug("where it failed:", exc_info=True)
            return _error("internal_error", "the engine failed at this request; nothing has changed")

    def _answer(self, request: JsonObject) -> Answer:
        name = request.get("cmd")
        if not isinstance(name, str) or name not in self._requests:
            raise NotJson(f'"cmd" must be one of {", ".join(self._requests)}')
        respond, fields = self._requests[name]
        given = {key: value for key, value in request.items() if key != "cmd"}
        for key in given:
            if fields is not None and key not in fields:
                raise Refused("bad_request", field=key)
        return respond(given)

    @property
    def _playing(self) -> Line:
        if self._line is None:
            raise NotJson('there is no game yet: send {"cmd": "new", ...} or {"cmd": "load", ...} first')
        return self._line

    def _new(self, request: JsonObject) -> Answer:
        self._line = open_game(self._games, request)
        return self._state({})

    def _load(self, request: JsonObject) -> Answer:
        self._line = open_position(self._games, request)
        return self._state({})

    def _state(self, _request: JsonObject) -> Answer:
        line = self._playing
        return {"ok": True, "state": line.game.state_json(line.state)}

    def _legal(self, _request: JsonObject) -> Answer:
        line = self._playing
        return {"ok": True, "legal": [line.game.command_json(command) for command in line.game.legal(line.state)]}

    def _do(self, request: JsonObject) -> Answer:
        line = self._playing
        command = request.get("command")
        if not isinstance(command, dict):
            raise Refused("bad_request", field="command")
        return self._played(line.do(line.game.read_command(command)))

    def _deal(self, _request: JsonObject) -> Answer:
        return self._played(self._playing.deal())

    def _played(self, move: AnyMove) -> Answer:
        game = self._playing.game
        events = [game.event_json(event) for event in move.events]
        return {"ok": True, "events": events, "state": game.state_json(move.after)}

    def _undo(self, _request: JsonObject) -> Answer:
        self._playing.undo()
        return self._state({})

    def _redo(self, _request: JsonObject) -> Answer:
        return self._played(self._playing.redo())

    def _perft(self, request: JsonObject) -> Answer:
        line = self._playing
        depth = request.get("depth")
        if isinstance(depth, bool) or not isinstance(depth, int) or not 0 <= depth <= MOST_DEPTH:
            raise Refused("bad_request", field="depth")
        return {"ok": True, "nodes": perft(line.game, line.state, depth)}


def _error(code: str, message: str) -> Answer:
    return {"ok": False, "error": {"code": code, "message": message}}


def serve(engine: Engine, requests: BinaryIO, answers: TextIO) -> None:
    """Answer every line of ``requests`` until it ends, flushing each answer."""
    for raw in requests:
        answers.write(json.dumps(engine.answer(raw)) + "\n")
        answers.flush()

"""Made-up requests at every operation: none is answered with a 500, and every answer is as the document says.

``FUZZ_EXAMPLES`` is how many are made up for each operation (``make fuzz-api`` makes many); the same each time.

Schemathesis' stateful mode follows links from one operation's answer to the next one's parameters. Here all that
changes the table goes through one operation, whose next bodies stand whole in what others answer: ``Player`` walks
those instead, which reaches positions that no link could.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import Case, GenerationMode
from schemathesis.schemas import BaseSchema
from schemathesis.specs.openapi.checks import positive_data_acceptance

from companion.rules.registry import GAMES
from companion.web.api.routes import DOCUMENT
from companion.web.app import create_app
from companion.web.desk import Desk
from tests.tiny_game import TinyGame
from tests.web.api.tables import at_the_table
from tests.web.stand import open_desk

EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "15"))
SETTINGS = settings(
    max_examples=EXAMPLES,
    derandomize=True,
    deadline=None,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
ENDLESS = "listenToBell"
ORDERS = "sendCommand"
OPERATIONS = [
    pytest.param(path, method, mode, id=f"{operation['operationId']}, {mode.value}")
    for path, methods in json.loads(DOCUMENT.read_bytes())["paths"].items()
    for method, operation in methods.items()
    for mode in GenerationMode
    if operation["operationId"] != ENDLESS
    and (mode is GenerationMode.POSITIVE or operation.keys() & {"parameters", "requestBody"})
]
"""Each operation with what it takes, and where it takes anything also with what it does not."""


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    with open_desk(tmp_path_factory.mktemp("fuzzed")) as desk:
        at_the_table(desk)
        yield desk


@pytest.fixture(scope="module")
def api(desk: Desk) -> BaseSchema:
    return schemathesis.openapi.from_asgi("/api/v1/openapi.json", create_app(desk), headers={"host": "127.0.0.1"})


@pytest.mark.parametrize(("path", "method", "mode"), OPERATIONS)
def test_no_request_is_answered_but_as_the_document_says(
    api: BaseSchema, desk: Desk, path: str, method: str, mode: GenerationMode
) -> None:
    operation = api[path][method]
    may_be_refused = operation.definition.raw["operationId"] == ORDERS

    @SETTINGS
    @given(case=operation.as_strategy(generation_mode=mode))
    def ask(case: Case[Any]) -> None:
        _, token = desk.phones.let_in(host=True)
        headers = {"Host": "127.0.0.1", "Authorization": f"Bearer {token}"}
        case.call_and_validate(headers=headers, excluded_checks=[positive_data_acceptance] if may_be_refused else [])

    ask()


@pytest.mark.parametrize(("game", "seed"), [("tiny", 1), ("forbidden_island", 2)])
def test_games_played_through_the_api_are_answered_as_the_document_says(tmp_path: Path, game: str, seed: int) -> None:
    with open_desk(tmp_path, {"tiny": TinyGame(), **GAMES}) as desk:
        api = schemathesis.openapi.from_asgi("/api/v1/openapi.json", create_app(desk), headers={"host": "127.0.0.1"})
        _, token = desk.phones.let_in(host=True)
        player = Player(api, token, Random(seed))
        player.start(game, seed)
        for _ in range(EXAMPLES):
            player.act()
            player.look_at_everything()
        assert player.played > EXAMPLES / 2


class Player:
    """Someone who plays whatever is legal, picks whatever is offered, and now and then does something else."""

    def __init__(self, api: BaseSchema, token: str, chance: Random) -> None:
        self._api = api
        self._headers = {"Host": "127.0.0.1", "Authorization": f"Bearer {token}"}
        self._chance = chance
        self.sent = 0
        self.played = 0

    def start(self, name: str, seed: int) -> None:
        """Begin a game as a program would that knows nothing of it: with what it is offered by default."""
        (game,) = (each for each in self.read("/games")["games"] if each["game"]["name"] == name)
        chosen = [(choice, choice["default"]) for choice in game["choices"] if not choice["optional"]]
        setup = {choice["key"]["name"]: default[0] if choice["single"] else default for choice, default in chosen}
        self.send({"kind": "start", "game": name, "setup": {**setup, "seed": seed}})

    def act(self) -> None:
        told, menu = self.read("/legal-commands"), self.read("/menu")
        legal = told["commands"]
        if told["paused"] or not legal:
            self.send({"kind": "resume" if told["paused"] else "undo"})
            return
        options = (menu["gesture"] or menu)["options"]
        orders = [
            *({"kind": "play", "command": each["command"]} for each in self._some(legal)),
            *({"kind": "pick", "option": each["pick"]} for each in self._some(options)),
            *({"kind": kind} for kind in ("undo", "redo", "cancel", "resume", "pause") if self._chance.random() < 0.1),
            {"kind": "deal"},
        ]
        self.send(self._chance.choice(orders))

    def _some(self, offered: list[Any]) -> list[Any]:
        return self._chance.sample(offered, min(3, len(offered)))

    def send(self, order: dict[str, Any]) -> None:
        self.sent += 1
        body = {"command_id": f"player-{self.sent}", **order}
        case = self._api["/api/v1/commands"]["post"].Case(body=body, media_type="application/json")
        answer = case.call_and_validate(headers=self._headers, excluded_checks=[positive_data_acceptance])
        self.played += answer.status_code == 200

    def read(self, path: str) -> Any:
        case = self._api[f"/api/v1{path}"]["get"].Case()
        return case.call_and_validate(headers=self._headers).json()

    def look_at_everything(self) -> None:
        for path in ("", "/table", "/state", "/log", "/odds", "/history", "/devices", "/people", "/tags", "/games"):
            self.read(path)

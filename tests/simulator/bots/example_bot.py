"""A bot in thirty lines: captures and lifts off when it can, else shores up, else walks at random."""

import json
import random
import sys
from typing import Any

ORDER = ["lift_off", "capture", "swim", "discard", "give", "shore_up", "move", "fly", "navigate"]


def choose(question: Any) -> Any:
    legal = question["legal"]
    if question["may_wait"]:
        return next((command for command in legal if command["do"] == "lift_off"), {"do": "wait"})
    for kind in ORDER:
        commands = [command for command in legal if command["do"] == kind]
        if commands:
            return random.choice(commands)
    return legal[0]


def main() -> None:
    for line in sys.stdin:
        question = json.loads(line)
        random.seed(json.dumps(question["state"], sort_keys=True))
        print(json.dumps(choose(question)), flush=True)


main()

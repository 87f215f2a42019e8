"""Finding out what nobody may know: the seed, the next card, the PIN, the cookies."""

from __future__ import annotations

import json
import stat
from collections.abc import Iterable
from itertools import chain
from pathlib import Path

from companion.rules.registry import GAMES
from companion.table.dealer import Dealer
from tests.attacks.attempt import foiled
from tests.attacks.routes import every_route
from tests.attacks.target import Target

SILENT = ("/bell", "/api/v1/bell")


def read_the_seed_in_any_answer(target: Target) -> None:
    seed = target.seed
    for path in every_route():
        if path in SILENT:
            continue
        answer = target.host.get(path)
        foiled(seed not in answer.text + str(answer.headers), else_=path)
        foiled(target.companion.process.poll() is None, else_=f"{path} ended the table")


def guess_the_seed_from_what_was_dealt(target: Target) -> None:
    """The set-up depends on the seed: try those that a lazy dealer might have, and see whether one fits."""
    shown = target.table["state"]
    game = GAMES["forbidden_island"]
    request = {"players": [seat["name"] for seat in target.table["portrait"]["seats"]], "difficulty": "normal"}
    process = target.companion.process.pid
    likely: Iterable[int | str] = chain(
        range(500), range(process - 50, process + 50), ("", "None", "seed", "companion", target.origin)
    )
    for seed in likely:
        dealer = Dealer(seed)
        start = game.state_json(game.start(game.complete(request, dealer.chance)))
        foiled(start["layout"] != shown["layout"] if "layout" in start else start != shown, else_=seed)


def look_at_a_card_take_it_back_and_hope_for_another(target: Target) -> None:
    target.order("deal").raise_for_status()
    first = target.table["state"]
    for _ in range(3):
        target.order("undo").raise_for_status()
        target.order("deal").raise_for_status()
        foiled(target.table["state"] == first, else_="another card came")


def name_the_card_that_shall_be_dealt(target: Target) -> None:
    target.order("deal").raise_for_status()
    before = target.table["state"]
    due = GAMES["forbidden_island"].due(GAMES["forbidden_island"].read_state(before))
    foiled(due is not None, else_="no card is due, so that nothing was tried")
    names = dict.fromkeys(due.zone) if due else {}
    verbs = ("draw_flood", "draw_treasure")
    told = set()
    for name in names:
        answers = [target.order("play", command={"do": verb, "card": name}) for verb in verbs]
        told.add(tuple(answer.json().get("code") for answer in answers))
        foiled(not any(answer.is_success for answer in answers), else_=name)
    foiled(target.table["state"] == before, else_="a card was dealt as wished")
    foiled(len(told) == 1, else_=f"the refusals tell cards apart: {told}")


def read_secrets_in_the_log_and_the_files(target: Target) -> None:
    kept = Path(target.folder) / "state" / "phones.json"
    text = kept.read_text()
    token = str(target.host.cookies["phone"])
    foiled(token not in text, else_="phones.json holds a cookie")
    foiled(stat.S_IMODE(kept.stat().st_mode) == 0o600, else_="phones.json can be read by others")
    foiled(all("digest" in phone for phone in json.loads(text)["phones"]), else_=text)


def read_the_pin_where_it_is_not_meant_to_be(target: Target) -> None:
    pin = target.pin
    with target.stranger() as stranger:
        for path in every_route():
            if path not in SILENT:
                answer = stranger.get(path)
                foiled(pin not in answer.text and pin not in str(answer.headers), else_=path)

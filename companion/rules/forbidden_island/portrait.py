"""The position as people see it, in the generic picture of :mod:`companion.rules.portrait`."""

from __future__ import annotations

from collections.abc import Sequence

from companion.rules.decks import Deck
from companion.rules.forbidden_island import events as e
from companion.rules.forbidden_island.components import (
    CARDS_TO_CAPTURE,
    FLOOD_CARDS_AT_MARK,
    HAND_LIMIT,
    PAWN_COLOUR,
    TREASURE_CARD,
    TREASURE_OF_TILE,
    TREASURE_TILES,
    Card,
    Condition,
    Loss,
    Phase,
    Role,
    Tile,
    Tracking,
    Treasure,
    flood_cards_at,
)
from companion.rules.forbidden_island.island import cells, extent
from companion.rules.forbidden_island.state import State
from companion.rules.forbidden_island.text import NAME
from companion.rules.portrait import (
    Board,
    Cue,
    Ending,
    Goal,
    Meter,
    Phrase,
    Pile,
    Portrait,
    Result,
    Seat,
    Space,
    Tone,
    Word,
)

SKULL_LABEL = "skull"
DANGER_MARK = 8
"""The first mark that draws five cards."""

CONDITION_TONE = {Condition.DRY: Tone.PLAIN, Condition.FLOODED: Tone.WARNING, Condition.SUNK: Tone.DANGER}


def portray(state: State, recent: Sequence[e.Event]) -> Portrait:
    """The position as a generic picture."""
    tracked = state.tracking is Tracking.EVERYTHING
    return Portrait(
        turn=state.turn,
        phase=state.phase.value,
        awaited=awaited(state),
        active=state.active.value,
        steps_left=None if state.over else _steps_left(state),
        board=None if state.tracking is Tracking.CARDS else _board(state),
        meters=(_meter(state),),
        piles=(_pile("treasure", state.treasure_deck, state.treasure_discard), _flood_pile(state)),
        goals=tuple(_goal(state, treasure) for treasure in Treasure),
        seats=tuple(_seat(state, role) for role in state.players),
        pool=None if tracked else tuple(card.value for card in state.pool),
        results=tuple(results(recent)),
        ending=_ending(state),
    )


def _steps_left(state: State) -> int | None:
    if state.phase is not Phase.ACTIONS:
        return state.draws_left
    return state.actions_left if state.tracking is Tracking.EVERYTHING else None


def _say(code: str, **params: Word) -> Phrase:
    return Phrase(f"{NAME}.await.{code}", params)


def awaited(state: State) -> Phrase:
    """One sentence: what the table is waiting for."""
    if state.over:
        return _say("over")
    return _pressing(state) or _phase_awaits(state)


def _pressing(state: State) -> Phrase | None:
    """What must be done before the turn goes on, if anything."""
    if state.swimming:
        return _say("swim", players=tuple(role.value for role in state.swimming))
    if state.over_limit:
        player = state.over_limit[0]
        return _say("discard", player=player.value, n=len(state.hands[player]) - HAND_LIMIT)
    if state.asked is not None:
        return _say("settle", tile=state.asked.value)
    if not state.treasure_deck and state.phase is Phase.TREASURE and state.tracking is not Tracking.EVERYTHING:
        return _say("reshuffle")
    return None


def _phase_awaits(state: State) -> Phrase:
    if state.phase is Phase.ACTIONS and state.tracking is not Tracking.EVERYTHING:
        return _say("free_actions", player=state.active.value)
    left = state.actions_left if state.phase is Phase.ACTIONS else state.draws_left
    return _say(state.phase.value, player=state.active.value, n=left)


def _board(state: State) -> Board:
    rows, columns = extent(state.island.shape)
    places = zip(cells(state.island.shape), state.island.layout, strict=True)
    return Board(rows, columns, tuple(_space(state, tile, row, column) for (row, column), tile in places))


def _space(state: State, tile: Tile, row: int, column: int) -> Space:
    condition = state.tiles[tile]
    treasure = TREASURE_OF_TILE.get(tile)
    return Space(
        name=tile.value,
        row=row,
        column=column,
        condition=condition.value,
        tone=CONDITION_TONE[condition],
        gone=condition is Condition.SUNK,
        pawns=tuple(role.value for role in state.on(tile)),
        badge=treasure.value if treasure else "landing" if tile is Tile.FOOLS_LANDING else None,
    )


def _meter(state: State) -> Meter:
    marks = (*map(str, FLOOD_CARDS_AT_MARK), SKULL_LABEL)
    return Meter("water", marks, state.water - 1, DANGER_MARK - 1, flood_cards_at(state.water) or None)


def _pile(name: str, deck: Deck, discard: tuple[str, ...], removed: tuple[str, ...] = ()) -> Pile:
    return Pile(name, tuple(map(len, deck.zones)), tuple(map(str, discard)), tuple(map(str, removed)))


def _flood_pile(state: State) -> Pile:
    return _pile("flood", state.flood_deck, state.flood_discard, state.flood_removed)


def _goal(state: State, treasure: Treasure) -> Goal:
    card = TREASURE_CARD[treasure]
    most = max((hand.count(card) for hand in (*state.hands.values(), state.pool)), default=0)
    return Goal(treasure.value, treasure in state.captured, min(most, CARDS_TO_CAPTURE), CARDS_TO_CAPTURE)


def _seat(state: State, role: Role) -> Seat:
    return Seat(
        name=role.value,
        colour=PAWN_COLOUR[role],
        active=role is state.active and not state.over,
        cards=_cards(state, role),
        limit=HAND_LIMIT if state.tracking is Tracking.EVERYTHING else None,
        place=state.pawns[role].value if role in state.pawns else None,
        alert=_alert(state, role),
    )


def _cards(state: State, role: Role) -> tuple[str, ...] | None:
    """The open hand; with reduced tracking only the cards of the set-up, until the first turn's cards are dealt."""
    if state.tracking is Tracking.EVERYTHING:
        return tuple(card.value for card in state.hands[role])
    if state.turn == 1 and state.phase is Phase.ACTIONS:
        return tuple(card.value for card in state.dealt[role])
    return None


def _alert(state: State, role: Role) -> Phrase | None:
    if role in state.swimming:
        return _say("swim", players=(role.value,))
    if role in state.over_limit:
        return _say("discard", player=role.value, n=len(state.hands[role]) - HAND_LIMIT)
    return None


def results(recent: Sequence[e.Event]) -> tuple[Result, ...]:
    """Each card drawn among these events with what came of it, in the order of drawing."""
    told: dict[tuple[str, int], Result] = {}
    latest: dict[Tile, tuple[str, int]] = {}
    for number, event in enumerate(recent):
        match event:
            case e.TreasureCardDrawn(player, card):
                told["treasure", number] = _treasure_result(player, card)
            case e.FloodCardDrawn(tile):
                latest[tile] = ("flood", number)
            case e.TileFlooded(tile) | e.TileWasShoredUp(tile):
                told[latest.get(tile, ("flood", number))] = Result("flood", tile.value, "flooded", Tone.WARNING)
            case e.TileSank(tile):
                told[latest.get(tile, ("flood", number))] = Result(
                    "flood", tile.value, "sank", Tone.DANGER, cue=Cue.LOSS
                )
            case e.TileAsked(tile):
                told[latest.get(tile, ("flood", number))] = Result("flood", tile.value, "asked", Tone.WARNING)
            case _:
                continue
    return tuple(told.values())


def _treasure_result(player: Role, card: Card) -> Result:
    if card is Card.WATERS_RISE:
        return Result("treasure", card.value, "rise", Tone.DANGER, player.value, Cue.ALARM)
    return Result("treasure", card.value, "drawn", Tone.PLAIN, player.value)


def _ending(state: State) -> Ending | None:
    if not state.over:
        return None
    return Ending(state.phase is Phase.WON, Phrase(f"{NAME}.ending.{state.lost_by or 'won'}", _lost_treasure(state)))


def _lost_treasure(state: State) -> dict[str, Word]:
    """The treasure that sank, where that lost the game."""
    sunk = (
        treasure.value
        for treasure, tiles in TREASURE_TILES.items()
        if treasure not in state.captured and not any(map(state.stands, tiles))
    )
    return {"treasure": next(sunk)} if state.lost_by is Loss.TREASURE_SANK else {}

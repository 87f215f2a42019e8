"""What other programs may read."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated

from fastapi import Path, Request
from starlette.responses import Response

from companion import __version__
from companion.i18n import LANGUAGES
from companion.rules.game import Refused
from companion.web.acting import people_of
from companion.web.api import beside, shapes
from companion.web.api.answers import Answers, Fault
from companion.web.api.documented import HEARING, KNOWN, PRIVATE
from companion.web.api.operations import Operations
from companion.web.api.telling import Telling, state
from companion.web.bell import event_stream
from companion.web.entrance import Caller, HostOnly
from companion.web.orders import GREATEST
from companion.web.pages import Pages, wish
from companion.web.templating import BOARDS, SIZES, THEMES

GameNumber = Annotated[int, Path(ge=0, le=GREATEST, description="The game's number in the history.", examples=[7])]


def add_reading(operations: Operations, pages: Pages, answers: Answers) -> None:
    """All reading operations."""
    _add_companion(operations, pages, answers)
    _add_play(operations, pages, answers)
    _add_history(operations, pages, answers)
    _add_surroundings(operations, pages, answers)
    _add_bell(operations, pages)


def _add_companion(operations: Operations, pages: Pages, answers: Answers) -> None:
    desk, under = pages.desk, operations.under("companion")

    @under.get("", "getCompanion", beside.Companion)
    async def companion(request: Request) -> Response:
        """Who answers here."""
        caller, revision = pages.caller(request), desk.session.snapshot.revision

        def told() -> beside.Companion:
            return beside.Companion(
                version=__version__,
                build=pages.assets.version,
                revision=revision,
                role=caller.role.value,
                seats=sorted(caller.seats),
                games=list(desk.games),
                languages=list(LANGUAGES),
            )

        return answers.give(request, (revision, caller.role, caller.seats), told)

    @under.get("/games", "getGames", beside.Games)
    async def games(request: Request) -> Response:
        """The games that can be started, and what each asks before.

        Answer the choices in the ``setup`` of a ``start``; it may also hold ``decks`` (``companion`` or ``table``) and
        a ``seed``.
        """
        return answers.give(request, None, lambda: _tell(pages, request).games(desk.games.values()))

    @under.get("/preferences", "getPreferences", beside.Preferences)
    async def preferences(request: Request) -> Response:
        """How this browser is answered."""
        looks = (("theme", THEMES), ("board", BOARDS), ("size", SIZES))
        theme, board, size = (wish(request, name, offered) for name, offered in looks)

        def told() -> beside.Preferences:
            return beside.Preferences(
                language=pages.words(request).translator.language,
                languages=list(LANGUAGES),
                theme=theme,
                themes=list(THEMES),
                board=board,
                boards=list(BOARDS),
                size=size,
                sizes=list(SIZES),
            )

        return answers.give(request, (theme, board, size), told)


def _add_play(operations: Operations, pages: Pages, answers: Answers) -> None:
    session, under = pages.desk.session, operations.under("table")

    @under.get("/table", "getTable", shapes.Table)
    async def table(request: Request) -> Response:
        """The live table as anyone in the room may see it."""
        snapshot = session.snapshot
        return answers.give(request, snapshot.revision, lambda: _tell(pages, request).table(snapshot))

    @under.get("/state", "getState", shapes.State)
    async def position(request: Request) -> Response:
        """The position in the engine's protocol."""
        snapshot = session.snapshot
        return answers.give(request, snapshot.revision, lambda: state(snapshot))

    @under.get("/legal-commands", "getLegalCommands", shapes.LegalCommands)
    async def legal(request: Request) -> Response:
        """Every command that the rules allow now."""
        snapshot = session.snapshot
        return answers.give(request, snapshot.revision, lambda: _tell(pages, request).legal(snapshot))

    @under.get("/menu", "getMenu", shapes.Menu)
    async def menu(request: Request) -> Response:
        """What can be picked next, step by step."""
        snapshot = session.snapshot
        return answers.give(request, snapshot.revision, lambda: _tell(pages, request).menu(snapshot, session.menu()))

    @under.get("/log", "getLog", shapes.Log)
    async def log(request: Request) -> Response:
        """The story of the game on the table."""
        snapshot = session.snapshot
        return answers.give(request, snapshot.revision, lambda: _tell(pages, request).log(snapshot))

    @under.get("/odds", "getOdds", beside.Odds)
    async def odds(request: Request) -> Response:
        """The rest of this turn in chances, for those who count cards.

        Exact, from what everyone at the table could know. A table that finds this too much help has it switched off.
        """
        snapshot, granted = session.snapshot, pages.desk.odds.granted
        seated = snapshot.seated if granted else None
        told = _tell(pages, request)
        return answers.give(
            request,
            (snapshot.revision, granted),
            lambda: told.odds(snapshot, seated.game.odds(seated.state) if seated else None),
        )


def _add_history(operations: Operations, pages: Pages, answers: Answers) -> None:
    session, under = pages.desk.session, operations.under("history")

    @under.get("/history", "getHistory", beside.History)
    async def history(request: Request) -> Response:
        """All games ever started."""
        snapshot = session.snapshot
        told = _tell(pages, request)
        return answers.give(request, snapshot.revision, lambda: told.history(snapshot, session.history()))

    @under.get("/history/{game_id}", "getPastGame", beside.PastLog, KNOWN)
    async def past_game(request: Request, game_id: GameNumber) -> Response:
        """One game of the history with its story."""
        snapshot = session.snapshot

        def told() -> beside.PastLog:
            past = next((game for game in session.history() if game.id == game_id), None)
            if past is None:
                raise Refused("no_such_game", id=game_id)
            return _tell(pages, request).past(snapshot, past, session.log_of(game_id))

        try:
            return answers.give(request, snapshot.revision, told)
        except Refused as refused:
            raise Fault(HTTPStatus.NOT_FOUND, "web.error.not_found") from refused


def _add_surroundings(operations: Operations, pages: Pages, answers: Answers) -> None:
    desk, under = pages.desk, operations.under("devices")

    @under.get("/devices", "getDevices", beside.Devices)
    async def devices(request: Request) -> Response:
        """The devices and how they are."""
        snapshot, standing = desk.session.snapshot, desk.panel_standing()
        shown = (standing.wanted, standing.shown, standing.ok, repr(standing.advice)) if standing else None
        return answers.give(
            request, (snapshot.revision, shown), lambda: _tell(pages, request).devices(snapshot, standing)
        )

    @under.get("/tags", "getTags", beside.Tags, PRIVATE)
    async def tags(request: Request) -> Response:
        """The tags that were taught. Only for hosts."""
        if not known_caller(pages, request).hosts:
            raise HostOnly
        snapshot, session = desk.session.snapshot, desk.session
        told = _tell(pages, request)
        return answers.give(
            request,
            snapshot.revision,
            lambda: told.tags(snapshot, session.taught().items(), session.last_tag),
        )

    @under.get("/people", "getPeople", beside.People, PRIVATE)
    async def at_the_table(request: Request) -> Response:
        """Who is at the table: seats, and phones that were let in. Only for those who were let in."""
        caller, snapshot = known_caller(pages, request), desk.session.snapshot
        told = _tell(pages, request).people(snapshot, people_of(pages, caller))
        return answers.give(request, told.model_dump_json(), lambda: told)


def _add_bell(operations: Operations, pages: Pages) -> None:
    under = operations.under("table")

    @under.send("GET", "/bell", "listenToBell", HEARING)
    async def bell() -> Response:
        """Hear of every change.

        A stream of server-sent events that never ends: fetch what you show whenever it rings.
        """
        return event_stream(pages.desk.bell, pages.rung)

    @operations.router.head("/bell", include_in_schema=False)
    async def bell_head() -> Response:
        return Response(media_type="text/event-stream")


def known_caller(pages: Pages, request: Request) -> Caller:
    """Who asks. Raises Fault for a watcher."""
    caller = pages.caller(request)
    if not caller.may_act:
        raise Fault(HTTPStatus.UNAUTHORIZED, "web.error.unpaired")
    return caller


def _tell(pages: Pages, request: Request) -> Telling:
    return Telling(pages.words(request))

"""What the table publishes, told in the shapes of version 1 and in the asker's language."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from companion.ports import Advice, DeviceStatus
from companion.rules import portrait as pictures
from companion.rules.game import AnyGame, Choice, JsonObject, Thing
from companion.rules.odds import Fate, Odds, Prospect
from companion.rules.portrait import Phrase
from companion.table import snapshot as published
from companion.table.meaning import Meaning, label_of
from companion.table.snapshot import Seated, Snapshot
from companion.views.people import People
from companion.views.table import table_view
from companion.web.api import beside, shapes
from companion.web.api.shapes import Named
from companion.web.desk import PanelStanding
from companion.web.words import Words

MINUTE = 60.0


class Telling:
    """Tells in one language."""

    def __init__(self, words: Words) -> None:
        self._words = words

    # -- words
    def sentence(self, phrase: Phrase) -> shapes.Sentence:
        """A phrase with its words."""
        params = {key: self._param(word) for key, word in phrase.params.items()}
        return shapes.Sentence(code=phrase.code, params=params, text=self._words.say(phrase))

    def _param(self, word: pictures.Word) -> shapes.Word:
        if isinstance(word, Phrase):
            return self.sentence(word)
        return list(word) if isinstance(word, tuple) else word

    def _sentences(self, phrases: Iterable[Phrase]) -> list[shapes.Sentence]:
        return [self.sentence(phrase) for phrase in phrases]

    def _maybe(self, phrase: Phrase | None) -> shapes.Sentence | None:
        return None if phrase is None else self.sentence(phrase)

    def _named(self, name: str) -> Named:
        return Named(name=name, label=self._words.name(name))

    def _all_named(self, names: Iterable[str]) -> list[Named]:
        return [self._named(name) for name in names]

    def _maybe_named(self, name: str | None) -> Named | None:
        return None if name is None else self._named(name)

    def _titled(self, family: str, name: str) -> Named:
        return Named(name=name, label=self._words.titled(family, name))

    def _advice(self, advice: Advice | None) -> shapes.Sentence | None:
        return None if advice is None else self.sentence(Phrase(advice.code, advice.params))

    # -- the table
    def table(self, snapshot: Snapshot) -> shapes.Table:
        """The live table."""
        view, seated = table_view(snapshot), snapshot.seated
        return shapes.Table(
            revision=view.revision,
            game=self._maybe_named(view.game),
            game_id=_id(seated),
            paused=view.paused,
            can_undo=bool(seated and seated.can_undo),
            can_redo=bool(seated and seated.can_redo),
            awaited=self.sentence(view.awaited),
            told=self._sentences(view.told),
            position=self._position(view.portrait) if view.portrait else None,
            gesture=self._gesture(view.gesture),
            notice=self._notice(view.notice),
            unsaved=self.sentence(snapshot.unsaved.phrase) if snapshot.unsaved else None,
            devices=[self._device(status) for status in snapshot.devices],
        )

    def _position(self, portrait: pictures.Portrait) -> shapes.Position:
        return shapes.Position(
            turn=portrait.turn,
            phase=self._titled("phase", portrait.phase),
            active=self._maybe_named(portrait.active),
            steps_left=portrait.steps_left,
            board=self._board(portrait.board) if portrait.board else None,
            meters=[self._meter(meter) for meter in portrait.meters],
            piles=[self._pile(pile) for pile in portrait.piles],
            goals=[self._goal(goal) for goal in portrait.goals],
            seats=[self._seat(seat) for seat in portrait.seats],
            pool=None if portrait.pool is None else self._all_named(portrait.pool),
            results=[self._result(result) for result in portrait.results],
            ending=self._ending(portrait.ending) if portrait.ending else None,
        )

    def _board(self, board: pictures.Board) -> shapes.Board:
        return shapes.Board(rows=board.rows, columns=board.columns, spaces=[self._space(each) for each in board.spaces])

    def _space(self, space: pictures.Space) -> shapes.Space:
        return shapes.Space(
            place=self._named(space.name),
            row=space.row,
            column=space.column,
            condition=self._titled("condition", space.condition),
            tone=space.tone.value,
            gone=space.gone,
            pawns=self._all_named(space.pawns),
            badge=self._maybe_named(space.badge),
        )

    def _meter(self, meter: pictures.Meter) -> shapes.Meter:
        return shapes.Meter(
            meter=self._titled("meter", meter.name),
            marks=list(meter.marks),
            at=meter.at,
            danger=meter.danger,
            alarming=meter.at >= meter.danger,
            reading=meter.reading,
        )

    def _pile(self, pile: pictures.Pile) -> shapes.Pile:
        return shapes.Pile(
            pile=self._titled("pile", pile.name),
            left=pile.left,
            zones=list(pile.zones),
            discard=self._all_named(pile.discard),
            removed=self._all_named(pile.removed),
        )

    def _goal(self, goal: pictures.Goal) -> shapes.Goal:
        return shapes.Goal(
            goal=self._named(goal.name), reached=goal.reached, progress=goal.progress, needed=goal.needed
        )

    def _seat(self, seat: pictures.Seat) -> shapes.Seat:
        return shapes.Seat(
            seat=self._named(seat.name),
            colour=seat.colour,
            active=seat.active,
            cards=None if seat.cards is None else self._all_named(seat.cards),
            limit=seat.limit,
            place=self._maybe_named(seat.place),
            alert=self._maybe(seat.alert),
        )

    def _result(self, result: pictures.Result) -> shapes.Result:
        return shapes.Result(
            pile=self._titled("pile", result.group),
            card=self._named(result.card),
            effect=self._titled("effect", result.effect),
            tone=result.tone.value,
            seat=self._maybe_named(result.seat),
        )

    def _ending(self, ending: pictures.Ending) -> shapes.Ending:
        return shapes.Ending(won=ending.won, reason=self.sentence(ending.reason))

    def _notice(self, notice: published.Notice | None) -> shapes.Notice | None:
        if notice is None:
            return None
        sentence = self.sentence(notice.phrase)
        return shapes.Notice(revision=notice.revision, tone=notice.tone.value, sentence=sentence)

    # -- what can be done
    def legal(self, snapshot: Snapshot) -> shapes.LegalCommands:
        """Every legal command with its words."""
        seated = snapshot.seated
        commands = _legal(seated) if seated else ()
        told = [shapes.LegalCommand(command=dict(command), label=self.sentence(phrase)) for command, phrase in commands]
        return shapes.LegalCommands(revision=snapshot.revision, paused=snapshot.paused, commands=told)

    def menu(self, snapshot: Snapshot, menu: Sequence[published.Option]) -> shapes.Menu:
        """The menu, and the gesture that is open."""
        gesture = self._gesture(snapshot.gesture)
        return shapes.Menu(revision=snapshot.revision, options=self._options(menu), gesture=gesture)

    def _options(self, options: Sequence[published.Option]) -> list[shapes.Option]:
        return [shapes.Option(pick=option.pick, label=self.sentence(option.label)) for option in options]

    def _gesture(self, gesture: published.Gesture | None) -> shapes.Gesture | None:
        if gesture is None:
            return None
        things = [self._thing(thing) for thing in gesture.things]
        options = self._options(gesture.options)
        return shapes.Gesture(verb=gesture.verb, things=things, options=options, cursor=gesture.cursor)

    def _thing(self, thing: Thing) -> shapes.Thing:
        return shapes.Thing(kind=thing.kind, name=thing.name, label=self._words.name(thing.name))

    # -- what happened
    def log(self, snapshot: Snapshot) -> shapes.Log:
        """The story of the game on the table."""
        seated = snapshot.seated
        lines = self._lines(seated.log) if seated else []
        return shapes.Log(revision=snapshot.revision, game_id=_id(seated), lines=lines)

    def _lines(self, lines: Sequence[published.LogLine]) -> list[shapes.LogLine]:
        return [
            shapes.LogLine(
                number=line.number,
                turn=line.turn,
                sentences=self._sentences(line.sentences),
                retracted=line.retracted,
            )
            for line in lines
        ]

    def history(self, snapshot: Snapshot, past: Sequence[published.PastGame]) -> beside.History:
        """All games ever started."""
        on_table = _id(snapshot.seated)
        return beside.History(revision=snapshot.revision, games=[self._past(game, on_table) for game in past])

    def past(self, snapshot: Snapshot, game: published.PastGame, log: Sequence[published.LogLine]) -> beside.PastLog:
        """One game with its story."""
        return beside.PastLog(game=self._past(game, _id(snapshot.seated)), lines=self._lines(log))

    def _past(self, game: published.PastGame, on_table: int | None) -> beside.PastGame:
        outcome = game.outcome
        return beside.PastGame(
            id=game.id,
            game=self._named(game.game),
            setup=dict(game.setup),
            started_at=game.started_at,
            turns=game.turns,
            outcome=None if outcome is None else beside.Outcome(won=outcome.won, reason=outcome.reason),
            on_table=game.id == on_table,
        )

    def odds(self, snapshot: Snapshot, odds: Odds | None) -> beside.Odds:
        """The rest of this turn in chances; None where nobody shall see them."""
        return beside.Odds(revision=snapshot.revision, odds=self._odds(odds, snapshot) if odds else None)

    def _odds(self, odds: Odds, snapshot: Snapshot) -> beside.OddsOfTurn:
        game = snapshot.seated.game.name if snapshot.seated else ""
        alarms = [
            beside.Alarm(
                alarm=self.sentence(Phrase(f"{game}.odds.{alarm.code}")),
                tone=alarm.tone.value,
                chance=str(alarm.chance),
            )
            for alarm in odds.alarms
        ]
        risks = [
            beside.Risk(place=self._named(risk.name), fates=[self._fate(fate) for fate in risk.fates])
            for risk in odds.risks
        ]
        return beside.OddsOfTurn(
            prospects=[self._prospect(each) for each in odds.prospects], risks=risks, alarms=alarms
        )

    def _prospect(self, prospect: Prospect) -> beside.Prospect:
        cards = [
            beside.NextCard(card=self._named(card.card), n=card.n, chance=str(card.chance)) for card in prospect.cards
        ]
        return beside.Prospect(pile=self._titled("pile", prospect.pile), draws=prospect.draws, cards=cards)

    def _fate(self, fate: Fate) -> beside.Fate:
        return beside.Fate(effect=self._titled("effect", fate.effect), tone=fate.tone.value, chance=str(fate.chance))

    # -- what stands around
    def devices(self, snapshot: Snapshot, standing: PanelStanding | None) -> beside.Devices:
        """All devices."""
        devices = [self._device(status) for status in snapshot.devices]
        panel = self._standing(standing) if standing else None
        return beside.Devices(revision=snapshot.revision, devices=devices, panel=panel)

    def _device(self, status: DeviceStatus) -> shapes.Device:
        return shapes.Device(device=status.device, state=status.state.value, advice=self._advice(status.advice))

    def _standing(self, standing: PanelStanding) -> beside.PanelStanding:
        return beside.PanelStanding(
            wanted=standing.wanted,
            shown=standing.shown,
            behind=standing.behind,
            takes=standing.takes,
            resting=standing.resting,
            ok=standing.ok,
            advice=self._advice(standing.advice),
        )

    def people(self, snapshot: Snapshot, known: People) -> beside.People:
        """Who is at the table."""
        seats = [
            beside.HeldSeat(seat=self._named(seat.name), holders=[guest.number for guest in seat.holders])
            for seat in known.seats
        ]
        guests = [
            beside.Guest(
                phone=guest.number,
                name=guest.name,
                host=guest.host,
                away=int(guest.away // MINUTE),
                me=guest == known.me,
            )
            for guest in known.guests
        ]
        return beside.People(revision=snapshot.revision, seats=seats, phones=guests)

    def tags(self, snapshot: Snapshot, known: Iterable[tuple[str, Meaning]], last: str | None) -> beside.Tags:
        """The tags that were taught."""
        tags = [
            beside.Tag(tag=tag, meaning=str(meaning), label=self._words.say(label_of(meaning)))
            for tag, meaning in sorted(known, key=lambda each: each[0])
        ]
        return beside.Tags(revision=snapshot.revision, last_tag=last, tags=tags)

    def games(self, known: Iterable[AnyGame]) -> beside.Games:
        """The games that can be started."""
        return beside.Games(games=[self._game(game) for game in known])

    def _game(self, game: AnyGame) -> beside.Game:
        pieces = [
            beside.Pieces(kind=self._titled("name.kind", tagged.kind), things=self._all_named(tagged.names))
            for tagged in game.tagged()
        ]
        choices = [self._choice(choice) for choice in game.choices()]
        return beside.Game(game=self._named(game.name), choices=choices, pieces=pieces)

    def _choice(self, choice: Choice) -> beside.Choice:
        options = [Named(name=option, label=self._words.option(choice.key, option)) for option in choice.options]
        return beside.Choice(
            key=self._titled("choice", choice.key),
            options=options,
            default=list(choice.default),
            least=choice.least,
            most=choice.most,
            ordered=choice.ordered,
            optional=choice.optional,
            single=choice.single,
        )


def state(snapshot: Snapshot) -> shapes.State:
    """The position in the engine's protocol; the same in every language."""
    seated = snapshot.seated
    return shapes.State(
        revision=snapshot.revision,
        game=seated.game.name if seated else None,
        game_id=_id(seated),
        state=seated.game.state_json(seated.state) if seated else None,
    )


def _id(seated: Seated | None) -> int | None:
    return seated.id if seated else None


def _legal(seated: Seated) -> tuple[tuple[JsonObject, Phrase], ...]:
    game, state = seated.game, seated.state
    return tuple((game.command_json(command), game.word(command)) for command in game.legal(state))

"""Looking back on a match: all its plays, its files, and the proof of its dice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from flask import Response, abort, current_app, render_template
from flask.typing import ResponseReturnValue

from bgmail.dice import verify
from bgmail.ledger.entry import Entry
from bgmail.ledger.film import Told
from bgmail.phrases import Line, instant, score_line, stage, story
from bgmail.phrases.translate import gettext as _
from bgmail.phrases.words import Names
from bgmail.service import exports, films, matches
from bgmail.service.views import MatchView
from bgmail.timing import from_microseconds
from bgmail.web.match_pages import blueprint, found
from bgmail.web.reader import reader
from bgmail.web.scene import names_of
from bgmail.world import world


@dataclass(slots=True)
class Row:
    """A row of a game's sheet: White's line, then Black's; or one line across."""

    white: Line | None = None
    black: Line | None = None
    across: Line | None = None


@dataclass(slots=True)
class Game:
    """One game as a sheet: its number (0 = before the first), when it began, and its rows."""

    number: int
    began: str
    rows: list[Row] = field(default_factory=list)

    def add(self, line: Line, seat: str | None) -> None:
        """White opens a row, Black completes it."""
        if seat is None:
            self.rows.append(Row(across=line))
        elif seat == "white":
            self.rows.append(Row(white=line))
        elif self.rows and self.rows[-1].white and not self.rows[-1].black:
            self.rows[-1].black = line
        else:
            self.rows.append(Row(black=line))


@dataclass(frozen=True, slots=True)
class Sealed:
    """The dice of one game: what was committed to, and the secret once it is published."""

    game: int
    commitment: str
    secret: str
    rolls: int


@blueprint.get("/log")
def log(match_id: str) -> ResponseReturnValue:
    """All plays, game by game."""
    view = found(match_id)
    names = names_of(view, view.side_of(reader().account_id))
    return render_template(
        "match/log.html",
        view=view,
        names=names,
        stage=stage(view.match),
        score=score_line(view.match, names),
        games=_games(films.told(world().store, view.id), names),
    )


@blueprint.get("/dice")
def dice(match_id: str) -> ResponseReturnValue:
    """How the dice of this match were made, what was promised and published, and a check in the browser."""
    view, entries, names = _opened(match_id)
    return render_template(
        "match/dice.html",
        view=view,
        names=names,
        sealed=_sealed(entries),
        verdict=verify(entries),
        words=_verifier_words(),
    )


@blueprint.get("/export.<kind>")
def export(match_id: str, kind: str) -> ResponseReturnValue:
    """The match as a file."""
    view = found(match_id)
    store = world().store
    if kind == "mat":
        return _file(exports.export_mat(store, view.id), "text/plain; charset=utf-8", view, kind)
    if kind != "json":
        abort(404, _("There are two files of a match: .mat and .json."))
    return _file(current_app.json.dumps(exports.export_json(store, view.id)), "application/json", view, kind)


def _file(content: str, kind: str, view: MatchView, ending: str) -> Response:
    response = Response(content, content_type=kind)
    response.headers["Content-Disposition"] = f'attachment; filename="bgmail-{view.id}.{ending}"'
    return response


def _opened(match_id: str) -> tuple[MatchView, list[Entry], Names]:
    view = found(match_id)
    entries = matches.log(world().store, view.id)
    return view, entries, names_of(view, view.side_of(reader().account_id))


def _games(entries: Sequence[Told], names: Names) -> list[Game]:
    """The story cut at the beginnings of games; what comes before the first one is game 0."""
    zone, now = reader().zone, world().now()
    about = {entry.seq: (entry, game) for entry, game in zip(entries, _numbers(entries), strict=True)}
    games: list[Game] = []
    for line in story(entries, names, whole=True):
        entry, number = about[line.seq]
        if not games or games[-1].number != number:
            games.append(Game(number, instant(from_microseconds(line.at), zone, now)))
        games[-1].add(line, entry.seat)
    return games


def _numbers(entries: Sequence[Told]) -> list[int]:
    """The game that each entry belongs to: a game begins with its opening roll."""
    game, found_games = 0, []
    for entry in entries:
        if entry.kind == "opening_roll":
            game = entry.data["game"]
        found_games.append(game)
    return found_games


def _sealed(entries: Sequence[Entry]) -> list[Sealed]:
    commitments: dict[int, str] = {}
    secrets: dict[int, str] = {}
    for entry in entries:
        if entry.kind == "commit":
            commitments[entry.data["game"]] = entry.data["commitment"]
            secrets.pop(entry.data["game"], None)  # a restored match is sealed anew
        elif entry.kind == "reveal":
            secrets[entry.data["game"]] = entry.data["secret"]
    rolls = [entry.data["game"] for entry in entries if entry.kind in ("roll", "opening_roll")]
    return [
        Sealed(game, commitment, secrets.get(game, ""), rolls.count(game))
        for game, commitment in sorted(commitments.items())
    ]


def _verifier_words() -> dict[str, str]:
    return {
        "working": _("Checking…"),
        "good": _("All is well: {rolls} rolls checked, each is what the sealed secret and your nonces make."),
        "chain": _("All {entries} entries of the log follow each other without a gap."),
        "open": _("Game {game} is still sealed: {rolls} of its rolls can be checked when it ends."),
        "fault": _("Entry {seq}: {what}"),
        "bad_hash": _("its hash isn't that of its text"),
        "bad_link": _("it does not follow the entry before it"),
        "bad_secret": _("the secret isn't the one that was sealed"),
        "bad_roll": _("this roll should be {dice}"),
        "bad_number": _("it isn't numbered as the next roll of its game"),
        "bad_nonce": _("it carries a nonce, but isn't an action of a player"),
        "unsealed": _("its game was never sealed"),
        "unguarded": _("no player acted between the sealing of its game and this first roll"),
        "missing": _("the secret of game {game} was never published"),
        "failed": _("The check could not be made: the match could not be loaded."),
        "imported": _("Dice of an imported match came from outside: nothing is promised about them."),
    }

"""Leagues, and knockouts of which there is always one to enter: seen, joined, left, begun and ended."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from flask import Blueprint, flash, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from bgmail import timing
from bgmail.phrases import time_control
from bgmail.phrases.people import called
from bgmail.phrases.times import day
from bgmail.phrases.translate import gettext as _
from bgmail.phrases.translate import ngettext
from bgmail.service.errors import NotFound, Refused
from bgmail.service.tournaments import series
from bgmail.service.tournaments.series import Founding, Kind, Series
from bgmail.service.tournaments.views import EntryState, State
from bgmail.web.explained import told
from bgmail.web.guard import signed_in
from bgmail.web.reader import zone_of
from bgmail.web.tournaments.frame import state_name
from bgmail.web.tournaments.terms import match_conditions
from bgmail.world import world

blueprint = Blueprint("series", __name__, url_prefix="/leagues")
LENGTHS = (1, 3, 5, 7, 9, 11, 13, 15, 17, 21, 25)
FIRST = {
    "kind": "league",
    "name": "",
    "length": "7",
    "time": "move-a-day",
    "size": "8",
    "moves": "2",
    "least": "4",
}
MOST_DIGITS = 4


@dataclass(frozen=True, slots=True)
class Card:
    """One series in the list."""

    id: int
    name: str
    says: str
    season: str
    over: bool


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a division. `way` is "up", "down" or ""."""

    rank: str
    handle: str
    linked: bool
    played: int
    won: int
    lost: int
    way: str
    mine: bool


@dataclass(frozen=True, slots=True)
class Division:
    """One division of the season that runs, or ran last."""

    id: str
    heading: str
    state: str
    lines: list[Line]


@dataclass(frozen=True, slots=True)
class Past:
    """One tournament of the series."""

    id: str
    name: str
    state: str
    day: str


@blueprint.get("")
def index() -> str:
    """All of them, those that go on first."""
    found = series.listed(world().store)
    return render_template("leagues/index.html", here="tournaments", cards=[_card(one) for one in found])


@blueprint.route("/new", methods=["GET", "POST"])
@signed_in
def new() -> ResponseReturnValue:
    """Begin one."""
    if request.method == "GET":
        return _form(FIRST)
    try:
        made = series.create(world().store, g.account.id, _wish(request.form), world().now())
    except Refused as error:
        return _form(request.form, str(told(error))), 422
    flash(_("It goes on by itself from now on."))
    return redirect(url_for("series.show", series_id=made.id), 303)


@blueprint.get("/<int:series_id>")
def show(series_id: int) -> str:
    """One of them: the season that runs, its conditions, and how to join."""
    return _page(_found(series_id))


@blueprint.post("/<int:series_id>/join")
@signed_in
def join(series_id: int) -> ResponseReturnValue:
    """Play from the next season on."""
    found, fields = _found(series_id), request.form
    if "agreed" not in fields:
        return _page(found, _("Read the conditions, and say that you accept them. Nothing was changed.")), 422
    try:
        series.join(
            world().store,
            found.id,
            g.account.id,
            fields.get("conditions", ""),
            world().now(),
            fair_play="fair_play" in fields,
        )
    except Refused as error:
        return _page(found, str(told(error))), 422
    flash(_("You play from the next season on, and every season after it until you leave."))
    return redirect(url_for("series.show", series_id=found.id), 303)


@blueprint.post("/<int:series_id>/leave")
@signed_in
def leave(series_id: int) -> ResponseReturnValue:
    """Play no other season."""
    found = _found(series_id)
    series.leave(world().store, found.id, g.account.id, world().now())
    flash(_("You play no other season. The one that runs goes on to its end."))
    return redirect(url_for("series.show", series_id=found.id), 303)


@blueprint.post("/<int:series_id>/end")
@signed_in
def end(series_id: int) -> ResponseReturnValue:
    """Let no other season begin."""
    found = _found(series_id)
    if "sure" not in request.form:
        flash(_("Tick that you are sure. Nothing was changed."), "error")
    else:
        series.end(world().store, found.id, g.account.id, world().now())
        flash(_("No other season begins."))
    return redirect(url_for("series.show", series_id=found.id), 303)


def _found(series_id: int) -> Series:
    if series_id >= 2**31:
        raise NotFound("no_series")
    return series.load(world().store, series_id)


def _page(found: Series, wrong: str = "") -> str:
    store, reader = world().store, g.account
    held = series.held(store, found.id)
    inside = reader is not None and found.is_league and series.is_member(store, found.id, reader.id)
    fresh = [
        one.handle for one in series.members(store, found.id) if one.played < found.season or not found.season
    ]
    return render_template(
        "leagues/show.html",
        here="tournaments",
        series=found,
        says=_says(found),
        season=_season(found),
        how=_how(found),
        divisions=_divisions(found),
        newcomers=fresh,
        open_one=next((one for one in held if one.state is State.OPEN), None),
        past=[_past(one) for one in held if one.season < found.season or not found.is_league],
        match_terms=match_conditions(found),
        inside=inside,
        may_join=found.is_league and found.ended_at is None and not inside,
        may_end=found.ended_at is None
        and reader is not None
        and (reader.is_staff or reader.id == found.creator_id),
        wrong=wrong,
    )


def _card(found: Series) -> Card:
    return Card(found.id, found.name, _says(found), _season(found), found.ended_at is not None)


def _says(found: Series) -> str:
    if found.is_league:
        return ngettext("League, %(num)s member", "League, %(num)s members", found.members)
    return ngettext(
        "Knockout of %(num)s, always one open", "Knockout of %(num)s, always one open", found.size
    )


def _season(found: Series) -> str:
    if found.ended_at is not None:
        return _("ended %(day)s", day=day(found.ended_at, zone_of(g.account)))
    if found.season:
        return _("season %(number)s", number=found.season) if found.is_league else ""
    missing = found.least - found.members
    if found.is_league and missing > 0:
        return ngettext(
            "begins when %(num)s more has joined", "begins when %(num)s more have joined", missing
        )
    return _("begins in a moment")


def _how(found: Series) -> list[str]:
    if not found.is_league:
        return [
            _("It starts as soon as all places are taken, and the next one opens at once."),
        ]
    return [
        _("Divisions have about %(size)s players, and everybody meets everybody.", size=found.size),
        ngettext(
            "At the end of a season the last of each division goes down and the first of the one below comes up.",
            "At the end of a season the last %(num)s of each division go down and the first %(num)s of the one below come up.",  # noqa: E501
            found.moves,
        )
        if found.moves
        else _("Nobody goes up or down but where places become free."),
        _(
            "A place that becomes free spares whoever would have gone down first. Newcomers begin at the bottom."
        ),
        _(
            "The next season begins by itself when all divisions are over; who plays stays in, until they leave."
        ),
        _("Whoever withdraws from a season, or is taken out of it, has left the league."),
        _(
            "The first season is divided by rating. For a season the server draws everybody’s part of the dice."
        ),
    ]


def _divisions(found: Series) -> list[Division]:
    if not found.is_league or not found.season:
        return []
    tables = series.tables(world().store, found)
    return [
        Division(
            table.held.id,
            _("Division %(number)s", number=table.held.division),
            state_name(table.held.state),
            _lines(found, table, first=place == 0, last=place == len(tables) - 1),
        )
        for place, table in enumerate(tables)
    ]


def _lines(found: Series, table: series.Table, *, first: bool, last: bool) -> list[Line]:
    number = len(table.lines)
    moves = min(found.moves, (number - 1) // 2)
    lines = []
    for place, one in enumerate(table.lines):
        up = not first and place < moves and one.played > 0
        down = not last and place >= number - moves and one.played > 0
        handle = called(one.entrant.handle)
        lines.append(
            Line(
                rank=str(one.rank) if one.listed and one.entrant.state is EntryState.IN else "–",
                handle=handle,
                linked=handle == one.entrant.handle,
                played=one.played,
                won=one.wins,
                lost=one.losses,
                way="up" if up else "down" if down else "",
                mine=g.account is not None and g.account.id == one.entrant.account_id,
            )
        )
    return lines


def _past(held: series.Held) -> Past:
    begun = day(held.started_at, zone_of(g.account)) if held.started_at else ""
    return Past(held.id, held.name, state_name(held.state), begun)


def _form(fields: Mapping[str, Any], error: str = "") -> str:
    return render_template(
        "leagues/new.html",
        here="tournaments",
        form={**FIRST, **{name: fields.get(name, "") for name in FIRST}},
        error=error,
        lengths=LENGTHS,
        times=[(name, time_control(timing.resolve(name, 7))) for name in timing.PRESETS if name != "untimed"],
        most_name=series.MOST_NAME,
    )


def _wish(fields: Mapping[str, Any]) -> Founding:
    """What the form asks for. Raises Refused."""
    kind = Kind.STANDING if fields.get("kind") == Kind.STANDING else Kind.LEAGUE
    conditions = {"length": _number(fields, "length"), "time": fields.get("time", "")}
    wish = Founding(kind, fields.get("name", ""), conditions, size=_number(fields, "size"))
    if kind is Kind.STANDING:
        return wish
    return replace(wish, moves=_number(fields, "moves"), least=_number(fields, "least"))


def _number(fields: Mapping[str, Any], name: str) -> int:
    text = fields.get(name, "").strip()
    if not (text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS):
        raise Refused("not_a_number", what=text)
    return int(text)

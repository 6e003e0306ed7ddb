"""Leagues, and knockouts of which there is always one to enter: seen, joined, left, begun and ended."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import uuid4

from flask import Blueprint, Response, flash, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from bgmail import streams
from bgmail.phrases.people import called
from bgmail.phrases.times import day
from bgmail.phrases.tournaments import full_name
from bgmail.phrases.translate import gettext as _
from bgmail.phrases.translate import ngettext
from bgmail.service.errors import Forbidden, NotFound, Refused
from bgmail.service.tournaments import divisions, series
from bgmail.service.tournaments.series import Series
from bgmail.service.tournaments.views import EntryState, State
from bgmail.web.explained import told
from bgmail.web.guard import client, signed_in
from bgmail.web.reader import zone_of
from bgmail.web.rule_form import rule_sets
from bgmail.web.series_form import LIMITS, Form
from bgmail.web.tournaments import match_fields
from bgmail.web.tournaments.frame import state_name
from bgmail.web.tournaments.terms import match_conditions, season_conditions
from bgmail.world import world

blueprint = Blueprint("series", __name__, url_prefix="/leagues")
PAGE = 25
FRESH, FRESH_PAGE = 30, 100
"""So many newcomers stand on the page of a league, and on a page of their own."""


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
    when: str


@blueprint.get("")
def index() -> str:
    """All of them, those that go on first."""
    start = _start()
    found = series.listed(world().store, PAGE + 1, start)
    return render_template(
        "leagues/index.html",
        here="tournaments",
        cards=[_card(one) for one in found[:PAGE]],
        more=url_for("series.index", start=start + PAGE) if len(found) > PAGE else None,
    )


@blueprint.route("/new", methods=["GET", "POST"])
@signed_in
def new() -> ResponseReturnValue:
    """Begin one."""
    if request.method == "GET":
        return _form(Form.fresh(uuid4().hex))
    form = Form.posted(request.form)
    key = form.texts["key"] or None
    try:
        made = series.create(world().store, g.account.id, form.wish(), world().now(), key=key)
    except (Refused, Forbidden) as error:
        return _form(form, told(error)), 422
    flash(_("It is open to join, and goes on by itself from now on."))
    return redirect(url_for("series.show", series_id=made.id), 303)


@blueprint.get("/<int:series_id>")
def show(series_id: int) -> str:
    """One of them: the season that runs, its conditions, and how to join."""
    return _page(series_id)


@blueprint.get("/<int:series_id>/newcomers")
def newcomers(series_id: int) -> str:
    """Those whose first season is the next one, in the order in which they joined."""
    found, start = _found(series_id), _start()
    fresh, of = series.newcomers(world().store, found, FRESH_PAGE, start)
    after = start + FRESH_PAGE
    return render_template(
        "leagues/newcomers.html",
        here="tournaments",
        series=found,
        handles=[one.handle for one in fresh],
        more=url_for("series.newcomers", series_id=found.id, start=after) if of > after else None,
    )


@blueprint.get("/<int:series_id>/news")
def news(series_id: int) -> Response:
    """Server-sent events for an open page: the mark of the series whenever it is another than was seen."""
    store, known = world().store, _found(series_id).id
    return streams.marks(g.account.id if g.account else client(), lambda: series.mark(store, known))


@blueprint.post("/<int:series_id>/join")
@signed_in
def join(series_id: int) -> ResponseReturnValue:
    """Play from the next season on."""
    found, fields = _found(series_id), request.form
    if "agreed" not in fields:
        return _page(
            series_id, _("Read the conditions, and say that you accept them. Nothing was changed.")
        ), 422
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
        return _page(series_id, told(error)), 422
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


def _start() -> int:
    """Where a list is asked to begin."""
    asked = request.args.get("start", "")
    return int(asked) if asked.isascii() and asked.isdecimal() and len(asked) < 8 else 0


def _found(series_id: int) -> Series:
    return series.load(world().store, _within(series_id))


def _within(series_id: int) -> int:
    if series_id >= 2**31:
        raise NotFound("no_series")
    return series_id


def _page(series_id: int, wrong: str = "") -> str:
    store, reader = world().store, g.account
    mark = series.mark(store, _within(series_id))  # first: what happens meanwhile is news
    found = _found(series_id)
    held = series.held(store, found.id)
    inside = reader is not None and found.is_league and series.is_member(store, found.id, reader.id)
    fresh, of = series.newcomers(store, found, FRESH)
    return render_template(
        "leagues/show.html",
        here="tournaments",
        series=found,
        mark=mark,
        creator=called(found.creator),
        says=_says(found),
        season=_season(found),
        how=_how(found),
        divisions=_divisions(found),
        newcomers=[one.handle for one in fresh],
        more_newcomers=of - len(fresh),
        open_one=next((one for one in held if one.state is State.OPEN), None),
        past=[past_of(one) for one in held if one.season < found.season or not found.is_league],
        match_terms=match_conditions(found),
        season_terms=season_conditions(found),
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
    tables = divisions.tables(world().store, found)
    return [
        Division(
            table.held.id,
            _("Division %(number)s", number=table.held.division),
            state_name(table.held.state),
            _lines(table, divisions.ways(found, tables, place)),
        )
        for place, table in enumerate(tables)
    ]


def _lines(table: divisions.Table, ways: Sequence[str]) -> list[Line]:
    lines = []
    for one, way in zip(table.lines, ways, strict=True):
        handle = called(one.entrant.handle)
        lines.append(
            Line(
                rank=str(one.rank) if one.listed and one.entrant.state is EntryState.IN else "–",
                handle=handle,
                linked=handle == one.entrant.handle,
                played=one.played,
                won=one.wins,
                lost=one.losses,
                way=way,
                mine=g.account is not None and g.account.id == one.entrant.account_id,
            )
        )
    return lines


def past_of(held: series.Held) -> Past:
    """A tournament of the list, with the day on which it ended, or since which it is played."""
    zone, told_of = zone_of(g.account), full_name(held.name, held.season, held.division)
    when = _("since %(day)s", day=day(held.started_at, zone)) if held.started_at else ""
    if held.finished_at:
        when = _("ended %(day)s", day=day(held.finished_at, zone))
    return Past(held.id, told_of, state_name(held.state), when)


def _form(form: Form, error: str = "") -> str:
    return render_template(
        "leagues/new.html",
        here="tournaments",
        form=form,
        error=error,
        rules=rule_sets(),
        times=match_fields.times(Form.usual_length, timed=True),
        limits=LIMITS,
        most_name=series.MOST_NAME,
    )

"""Ratings: the list of a pace, and how somebody's rating went, match by match."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from flask import Blueprint, g, render_template, request
from flask.typing import ResponseReturnValue
from markupsafe import Markup

from bgmail.board import rating_graph
from bgmail.board.rating_graph import Course
from bgmail.phrases import ratings as words
from bgmail.phrases.people import called
from bgmail.phrases.profiles import share
from bgmail.phrases.times import day
from bgmail.phrases.translate import gettext as _
from bgmail.service import profiles
from bgmail.service.errors import NotFound
from bgmail.service.invitations import Invitation
from bgmail.service.ratings import reading
from bgmail.service.ratings.reading import Effect, Point, Ranked, Shown
from bgmail.web import cursors
from bgmail.web.reader import zone_of
from bgmail.world import world

blueprint = Blueprint("ratings", __name__)
PAGE = 50
EFFECTS = 25
_MARK = re.compile(r"([0-9]{1,4}(?:\.[0-9]{1,20})?)-([0-9]{1,9})")


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the list."""

    rank: int
    handle: str
    rating: str
    deviation: str
    won: str
    matches: int
    is_mine: bool


@dataclass(frozen=True, slots=True)
class Held:
    """Somebody's rating at one pace."""

    pace: str
    name: str
    rating: str
    says: str


@dataclass(frozen=True, slots=True)
class Step:
    """What one match did to the reader's subject."""

    match_id: str
    opponent: str
    linked: bool
    against: str
    day: str
    result: str
    step: str
    gain: str
    way: str
    why: str


@blueprint.get("/ratings")
def ranking() -> ResponseReturnValue:
    """Everybody whose rating is no first guess and who played within a year, the best first."""
    here, pace, after = world(), _pace(), _read(request.args.get("after"))
    found = reading.ranking(here.store, pace, here.now(), after, PAGE + 1)
    return render_template(
        "ratings/list.html",
        here="ratings",
        pace=pace,
        paces=_paces(),
        rows=[_row(line) for line in found[:PAGE]],
        first=after is None,
        guess=None if after else _own_guess(pace, here.now()),
        more=_written(found[PAGE - 1]) if len(found) > PAGE else None,
    )


@blueprint.get("/u/<handle>/rating")
def person(handle: str) -> ResponseReturnValue:
    """How somebody's rating at a pace went, and what each match did to it."""
    here = world()
    now, seen = here.now(), profiles.named(here.store, handle)
    held = reading.of(here.store, seen.id, now)
    pace = _pace(held[0].pace if held else reading.PACES[0])
    after = cursors.read(request.args.get("after"))
    found = reading.history(here.store, seen.id, pace, after, EFFECTS + 1)
    zone, more = zone_of(g.account), found[EFFECTS - 1] if len(found) > EFFECTS else None
    return render_template(
        "ratings/person.html",
        person=seen,
        pace=pace,
        paces=_paces(),
        held=next((_held(one) for one in held if one.pace == pace), None),
        graph=None if after else graph(seen.id, held, pace, now, zone),
        steps=[_step(one, zone) for one in found[:EFFECTS]],
        more=cursors.written((more.at, more.match_id)) if more else None,
    )


def of_inviters(offers: Sequence[Invitation]) -> dict[str, str]:
    """The ratings of those who offer matches, at the pace of each, by match: one query, none where nothing is
    offered."""
    views = [offer.view for offer in offers if offer.view.white]
    held = reading.of_all(world().store, {view.white.id for view in views if view.white}, world().now())
    return {
        view.id: words.number(one.today)
        for view in views
        for one in held.get(view.white.id if view.white else 0, ())
        if one.pace == view.clock.control.pace
    }


def shown(held: Sequence[Shown]) -> list[Held]:
    """What a profile tells of somebody's ratings."""
    return [_held(one) for one in held]


def graph(account_id: int, held: Sequence[Shown], pace: str, now: datetime, zone: ZoneInfo) -> Markup | None:
    """The graph of a rating; None where there are too few matches for one."""
    own = next((one for one in held if one.pace == pace), None)
    if own is None:
        return None
    points = reading.course(world().store, account_id, own, now)
    if len(points) < 2:
        return None
    course = Course(
        [point.at.timestamp() for point in points],
        [point.value for point in points],
        [point.deviation for point in points],
    )
    ends = [(point.at.timestamp(), day(point.at, zone)) for point in (points[0], points[-1])]
    drawn = rating_graph.draw(course, ends, _("Rating over time"), _told(points))
    return Markup(drawn)  # noqa: S704 - drawn by bgmail.board, which escapes its texts


def _told(points: Sequence[Point]) -> str:
    values = [point.value for point in points]
    return _(
        "From %(first)s to %(last)s; the lowest was %(low)s, the highest %(high)s. The band is the deviation.",
        first=words.whole(values[0]),
        last=words.whole(values[-1]),
        low=words.whole(min(values)),
        high=words.whole(max(values)),
    )


def _held(one: Shown) -> Held:
    return Held(one.pace, words.pace_name(one.pace), words.number(one.today), "; ".join(_says(one)))


def _says(one: Shown) -> Iterator[str]:
    yield f"± {words.whole(one.today.deviation)}"
    if one.today.is_provisional:
        yield _("a first guess")
    if one.level:
        yield _(
            "rated matches: %(won)s won, %(lost)s lost, %(level)s level",
            won=one.won,
            lost=one.lost,
            level=one.level,
        )
    else:
        yield _("rated matches: %(won)s won, %(lost)s lost", won=one.won, lost=one.lost)


def _row(line: Ranked) -> Row:
    one = line.shown
    return Row(
        rank=line.rank,
        handle=line.person.handle,
        rating=words.whole(one.today.value),
        deviation=words.whole(one.today.deviation),
        won=share(one.won, one.matches),
        matches=one.matches,
        is_mine=g.account is not None and g.account.id == line.person.id,
    )


def _step(one: Effect, zone: ZoneInfo) -> Step:
    gain = words.gain(one.before, one.after) if one.before is not None and one.after is not None else ""
    against = _("rated %(rating)s", rating=words.whole(one.opponent_before)) if one.opponent_before else ""
    why = words.why_not(one.reason)
    if one.revised_at is not None:
        why = f"{why} {_('Changed on %(day)s.', day=day(one.revised_at, zone))}".strip()
    return Step(
        match_id=one.match_id,
        opponent=called(one.opponent.handle),
        linked=called(one.opponent.handle) == one.opponent.handle,
        against=against,
        day=day(one.at, zone),
        result=_result(one),
        step=words.step(one.before or 0, one.after or 0) if gain else "",
        gain=gain,
        way="up" if gain.startswith("+") else "down" if gain.startswith(words.MINUS) else "",
        why=why,
    )


def _result(one: Effect) -> str:
    kind = (
        _("%(length)s points", length=one.length)
        if one.length > 1
        else _("1 point")
        if one.length
        else _("session")
    )
    if one.score is None:
        return kind
    if one.score == 0.5:
        return _("level, %(kind)s", kind=kind)
    return _("won, %(kind)s", kind=kind) if one.score else _("lost, %(kind)s", kind=kind)


def _paces() -> list[tuple[str, str]]:
    return [(pace, words.pace_name(pace)) for pace in reading.PACES]


def _pace(default: str = reading.PACES[0]) -> str:
    pace = request.args.get("pace", default)
    if pace not in reading.PACES:
        raise NotFound("unknown_pace", pace=pace)
    return pace


def _own_guess(pace: str, now: datetime) -> Held | None:
    """The reader's rating at a pace, where too little is known for a place in the list."""
    if g.account is None:
        return None
    own = reading.of(world().store, g.account.id, now)
    return next((_held(one) for one in own if one.pace == pace and one.today.is_provisional), None)


def _written(line: Ranked) -> str:
    value, account_id = reading.cursor(line)
    return f"{value!r}-{account_id}"


def _read(text: str | None) -> tuple[float, int] | None:
    """Where the list goes on; None for its first page, and for what is no mark."""
    found = _MARK.fullmatch(text or "")
    return (float(found[1]), int(found[2])) if found else None

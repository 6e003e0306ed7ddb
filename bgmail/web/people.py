"""A person's page: who they are, how their matches ended, how soon they reply; and what I want of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from flask import Blueprint, flash, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from bgmail.phrases import match_result, stage
from bgmail.phrases.people import CLOSED, called
from bgmail.phrases.profiles import last_seen, replies, share
from bgmail.phrases.times import day
from bgmail.phrases.translate import gettext as _
from bgmail.phrases.vacations import until as vacation_until
from bgmail.phrases.words import Names
from bgmail.rules.match import Phase
from bgmail.service import matches, profiles, ties
from bgmail.service.accounts import Account
from bgmail.service.errors import NotFound, Refused
from bgmail.service.profiles import Profile
from bgmail.service.ratings import reading
from bgmail.service.ties import Kind
from bgmail.service.views import MatchView
from bgmail.web import cursors, rating_pages
from bgmail.web.explained import told
from bgmail.web.guard import signed_in
from bgmail.web.note_pages import own_notes
from bgmail.web.reader import zone_of
from bgmail.world import world

blueprint = Blueprint("people", __name__)
PAGE = 25
TABS = ("running", "finished")


@dataclass(frozen=True, slots=True)
class Line:
    """One match of theirs: against whom, how far, and how it ended."""

    match_id: str
    opponent: str
    linked: bool
    is_bot: bool
    score: str
    says: str
    won: bool | None


@blueprint.get("/u/<handle>")
def profile(handle: str) -> ResponseReturnValue:
    """The page of one person, for everybody."""
    here, reader = world(), g.account
    if handle in (CLOSED, called(CLOSED)):
        return render_template("people/closed.html")
    seen = profiles.profile(here.store, handle, here.now(), reader.id if reader else None)
    asked = request.args.get("show")
    which = asked if asked in TABS else "running" if seen.all.running else "finished"
    lines, more = _page(seen.account, which)
    now, held = here.now(), [] if seen.account.is_bot else reading.of(here.store, seen.account.id, here.now())
    return render_template(
        "people/profile.html",
        person=seen.account,
        seen=seen,
        facts=_facts(seen),
        held=rating_pages.shown(held),
        graph=rating_pages.graph(seen.account.id, held, held[0].pace, now, zone_of(reader)) if held else None,
        which=which,
        lines=lines,
        more=more,
        own=own_notes(person_id=seen.account.id) if reader and reader.id != seen.account.id else None,
    )


@blueprint.post("/u/<handle>/tie")
@signed_in
def tie(handle: str) -> ResponseReturnValue:
    """Follow, mute or block somebody, or stop it."""
    here, there = world(), redirect(url_for("people.profile", handle=handle), 303)
    word, _sign, undone = request.form.get("tie", "").partition("-")
    if word not in list(Kind):
        flash(_("That can't be done here."), "error")
        return there
    kind = Kind(word)
    try:
        if undone:
            ties.undo(here.store, g.account.id, handle, kind)
        else:
            ties.make(here.store, g.account.id, handle, kind, here.now(), here.chance)
    except Refused as error:
        flash(told(error), "error")
        return there
    flash(_tied(kind, handle, undone=bool(undone)))
    return there


def _tied(kind: Kind, name: str, *, undone: bool) -> str:
    """What is said about a tie just made or undone."""
    if kind is Kind.FOLLOW:
        told = _("You no longer follow %(name)s.") if undone else _("You follow %(name)s.")
    elif kind is Kind.MUTE:
        told = _("You read %(name)s again.") if undone else _("What %(name)s says is folded for you.")
    elif undone:
        told = _("%(name)s is no longer blocked.")
    else:
        told = _("%(name)s is blocked, and isn't told. Matches that run go on.")
    return told % {"name": name}


def _facts(seen: Profile) -> list[tuple[str, str]]:
    """What is told about somebody, by name."""
    now, person, reader = world().now(), seen.account, g.account
    facts = [(_("Matches"), _record(seen.people))]
    if seen.away:
        facts.append((_("Vacation"), vacation_until(seen.away.end, zone_of(reader), now)))
    if seen.machines.finished and not person.is_bot:
        facts.append((_("Against machines"), _record(seen.machines)))
    if reader and reader.id != person.id:
        between = seen.between
        facts.append((_("Against you"), _record(between) if between.finished else _("none finished yet")))
    if not person.is_bot:
        usual = replies(profiles.reply_time(world().store, person.id, now))
        facts.append((_("Usual reply"), usual or _("not enough turns yet to tell")))
    facts.append((_("Lost on time"), _on_time(seen)))
    if person.active and not person.is_bot and seen.seen_at:
        facts.append((_("Last seen"), last_seen(seen.seen_at, now)))
    return [*facts, (_("Here since"), day(person.created_at, zone_of(reader)))]


def _record(record: profiles.Record) -> str:
    return _("%(won)s won, %(lost)s lost", won=record.won, lost=record.lost)


def _on_time(seen: Profile) -> str:
    all_of_them = seen.all
    if not all_of_them.on_time:
        return _("never")
    percent = share(all_of_them.on_time, all_of_them.finished)
    return _(
        "%(share)s of finished matches (%(number)s of %(all)s)",
        share=percent,
        number=all_of_them.on_time,
        all=all_of_them.finished,
    )


def _page(person: Account, which: str) -> tuple[list[Line], dict[str, Any] | None]:
    """One page of a person's matches, and what the address of the next one needs."""
    after = cursors.read(request.args.get("after"))
    found = matches.mine(world().store, person.id, which, PAGE + 1, after)
    lines = [_line(view, person) for view in found[:PAGE]]
    if len(found) <= PAGE:
        return lines, None
    return lines, {"show": which, "after": cursors.written(matches.cursor(found[PAGE - 1], which))}


def _line(view: MatchView, person: Account) -> Line:
    side = view.side_of(person.id)
    if side is None:
        raise NotFound("no_match")
    opponent = view.person(side.other)
    named = [called(seated.handle) if seated else _("somebody") for seated in (view.white, view.black)]
    score, result = view.match.score, view.match.result
    over = view.match.phase is Phase.OVER
    won = result.winner is side if over and result and result.winner is not None else None
    return Line(
        match_id=view.id,
        opponent=called(opponent.handle) if opponent else named[side.other],
        linked=opponent is not None,
        is_bot=bool(opponent and opponent.is_bot),
        score=f"{score[side]}–{score[side.other]}",
        says=match_result(view.match, Names(named[0], named[1], None)) if over else stage(view.match),
        won=won,
    )

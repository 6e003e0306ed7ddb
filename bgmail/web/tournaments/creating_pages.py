"""A new tournament, and a draft that is changed: one form. A new one has two buttons, for a draft and for one that
opens at once."""

from __future__ import annotations

from uuid import uuid4

from flask import flash, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from bgmail.phrases import time_control
from bgmail.phrases.formats import plan_name
from bgmail.phrases.organising import done
from bgmail.phrases.translate import gettext as _
from bgmail.service.errors import Forbidden, Refused
from bgmail.service.tournaments.commands import command
from bgmail.service.tournaments.creating import MOST_NAME, Draft, create
from bgmail.service.tournaments.desk import Wish
from bgmail.service.tournaments.views import State, Tournament
from bgmail.web.explained import told
from bgmail.web.guard import signed_in
from bgmail.web.reader import zone_of
from bgmail.web.rule_form import Choice, rule_sets
from bgmail.web.tournaments import match_fields
from bgmail.web.tournaments.filled_form import filled
from bgmail.web.tournaments.frame import blueprint, entrusted
from bgmail.web.tournaments.plan_form import KEPT, LIMITS, TEMPLATES, Form, template_name
from bgmail.world import world


@blueprint.get("/new")
@signed_in
def new() -> str:
    """The form."""
    return _page(Form.fresh(uuid4().hex))


@blueprint.post("/new")
@signed_in
def made() -> ResponseReturnValue:
    """Makes it, and with the second button opens it: a second press finds the same one."""
    here, form = world(), Form.posted(request.form)
    key = form.texts["key"] or uuid4().hex
    try:
        draft = form.draft(zone_of(g.account))
        found = create(here.store, g.account.id, draft, here.now(), here.chance, key=key)
        if "open" in request.form:
            wish = Wish("open", {}, key=f"open {key}")
            command(here.store, found.id, g.account.id, wish, here.now(), here.chance)
    except (Refused, Forbidden) as error:
        return _page(form, told(error)), 422
    flash(
        _("It is open: people can enter.")
        if "open" in request.form
        else _("It is a draft: nobody can enter yet.")
    )
    return redirect(url_for("tournaments.organise", tournament_id=found.id), 303)


@blueprint.get("/<tournament_id>/change")
@signed_in
def change(tournament_id: str) -> ResponseReturnValue:
    """The form with everything as it is, while it is a draft."""
    one = entrusted(tournament_id).tournament
    if one.state is not State.DRAFT:
        flash(told(Refused("not_a_draft")), "error")
        return redirect(url_for("tournaments.organise", tournament_id=tournament_id), 303)
    return _page(filled(one, zone_of(g.account), uuid4().hex), changes=one, version=str(one.head))


@blueprint.post("/<tournament_id>/change")
@signed_in
def changed(tournament_id: str) -> ResponseReturnValue:
    """Changes it, unless somebody else has meanwhile."""
    here, one = world(), entrusted(tournament_id).tournament
    form, version = Form.posted(request.form), request.form.get("version", "")
    try:
        draft = form.draft(zone_of(g.account), Draft.of(one)).data()
        seen = int(version) if version.isascii() and version.isdecimal() and len(version) < 10 else -1
        wish = Wish("change", {"draft": draft, "version": seen}, key=form.texts["key"] or None)
        command(here.store, tournament_id, g.account.id, wish, here.now(), here.chance)
    except Refused as error:
        version = str(one.head) if error.code == "draft_changed" else version
        return _page(form, told(error), changes=one, version=version), 422
    flash(done("change"))
    return redirect(url_for("tournaments.organise", tournament_id=tournament_id), 303)


def _page(form: Form, wrong: str = "", changes: Tournament | None = None, version: str = "") -> str:
    templates = [(name, *template_name(name)) for name in TEMPLATES]
    times, rules = match_fields.times(Form.usual_length), rule_sets()
    if changes is not None:
        match, control = changes.conditions.judged()
        kept = filled(changes, zone_of(g.account)).texts
        as_it_is = _("As it is: made by a program, in a way that this form can’t show.")
        templates += [(KEPT, plan_name(changes.plan), as_it_is)] if kept["template"] == KEPT else []
        times += [(KEPT, time_control(control))] if kept["time"] == KEPT else []
        rules += [Choice.of(KEPT, match.rules)] if kept["rules"] == KEPT else []
    return render_template(
        "tournaments/new.html",
        here="tournaments",
        form=form,
        wrong=wrong,
        changes=changes,
        version=version,
        templates=templates,
        times=times,
        rules=rules,
        limits=LIMITS,
        most_name=MOST_NAME,
    )

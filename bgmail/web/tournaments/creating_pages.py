"""A new tournament: one form, with two buttons for a draft and for one that opens at once."""

from __future__ import annotations

from uuid import uuid4

from flask import flash, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from bgmail import timing
from bgmail.phrases import rules_name, time_control
from bgmail.phrases.translate import gettext as _
from bgmail.rules.ruleset import PRESETS
from bgmail.service.errors import Forbidden, Refused
from bgmail.service.tournaments.commands import command
from bgmail.service.tournaments.creating import MOST_NAME, create
from bgmail.service.tournaments.desk import Wish
from bgmail.web.explained import told
from bgmail.web.guard import signed_in
from bgmail.web.reader import zone_of
from bgmail.web.tournaments.frame import blueprint
from bgmail.web.tournaments.plan_form import LIMITS, TEMPLATES, Form, template_name
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
        return _page(form, str(told(error))), 422
    flash(
        _("It is open: people can enter.") if "open" in request.form else _("It is a draft: only you see it.")
    )
    return redirect(url_for("tournaments.organise", tournament_id=found.id), 303)


def _page(form: Form, wrong: str = "") -> str:
    return render_template(
        "tournaments/new.html",
        here="tournaments",
        form=form,
        wrong=wrong,
        templates=[(name, *template_name(name)) for name in TEMPLATES],
        times=[(name, time_control(timing.resolve(name, 5))) for name in timing.PRESETS],
        rules=[(name, rules_name(name)) for name in PRESETS],
        limits=LIMITS,
        most_name=MOST_NAME,
    )

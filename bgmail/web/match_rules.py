"""By which rules a match is played: the page of known rules, or one of its own for rules that somebody made."""

from __future__ import annotations

from flask import Blueprint, g, redirect, render_template, url_for
from werkzeug.wrappers import Response

from bgmail.phrases import match_terms, rules_name
from bgmail.phrases.own_rules import Likeness, heading, likeness
from bgmail.rules.ruleset import PRESETS, RuleSet
from bgmail.service import matches
from bgmail.web.scene import names_of
from bgmail.world import world

blueprint = Blueprint("match_rules", __name__)


@blueprint.get("/match/<match_id>/rules")
def page(match_id: str) -> Response | str:
    """The rules of a match, for everybody who may see it."""
    account_id = g.account.id if g.account else None
    view = matches.visible(world().store, match_id, account_id)
    own = likeness(view.match.rules)
    if own is None:
        known = view.rules_name
        there = url_for("guide.rule_set", name=known) if known in PRESETS else url_for("guide.rules")
        return redirect(there, 302)
    names, called = names_of(view, None), rules_name(own.own)
    return render_template(
        "match/rules.html",
        view=view,
        own=own,
        rules=f"{called[:1].upper()}{called[1:]}",
        title=f"{names.white} – {names.black}, {match_terms(view.match)}",
    )


@blueprint.app_template_global()
def own_rules_of(rules: RuleSet) -> Likeness | None:
    """Rules that somebody made, beside the known ones; None for known rules."""
    return likeness(rules)


@blueprint.app_template_global()
def likeness_heading(own: Likeness) -> str:
    """The line above what differs."""
    return heading(own)

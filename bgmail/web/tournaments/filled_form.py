"""The form of a tournament as it stands there for a draft that is to be changed."""

from __future__ import annotations

from dataclasses import replace
from zoneinfo import ZoneInfo

from bgmail import timing
from bgmail.pairing.plan import Plan
from bgmail.rules.ruledata import meant
from bgmail.rules.ruleset import PRESETS
from bgmail.service.errors import Refused
from bgmail.service.tournaments.creating import judged_plan
from bgmail.service.tournaments.views import Tournament
from bgmail.web.rule_form import OwnRules
from bgmail.web.tournaments.plan_form import DEFAULTS, FLAGS, KEPT, Form

OPTIONS = {
    "meetings": "meetings",
    "groups": "groups",
    "rounds": "swiss_rounds",
    "losses": "losses",
}
"""The fields of those options of formats that are numbers."""


def filled(one: Tournament, zone: ZoneInfo, key: str = "") -> Form:
    """What the form holds; `key` makes it safe to send twice. A format, rules or a time of which it knows nothing stand
    there as `KEPT`."""
    rules, own = _rules(one)
    texts = {**DEFAULTS, **_texts(one, zone), "rules": rules, "key": key}
    form = Form(texts, {**FLAGS, **_flags(one)}, own)
    planned = replace(form, texts={**form.texts, **_options(one.plan)})
    return planned if _says(planned) == one.plan else replace(form, texts={**form.texts, "template": KEPT})


def _texts(one: Tournament, zone: ZoneInfo) -> dict[str, str]:
    conditions = one.conditions.to_data()
    time = conditions["time"]
    start = "both" if one.starts_at and one.starts_full else "date" if one.starts_at else "command"
    numbers = ("length", "at_once", "round_days", "seeding", "rounds", "late", "text")
    return {
        "name": one.name,
        "places": str(one.places),
        "start": "full" if one.starts_full and not one.starts_at else start,
        "starts_at": f"{one.starts_at.astimezone(zone):%Y-%m-%dT%H:%M}" if one.starts_at else "",
        "time": time if isinstance(time, str) and time in timing.PRESETS else KEPT,
        "wager": str(conditions["wager"]) if conditions["wager"] > 1 else "",
        **{name: str(conditions[name]) for name in numbers},
    }


def _rules(one: Tournament) -> tuple[str, OwnRules]:
    """The rules to choose, and what is changed of them."""
    match, _ = one.conditions.judged()
    chosen, own = OwnRules.of(match.rules)
    known = chosen in PRESETS and meant(own.rules(chosen, match.length)) == match.rules
    return (chosen, own) if known else (KEPT, OwnRules())


def _flags(one: Tournament) -> dict[str, bool]:
    conditions = one.conditions.to_data()
    options = {
        name: bool(value) for stage in one.plan.stages for name, value in stage.options if name in FLAGS
    }
    return {
        **{name: conditions[name] for name in ("rated", "substitutes", "machines")},
        **conditions["pauses"],
        **options,
    }


def _options(plan: Plan) -> dict[str, str]:
    first = plan.stages[0]
    texts = {OPTIONS[name]: str(value) for name, value in first.options if name in OPTIONS}
    advance = {"advance": str(first.advance)} if first.advance is not None else {}
    return {"template": "groups" if len(plan.stages) > 1 else first.format, **texts, **advance}


def _says(form: Form) -> Plan | None:
    """The plan of a form; None where it can't say one."""
    try:
        return judged_plan(form.plan())
    except Refused:
        return None

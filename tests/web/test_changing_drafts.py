"""Drafts changed by their form: everything stands there as it is, and nothing changes that wasn't touched."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from html import unescape
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from flask import Flask

from bgmail.rules.ruledata import from_data
from bgmail.service.tournaments import views
from bgmail.service.tournaments.creating import Draft
from bgmail.web.rule_form import OwnRules
from bgmail.web.tournaments.filled_form import filled
from bgmail.web.tournaments.plan_form import TEMPLATES, Form
from tests.service.tournaments.club import Club
from tests.web.test_tournament_pages import browser_of, path

UTC = ZoneInfo("UTC")
GROUPS = {"format": "round_robin", "meetings": 2, "groups": 3, "advance": 2}
STRANGE = (
    {"stages": [{"format": "reentry", "reentries": 2}], "tie_breaks": []},
    {"stages": [{"format": "round_robin", "groups": 2}], "tie_breaks": ["head_to_head", "sonneborn_berger"]},
    {"stages": [GROUPS, {"format": "double_elimination"}], "tie_breaks": []},
    {"stages": [{"format": "swiss", "rounds": 4}], "tie_breaks": ["buchholz"]},
    {"stages": [{"format": "swiss", "rounds": 4, "advance": 1000}, {"format": "knockout"}], "tie_breaks": []},
)


def sent(page: str) -> dict[str, str]:
    """What a browser would send of the form as it stands, but for the token of its session."""
    form = page[page.index('<form method="post" class="card') :].partition("</form>")[0]
    fields = dict(
        re.findall(r'<input(?: id="[^"]*")? (?:type="hidden" )?name="([\w-]+)"[^>]* value="([^"]*)"', form)
    )
    ticked = re.findall(r'type="(?:checkbox|radio)" name="(\w+)" value="(\w+)" checked', form)
    chosen = [
        (name, value[1])
        for name, options in re.findall(
            r'<select id="[\w-]+" name="([\w-]+)"[^>]*>(.*?)</select>', form, re.DOTALL
        )
        if (value := re.search(r'value="([\w-]*)"[^>]* selected', options))
    ]
    text = re.search(r"<textarea[^>]*>(.*?)</textarea>", form, re.DOTALL)
    words = {"text": unescape(text[1]).replace("\n", "\r\n")} if text else {}
    found = {**fields, **dict(ticked), **dict(chosen)}
    return {name: unescape(value) for name, value in found.items() if name != "csrf_token"} | words


@pytest.mark.parametrize("plan", STRANGE)
def test_what_the_form_cant_say_is_kept(club: Club, plan: Mapping[str, Any]) -> None:
    rules = {"name": "Ours", "lengths": [7], "crawford": False, "most_wager": 3, "time": "live-8-10"}
    conditions = {"length": 7, "rules": rules, "time": {"per_turn": 99_999}, "wager": 3, "text": "One\nTwo"}
    draft = club.create(plan, conditions, starts_at=club.now + timedelta(days=1), starts_full=True, places=8)
    form = filled(draft, ZoneInfo("Asia/Tokyo"))
    assert {form.texts[name] for name in ("template", "rules", "time")} == {"kept"}
    assert form.draft(ZoneInfo("Asia/Tokyo"), Draft.of(draft)) == Draft.of(draft)
    changed = (
        replace(form, own=OwnRules("Others", {"crawford": "yes"})).draft(UTC, Draft.of(draft)).conditions
    )
    assert from_data(changed["rules"]) == from_data({**rules, "name": "Others", "crawford": True})


def test_every_template_stands_there_as_it_was_sent(club: Club) -> None:
    for template in TEMPLATES:
        typed = {"name": "Autumn", "template": template, "groups": "3", "meetings": "2", "losses": "2"}
        typed |= {
            "swiss_rounds": "4",
            "rules": "house",
            "wager": "5",
            "third_place": "1",
            "rated": "1",
            "at_once": "2",
        }
        wanted = Form.posted(typed).draft(UTC)
        draft = club.create(wanted.plan, wanted.conditions, name=wanted.name, places=wanted.places)
        form = filled(draft, UTC)
        assert form.texts["template"] == {"league": "round_robin"}.get(template, template)
        assert form.draft(UTC, Draft.of(draft)).judged(club.now) == Draft.of(draft).judged(club.now)
        club.say(draft, "cancel", reason="Only a test.")


def test_an_organiser_changes_a_draft_until_it_is_open(app: Flask, club: Club) -> None:
    text = "Bring <cake> & tea.\nBe kind."
    draft = club.create(STRANGE[2], {"length": 3, "text": text}, places=8, starts_at=club.now + timedelta(2))
    dana, here = browser_of(app, club, "dana"), path(draft, "/change")
    dana.open(path(draft, "/organise"))
    assert f'href="{here}"' in dana.page
    dana.open(here)
    as_it_is = sent(dana.page)
    assert dana.post(here, as_it_is).status_code == 303
    assert club.load(draft) == draft, "nothing was touched, so nothing changed"
    assert dana.post(here, as_it_is | {"length": "x", "name": "Winter"}).status_code == 422
    assert (sent(dana.page)["length"], sent(dana.page)["name"]) == ("x", "Winter")
    form = as_it_is | {"name": "Winter", "length": "5", "template": "swiss", "swiss_rounds": "6"}
    for _ in range(2):
        assert dana.post(here, form).status_code == 303
    changed = club.load(draft)
    assert replace(changed.conditions, length=3) == draft.conditions
    assert (changed.name, changed.head, changed.starts_at) == ("Winter", draft.head + 1, draft.starts_at)
    assert dict(changed.plan.stages[0].options)["rounds"] == 6
    dana.open(path(draft, "/organise"))
    assert "dana: changed the draft" in dana.text

    stale = as_it_is | {"key": "other", "name": "Spring"}
    assert dana.post(here, stale).status_code == 422
    assert "Somebody has changed the tournament since you read it" in dana.text
    assert club.load(draft) == changed
    assert dana.post(here, stale | {"version": sent(dana.page)["version"]}).status_code == 303
    assert club.load(draft).name == "Spring"

    charlie = browser_of(app, club, "Charlie")
    charlie.open("/tournaments")
    assert (charlie.get(here).status_code, charlie.post(here, form).status_code) == (404, 404)
    opened = club.say(draft, "open")
    assert (charlie.get(here).status_code, charlie.post(here, form).status_code) == (403, 403)
    assert dana.get(here).status_code == 303
    assert dana.post(here, form | {"key": "late", "version": str(opened.head)}).status_code == 422
    assert views.load(club.store, draft.id) == opened

"""Drafts made anew: until they are open, and by those alone who command them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from bgmail.service.errors import Forbidden, KeyReused, NotFound, Refused
from bgmail.service.tournaments import views
from bgmail.service.tournaments.conditions import Conditions, digest_of
from tests.service.tournaments.club import ROUND_ROBIN, Club

SWISS = {"stages": [{"format": "swiss", "rounds": 3}], "tie_breaks": ["buchholz"]}


def test_a_draft_gets_what_is_named_and_keeps_the_rest(either_club: Club) -> None:
    club = either_club
    draft = club.create(name="Autumn", places=8, starts_at=club.now + timedelta(days=1))
    wanted = {"name": "  Late   autumn", "plan": SWISS, "conditions": {"length": 7, "text": "Bring cake"}}
    changed = club.say(draft, "change", draft=wanted, version=draft.head)
    assert (changed.name, changed.places, changed.starts_at) == ("Late autumn", 8, draft.starts_at)
    assert changed.plan.stages[0].format == "swiss"
    assert changed.conditions.length == 7
    assert changed.digest == digest_of(changed.plan.data(), Conditions.from_data(wanted["conditions"]))
    changed = club.say(draft, "change", draft={"starts_at": None, "places": 4, "starts_full": True})
    assert (changed.starts_at, changed.places, changed.starts_full) == (None, 4, True)
    assert (changed.digest, changed.commitment) == (changed.digest, draft.commitment)
    club.say(draft, "change", draft={"places": 4})
    log = views.log(club.store, draft.id)
    assert [(one.author, one.command) for one in log[1:]] == [("dana", "change")] * 2
    assert log[1].data == {
        "changed": ["name", "plan", "conditions"],
        "before": draft.digest,
        "digest": changed.digest,
    }
    assert log[2].data["changed"] == ["places", "starts_at", "starts_full"]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ({}, "condition"),
        ({"draft": {}}, "condition"),
        ({"draft": {"secret": "x"}}, "condition"),
        ({"draft": {"name": 3}}, "condition"),
        ({"draft": {"name": " "}}, "tournament_name"),
        ({"draft": {"plan": {"stages": []}}}, "plan"),
        ({"draft": {"plan": []}}, "condition"),
        ({"draft": {"conditions": {"length": 0}}}, "condition"),
        ({"draft": {"conditions": {"length": 1.5}}}, "condition"),
        ({"draft": {"conditions": {"length": 5, "rules": {"name": "five_point"}}}}, "rule_set"),
        ({"draft": {"places": True}}, "condition"),
        ({"draft": {"places": 1025}}, "places"),
        ({"draft": {"starts_full": True}}, "places"),
        ({"draft": {"starts_at": "2026-01-01T00:00:00"}}, "starts_at"),
        ({"draft": {"starts_at": "2001-01-01T00:00:00Z"}}, "starts_at"),
        ({"draft": {"name": "Other"}, "version": 7}, "draft_changed"),
    ],
)
def test_what_makes_no_sense_changes_nothing(club: Club, data: dict[str, Any], code: str) -> None:
    draft = club.create()
    with pytest.raises(Refused) as refused:
        club.say(draft, "change", **data)
    assert refused.value.code == code
    assert club.load(draft) == draft


def test_what_is_open_or_others_stays_as_it_is(club: Club) -> None:
    draft, alice = club.create(), club.person("alice")
    with pytest.raises(NotFound):
        club.say(draft, "change", who=alice, draft={"places": 4})
    club.say(draft, "change", draft={"places": 4}, key="k")
    club.say(draft, "change", draft={"places": 8})
    assert club.say(draft, "change", draft={"places": 4}, key="k").places == 8, "the same again does nothing"
    with pytest.raises(KeyReused):
        club.say(draft, "change", draft={"places": 6}, key="k")
    opened = club.say(draft, "open")
    with pytest.raises(Forbidden):
        club.say(draft, "change", who=alice, draft={"places": 4})
    with pytest.raises(Refused) as refused:
        club.say(draft, "change", draft={"plan": ROUND_ROBIN})
    assert refused.value.code == "not_a_draft"
    assert club.load(draft) == opened

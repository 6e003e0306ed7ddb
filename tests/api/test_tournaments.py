"""Tournaments by programs: made, entered with the conditions confirmed, commanded, and read by everybody."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from bgmail.api.tournament_models import (
    EntryList,
    PairingList,
    TournamentExport,
    TournamentList,
    TournamentLog,
    TournamentStandings,
    TournamentState,
)
from bgmail.service import accounts
from bgmail.service.accounts import Account
from bgmail.service.tournaments import advancing
from bgmail.world import World
from tests.api.conftest import Clock, Program, check_refused

PLAN = {"stages": [{"format": "round_robin"}], "tie_breaks": ["head_to_head"]}
CONDITIONS = {"length": 1, "time": {"per_turn": 86400}, "pauses": {"weekends": True}}


def told(answer: TestResponse, status: int = 200, model: Any = TournamentState) -> dict[str, Any]:
    assert answer.status_code == status, answer.get_json()
    model.model_validate(answer.get_json())
    body: dict[str, Any] = answer.get_json()
    return body


@pytest.fixture
def dana(app: Flask, people: dict[str, Account]) -> Program:
    here: World = app.extensions["bgmail"]
    return Program(app, accounts.create(here.store, "dana", "dana@play.example", None, here.now()))


@pytest.fixture
def draft(dana: Program) -> dict[str, Any]:
    return told(dana.post("/tournaments", name="Autumn", plan=PLAN, conditions=CONDITIONS), 201)


def job(app: Flask) -> None:
    here: World = app.extensions["bgmail"]
    while advancing.step(here.store, here.now(), here.chance):
        pass


def opened(dana: Program, draft: dict[str, Any]) -> str:
    told(dana.post(f"/tournaments/{draft['id']}/commands", command="open"))
    return f"/tournaments/{draft['id']}"


def entered(address: str, draft: dict[str, Any], *programs: Program) -> None:
    for program in programs:
        told(program.post(f"{address}/enter", conditions=draft["digest"], fair_play=True, nonce="0f" * 16))


def test_a_tournament_is_played_by_programs(
    app: Flask, dana: Program, alice: Program, bob: Program, charlie: Program, draft: dict[str, Any]
) -> None:
    assert draft["you"] == {"entry": None, "state": None, "organises": True}
    check_refused(alice.get(f"/tournaments/{draft['id']}"), 404, "no_tournament")
    address = opened(dana, draft)
    entered(address, draft, alice, bob, charlie)
    assert told(alice.get(address))["you"] == {"entry": 1, "state": "in", "organises": False}
    told(dana.post(f"{address}/commands", command="seed", how="order"))
    told(dana.post(f"{address}/commands", command="start"))
    job(app)
    pairings = told(bob.get(f"{address}/pairings"), model=PairingList)["pairings"]
    assert len(pairings) == 3
    programs = {"alice": alice, "bob": bob, "charlie": charlie}
    for pairing in pairings:
        state = alice.state(pairing["match"])
        assert state["tournament"] == draft["id"]
        loser = max(pairing["white"]["handle"], pairing["black"]["handle"])
        programs[loser].act(pairing["match"], "resign_match")
    job(app)
    over = told(charlie.get(address))
    assert over["state"] == "over"
    assert over["secret"]
    standings = told(alice.get(f"{address}/standings"), model=TournamentStandings)["standings"]
    assert [(line["rank"], line["handle"], line["wins"]) for line in standings] == [
        (1, "alice", 2),
        (2, "bob", 1),
        (3, "charlie", 0),
    ]
    log = told(alice.get(f"{address}/log"), model=TournamentLog)["log"]
    assert [line["command"] for line in log[:6]] == ["create", "open", "enter", "enter", "enter", "seed"]
    told(alice.get(f"{address}/entries"), model=EntryList)
    assert told(alice.get(f"{address}/export"), model=TournamentExport)["secret"] == over["secret"]
    table = alice.get(f"{address}/export?format=csv&table=standings")
    assert table.content_type == "text/csv; charset=utf-8"
    assert table.text.splitlines()[1].startswith("1,alice,2,0,2")
    check_refused(alice.get(f"{address}/export?format=csv&table=x"), 422, "malformed")


def test_lists_tell_drafts_to_their_organisers_alone(
    dana: Program, alice: Program, draft: dict[str, Any]
) -> None:
    def listed(program: Program, which: str) -> list[str]:
        found = told(program.get(f"/tournaments?list={which}"), model=TournamentList)
        return [one["id"] for one in found["tournaments"]]

    assert (listed(dana, "mine"), listed(dana, "open"), listed(alice, "mine")) == ([draft["id"]], [], [])
    opened(dana, draft)
    assert (listed(alice, "open"), listed(alice, "mine"), listed(alice, "over")) == ([draft["id"]], [], [])
    check_refused(alice.get("/tournaments?list=all"), 422, "malformed")


def test_an_entry_needs_the_digest_of_what_was_read(
    dana: Program, alice: Program, stranger: Program, draft: dict[str, Any]
) -> None:
    """Conditions are shown, with the ways of playing that won't do, and confirmed."""
    address = opened(dana, draft)
    assert draft["unsupported"] == []
    check_refused(stranger.get(address), 401, "no_token")
    check_refused(alice.post(f"{address}/enter", fair_play=True), 422, "malformed")
    check_refused(
        alice.post(f"{address}/enter", conditions="0" * 64, fair_play=True), 422, "conditions_changed"
    )
    check_refused(
        alice.post(f"{address}/enter", conditions=draft["digest"], fair_play=False), 422, "fair_play"
    )
    live = dana.post("/tournaments", name="Live", plan=PLAN, conditions={"length": 1, "time": {"bank": 300}})
    assert told(live, 201)["unsupported"] == ["mail"]
    check_refused(alice.post(f"{address}/leave"), 422, "not_entered")


def test_a_draft_is_changed_by_a_command_until_it_is_open(
    dana: Program, alice: Program, draft: dict[str, Any]
) -> None:
    address = f"/tournaments/{draft['id']}/commands"
    wish = {"conditions": {"length": 7}, "starts_at": "2026-07-01T09:00:00+02:00"}
    changed = told(dana.post(address, command="change", draft=wish, version=draft["version"]))
    assert (changed["name"], changed["plan"], changed["starts_at"]) == (
        draft["name"],
        draft["plan"],
        "2026-07-01T07:00:00Z",
    )
    assert changed["conditions"]["length"] == 7
    assert changed["digest"] != draft["digest"]
    assert told(dana.post(address, command="change", draft={"starts_at": None}))["starts_at"] is None
    check_refused(dana.post(address, command="change", draft=wish, version=1), 422, "draft_changed")
    check_refused(dana.post(address, command="change", draft={"secret": "x"}), 422, "condition")
    check_refused(dana.post(address, command="change", draft={"starts_at": "soon"}), 422, "starts_at")
    check_refused(dana.post(address, command="change", draft={"name": None}), 422, "condition")
    check_refused(alice.post(address, command="change", draft=wish), 404, "no_tournament")
    opened(dana, draft)
    check_refused(dana.post(address, command="change", draft=wish), 422, "not_a_draft")


def test_commands_are_for_organisers_and_judged(dana: Program, alice: Program, draft: dict[str, Any]) -> None:
    address = opened(dana, draft)
    check_refused(alice.post(f"{address}/commands", command="start"), 403, "not_organiser")
    check_refused(dana.post(f"{address}/commands", command="start"), 422, "too_few_entries")
    check_refused(dana.post(f"{address}/commands", command="dance"), 422, "unknown_command")
    check_refused(dana.post(f"{address}/commands", command="seed", how="hand", order="x"), 422, "malformed")
    check_refused(dana.post(f"{address}/commands", command="cancel"), 422, "reason_needed")
    check_refused(dana.get("/tournaments/nosuchid"), 404, "no_tournament")
    check_refused(dana.get("/tournaments/%00"), 404, "no_tournament")


@pytest.mark.parametrize(
    ("field", "value", "reason"),
    [
        ("plan", {"stages": [{"format": "swiss"}]}, "plan"),
        ("plan", [], "malformed"),
        ("conditions", {"length": 1.5}, "condition"),
        ("conditions", {"length": 1, "rules": {"name": "x", "lengths": [1.5]}}, "rule_set"),
        ("conditions", {"length": 1, "time": {"per_turn": -1}}, "time"),
        ("starts_at", "soon", "malformed"),
        ("starts_at", "2020-01-01T00:00:00Z", "starts_at"),
        ("starts_at", "9999-12-31T23:59:59Z", "starts_at"),
        ("name", "\x00", "malformed"),
        ("name", "   ", "tournament_name"),
        ("places", 1, "places"),
    ],
)
def test_a_tournament_that_makes_no_sense_is_refused(
    dana: Program, field: str, value: Any, reason: str
) -> None:
    body = {"name": "Autumn", "plan": PLAN, "conditions": CONDITIONS, field: value}
    check_refused(dana.post("/tournaments", body), 422, reason)


def test_the_same_wish_under_a_key_is_one_tournament(dana: Program, clock: Clock) -> None:
    body = {"name": "Autumn", "plan": PLAN, "conditions": CONDITIONS, "key": "k"}
    first = told(dana.post("/tournaments", body), 201)
    clock.move(hours=1)
    assert told(dana.post("/tournaments", body), 201)["id"] == first["id"]
    check_refused(dana.post("/tournaments", {**body, "name": "Winter"}), 422, "key_reused")

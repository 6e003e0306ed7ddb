"""Ratings by a program: the list, somebody's own, and what one match did."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask
from pydantic import BaseModel

from bgmail.api.rating_models import MatchRating, PersonRatings, RatingList
from bgmail.world import World
from tests.api.conftest import Clock, Program, Table, check_refused
from tests.service.rated import rank, rate_all


def told(who: Program, path: str, model: type[BaseModel]) -> dict[str, Any]:
    answer = who.get(path)
    assert answer.status_code == 200, answer.get_json()
    body: dict[str, Any] = answer.get_json()
    model.model_validate(body)
    return body


def test_the_list_comes_in_pages(app: Flask, alice: Program, stranger: Program, clock: Clock) -> None:
    here: World = app.extensions["bgmail"]
    for name, value in (("anna", 1700.25), ("ben", 1700.25), ("cleo", 1650), ("dora", 1600)):
        rank(here.store, name, value, clock())
    page = told(alice, "/ratings?limit=2", RatingList)
    found = page["ratings"]
    while page["cursor"]:
        page = told(alice, f"/ratings?limit=2&cursor={page['cursor']}", RatingList)
        found += page["ratings"]
    assert [(one["rank"], one["handle"]) for one in found] == [
        (1, "ben"),
        (1, "anna"),
        (3, "cleo"),
        (4, "dora"),
    ]
    assert told(alice, "/ratings?pace=live", RatingList)["ratings"] == []
    check_refused(alice.get("/ratings?pace=fast"), 422, "malformed")
    for cursor in ("x", "WzFd", "WyJhIiwxXQ", "W10"):
        check_refused(alice.get(f"/ratings?cursor={cursor}"), 422, "malformed")
    assert stranger.get("/ratings").status_code == 401


def test_a_match_tells_whether_it_counts_and_what_it_did(
    app: Flask, table: Table, charlie: Program, clock: Clock
) -> None:
    here: World = app.extensions["bgmail"]
    table.begin((3, 1))
    path = f"/matches/{table.id}/rating"
    before = told(table.bob, path, MatchRating)
    nothing = {"before": None, "after": None}
    assert before == {"rated": True, "counts": None, "reason": None, "white": nothing, "black": nothing}
    table.bob.act(table.id, "resign_match")
    rate_all(here.store, clock())
    after = told(table.alice, path, MatchRating)
    assert (after["counts"], after["reason"], after["white"]["before"]) == (True, None, 1500)
    assert after["white"]["after"] - 1500 == pytest.approx(1500 - after["black"]["after"])
    own = told(charlie, "/people/alice/ratings", PersonRatings)
    [change] = own["changes"]
    assert (change["match"], change["opponent"], change["score"], change["counts"]) == (
        table.id,
        "bob",
        1,
        True,
    )
    assert own["ratings"][0]["rating"] == change["after"] == after["white"]["after"]
    assert own["ratings"][0]["provisional"]
    check_refused(table.alice.get("/people/nobody/ratings"), 404, "no_such_person")
    check_refused(table.alice.get("/matches/none/rating"), 404, "no_match")

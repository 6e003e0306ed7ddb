"""Authentication, visibility, body, key, version, legality: the first that fails is what is told."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.conftest import Program, Table, check_refused

STALE: dict[str, Any] = {"version": 1, "action": "play", "play": "not a play"}


def test_a_stranger_is_asked_who_they_are_even_for_nonsense(table: Table, stranger: Program) -> None:
    table.begin((3, 1))
    check_refused(stranger.send(f"/matches/{table.id}/actions", b"{"), 401, "no_token")


def test_a_match_that_is_not_there_comes_before_a_malformed_body(alice: Program) -> None:
    check_refused(alice.send("/matches/nowhere/actions", b"{"), 404, "no_match")


def test_somebody_elses_match_comes_before_a_malformed_body(table: Table, charlie: Program) -> None:
    table.begin((3, 1))
    check_refused(charlie.send(f"/matches/{table.id}/actions", b"{"), 403, "not_your_match")


def test_an_invitation_of_others_is_not_even_forbidden(
    alice: Program, bob: Program, charlie: Program
) -> None:
    match_id = alice.post("/matches", opponent="bob", length=1).get_json()["id"]
    check_refused(charlie.post(f"/matches/{match_id}/actions", **STALE), 404, "no_match")


def test_a_malformed_body_comes_before_the_version(table: Table) -> None:
    table.begin((3, 1))
    check_refused(table.alice.send(f"/matches/{table.id}/actions", b'{"version": 1,'), 400, "not_json")


def test_a_known_key_comes_before_the_version(table: Table) -> None:
    begun = table.begin((3, 1), (6, 4))
    wish = {"version": begun["version"], "action": "play", "play": "8/5 6/5", "key": "k"}
    table.post(table.alice, **wish)
    table.bob.act(table.id, "roll")
    assert table.post(table.alice, **wish).status_code == 200
    check_refused(table.post(table.alice, **{**wish, "play": "6/2"}), 422, "key_reused")


@pytest.mark.parametrize(
    "rest",
    [
        {"action": "play", "play": "not a play"},
        {"action": "take"},
        {"action": "dance"},
        {"action": "play", "play": 7},
        {"action": "play", "play": "8/5 6/5", "nonce": "XYZ"},
        {},
    ],
)
def test_the_version_comes_before_everything_that_is_asked_for(table: Table, rest: dict[str, Any]) -> None:
    begun = table.begin((3, 1))
    check_refused(table.post(table.alice, version=1, **rest), 409, "stale")
    check_refused(table.post(table.alice, version=begun["version"] + 1, **rest), 409, "stale")


def test_legality_comes_last(table: Table) -> None:
    begun = table.begin((3, 1))
    check_refused(table.post(table.alice, **{**STALE, "version": begun["version"]}), 422, "unreadable")


@pytest.mark.parametrize("answer", ["accept", "decline"])
@pytest.mark.parametrize("version", [None, 1])
def test_a_third_person_has_nothing_to_answer_whatever_version_they_name(
    table: Table, charlie: Program, answer: str, version: int | None
) -> None:
    table.begin((3, 1))
    check_refused(charlie.post(f"/matches/{table.id}/{answer}", version=version), 403, "not_invited")


def test_who_has_taken_the_seat_is_told_that_the_match_moved_on(table: Table) -> None:
    table.begin((3, 1))
    for answer in ("accept", "decline"):
        check_refused(table.bob.post(f"/matches/{table.id}/{answer}", version=1), 409, "stale")

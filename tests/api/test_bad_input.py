"""Whatever is sent: a clear sentence, the right status, and nothing changed."""

from __future__ import annotations

import json
from io import BytesIO
from typing import Any

import pytest

from tests.api.conftest import Program, Table, check_refused


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"\xff\xfe{}",
        b'{"version": NaN, "action": "roll"}',
        b'{"version": Infinity}',
        b'{"version": 1}{"version": 2}',
        b'{"action": "resign", "value": 1, "value": 3}',
        b"version=1&action=roll",
        b"\xef\xbb\xbf{}",
        b'{"a":' * 2000,
        b"[" * 9000,
        b"1" * 5000,
        b'"\xed\xa0\x80"',
    ],
)
def test_what_is_no_json_is_400(table: Table, data: bytes) -> None:
    before = table.begin((3, 1))
    check_refused(table.alice.send(f"/matches/{table.id}/actions", data), 400, "not_json")
    assert table.alice.state(table.id)["version"] == before["version"]


@pytest.mark.parametrize("data", [b"[]", b"null", b"7", b'"roll"', b"true"])
def test_json_that_is_no_object_is_refused(table: Table, data: bytes) -> None:
    table.begin((3, 1))
    check_refused(table.alice.send(f"/matches/{table.id}/actions", data), 422, "malformed")


@pytest.mark.parametrize(
    "change",
    [
        {"version": None},
        {"version": True},
        {"version": "5"},
        {"version": 5.0},
        {"version": -1},
        {"version": 2**53},
        {"version": 10**400},
        {"version": [5]},
        {"action": None},
        {"action": "dance"},
        {"action": ["play"]},
        {"action": "play\u0000"},
        {"play": 65},
        {"play": "8/5 6/5" * 100},
        {"play": {"from": 8}},
        {"value": True},
        {"value": 0},
        {"value": 4},
        {"nonce": "A" * 32},
        {"nonce": "a" * 31},
        {"nonce": "a" * 32 + "\n"},
        {"nonce": 7},
        {"key": ""},
        {"key": "x" * 101},
        {"key": "a\u0000b"},
        {"key": "a\nb"},
        {"key": 12},
    ],
)
def test_a_field_of_the_wrong_kind_is_refused_by_name(table: Table, change: dict[str, Any]) -> None:
    before = table.begin((3, 1))
    wish = {"version": before["version"], "action": "play", "play": "8/5 6/5", **change}
    answer = table.post(table.alice, **wish)
    if type(change.get("version")) is int:
        check_refused(answer, 409, "stale")
    else:
        assert next(iter(change)) in check_refused(answer, 422, "malformed")["detail"]
    assert table.alice.state(table.id)["version"] == before["version"]


def test_a_lone_surrogate_is_refused(table: Table) -> None:
    before = table.begin((3, 1))
    for name in ("play", "key", "action"):
        wish = {"version": before["version"], "action": "play", "play": "8/5 6/5", name: "\ud800"}
        answer = table.alice.send(f"/matches/{table.id}/actions", json.dumps(wish).encode())
        check_refused(answer, 422, "malformed")


def test_a_missing_field_is_named(table: Table) -> None:
    table.begin((3, 1))
    assert "version" in check_refused(table.post(table.alice, action="roll"), 422, "malformed")["detail"]


def test_a_body_without_end_is_refused(table: Table) -> None:
    table.begin((3, 1))
    data = json.dumps({"version": 1, "action": "roll", "more": "x" * 20_000}).encode()
    check_refused(table.alice.send(f"/matches/{table.id}/actions", data), 413, "too_long")
    whole = json.dumps({"version": 1, "action": "roll"}).encode() + b" " * 20_000
    for sent in (data, whole):  # in pieces: nobody says how long it is, and the beginning of it is no body
        answer = table.alice.client.post(
            f"/api/v1/matches/{table.id}/actions",
            input_stream=BytesIO(sent),
            environ_overrides={"wsgi.input_terminated": True},
            headers={**table.alice.headers, "Transfer-Encoding": "chunked"},
        )
        check_refused(answer, 413, "too_long")


def test_fields_that_nobody_knows_are_ignored(table: Table) -> None:
    begun = table.begin((3, 1))
    wish = {"version": begun["version"], "action": "play", "play": "8/5 6/5"}
    extra = {"side": "black", "dice": [6, 6], "account_id": 3, "via": "server"}
    assert table.post(table.alice, **wish, **extra).status_code == 200
    log = table.alice.get(f"/matches/{table.id}/log").get_json()["entries"]
    assert [(entry["seat"], entry["via"]) for entry in log if entry["kind"] == "play"] == [("white", "api")]


@pytest.mark.parametrize(
    "path",
    [
        "/matches/%00",
        "/matches/%ED%A0%80",
        "/matches/' OR 1=1 --",
        "/matches/" + "x" * 3000,
        "/matches/٣",
        "/matches/../me",
    ],
)
def test_an_id_that_cannot_be_is_not_found(alice: Program, path: str) -> None:
    answer = alice.get(path)
    assert answer.status_code == 404
    assert answer.content_type == "application/problem+json"


def test_an_unknown_address_and_method_are_told_in_the_same_shape(alice: Program) -> None:
    check_refused(alice.get("/nothing"), 404, "not_found")
    wrong = alice.client.delete("/api/v1/me", headers=alice.headers)
    check_refused(wrong, 405, "method")
    assert "GET" in wrong.headers["Allow"]


@pytest.mark.parametrize(
    "query",
    [
        "state=x",
        "cursor=x",
        "cursor=%00",
        "cursor=W10",
        "cursor=" + "A" * 4000,
        "limit=0",
        "limit=1e3",
        "limit=101",
    ],
)
def test_a_query_that_makes_no_sense_is_refused(alice: Program, query: str) -> None:
    answer = alice.get(f"/matches?{query}")
    assert answer.status_code == 422, answer.get_json()
    assert answer.get_json()["reason"] in ("malformed", "unknown_list")


def test_every_list_that_comes_in_pages_says_how_long_they_may_be_and_holds_to_it(
    alice: Program, bob: Program
) -> None:
    paths = alice.get("/openapi.json").get_json()["paths"]
    lists = {}
    for path, methods in paths.items():
        asked = {one["name"]: one["schema"] for one in methods.get("get", {}).get("parameters", [])}
        if "cursor" in asked:
            lists[path.replace("{handle}", "alice").replace("{id}", "1")] = asked["limit"]["maximum"]
    bob.post("/leagues", name="Club", conditions={"length": 3})
    assert len(lists) == 7
    for path, most in lists.items():
        assert alice.get(f"{path}?limit={most}").status_code == 200, path
        for wrong in (most + 1, 0, "x", ""):
            check_refused(alice.get(f"{path}?limit={wrong}"), 422, "malformed")

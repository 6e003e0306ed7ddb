"""The document describes the API as it is."""

from __future__ import annotations

import json
from typing import Any

import pytest
from flask import Flask

from tests.api.conftest import Program

PROMISED = {
    ("get", "/me"),
    ("post", "/matches"),
    ("get", "/matches"),
    ("post", "/matches/{id}/accept"),
    ("post", "/matches/{id}/decline"),
    ("get", "/matches/{id}"),
    ("get", "/matches/{id}/log"),
    ("get", "/matches/{id}/export"),
    ("post", "/matches/{id}/actions"),
    ("get", "/events"),
    ("get", "/vacations"),
    ("get", "/vacations/preview"),
    ("post", "/vacations"),
    ("post", "/vacations/{id}/change"),
    ("post", "/vacations/{id}/end"),
    ("post", "/vacations/automatic"),
    ("get", "/ratings"),
    ("get", "/people/{handle}/ratings"),
    ("get", "/matches/{id}/rating"),
    ("get", "/orders"),
    ("put", "/orders"),
    ("get", "/matches/{id}/orders"),
    ("put", "/matches/{id}/orders"),
    ("get", "/matches/{id}/prepared"),
    ("post", "/matches/{id}/prepared"),
    ("delete", "/matches/{id}/prepared"),
    ("delete", "/matches/{id}/prepared/{reply}"),
    ("get", "/leagues"),
    ("post", "/leagues"),
    ("get", "/leagues/{id}"),
    ("post", "/leagues/{id}/join"),
    ("post", "/leagues/{id}/leave"),
    ("post", "/leagues/{id}/end"),
    ("get", "/leagues/{id}/members"),
    ("get", "/leagues/{id}/seasons"),
    ("get", "/leagues/{id}/standings"),
    ("get", "/tournaments"),
    ("post", "/tournaments"),
    ("get", "/tournaments/{id}"),
    ("post", "/tournaments/{id}/enter"),
    ("post", "/tournaments/{id}/leave"),
    ("post", "/tournaments/{id}/commands"),
    ("get", "/tournaments/{id}/entries"),
    ("get", "/tournaments/{id}/pairings"),
    ("get", "/tournaments/{id}/standings"),
    ("get", "/tournaments/{id}/log"),
    ("get", "/tournaments/{id}/export"),
}


@pytest.fixture
def document(stranger: Program) -> dict[str, Any]:
    answer = stranger.get("/openapi.json")
    assert answer.status_code == 200
    found: dict[str, Any] = answer.get_json()
    return found


def test_it_is_openapi_3_1_and_open_to_everybody(document: dict[str, Any]) -> None:
    assert document["openapi"] == "3.1.0"
    assert document["info"]["title"] == "bgmail"


def test_it_has_every_operation_of_the_contract_and_no_other(document: dict[str, Any]) -> None:
    found = {(method, path) for path, methods in document["paths"].items() for method in methods}
    assert found == PROMISED


def test_it_has_what_the_app_routes(app: Flask, document: dict[str, Any]) -> None:
    routed = {
        (method.lower(), str(rule).removeprefix("/api/v1").replace("<", "{").replace(">", "}"))
        for rule in app.url_map.iter_rules()
        if str(rule).startswith("/api/v1") and not str(rule).endswith("openapi.json")
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    assert routed == PROMISED


def test_every_reference_leads_somewhere(document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"]
    wanted = {part.split('"')[0] for part in json.dumps(document).split("#/components/schemas/")[1:]}
    assert wanted <= set(schemas)


def test_every_refusal_is_a_problem(document: dict[str, Any]) -> None:
    for methods in document["paths"].values():
        for method, operation in methods.items():
            usual = {"401", "429", "503"} | ({"403"} if method != "get" else set())
            assert usual <= set(operation["responses"])
            assert ("413" in operation["responses"]) == ("requestBody" in operation)
            for status, response in operation["responses"].items():
                assert (status >= "400") == ("application/problem+json" in response["content"])


def test_the_fields_of_an_action_are_those_of_the_contract(document: dict[str, Any]) -> None:
    act = document["components"]["schemas"]["Act"]
    assert set(act["properties"]) == {"version", "action", "play", "value", "nonce", "key"}
    assert act["required"] == ["version", "action"]

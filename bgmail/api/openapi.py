"""The OpenAPI 3.1 document, made from the declared operations and the models that judge requests."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from http import HTTPStatus
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from bgmail.api.models import Problem
from bgmail.api.operations import OPERATIONS, Operation
from bgmail.api.problems import MEDIA_TYPE

VERSION = "3.1.0"
_PATH_PARAMETER = re.compile(r"<(\w+)>")

_WHY = {
    400: "The body is not JSON",
    401: "Nobody has shown who they are",
    403: "It may be seen, but is not yours to act on; or a page of ours sent it without its form's token",
    404: "There is no such thing, or you may not know of it",
    409: "The match moved on: `state` is how it stands now",
    413: "The body is too long",
    422: "Refused: `reason` says why",
    429: "Too many requests with this token",
    503: "The server can't store anything right now: nothing was changed, and `Retry-After` says when to come back",
}


@cache
def document() -> dict[str, Any]:
    """The whole document."""
    models: set[type[BaseModel]] = {Problem}
    for operation in OPERATIONS:
        models |= _models(operation)
    wanted = sorted(models, key=lambda model: model.__name__)
    _, schemas = models_json_schema(
        [(model, "validation") for model in wanted], ref_template="#/components/schemas/{model}"
    )
    return {
        "openapi": VERSION,
        "info": {"title": "bgmail", "version": "1", "description": _ABOUT},
        "servers": [{"url": "/api/v1"}],
        "security": [{"token": []}, {"session": [], "csrf": []}],
        "paths": _paths(),
        "components": {"schemas": schemas["$defs"], "securitySchemes": _SCHEMES},
    }


_ABOUT = (
    "Correspondence backgammon. Checked in this order: authentication, visibility, key, version, legality. "
    "Repeat a request that got no answer with the same `key`: it acts once."
)
_SCHEMES = {
    "token": {"type": "http", "scheme": "bearer", "description": "A personal token from your settings"},
    "session": {"type": "apiKey", "in": "cookie", "name": "bgmail_login"},
    "csrf": {"type": "apiKey", "in": "header", "name": "X-CSRFToken"},
}


def _models(operation: Operation) -> set[type[BaseModel]]:
    found: set[type[BaseModel]] = {operation.body} if operation.body else set()
    return found | ({operation.answer} if isinstance(operation.answer, type) else set())


def _paths() -> dict[str, Any]:
    paths: dict[str, Any] = {}
    for operation in OPERATIONS:
        path = _PATH_PARAMETER.sub(r"{\1}", operation.path)
        paths.setdefault(path, {})[operation.method.lower()] = _described(operation)
    return paths


def _described(operation: Operation) -> dict[str, Any]:
    described: dict[str, Any] = {
        "operationId": operation.name,
        "summary": operation.summary,
        "parameters": _parameters(operation),
        "responses": _responses(operation),
    }
    if operation.body:
        content = {"application/json": {"schema": _ref(operation.body)}}
        described["requestBody"] = {"required": operation.body_required, "content": content}
    if not operation.signed_in:
        described["security"] = []
    return described


def _parameters(operation: Operation) -> list[dict[str, Any]]:
    path: list[dict[str, Any]] = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
        for name in _PATH_PARAMETER.findall(operation.path)
    ]
    query = [
        {"name": each.name, "in": "query", "schema": each.schema, "description": each.description}
        for each in operation.parameters
    ]
    return path + query


def _responses(operation: Operation) -> dict[str, Any]:
    answer = operation.answer
    content: dict[str, Any] = (
        {"application/json": {"schema": _ref(answer)}}
        if isinstance(answer, type)
        else {media_type: {} for media_type in answer}
    )
    responses = {
        str(operation.status): {"description": HTTPStatus(operation.status).phrase, "content": content}
    }
    for status in sorted({*operation.problems, *_usual(operation)}):
        problem = {MEDIA_TYPE: {"schema": _ref(Problem)}}
        responses[str(status)] = {"description": _WHY[status], "content": problem}
    return responses


def _usual(operation: Operation) -> Iterator[int]:
    """What every operation of its sort may answer."""
    if operation.signed_in:
        yield from (401, 429, 503)
        if operation.method != "GET":
            yield 403
    if operation.body:
        yield 413


def _ref(model: type[BaseModel]) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{model.__name__}"}

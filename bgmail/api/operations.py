"""What the API offers: each operation is declared once, and routing, checks and the OpenAPI document follow
from it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any

import orjson
from flask import Blueprint, Response
from pydantic import BaseModel

from bgmail.api.auth import Caller, admit
from bgmail.api.models import Body

blueprint = Blueprint("api", __name__, url_prefix="/api/v1")


@dataclass(frozen=True, slots=True)
class Parameter:
    """A query parameter: its name, its JSON schema, and what it is for."""

    name: str
    schema: dict[str, Any]
    description: str


@dataclass(frozen=True, slots=True)
class Operation:
    """One method of one path, with everything that a client has to know of it.

    `answer` is the model of a good answer, or the media types of one that is no JSON of ours. `body` None
    takes none. `problems` are the statuses that it may refuse with, besides those that all of its sort have.
    """

    method: str
    path: str
    name: str
    summary: str
    answer: type[BaseModel] | tuple[str, ...]
    status: int = 200
    body: type[Body] | None = None
    body_required: bool = True
    parameters: tuple[Parameter, ...] = ()
    problems: tuple[int, ...] = ()
    signed_in: bool = True


OPERATIONS: list[Operation] = []

View = Callable[..., Any]


def offer(operation: Operation) -> Callable[[View], View]:
    """Puts a view on its path. It is called with the Caller first, unless the operation asks for nobody."""

    def register(view: View) -> View:
        OPERATIONS.append(operation)
        handler = _guarded(view) if operation.signed_in else _answered(view)
        blueprint.add_url_rule(
            operation.path,
            operation.name,
            handler,
            methods=[operation.method],
            strict_slashes=True,
        )
        return view

    return register


def _guarded(view: View) -> View:
    @wraps(view)
    def handler(**path: str) -> Response:
        caller: Caller = admit()
        return _response(view(caller, **path))

    return handler


def _answered(view: View) -> View:
    @wraps(view)
    def handler(**path: str) -> Response:
        return _response(view(**path))

    return handler


def _response(value: Any) -> Response:
    if isinstance(value, Response):
        return value
    body, status = value if isinstance(value, tuple) else (value, 200)
    return Response(orjson.dumps(body), status=status, content_type="application/json")

"""A request's body: bytes to JSON to a judged model, each step with its own refusal."""

from __future__ import annotations

import json
from typing import Any, NoReturn, TypeVar

from flask import request
from pydantic import ValidationError
from werkzeug.exceptions import BadRequest, RequestEntityTooLarge

from bgmail.api.models import Body
from bgmail.api.problems import Malformed

LIMIT = 16 * 1024  # bytes; the longest honest body is a tenth of it

KINDS = ("name", "durations", "values")
"""How the models tell apart what may stand in one field: no word of the client's."""

Model = TypeVar("Model", bound=Body)


def read_json(*, required: bool = True) -> dict[str, Any]:
    """The JSON object that the client sent; {} for no body at all where none is required.

    Raises BadRequest for what is no JSON, Malformed for JSON that is no object.
    """
    if request.content_length is not None and request.content_length > LIMIT:
        raise RequestEntityTooLarge
    request.max_content_length = LIMIT
    data = request.get_data()
    if not data and not required:
        return {}
    value = _parsed(data)
    if not isinstance(value, dict):
        raise Malformed("The body must be a JSON object.")
    return value


def judged(model: type[Model], value: dict[str, Any]) -> Model:
    """The model of a JSON object. Raises Malformed, naming the first field that does not fit."""
    try:
        return model.model_validate(value)
    except ValidationError as error:
        raise Malformed(_first(error)) from error


def _parsed(data: bytes) -> Any:
    try:
        return _decode(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise BadRequest("The body is not UTF-8.") from error
    except RecursionError as error:
        raise BadRequest("The JSON is nested too deeply.") from error
    except ValueError as error:
        raise BadRequest(f"The body is not JSON: {error}.") from error


def _no_constant(word: str) -> NoReturn:
    raise ValueError(f"{word} is not a JSON number")


_decode = json.JSONDecoder(parse_constant=_no_constant).decode


def _first(error: ValidationError) -> str:
    found = error.errors(include_url=False, include_context=False, include_input=False)[0]
    place = ".".join(str(part) for part in found["loc"] if part not in KINDS)
    return f"{place}: {found['msg']}." if place else f"{found['msg']}."

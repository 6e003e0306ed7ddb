"""A request's body: bytes to JSON to a judged model, each step with its own refusal."""

from __future__ import annotations

import json
from typing import Any, NoReturn, TypeVar

from flask.globals import request_ctx
from pydantic import ValidationError
from werkzeug.exceptions import BadRequest, RequestEntityTooLarge

from bgmail.api.models import Body
from bgmail.api.problems import Malformed

LIMIT = 16 * 1024  # bytes; the longest honest body is a tenth of it
MOST_DIGITS = 1000  # of a whole number; each field has its own bounds besides

KINDS = ("name", "durations", "values")
"""How the models tell apart what may stand in one field: no word of the client's."""

Model = TypeVar("Model", bound=Body)


def read_json(*, required: bool = True) -> dict[str, Any]:
    """The JSON object that the client sent; {} for no body at all where none is required.

    Raises BadRequest for what is no JSON, Malformed for JSON that is no object.
    """
    asked = request_ctx.request
    if (asked.content_length or 0) > LIMIT:
        raise RequestEntityTooLarge
    asked.max_content_length = LIMIT + 1  # a body that doesn't say its length is cut off there
    data = asked.get_data()
    if len(data) > LIMIT:
        raise RequestEntityTooLarge
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


def _whole(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise ValueError("a number is too long")
    return int(digits)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object's values by name. Which of two with one name is meant is never guessed."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("an object has two values of one name")
    return found


_decode = json.JSONDecoder(parse_constant=_no_constant, parse_int=_whole, object_pairs_hook=_once).decode


def _first(error: ValidationError) -> str:
    found = error.errors(include_url=False, include_context=False, include_input=False)[0]
    place = ".".join(str(part) for part in found["loc"] if part not in KINDS)
    return f"{place}: {found['msg']}." if place else f"{found['msg']}."

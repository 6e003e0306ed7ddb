"""What a refused form shows again: what was typed, and a sentence beside the field it is about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from flask import request

from bgmail.phrases import refusal
from bgmail.service.allowances import TooOften
from bgmail.service.errors import ServiceError

_FIELDS = (
    ("handle", "handle"),
    ("email", "email"),
    ("same_address", "email"),
    ("password_wrong", "old"),
    ("password", "password"),
    ("token_name", "name"),
    ("time_zone", "time_zone"),
    ("most_matches", "most"),
    ("webhook_name", "name"),
    ("webhook_events", "events"),
    ("address_", "url"),
)
"""By the beginning of an error's code: the field it is about, if the form has it. All others stand above the form."""


@dataclass(frozen=True, slots=True)
class Form:
    """One form: `typed` by field (never a password), `wrong` by field, "" for the form as a whole."""

    typed: Mapping[str, str] = field(default_factory=dict)
    wrong: Mapping[str, str] = field(default_factory=dict)
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


def posted(*names: str) -> dict[str, str]:
    """These fields of the request's form; what is missing is empty."""
    return {name: request.form.get(name, "") for name in names}


def refused(error: ServiceError, typed: Mapping[str, str]) -> Form:
    """The form that a service refused. `typed` names every field it has."""
    about = next((name for start, name in _FIELDS if error.code.startswith(start) and name in typed), "")
    shown = {name: text for name, text in typed.items() if name not in ("password", "old")}
    status, headers = 422, {}
    if isinstance(error, TooOften):
        status, headers = 429, {"Retry-After": str(error.seconds)}
    return Form(shown, {about: refusal(error)}, status, headers)

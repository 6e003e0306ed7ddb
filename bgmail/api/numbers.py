"""Whole numbers that clients send in an address."""

from __future__ import annotations

from flask import request

from bgmail.api.problems import Malformed

MOST_DIGITS = 7


def asked(name: str) -> int:
    """A number of the query, 0 when it isn't there. Raises Malformed."""
    found = written(request.args.get(name, "0"))
    if found is None:
        raise Malformed(f"{name}: a whole number from 0 on.")
    return found


def within(name: str, default: int, most: int, least: int = 0) -> int:
    """A number of the query from `least` to `most`, `default` when it isn't there. Raises Malformed."""
    text = request.args.get(name)
    if text is None:
        return default
    if not (text.isascii() and text.isdigit() and len(text) < 12 and least <= int(text) <= most):
        raise Malformed(f"{name}: a whole number from {least} to {most}.")
    return int(text)


def written(text: str) -> int | None:
    """The number that a text is; None where it is none, or longer than any of ours."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS else None

"""What is said about the machines that play here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bgmail.phrases.translate import lazy_gettext

PLAYS_BY: Mapping[str, Any] = {
    "sage": lazy_gettext("It plays by Open Sage, a strong neural network."),
    "plain": lazy_gettext("It plays by a small program of our own: a good opponent for a beginner."),
}


def plays_by(name: str) -> str:
    """Which machine plays, and how well, by the engine's name."""
    return str(PLAYS_BY[name])

"""What a match is about: length, rules, time, and where it stands."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from bgmail.phrases.times import span
from bgmail.phrases.translate import gettext, lazy_gettext, ngettext
from bgmail.rules.match import Match
from bgmail.rules.score import Crawford
from bgmail.timing import TimeControl

RULES: Mapping[str, Any] = {
    "club": lazy_gettext("club rules"),
    "federation": lazy_gettext("federation rules"),
    "five-point": lazy_gettext("five-point rules"),
    "claim": lazy_gettext("rules with claimed timeouts"),
    "house": lazy_gettext("house rules"),
    "standard": lazy_gettext("standard rules"),
}


def rules_name(name: str) -> str:
    """A rule set's name in words."""
    return str(RULES.get(name, name))


def match_terms(match: Match) -> str:
    """The kind of match: "7-point match", "1-point match", "points session of 5 games"."""
    if match.length == 0:
        return ngettext("points session of %(num)s game", "points session of %(num)s games", match.games)
    return gettext("%(length)s-point match", length=match.length)


def stage(match: Match) -> str:
    """Where the match stands: "7-point match, game 4", with the Crawford game named."""
    if not match.game:
        return match_terms(match)
    game = gettext("%(terms)s, game %(game)s", terms=match_terms(match), game=match.game)
    if match.crawford is Crawford.ACTIVE:
        return gettext("%(game)s, the Crawford game", game=game)
    return game


def time_control(control: TimeControl) -> str:
    """A time control in words: "1 d a move + 3 d bank", "no clock"."""
    if control.untimed:
        return gettext("no clock")
    parts = []
    if control.per_turn:
        parts.append(gettext("%(span)s a move", span=_span(control.per_turn)))
    if control.bank:
        parts.append(gettext("%(span)s bank", span=_span(control.bank)))
    if control.increment:
        parts.append(gettext("%(span)s earned a move", span=_span(control.increment)))
    text = " + ".join(parts)
    if control.cap is not None:
        text = gettext("%(text)s, bank up to %(span)s", text=text, span=_span(control.cap))
    if control.per_answer != control.per_turn:
        text = gettext("%(text)s, answers %(span)s", text=text, span=_span(control.per_answer))
    return text


def _span(seconds: int) -> str:
    return span(timedelta(seconds=seconds))

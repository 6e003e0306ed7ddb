"""What a match is about: length, rules, time, and where it stands."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from bgmail.phrases.times import lasting, span
from bgmail.phrases.translate import gettext, lazy_gettext, ngettext
from bgmail.phrases.words import Names
from bgmail.rules.match import Match, Phase
from bgmail.rules.options import cube_in_play
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
    """A rule set's name in words. Rules that somebody made are quoted, so that they never look like known ones."""
    known = RULES.get(name)
    return str(known) if known else gettext("own rules “%(name)s”", name=name)


def match_terms(match: Match) -> str:
    """The kind of match: "7-point match", "points session of 5 games", "1-point match", and its wager if it has one."""
    if match.length == 0:
        kind = ngettext("points session of %(num)s game", "points session of %(num)s games", match.games)
    else:
        kind = gettext("%(length)s-point match", length=match.length)
    if match.wager == 1:
        return kind
    return ngettext(
        "%(kind)s, %(num)s point a game", "%(kind)s, %(num)s points a game", match.wager, kind=kind
    )


def stage(match: Match) -> str:
    """Where the match stands: "7-point match, game 4", with the Crawford game named."""
    if not match.game:
        return match_terms(match)
    game = gettext("%(terms)s, game %(game)s", terms=match_terms(match), game=match.game)
    if match.crawford is Crawford.ACTIVE:
        return gettext("%(game)s, the Crawford game", game=game)
    return game


def subtitle(match: Match, names: Names) -> str:
    """Match, game and cube in a line: "7-point match, game 4, cube at 2 is yours."."""
    where = stage(match)
    where = where[:1].upper() + where[1:]
    if match.phase in (Phase.INVITED, Phase.OVER, Phase.TAKE_OR_PASS) or not cube_in_play(match):
        return gettext("%(where)s.", where=where)
    if match.cube.owner is None:
        return gettext("%(where)s, cube in the middle.", where=where)
    if match.cube.owner is names.you:
        return gettext("%(where)s, cube at %(value)s is yours.", where=where, value=match.cube.value)
    owner = names.of(match.cube.owner)
    return gettext(
        "%(where)s, cube at %(value)s is with %(name)s.", where=where, value=match.cube.value, name=owner
    )


def time_control(control: TimeControl, *, spelled: bool = False) -> str:
    """A time control in words: "1 d a move + 3 d bank", "no clock"; `spelled`: "1 day a move + 3 days bank"."""
    words = lasting if spelled else span

    def told(seconds: int) -> str:
        return words(timedelta(seconds=seconds))

    if control.untimed:
        return gettext("no clock")
    parts = []
    if control.per_turn:
        parts.append(gettext("%(span)s a move", span=told(control.per_turn)))
    if control.bank:
        parts.append(gettext("%(span)s bank", span=told(control.bank)))
    clauses = [" + ".join(parts)]
    if control.increment and control.cap is not None:
        earned, most = told(control.increment), told(control.cap)
        clauses.append(gettext("each move earns %(span)s, up to %(most)s", span=earned, most=most))
    elif control.increment:
        clauses.append(gettext("each move earns %(span)s", span=told(control.increment)))
    if control.per_answer != control.per_turn:
        clauses.append(gettext("%(span)s for an answer", span=told(control.per_answer)))
    return "; ".join(clause for clause in clauses if clause)

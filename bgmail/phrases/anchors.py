"""Where the guide explains a refusal: a page and an anchor on it for the codes of rules and services."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from bgmail.rules.notation import AmbiguousPlay, MalformedPlay, PlayError
from bgmail.timing import BadTimeControl


class Where(NamedTuple):
    """A page of the guide ("rules" or "help") and the id of a section on it."""

    page: str
    anchor: str


OF_PLAYS: Mapping[str, Where] = {
    "no_checker": Where("rules", "movement"),
    "backwards": Where("rules", "movement"),
    "bar_first": Where("rules", "bar"),
    "blocked": Where("rules", "blocked"),
    "straggler": Where("rules", "bear-off"),
    "higher_checker": Where("rules", "bear-off"),
    "not_these_dice": Where("rules", "dice"),
    "no_hit": Where("rules", "hit"),
    "no_legal_play": Where("rules", "dance"),
    "use_both_dice": Where("rules", "both-dice"),
    "use_more_dice": Where("rules", "doubles"),
    "use_larger_die": Where("rules", "larger-die"),
    "wastes_pips": Where("rules", "least-waste"),
}
"""What the rules say against a play that could be read."""

OF_MATCHES: Mapping[str, Where] = {
    "illegal_play": Where("rules", "both-dice"),
    "no_cube": Where("rules", "cube"),
    "crawford_game": Where("rules", "crawford"),
    "cube_not_yours": Where("rules", "cube"),
    "cube_at_limit": Where("rules", "cube"),
    "dead_cube": Where("rules", "dead-cube"),
    "resign_not_now": Where("rules", "resigning"),
    "resign_value": Where("rules", "resigning"),
    "no_offer": Where("rules", "resigning"),
    "length": Where("rules", "match"),
    "games": Where("rules", "session"),
    "rules": Where("rules", "rule-sets"),
    "rule_set": Where("rules", "rule-sets"),
    "wager": Where("rules", "wager"),
    "no_wager": Where("rules", "wager"),
    "time": Where("help", "clocks"),
    "stale": Where("help", "links"),
    "invitation_over": Where("help", "invitations"),
    "not_invited": Where("help", "invitations"),
    "chat": Where("help", "chat"),
    "bad_nonce": Where("help", "dice"),
    "claim_timeout": Where("help", "clocks"),
}
"""What can't be done in a match, or be agreed on for one."""

NOTATION = Where("help", "notation")
CLOCKS = Where("help", "clocks")


def explained_at(error: Exception) -> Where | None:
    """Where the guide says more about an error of the rules, of timing or of a service; None = nowhere.

    A service's error that wraps one of the inner rooms is explained by that one, as `refusal` speaks of it.
    """
    for found in (error, error.__cause__):
        if isinstance(found, MalformedPlay | AmbiguousPlay):
            return NOTATION
        if isinstance(found, PlayError):
            return OF_PLAYS.get(found.code)
        if isinstance(found, BadTimeControl):
            return CLOCKS
    return OF_MATCHES.get(getattr(error, "code", ""))

"""What a rule set says about time: how much there is, and what becomes of whoever uses it up or stays away."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from bgmail import timing
from bgmail.phrases.anchors import CLOCKS, Where
from bgmail.phrases.facts import Fact
from bgmail.phrases.terms import time_control
from bgmail.phrases.times import lasting
from bgmail.phrases.translate import gettext, lazy_gettext, ngettext
from bgmail.rules.ruleset import CLAIM_DAYS, RuleSet, Timeout

POINTS = 7
"""The match that time controls are described for, where they depend on its length."""
TIME_OVER = Where("rules", "time")

LOST: Mapping[Timeout, Any] = {
    Timeout.MATCH: lazy_gettext("The match is lost; the opponent is awarded the missing points."),
    Timeout.GAME: lazy_gettext("The game on the board is lost, and the match goes on."),
    Timeout.GAMMON: lazy_gettext("The game on the board is lost as a gammon, and the match goes on."),
}


def time_fact(rules: RuleSet) -> Fact:
    """The time control that is proposed with these rules."""
    points = POINTS if POINTS in rules.lengths else max(rules.lengths)
    control = time_control(timing.resolve(rules.time or timing.DEFAULT, points), spelled=True)
    says = gettext("Proposed: %(time)s. Whoever invites may choose another.", time=control)
    return Fact("time", CLOCKS, gettext("Time"), says)


def lapse_facts(rules: RuleSet) -> tuple[Fact, ...]:
    """What happens when time is over, in which order the most telling comes first."""
    return (
        Fact("timeout", TIME_OVER, gettext("Time over"), str(LOST[rules.timeout])),
        _claimed(rules),
        _bank(rules),
        *_given_back(rules),
        _inactivity(rules),
    )


def _claimed(rules: RuleSet) -> Fact:
    says = (
        gettext(
            "The opponent has to claim it; a play before that still counts. After %(days)s days it happens by itself.",
            days=CLAIM_DAYS,
        )
        if rules.claimed
        else gettext("It happens by itself, as soon as the time is over.")
    )
    return Fact("claimed", TIME_OVER, gettext("Claims"), says)


def _bank(rules: RuleSet) -> Fact:
    says = (
        gettext("Each game starts with a full bank.")
        if rules.bank_per_game
        else gettext("The bank has to last for the whole match.")
    )
    return Fact("bank_per_game", CLOCKS, gettext("Bank"), says)


def _given_back(rules: RuleSet) -> tuple[Fact, ...]:
    name = gettext("Lost connection")
    if not rules.given_back:
        return (Fact("given_back", CLOCKS, name, gettext("The clock runs on, and nothing is given back.")),)
    says = ngettext(
        "In live games, who was cut off and comes back in time gets a part of the bank back, once a match.",
        "In live games, who was cut off and comes back in time gets a part of the bank back, %(num)s times a match.",
        rules.given_back,
    )
    part = gettext("%(percent)s %% of what the bank lost meanwhile.", percent=rules.given_back_percent)
    return (
        Fact("given_back", CLOCKS, name, says),
        Fact("given_back_percent", CLOCKS, gettext("Given back"), part),
    )


def _inactivity(rules: RuleSet) -> Fact:
    says = (
        gettext(
            "In live games, who is away on turn for %(span)s loses the game on the board.",
            span=lasting(timedelta(seconds=rules.inactivity)),
        )
        if rules.inactivity
        else gettext("Nobody loses by being away alone, as long as there is time.")
    )
    return Fact("inactivity", CLOCKS, gettext("Staying away"), says)

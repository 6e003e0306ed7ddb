"""Words about vacation and mercy: why one can't be had, how long it lasts, and what is told of it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from bgmail.phrases.times import instant, lasting
from bgmail.phrases.translate import gettext, lazy_gettext, ngettext
from bgmail.timing import from_microseconds

UTC = ZoneInfo("UTC")

VACATIONS: Mapping[str, Any] = {
    "no_vacation": lazy_gettext("There is no such vacation of yours."),
    "vacation_past": lazy_gettext("A vacation can't begin in the past: leave its beginning empty for now."),
    "vacation_far": lazy_gettext("A vacation begins within %(most)s days."),
    "vacation_backwards": lazy_gettext("A vacation ends after it begins, and not in the past."),
    "vacation_planned": lazy_gettext("You have planned %(most)s vacations. Take one of them back first."),
    "vacation_overlaps": lazy_gettext(
        "You have another vacation then. Change that one, or choose other days."
    ),
    "vacation_used_up": lazy_gettext("No vacation is left for you in %(year)s."),
    "vacation_day": lazy_gettext("Write a day like 2026-12-24, not “%(text)s”."),
    "vacation_over": lazy_gettext("That vacation is over."),
    "no_clock": lazy_gettext("This match has no clock."),
    "day_live": lazy_gettext("At this pace nobody gives away a day."),
    "day_own_turn": lazy_gettext("A day can be given to the opponent while their clock runs."),
    "day_limit": lazy_gettext("You have given %(most)s days in this turn: more aren't possible."),
    "untimed_rated": lazy_gettext("A rated match keeps its clock."),
    "untimed_tournament": lazy_gettext("A match of a tournament keeps its clock."),
    "untimed_machine": lazy_gettext("A machine agrees to nothing."),
    "untimed_offered": lazy_gettext("That is offered already: the answer is awaited."),
    "untimed_declined": lazy_gettext(
        "Your opponent has declined that in this match. Now only they can offer it."
    ),
    "untimed_no_offer": lazy_gettext("Nobody offers to play without a clock."),
}


def too_long(farthest: datetime, zone: ZoneInfo) -> str:
    """Why a vacation can't last as long as was wished."""
    return gettext(
        "Your days don't last so long: a vacation that begins then ends on %(when)s at the latest.",
        when=instant(farthest, zone, farthest),
    )


def away(name: str, start: datetime, end: datetime, zone: ZoneInfo, now: datetime, *, sure: bool) -> str:
    """That somebody else is on vacation, or will be. `sure`: the end was named, and isn't only where their days end."""
    first, last = instant(start, zone, now), instant(end, zone, now)
    if now < start:
        return gettext("%(name)s goes on vacation: %(start)s to %(end)s", name=name, start=first, end=last)
    if sure:
        return gettext("%(name)s is on vacation until %(end)s", name=name, end=last)
    return gettext("%(name)s is on vacation until %(end)s at the latest", name=name, end=last)


def until(end: datetime, zone: ZoneInfo, now: datetime) -> str:
    """Beside somebody's name: until when their vacation lasts."""
    return gettext("on vacation until %(end)s", end=instant(end, zone, now))


def own(start: datetime, end: datetime, zone: ZoneInfo, now: datetime) -> str:
    """One's own vacation, from when to when."""
    return gettext("%(start)s to %(end)s", start=instant(start, zone, now), end=instant(end, zone, now))


def days(duration: timedelta) -> str:
    """How much vacation that is: "12 days", "1 day 6 hours", "40 minutes"."""
    return lasting(duration) if duration else ngettext("%(num)s day", "%(num)s days", 0)


def why_not(reason: str) -> str:
    """Why a vacation doesn't hold a match."""
    return str(WHY_NOT[reason])


WHY_NOT: Mapping[str, Any] = {
    "untimed": lazy_gettext("has no clock"),
    "live": lazy_gettext("is played at the board: its clock waits for nobody"),
    "forbidden": lazy_gettext("doesn’t allow vacation: its clock keeps running"),
}


def logged(start: int, end: int, at: int) -> str:
    """What the log says of a vacation (all in microseconds): that it lasts, that it is over, or that it won't be."""
    if end <= start:
        return gettext("took a planned vacation back")
    if end <= at:
        return gettext("came back from vacation")
    first, last = (instant(from_microseconds(each), UTC, from_microseconds(at)) for each in (start, end))
    return gettext("on vacation: %(start)s to %(end)s UTC", start=first, end=last)


def untimed(word: str) -> str:
    """What was said about playing without a clock."""
    return str(UNTIMED.get(word, UNTIMED["offer"]))


UNTIMED: Mapping[str, Any] = {
    "offer": lazy_gettext("offered to play on without a clock"),
    "accept": lazy_gettext("agreed to play on without a clock"),
    "decline": lazy_gettext("keeps the clock"),
    "withdraw": lazy_gettext("took the offer to play without a clock back"),
}


def untimed_line(name: str, *, agreed: bool) -> str:
    """The same for a line of its own: who offers or has agreed."""
    if agreed:
        return gettext("%(name)s has agreed: this match goes on without a clock.", name=name)
    return gettext("%(name)s offers to play on without a clock.", name=name)


def done(action: str, name: str) -> str:
    """What is said on the page after an act of mercy."""
    said = {
        "give_day": gettext("%(name)s has a day more.", name=name),
        "offer_untimed": gettext("%(name)s is asked whether to play on without a clock.", name=name),
        "accept_untimed": gettext("Agreed: this match goes on without a clock."),
        "decline_untimed": gettext("The clock stays."),
    }
    return said[action]

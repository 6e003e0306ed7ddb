"""Words about webhooks: why an address or a wish is not taken, what events are called, how a call went."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bgmail.phrases.translate import gettext, lazy_gettext

WEBHOOKS: Mapping[str, Any] = {
    # addresses that this server may send something to
    "address_https": lazy_gettext("The address must begin with https://."),
    "address_long": lazy_gettext("An address has at most %(most)s characters."),
    "address_malformed": lazy_gettext("That is no address. Write it like https://example.org/hook."),
    "address_password": lazy_gettext("An address with a name or password before the host is not called."),
    "address_port": lazy_gettext(
        "Port %(port)s is not called: leave the port out, or take one from 1024 up."
    ),
    "address_inside": lazy_gettext(
        "That address doesn't lead to a public host. Only hosts of the open Internet are called."
    ),
    # webhooks
    "no_webhook": lazy_gettext("There is no such webhook: it may have been deleted."),
    "no_call": lazy_gettext("That call is so long ago that it isn't kept any more."),
    "too_many_webhooks": lazy_gettext("You have %(most)s webhooks. Delete one that you don't need first."),
    "webhook_events": lazy_gettext("Choose at least one event."),
    "webhook_flavour": lazy_gettext("There is no such form. Choose one of the list."),
    "webhook_name": lazy_gettext("A name has at most %(most)s plain characters."),
}


def event_name(event: str) -> str:
    """What an event tells, for the list of those to choose from."""
    names = {
        "match.turn": gettext("it is my turn"),
        "match.double": gettext("I am doubled"),
        "match.resignation": gettext("a resignation is offered to me"),
        "match.reminder": gettext("my time runs low"),
        "match.claim": gettext("a time is over and may be claimed"),
        "match.game_over": gettext("a game has ended"),
        "match.finished": gettext("a match has ended"),
        "match.invitation": gettext("somebody invites me"),
        "match.day_given": gettext("my opponent gives me a day"),
        "match.untimed": gettext("a match is to be played without a clock"),
        "opponent.vacation": gettext("an opponent goes on vacation"),
        "tournament.paired": gettext("a match of a tournament begins"),
        "tournament.entered": gettext("I get a place in a tournament"),
        "tournament.round": gettext("a round is drawn"),
        "tournament.bye": gettext("I have a bye"),
        "tournament.over": gettext("a tournament is over"),
        "tournament.says": gettext("the organiser of a tournament says something"),
        "tournament.cancelled": gettext("a tournament is cancelled"),
        "tournament.late": gettext("a tournament that I organise waits for me"),
        "webhook.test": gettext("a test"),
    }
    return names.get(event, event)


def flavour_name(flavour: str) -> str:
    """A form in which events are sent."""
    names = {
        "standard": gettext("For programs: JSON, signed (Standard Webhooks)"),
        "discord": gettext("For a Discord channel"),
        "slack": gettext("For a Slack channel"),
    }
    return names[flavour]


def call_result(outcome: str, status: int | None) -> str:
    """How a call went, in a few words."""
    results = {
        "taken": gettext("taken (%(status)s)", status=status),
        "status": gettext("refused (%(status)s)", status=status),
        "redirect": gettext("redirects are not followed (%(status)s)", status=status),
        "timeout": gettext("timed out: it may have arrived"),
        "name": gettext("the host's name leads nowhere"),
        "connection": gettext("no connection"),
        "garbled": gettext("the answer was no HTTP"),
        "inside": gettext("not called: the address leads inside a network"),
    }
    return results[outcome]


def state_line(state: str, *, is_failing: bool, has_taken: bool) -> str:
    """How a webhook fares."""
    lines = {
        "paused": gettext("Switched off by you."),
        "gone": gettext("Switched off: the receiver said that it is gone for good."),
        "failing": gettext("Switched off: it took nothing for days."),
    }
    if state in lines:
        return lines[state]
    if is_failing:
        return gettext("On, but the last calls failed. They are repeated for a day.")
    return gettext("On, and it works.") if has_taken else gettext("On. Nothing was sent yet.")

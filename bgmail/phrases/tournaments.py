"""Words about tournaments: why a wish is not taken."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bgmail.phrases.translate import lazy_gettext

TOURNAMENTS: Mapping[str, Any] = {
    "no_tournament": lazy_gettext("There is no such tournament."),
    "tournament_state": lazy_gettext("That can't be done in this tournament as it stands now."),
    "tournament_name": lazy_gettext("A tournament needs a name of at most %(most)s plain characters."),
    "condition": lazy_gettext("Nobody can play on those conditions: %(field)s is not as it must be."),
    "plan": lazy_gettext("Nobody can play by that format: %(field)s is not as it must be."),
    "places": lazy_gettext(
        "Places are a number from 2 to %(most)s, or none for as many as come; who starts when all are taken needs one."
    ),
    "starts_at": lazy_gettext("The start must lie in the future."),
    "unverified_organiser": lazy_gettext("Confirm your address before you organise a tournament."),
    "unverified_entry": lazy_gettext("Confirm your address before you enter a tournament."),
    "too_many_tournaments": lazy_gettext(
        "You organise %(most)s tournaments already that are not over: finish or cancel one first."
    ),
    "reason": lazy_gettext("A reason has at most %(most)s plain characters."),
    "not_organiser": lazy_gettext("Only its organisers may do that in a tournament."),
    "unknown_command": lazy_gettext("There is no command called %(command)s. There are: %(known)s."),
    "conditions_changed": lazy_gettext(
        "Read the conditions of this tournament and confirm them: those that you confirmed are not its own."
    ),
    "fair_play": lazy_gettext("Who enters promises to play without help from programs and from others."),
    "no_machines": lazy_gettext("Machines may not enter this tournament."),
    "excluded": lazy_gettext(
        "You have left this tournament, or were taken out of it, and can't enter it again."
    ),
    "not_entered": lazy_gettext("You have not entered this tournament."),
    "too_few_entries": lazy_gettext(
        "A tournament starts with at least %(least)s entries and at most %(most)s."
    ),
    "seeding": lazy_gettext("Seeds go by rating, order or lot, or by hand: then each entry is named once."),
}

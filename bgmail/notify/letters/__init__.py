"""One function a letter: what its templates in `templates/mail/<kind>/` are given."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from bgmail.notify.letters import (
    answers,
    channels,
    digests,
    invitations,
    matches,
    people,
    tournaments,
    vacations,
)
from bgmail.notify.letters.desk import Desk
from bgmail.service.notices import Kind

__all__ = ["LETTERS", "Desk", "Write"]

Write = Callable[[Desk], Mapping[str, Any]]

LETTERS: Mapping[Kind, Write] = {
    Kind.VERIFY: people.verify,
    Kind.SIGN_IN: people.sign_in,
    Kind.RESET: people.reset,
    Kind.ALREADY_MEMBER: people.already_member,
    Kind.ADDRESS_CHANGED: people.address_changed,
    Kind.INVITATION: invitations.invitation,
    Kind.ACCEPTED: matches.accepted,
    Kind.DECLINED: invitations.declined,
    Kind.CANCELLED: invitations.cancelled,
    Kind.EXPIRED: invitations.expired,
    Kind.YOUR_TURN: matches.your_turn,
    Kind.DOUBLE: matches.double,
    Kind.RESIGNATION: matches.resignation,
    Kind.GAME_OVER: matches.game_over,
    Kind.MATCH_OVER: matches.match_over,
    Kind.TIMEOUT: matches.timeout,
    Kind.REMINDER: matches.reminder,
    Kind.CLAIM: matches.claim,
    Kind.CONFIRM: answers.confirm,
    Kind.HELP: answers.help_,
    Kind.ANSWER: answers.answer,
    Kind.DIGEST: digests.digest,
    Kind.TEST: channels.test,
    Kind.WEBHOOK_OFF: channels.webhook_off,
    Kind.OPPONENT_AWAY: vacations.opponent_away,
    Kind.VACATION_BEGUN: vacations.begun,
    Kind.VACATION_ENDED: vacations.ended,
    Kind.DAY_GIVEN: matches.day_given,
    Kind.UNTIMED: matches.untimed,
    Kind.TOURNAMENT_PAIRED: tournaments.paired,
    Kind.TOURNAMENT_ENTERED: tournaments.letter,
    Kind.TOURNAMENT_BYE: tournaments.letter,
    Kind.TOURNAMENT_ROUND: tournaments.letter,
    Kind.TOURNAMENT_OVER: tournaments.letter,
    Kind.TOURNAMENT_SAYS: tournaments.letter,
    Kind.TOURNAMENT_CANCELLED: tournaments.letter,
    Kind.TOURNAMENT_LATE: tournaments.letter,
}

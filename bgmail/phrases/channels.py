"""Words for notices and the channels that bring them: what each is about, when it comes, what became of it."""

from __future__ import annotations

from bgmail.phrases.translate import gettext


def notice_name(kind: str) -> str:
    """What a notice tells, as its reader would say it; the list of those that may be chosen is made of these."""
    names = {
        "invitation": gettext("somebody invites me"),
        "accepted": gettext("my invitation is accepted"),
        "declined": gettext("my invitation is declined"),
        "cancelled": gettext("an invitation to me is taken back"),
        "expired": gettext("my invitation ran out"),
        "your_turn": gettext("it is my turn"),
        "double": gettext("I am doubled"),
        "resignation": gettext("a resignation is offered to me"),
        "reminder": gettext("my time runs low"),
        "claim": gettext("a time is over and may be claimed"),
        "game_over": gettext("a game has ended"),
        "match_over": gettext("a match has ended"),
        "timeout": gettext("a match was lost on time"),
        "confirm": gettext("my mail waits for my word"),
        "help": gettext("my mail couldn’t be carried out"),
        "answer": gettext("the answer to a mail of mine"),
        "digest": gettext("the daily digest"),
        "test": gettext("a test"),
        "verify": gettext("the proof of an address"),
        "sign_in": gettext("a link to sign in"),
        "reset": gettext("a link for a new password"),
        "already_member": gettext("somebody signed up with my address"),
        "address_changed": gettext("my address was changed"),
        "webhook_off": gettext("a webhook of mine is switched off"),
        "opponent_away": gettext("an opponent goes on vacation"),
        "vacation_begun": gettext("my vacation begins by itself"),
        "vacation_ended": gettext("my vacation is over"),
        "day_given": gettext("my opponent gives me a day"),
        "untimed": gettext("a match is to be played without a clock"),
        "tournament_paired": gettext("a match of a tournament begins"),
        "tournament_entered": gettext("I get a place in a tournament"),
        "tournament_round": gettext("a round is drawn"),
        "tournament_bye": gettext("I have a bye"),
        "tournament_over": gettext("a tournament is over"),
        "tournament_says": gettext("the organiser of a tournament says something"),
        "tournament_cancelled": gettext("a tournament is cancelled"),
        "tournament_late": gettext("a tournament that I organise waits for me"),
    }
    return names.get(kind, kind)


def channel_name(channel: str) -> str:
    """How a channel is called."""
    names = {
        "mail": gettext("Letter"),
        "digest": gettext("Digest"),
        "push": gettext("Browser"),
        "webhook": gettext("Webhook"),
    }
    return names.get(channel, channel)


def mode_name(mode: str) -> str:
    """When a notice comes."""
    names = {
        "now": gettext("at once"),
        "absence": gettext("once, until I come back"),
        "digest": gettext("in the daily digest"),
        "off": gettext("not at all"),
    }
    return names[mode]


def outcome_of(state: str, reason: str = "") -> str:
    """What became of a notice, or of what a channel had to do for it; with the reason where nothing was sent."""
    if state == "obsolete" and reason:
        return _why_not(reason)
    names = {
        "ready": gettext("waits"),
        "planned": gettext("waits"),
        "held": gettext("held back since a backup was put back"),
        "sent": gettext("sent"),
        "gathered": gettext("put into the digest"),
        "obsolete": gettext("not sent: it was overtaken, or you switched it off"),
        "failed": gettext("failed"),
    }
    return names.get(state, state)


def _why_not(reason: str) -> str:
    reasons = {
        "overtaken": gettext("not sent: it was overtaken"),
        "newer": gettext("not sent: a later one says it all"),
        "muted": gettext("not sent: you switched it off"),
        "closed": gettext("not sent: the account was closed"),
        "no address": gettext("not sent: there is no proven address"),
        "letters come back": gettext("not sent: letters to the address come back"),
    }
    return reasons.get(reason, reason)


def attempt_line(outcome: str | None, said: str) -> str:
    """How one attempt went."""
    if outcome == "sent":
        return gettext("arrived: %(said)s", said=said) if said else gettext("arrived")
    if outcome == "retry":
        return gettext("put off: %(said)s", said=said)
    if outcome == "refused":
        return gettext("refused: %(said)s", said=said)
    if outcome == "returned":
        return gettext("came back: %(said)s", said=said) if said else gettext("came back")
    if outcome == "lost":
        return gettext("cut off: it may have arrived, and was sent again")
    return gettext("under way")

"""What is said about answers by mail: how to write one, and what became of one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from bgmail.phrases.decisions import decision
from bgmail.phrases.refusals import refusal
from bgmail.phrases.translate import gettext
from bgmail.phrases.words import any_of, quoted, worth_name
from bgmail.rules.action import Kind
from bgmail.rules.match import Match
from bgmail.rules.options import options
from bgmail.rules.side import Side

EXAMPLE = "13/7 8/7"


def how_to_answer(match: Match, side: Side) -> str:
    """What to write in the first line of an answer, in this position; "" where there is nothing to decide."""
    kinds = options(match, side)
    if Kind.PLAY in kinds:
        said = gettext(
            "Or answer this letter: write your play into the first line, like %(play)s.", play=quoted(EXAMPLE)
        )
    else:
        words = [quoted(word) for kind in kinds if (word := command_word(kind))]
        if not words:
            return ""
        said = gettext("Or answer this letter: write %(words)s into the first line.", words=any_of(words))
    if Kind.ACCEPT in kinds:
        return said
    chat = gettext("What follows after an empty line goes into the chat.")
    return f"{said} {chat}"


def command_word(kind: Kind) -> str:
    """The word that carries out a decision by mail; "" for those that take more than a word."""
    words = {
        Kind.ROLL: gettext("roll"),
        Kind.DOUBLE: gettext("double"),
        Kind.TAKE: gettext("take"),
        Kind.PASS: gettext("pass"),
        Kind.ACCEPT: gettext("accept"),
        Kind.DECLINE: gettext("decline"),
        Kind.ACCEPT_RESIGNATION: gettext("accept"),
        Kind.DECLINE_RESIGNATION: gettext("decline"),
        Kind.CLAIM_TIMEOUT: gettext("claim it"),
    }
    return words.get(kind, "")


def proposal(match: Match, action: str, play: str | None, value: int | None) -> str:
    """The label of a link that carries out what a mail seems to say."""
    if action == Kind.PLAY:
        return gettext("Play %(play)s", play=play)
    if action == Kind.RESIGN:
        return gettext("Offer to resign %(what)s", what=worth_name(value or 1))
    if action == Kind.RESIGN_MATCH:
        return gettext("Resign the match")
    return decision(Kind(action), match)


def confirm_lead(said: str, sender: str, *, stranger: bool) -> str:
    """Why a mail that is clear waits for a word of its writer."""
    if stranger:
        return gettext(
            "We received %(said)s from %(sender)s, which isn’t the address of your account. Nothing is done until you "
            "confirm it here.",
            said=quoted(said),
            sender=sender,
        )
    return gettext(
        "We received %(said)s in your name, but can’t be sure that the mail is yours. Nothing is done until you "
        "confirm it here.",
        said=quoted(said),
    )


def help_lead(why: str, said: str, error: Exception | None, dice: str) -> str:
    """Why a mail was not carried out. `error` is what the rules or the service say to it, where they do."""
    reason = refusal(error) if error else _WHY[why](said, dice) if why in _WHY else gettext("It isn’t clear.")
    return gettext("Your mail was not carried out. %(reason)s", reason=reason)


_WHY: Mapping[str, Callable[[str, str], str]] = {
    "empty": lambda _said, _dice: gettext("It holds no words of your own."),
    "no_command": lambda _said, _dice: gettext("Its first line is no play and no other command."),
    "not_first": lambda _said, _dice: gettext("The command has to be the first thing you write."),
    "more_words": lambda _said, _dice: gettext(
        "There are more words beside the command: put an empty line between it and what is for the chat."
    ),
    "contrary": lambda _said, _dice: gettext("One command is enough: these can’t follow each other."),
    "forwarded": lambda _said, _dice: gettext(
        "It passes another mail on, so it may not be your own decision."
    ),
    "encrypted": lambda _said, _dice: gettext("It is encrypted, and we can’t open it."),
    "undecoded": lambda _said, _dice: gettext("Some of its characters can’t be made out."),
    "other_dice": lambda said, dice: gettext(
        "%(said)s names other dice than yours: you have %(dice)s.", said=quoted(said), dice=dice
    ),
    "sure": lambda _said, _dice: gettext("Resigning the whole match can’t be taken back: confirm it here."),
    "not_now": lambda said, _dice: gettext("%(said)s isn’t possible now.", said=quoted(said)),
}


def done_lead(said: str, left: Sequence[str], *, chat_lost: bool) -> str:
    """What became of a mail that was carried out."""
    lines = [gettext("Done: %(said)s.", said=quoted(said))]
    if left:
        lines.append(
            gettext(
                "Not done, since the position is another one now: %(left)s.",
                left=", ".join(quoted(one) for one in left),
            )
        )
    if chat_lost:
        lines.append(gettext("The rest was too long for the chat, or not for it: nobody has seen it."))
    return " ".join(lines)


def late_lead(said: str) -> str:
    """What became of a mail that answers a letter of the past."""
    if not said:
        return gettext(
            "Your mail answers an older letter: the match has moved on since. This is how it stands."
        )
    return gettext(
        "Your mail with %(said)s answers an older letter: the match has moved on since, and nothing was done. This is "
        "how it stands.",
        said=quoted(said),
    )


def values_of(plain: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """The code of a refusal and its values, as a notice keeps them."""
    return str(plain.get("code", "")), {key: value for key, value in plain.items() if key != "code"}

"""What a person may decide, as the label of a link or button, and what the decision costs or brings."""

from __future__ import annotations

from bgmail.phrases.translate import gettext, ngettext
from bgmail.phrases.words import Names, worth_name
from bgmail.rules.action import Kind
from bgmail.rules.match import Match
from bgmail.rules.side import Side


def decision(kind: Kind, match: Match) -> str:
    """The label of a decision: "Double to 2", "Take at 4", "Choose your play"."""
    value = match.cube.value * 2
    labels = {
        Kind.PLAY: gettext("Choose your play"),
        Kind.ROLL: gettext("Roll"),
        Kind.DOUBLE: gettext("Double to %(value)s", value=value),
        Kind.TAKE: gettext("Take at %(value)s", value=value),
        Kind.PASS: gettext("Pass"),
        Kind.ACCEPT_RESIGNATION: gettext("Accept"),
        Kind.DECLINE_RESIGNATION: gettext("Decline and play on"),
        Kind.CLAIM_TIMEOUT: gettext("Claim it"),
    }
    return labels[kind]


def laid_out(play: str) -> str:
    """The label of a play that the reader laid out and didn't submit."""
    return gettext("Play %(play)s, as you laid it out", play=play)


def stakes(match: Match, names: Names) -> str:
    """What an open double or offer is about: what passing costs, or what accepting brings; else ""."""
    if match.phase == "take_or_pass" and names.you is match.on_turn and names.you is not None:
        return _passing(match, names, names.you)
    if match.offer is not None and names.you is match.offer.side.other:
        return _accepting(match, names, names.you)
    return ""


def points_word(points: int) -> str:
    """ "1 point", "4 points"."""
    return ngettext("%(num)s point", "%(num)s points", points)


def _passing(match: Match, names: Names, you: Side) -> str:
    cost = gettext("Passing costs %(points)s.", points=points_word(match.stake))
    return f"{cost} {score_after(match, you.other, match.stake, names)}"


def _accepting(match: Match, names: Names, you: Side) -> str:
    value = match.offer.value if match.offer else 1
    points = value * match.stake
    won = gettext(
        "Accepting wins you %(what)s: %(points)s.", what=worth_name(value), points=points_word(points)
    )
    return f"{won} {score_after(match, you, points, names)}"


def score_after(match: Match, winner: Side, points: int, names: Names) -> str:
    """What winning the game for so many points would make of the score, from the reader's side."""
    score = list(match.score)
    score[winner] += points
    if match.length and score[winner] >= match.length:
        if winner is names.you:
            return gettext("That wins you the match.")
        return gettext("That loses you the match.")
    first = names.you if names.you is not None else Side.WHITE
    return gettext("The score would be %(mine)s–%(theirs)s.", mine=score[first], theirs=score[first.other])

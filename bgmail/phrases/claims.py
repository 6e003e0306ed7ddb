"""What is said where somebody's time is over and the opponent may claim it."""

from __future__ import annotations

from bgmail.phrases.decisions import points_word
from bgmail.phrases.translate import gettext
from bgmail.phrases.words import Names, worth_name
from bgmail.rules.match import Match, Phase
from bgmail.rules.options import timeout_value
from bgmail.rules.ruleset import CLAIM_DAYS
from bgmail.rules.score import SINGLE
from bgmail.rules.side import Side


def claim_title(match: Match, names: Names) -> str:
    """In a line, who may claim what, or whose time is over; "" where nobody may claim anything."""
    late = match.on_turn
    if not match.late or late is None:
        return ""
    if late is names.you:
        return gettext("Your time is over: %(name)s may claim it", name=names.opponent)
    if names.you is late.other:
        return gettext("%(name)s's time is over: you may claim it", name=names.of(late))
    return gettext("%(name)s's time is over, which may be claimed", name=names.of(late))


def claim_words(match: Match, names: Names) -> str:
    """What a claim brings, and what may come before it; "" where nobody may claim anything."""
    late = match.on_turn
    if not match.late or late is None:
        return ""
    brings = _brings(match, late, names)
    if late is names.you:
        return f"{brings} {gettext('Whatever you do before that still counts.')}"
    waits = gettext(
        "As long as it isn't claimed, what %(name)s does still counts; after %(days)s days it happens by itself.",
        name=names.of(late),
        days=CLAIM_DAYS,
    )
    return f"{brings} {waits}"


def _brings(match: Match, late: Side, names: Names) -> str:
    points = _points(match, late)
    if points is None:
        return (
            gettext("A claim wins you the match.")
            if names.you is late.other
            else gettext("A claim wins %(name)s the match.", name=names.of(late.other))
        )
    value, scored = points
    what = worth_name(value)
    if names.you is late.other:
        return gettext("A claim wins you %(what)s: %(points)s.", what=what, points=points_word(scored))
    name = names.of(late.other)
    return gettext(
        "A claim wins %(name)s %(what)s: %(points)s.", name=name, what=what, points=points_word(scored)
    )


def _points(match: Match, late: Side) -> tuple[int, int] | None:
    """As what the game would count, and its points; None where the match is at stake."""
    value: int | None
    if match.phase is Phase.TAKE_OR_PASS:
        value = SINGLE
    elif match.phase is Phase.ANSWER_RESIGNATION and match.offer:
        value = match.offer.value
    else:
        value = timeout_value(match, late)
    return None if value is None else (value, value * match.stake)

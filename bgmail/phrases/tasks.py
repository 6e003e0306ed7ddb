"""What there is to do now: the heading of a match page, the button in a list, the subject of a letter."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from bgmail.phrases.claims import claim_title
from bgmail.phrases.rests import until
from bgmail.phrases.results import match_result
from bgmail.phrases.times import instant
from bgmail.phrases.translate import gettext
from bgmail.phrases.words import Names, worth_name
from bgmail.rules.action import Kind
from bgmail.rules.match import Match, Phase
from bgmail.rules.options import options
from bgmail.rules.side import Side
from bgmail.timing import Clock, Pauses, bank_starts, deadline, paused


def heading(match: Match, names: Names) -> str:
    """What the reader has to do, or whom the match waits for: "Your turn: 5-2 to play"."""
    if match.phase is Phase.INVITED:
        return _invited(names)
    if match.phase is Phase.OVER:
        return match_result(match, names)
    if match.on_turn is not names.you or names.you is None:
        return claim_title(match, names) or waiting_for(match, names)
    return _own_turn(match, names, names.you)


def _own_turn(match: Match, names: Names, you: Side) -> str:
    if match.phase is Phase.PLAY:
        return gettext("Your turn: %(dice)s to play", dice=match.dice)
    if match.phase is Phase.TAKE_OR_PASS:
        return gettext("Take or pass at %(value)s?", value=match.cube.value * 2)
    if match.phase is Phase.ANSWER_RESIGNATION:
        return offer_line(match, names)
    return gettext("Your turn: roll or double") if may_double(match, you) else gettext("Your turn: roll")


def button(match: Match, you: Side) -> str:
    """The decision in a word or two, for a button: "Play 5-2", "Take or pass", "Roll or double", "Look"."""
    if match.on_turn is not you and match.late:
        return gettext("Claim it")
    if match.on_turn is not you:
        return gettext("Answer") if match.offer and match.offer.side is not you else gettext("Look")
    if match.phase is Phase.PLAY:
        return gettext("Play %(dice)s", dice=match.dice)
    if match.phase is Phase.TAKE_OR_PASS:
        return gettext("Take or pass")
    if match.phase is Phase.ANSWER_RESIGNATION:
        return gettext("Accept or decline")
    return gettext("Roll or double") if may_double(match, you) else gettext("Roll")


def waiting_for(match: Match, names: Names) -> str:
    """Whom the match waits for, and for what."""
    side = match.on_turn
    if side is None:
        return gettext("Nobody is on turn")
    name = names.of(side)
    if match.phase is Phase.TAKE_OR_PASS:
        return gettext("%(name)s is doubled to %(value)s", name=name, value=match.cube.value * 2)
    if match.phase is Phase.ANSWER_RESIGNATION:
        return gettext("Waiting for %(name)s to answer", name=name)
    if match.phase is Phase.PLAY:
        return gettext("%(name)s has %(dice)s to play", name=name, dice=match.dice)
    return gettext("It is %(name)s's turn", name=name)


def clock_labels(match: Match, on: Side, names: Names) -> tuple[str, str]:
    """What to write before the instant at which the bank starts, and before the deadline of the side `on`."""
    if on is not names.you:
        name = names.of(on)
        ends_at = gettext("May be claimed since") if match.late else gettext("%(name)s has until", name=name)
        return gettext("%(name)s's bank starts", name=name), ends_at
    ends = {
        Phase.TAKE_OR_PASS: gettext("Counts as a pass"),
        Phase.ANSWER_RESIGNATION: gettext("Counts as accepted"),
    }
    claim = gettext("May be claimed since") if match.late else gettext("May be claimed from")
    lost = claim if match.rules.claimed else gettext("Lost on time")
    return gettext("Your bank starts"), lost if match.rules.claimed else ends.get(match.phase, lost)


def clock_moments(
    match: Match, clock: Clock, pauses: Pauses, names: Names, zone: ZoneInfo, now: datetime
) -> list[tuple[str, str]]:
    """Until when the clock rests, if it does now, when the bank starts, if that is to come, and what happens at the
    deadline, as (label, instant). `pauses` are those of the side on the clock.
    """
    bank, end = bank_starts(clock, pauses), deadline(clock, pauses)
    if end is None or clock.on is None:
        return []
    starts, ends = clock_labels(match, Side(clock.on), names)
    rest = paused(clock, now, pauses)
    resting = [(_rests(Side(clock.on), names), until(rest, zone, now, lasting=True))] if rest else []
    found = [(starts, bank)] if bank and now < bank < end else []
    return [*resting, *((label, instant(at, zone, now)) for label, at in [*found, (ends, end)])]


def _rests(on: Side, names: Names) -> str:
    if on is names.you:
        return gettext("Your clock rests until")
    return gettext("%(name)s's clock rests until", name=names.of(on))


def may_double(match: Match, side: Side) -> bool:
    """Whether doubling is among the side's options now."""
    return Kind.DOUBLE in options(match, side)


def _invited(names: Names) -> str:
    if names.you is Side.BLACK:
        return gettext("%(name)s invites you to a match", name=names.white)
    if names.you is Side.WHITE and names.black:
        return gettext("Waiting for %(name)s to accept", name=names.black)
    return gettext("An invitation from %(name)s", name=names.white)


def offer_line(match: Match, names: Names) -> str:
    """Who offers to resign what; whom the match waits for when nobody does."""
    offer = match.offer
    if offer is None:
        return waiting_for(match, names)
    return gettext(
        "%(name)s offers to resign %(what)s", name=names.of(offer.side), what=worth_name(offer.value)
    )

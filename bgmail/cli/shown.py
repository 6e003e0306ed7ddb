"""A match in a terminal: who, how it stands, and the board from White's side."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

from bgmail import phrases, timing
from bgmail.board.staged import staged
from bgmail.board.text import ENGLISH, draw
from bgmail.rules.match import Phase
from bgmail.rules.side import Side
from bgmail.service.states import rfc3339
from bgmail.service.views import MatchView

NOBODY = "nobody yet"


def shown(view: MatchView, white: str | None, black: str | None, now: datetime) -> str:
    """Some lines of plain text, for somebody who only looks. A name is None where a seat is empty."""
    return "\n".join(_lines(view, phrases.Names(white or NOBODY, black or NOBODY), now))


def _lines(view: MatchView, names: phrases.Names, now: datetime) -> Iterator[str]:
    match = view.match
    yield f"match    {view.id}, version {view.version}"
    yield f"white    {names.white}"
    yield f"black    {names.black}"
    yield f"what     {phrases.stage(match)}, {phrases.rules_name(view.rules_name)}"
    rest = phrases.rests_allowed(view.rests.allowed)
    yield f"time     {phrases.time_control(view.clock.control)}{f'; {rest}' if rest else ''}"
    yield f"score    {match.score[Side.WHITE]}-{match.score[Side.BLACK]}"
    if view.deadline_at is not None and match.phase is not Phase.OVER:
        yield f"deadline {rfc3339(view.deadline_at)}{' (over)' if view.deadline_at <= now else ''}"
    if standing := timing.paused(view.clock, now, view.running_pauses):
        yield f"paused   until {rfc3339(standing.until)}, {standing.why}"
    yield f"state    {phrases.match_result(match, names) if match.result else phrases.heading(match, names)}"
    if match.phase not in (Phase.INVITED, Phase.OVER):
        yield ""
        yield draw(staged(match, Side.WHITE), replace(_WORDS, you=names.white, opponent=names.black))


# The reader sits on neither side.
_WORDS = replace(
    ENGLISH,
    your_numbers="White's numbers",
    cube_viewer="The cube is White's, at {value}.",
    cube_opponent="The cube is Black's, at {value}.",
    offered_viewer="White is doubled to {value}.",
    offered_opponent="Black is doubled to {value}.",
    dice_viewer="White's dice: {one}-{two}.",
    dice_opponent="Black's dice: {one}-{two}.",
)

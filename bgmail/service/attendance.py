"""Who is at the board of a live match: time given back to whoever was cut off, and the game lost by staying away.

Both only where the rule set says so, and only at a live pace: elsewhere nobody is expected to sit and wait. A side is
here while its page or program asks for news. Nobody is missed before they came for the first time.
"""

from __future__ import annotations

import json
import logging
from datetime import datetime, timedelta

from bgmail import timing
from bgmail.dice import Chance
from bgmail.rules.match import Phase
from bgmail.rules.side import Side
from bgmail.service.draft import Draft
from bgmail.service.errors import by_the_way
from bgmail.service.turns import commit, load_draft, overdue
from bgmail.service.views import MatchView
from bgmail.store import attendance
from bgmail.store.engine import Store

CUT_OFF = timedelta(seconds=20)
"""Whoever wasn't heard of for longer was cut off: an open page asks at least every few seconds."""
NOTED_EVERY = timedelta(seconds=5)
LATER, PUT_OFF = timedelta(seconds=5), timedelta(minutes=5)
AT_ONCE = 50
WHY = "connection"
log = logging.getLogger(__name__)


def matters(view: MatchView) -> bool:
    """Whether it makes a difference in this match who is at the board."""
    rules, phase = view.match.rules, view.match.phase
    asked = rules.inactivity > 0 or rules.given_back > 0
    return asked and view.clock.control.pace == "live" and phase not in (Phase.INVITED, Phase.OVER)


def here(store: Store, view: MatchView, side: Side | None, now: datetime, chance: Chance) -> MatchView:
    """A side is heard of; the match after that. Who was cut off in the own turn gets back what the rules promise."""
    if side is None or not matters(view):
        return view
    with store.read() as connection:
        last = attendance.seen_at(connection, view.id, side)
    if last is not None and now - last < NOTED_EVERY:
        return view
    with by_the_way("who is at the board"):
        if last is not None and now - last > CUT_OFF:
            view = _give_back(store, view, side, last, now, chance) or view
        limit = view.match.rules.inactivity
        with store.write() as connection:
            leaves_at = now + timedelta(seconds=limit) if limit else None
            attendance.note(connection, view.id, side, now, leaves_at)
    return view


def leave_some(store: Store, now: datetime, chance: Chance) -> list[str]:
    """Ends games whose side on turn has been away for too long; says what was done, [] = nobody is."""
    with store.read() as connection:
        found = attendance.absent(connection, now, AT_ONCE)
    done = []
    for match_id, side, seen_at in found:
        try:
            done.append(_look(store, match_id, seen_at, now, chance))
        except Exception:
            log.exception("an absence in match %s could not be judged and is put off", match_id)
            _look_again(store, match_id, side, now + PUT_OFF)
            done.append(f"failed {match_id}")
    return done


def forget_past(store: Store) -> int:
    """Drops what is known of matches that are over; how many rows that were."""
    with store.write() as connection:
        return attendance.forget_ended(connection)


def _look(store: Store, match_id: str, seen_at: datetime, now: datetime, chance: Chance) -> str:
    draft = load_draft(store, match_id, now, chance)
    view = draft.view
    side, leaves_at = view.match.on_turn, _leaves_at(draft, seen_at)
    if side is None:
        return f"moved {match_id}"
    if leaves_at is None or now < leaves_at or overdue(view, now):
        _look_again(store, match_id, side, leaves_at and max(leaves_at, now + LATER))
        return f"looked {match_id}"
    draft.leave()
    return f"inactive {match_id}" if commit(store, draft, actor=None) else f"moved {match_id}"


def _look_again(store: Store, match_id: str, side: int, at: datetime | None) -> None:
    with store.write() as connection:
        attendance.put_off(connection, match_id, side, at)


def _leaves_at(draft: Draft, seen_at: datetime) -> datetime | None:
    """From when on the side on turn has been away for too long in its own turn; None where that costs nothing."""
    view, since = draft.view, draft.clock.since
    limit = view.match.rules.inactivity
    if not limit or not matters(view) or since is None:
        return None
    return view.running_pauses.advance(max(seen_at, since), timedelta(seconds=limit))


def _give_back(
    store: Store, view: MatchView, side: Side, last: datetime, now: datetime, chance: Chance
) -> MatchView | None:
    if not given_back(view, side, last, now):
        return None
    draft = load_draft(store, view.id, now, chance)
    seconds = given_back(draft.view, side, last, now)
    with store.read() as connection:
        given = attendance.times_given(connection, view.id, _needle(side))
    if not seconds or given >= draft.view.match.rules.given_back:
        return None
    draft.pause({"side": side.word, "why": WHY, "seconds": seconds})
    return commit(store, draft, actor=None)


def given_back(view: MatchView, side: Side, last: datetime, now: datetime) -> int:
    """The whole seconds of bank that a side gets back which was cut off from `last` to `now`."""
    rules, clock = view.match.rules, view.clock
    if not rules.given_back or clock.on != side or clock.since is None or overdue(view, now):
        return 0
    before, after = (
        timing.left(clock, at, view.running_pauses)[side].bank for at in (max(last, clock.since), now)
    )
    lost = (before or timedelta()) - (after or timedelta())
    return lost * rules.given_back_percent // (100 * timedelta(seconds=1))


def _needle(side: Side) -> str:
    """What stands in the log where a side got time back: data are kept as JSON with sorted keys, without blanks."""
    side_word, why = json.dumps(side.word), json.dumps(WHY)
    return f'"side":{side_word},"why":{why}'

"""Whether a fact still holds when it is about to be told: what was overtaken is not."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from bgmail.notify.channel import Channel
from bgmail.notify.occasion import Occasion, notice_of, read, siblings
from bgmail.rules.match import Phase
from bgmail.rules.score import Ending
from bgmail.service.clocks import closed_at
from bgmail.service.notices import Kind
from bgmail.store import notices, tournaments, vacations

ACCOUNT_KINDS = frozenset(
    {
        Kind.VERIFY,
        Kind.SIGN_IN,
        Kind.RESET,
        Kind.ALREADY_MEMBER,
        Kind.ADDRESS_CHANGED,
        Kind.WEBHOOK_OFF,
    }
)
"""Letters about an account: they can't be switched off, and go to the address that the notice names."""
FOR_THE_PERSON = frozenset({Kind.DIGEST, Kind.TEST})
"""Notices to a person that are about no match in particular."""
VACATIONS = frozenset({Kind.OPPONENT_AWAY, Kind.VACATION_BEGUN, Kind.VACATION_ENDED})
"""Notices about somebody's vacation, however many matches it holds."""
TOURNAMENTS: Mapping[Kind, tuple[str, ...]] = {
    Kind.TOURNAMENT_ENTERED: ("open", "running"),
    Kind.TOURNAMENT_BYE: ("running",),
    Kind.TOURNAMENT_ROUND: ("running",),
    Kind.TOURNAMENT_OVER: ("over",),
    Kind.TOURNAMENT_SAYS: ("open", "running", "over"),
    Kind.TOURNAMENT_CANCELLED: ("cancelled",),
    Kind.TOURNAMENT_LATE: ("open", "running"),
}
"""Notices about tournaments, and the states in which each of them is still true."""
ANSWERS = frozenset({Kind.CONFIRM, Kind.HELP, Kind.ANSWER})
"""Letters that answer a mail of their reader's."""

Check = Callable[[Occasion, datetime], bool]

log = logging.getLogger(__name__)


def obsolete(connection: Connection, occasion: Occasion, channel: Channel, now: datetime) -> str | None:
    """Why nothing is to be sent ("closed", "no address", "muted", "overtaken", "newer"), or None: send it.

    Of several facts about one match that hold, the newest speaks for all where the channel says so: its letter shows
    the same board.
    """
    reason = _shut_out(occasion) or channel.unfit(occasion, now)
    if reason or not holds(connection, occasion, now):
        return reason or "overtaken"
    if not occasion.notice.match_id or not channel.newest_only:
        return None
    later = siblings(connection, occasion.notice, channel.name)
    speaks = (one for one in later if one.id > occasion.notice.id)
    return (
        "newer"
        if any(_speaks(connection, replace(occasion, notice=one), channel, now) for one in speaks)
        else None
    )


def holds(connection: Connection, occasion: Occasion, now: datetime) -> bool:
    """Whether the fact is still true, and still news."""
    if occasion.kind in ACCOUNT_KINDS:
        return _account_holds(occasion)
    if occasion.kind in FOR_THE_PERSON:
        return occasion.kind is Kind.TEST or gathered(connection, occasion, now) != ()
    if occasion.kind in VACATIONS:
        return _vacation_holds(connection, occasion, now)
    if occasion.kind in TOURNAMENTS:
        return _tournament_holds(connection, occasion)
    return _match_holds(connection, occasion, now)


def _match_holds(connection: Connection, occasion: Occasion, now: datetime) -> bool:
    if occasion.view is None or occasion.side is None:
        return False
    if occasion.kind in (Kind.GAME_OVER, Kind.ACCEPTED, Kind.TOURNAMENT_PAIRED):
        return _running(occasion, now) and not _acted_since(connection, occasion)
    return _CHECKS[occasion.kind](occasion, now)


def _vacation_holds(connection: Connection, occasion: Occasion, now: datetime) -> bool:
    """One that is over is no news to others; that it is over stays news to its owner."""
    row = vacations.named(connection, occasion.notice.data)
    if row is None or occasion.kind is Kind.VACATION_ENDED:
        return row is not None
    return bool(row.from_at < row.until_at and now < row.until_at)


def _tournament_holds(connection: Connection, occasion: Occasion) -> bool:
    """It goes on, or has ended, as the notice says; a round that is drawn anew, or has begun, is told otherwise."""
    data = occasion.notice.data
    row = tournaments.by_id(connection, data["tournament"])
    if row is None or row.state not in TOURNAMENTS[occasion.kind]:
        return False
    if occasion.kind is not Kind.TOURNAMENT_ROUND:
        return True
    found = tournaments.pairings(connection, row.id)
    mine = [one for one in found if one.key == data["pairing"] and one.match_id is None and one.how is None]
    return any(data["opponent"] in tournaments.people_of(connection, row.id, one) for one in mine)


def gathered(connection: Connection, digest: Occasion, now: datetime) -> tuple[Occasion, ...]:
    """The facts of a daily digest that still hold; of those about one match the newest."""
    found: dict[str, Occasion] = {}
    for row in notices.by_ids(connection, digest.notice.data["notices"]):
        try:
            one = read(connection, notice_of(row))
            if holds(connection, one, now):
                found[one.notice.match_id] = one
        except SQLAlchemyError:  # that says nothing about this fact
            raise
        except Exception:  # one that makes no sense is left out: the others are told
            log.exception("notice %s is left out of digest %s", row.id, digest.notice.id)
    return tuple(found.values())


def _shut_out(occasion: Occasion) -> str | None:
    reader = occasion.reader
    if reader is None:
        return "closed" if occasion.notice.account_id is not None else None
    return None if reader.active else "closed"


def _speaks(connection: Connection, later: Occasion, channel: Channel, now: datetime) -> bool:
    """Whether a later notice, planned for the same channel, is going to be sent."""
    return channel.unfit(later, now) is None and holds(connection, later, now)


def _account_holds(occasion: Occasion) -> bool:
    """A link that lets in dies with its epoch, a proof with another address."""
    reader, data = occasion.reader, occasion.notice.data
    if reader is None:
        return False
    if occasion.kind is Kind.VERIFY:
        return reader.new_email == occasion.notice.address
    if occasion.kind in (Kind.SIGN_IN, Kind.RESET):
        return bool(data["claim"] == [reader.id, reader.epoch]) and reader.email == occasion.notice.address
    return True


def _running(occasion: Occasion, now: datetime) -> bool:
    """The match goes on. After the deadline that would be a lie: the sweep has the last word then."""
    view = occasion.match
    in_time = view.deadline_at is None or now < closed_at(view.match, view.deadline_at)
    return in_time and view.match.phase not in (Phase.INVITED, Phase.OVER)


def _on_turn(occasion: Occasion, now: datetime) -> bool:
    """The reader has to act, at the very version that the notice tells of."""
    view = occasion.match
    stands = view.match.on_turn is occasion.side and view.version == occasion.notice.version
    return stands and _running(occasion, now)


def _own_go(occasion: Occasion, now: datetime) -> bool:
    phase = occasion.match.match.phase
    return _on_turn(occasion, now) and phase in (Phase.ROLL_OR_DOUBLE, Phase.PLAY)


def _doubled(occasion: Occasion, now: datetime) -> bool:
    return _on_turn(occasion, now) and occasion.match.match.phase is Phase.TAKE_OR_PASS


def _offered(occasion: Occasion, _now: datetime) -> bool:
    offer, version = occasion.match.match.offer, occasion.match.version
    return offer is not None and offer.side is not occasion.side and version == occasion.notice.version


def _reminded(occasion: Occasion, now: datetime) -> bool:
    return _on_turn(occasion, now) and occasion.match.deadline_at is not None


def _claimed(occasion: Occasion, now: datetime) -> bool:
    """The time of the side on turn is over, and neither has it moved since nor has anybody claimed that."""
    view = occasion.match
    return view.match.late and view.version == occasion.notice.version and _running(occasion, now)


def _invited(occasion: Occasion, now: datetime) -> bool:
    view = occasion.match
    return view.match.phase is Phase.INVITED and (view.deadline_at is None or now < view.deadline_at)


def _freed(occasion: Occasion, now: datetime) -> bool:
    """The offer to play without a clock is still open, or both have agreed to it."""
    view = occasion.match
    if not _running(occasion, now):
        return False
    if occasion.notice.which.startswith("offer"):
        return view.rests.untimed.offer is not None and view.rests.untimed.offer != occasion.side
    return view.clock.control.untimed


def _asked(occasion: Occasion, now: datetime) -> bool:
    """The mail can still be carried out: by the letter's links."""
    view, version = occasion.match, occasion.notice.version
    open_still = _invited(occasion, now) or _running(occasion, now)
    return open_still and view.version == version


def _always(_occasion: Occasion, _now: datetime) -> bool:
    """What became of somebody's mail is theirs to know."""
    return True


def _ended(*endings: Ending) -> Check:
    def check(occasion: Occasion, _now: datetime) -> bool:
        result = occasion.match.match.result
        return result is not None and (not endings or result.ending in endings)

    return check


def _acted_since(connection: Connection, occasion: Occasion) -> bool:
    """Whether the reader did something in the match after the fact, and so has seen it."""
    last = notices.own_last(connection, occasion.notice.match_id, occasion.seat.word)
    return last > occasion.notice.version


_CHECKS: dict[Kind, Check] = {
    Kind.INVITATION: _invited,
    Kind.DECLINED: _ended(Ending.DECLINED),
    Kind.CANCELLED: _ended(Ending.CANCELLED),
    Kind.EXPIRED: _ended(Ending.EXPIRED),
    Kind.YOUR_TURN: _own_go,
    Kind.DOUBLE: _doubled,
    Kind.RESIGNATION: _offered,
    Kind.REMINDER: _reminded,
    Kind.CLAIM: _claimed,
    Kind.CONFIRM: _asked,
    Kind.HELP: _asked,
    Kind.ANSWER: _always,
    Kind.MATCH_OVER: _ended(),
    Kind.TIMEOUT: _ended(Ending.TIMEOUT),
    Kind.DAY_GIVEN: _on_turn,
    Kind.UNTIMED: _freed,
}

"""Whether a fact still holds when its letter is about to be sent: what was overtaken is not sent."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from sqlalchemy import Connection

from bgmail.notify.occasion import Notice, Occasion, siblings
from bgmail.rules.match import Phase
from bgmail.rules.score import Ending
from bgmail.service.notices import Kind
from bgmail.store import notices

ACCOUNT_KINDS = frozenset({Kind.VERIFY, Kind.SIGN_IN, Kind.RESET, Kind.ALREADY_MEMBER, Kind.ADDRESS_CHANGED})
"""Letters about an account: they can't be switched off, and go to the address that the notice names."""

Check = Callable[[Occasion, datetime], bool]


def obsolete(connection: Connection, occasion: Occasion, now: datetime) -> str | None:
    """Why nothing is to be sent ("closed", "no address", "muted", "overtaken", "newer"), or None: send it.

    Of several facts about one match that hold, the newest speaks for all: its letter shows the same board.
    """
    reason = _reader_says(occasion) or (None if holds(connection, occasion, now) else "overtaken")
    if reason or not occasion.notice.match_id:
        return reason
    later = [one for one in siblings(connection, occasion.notice) if one.id > occasion.notice.id]
    return "newer" if any(_would_be_sent(connection, occasion, one, now) for one in later) else None


def recipient(occasion: Occasion) -> str:
    """The one address that the letter may go to; "" when there is none.

    A letter about a match goes to the proven address of an account, or to the address that was invited.
    """
    named = occasion.kind in ACCOUNT_KINDS and occasion.kind is not Kind.ALREADY_MEMBER
    if named or occasion.notice.account_id is None:
        return occasion.notice.address
    return (occasion.reader.email if occasion.reader else None) or ""


def holds(connection: Connection, occasion: Occasion, now: datetime) -> bool:
    """Whether the fact is still true, and still news."""
    if occasion.kind in ACCOUNT_KINDS:
        return _account_holds(occasion)
    if occasion.view is None or occasion.side is None:
        return False
    if occasion.kind in (Kind.GAME_OVER, Kind.ACCEPTED):
        return _running(occasion, now) and not _acted_since(connection, occasion)
    return _CHECKS[occasion.kind](occasion, now)


def _reader_says(occasion: Occasion) -> str | None:
    reader = occasion.reader
    if reader is None and occasion.notice.account_id is not None:
        return "closed"
    if reader is not None and (not reader.active or reader.is_bot):
        return "closed"
    if occasion.kind.value in occasion.muted and occasion.kind not in ACCOUNT_KINDS:
        return "muted"
    return None if recipient(occasion) else "no address"


def _would_be_sent(connection: Connection, occasion: Occasion, other: Notice, now: datetime) -> bool:
    """Whether another notice for the same reader and match is going to be a letter."""
    later = replace(occasion, notice=other)
    return _reader_says(later) is None and holds(connection, later, now)


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
    in_time = view.deadline_at is None or now < view.deadline_at
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


def _invited(occasion: Occasion, now: datetime) -> bool:
    view = occasion.match
    return view.match.phase is Phase.INVITED and (view.deadline_at is None or now < view.deadline_at)


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
    Kind.MATCH_OVER: _ended(),
    Kind.TIMEOUT: _ended(Ending.TIMEOUT),
}

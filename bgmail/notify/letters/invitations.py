"""Letters about an invitation: the offer, and how it ended if it didn't become a match."""

from __future__ import annotations

from typing import Any

from bgmail.notify.letters.desk import Desk
from bgmail.phrases import instant, match_terms, rests_allowed, rules_name, time_control, zone_name
from bgmail.phrases.answers import how_to_answer
from bgmail.phrases.own_rules import heading, likeness
from bgmail.phrases.translate import gettext
from bgmail.rules.side import Side
from bgmail.service.views import MatchView
from bgmail.store import matches, notices


def invitation(desk: Desk) -> dict[str, Any]:
    """The offer of a match: by its page to somebody who is here, by a link of its own to an address."""
    view, notice = desk.occasion.match, desk.occasion.notice
    offer = notices.invitation(desk.connection, view.id)
    by_address = notice.account_id is None
    made_by = matches.hash_at(desk.connection, view.id, view.version) or ""
    link = desk.links.invitation(view.id, notice.address) if by_address else desk.links.match(view.id)
    reply_to = None if by_address else desk.links.answer(view, Side.BLACK, made_by)
    expires = instant(view.deadline_at, desk.occasion.zone, desk.now) if view.deadline_at else ""
    own = likeness(view.match.rules)
    return {
        **_about(desk),
        "own": own,
        "own_heading": heading(own) if own else "",
        "by_address": by_address,
        "match_id": view.id,
        "message": offer.message if offer else "",
        "is_counter": bool(offer and offer.answers),
        "url": link,
        "reply_to": reply_to,
        "how": how_to_answer(view.match, Side.BLACK) if reply_to else "",
        "expires": expires,
        "zone": zone_name(desk.now, desk.occasion.zone),
        "commitment": notices.opening(desk.connection, view.id, 1).commitment,
    }


def declined(desk: Desk) -> dict[str, Any]:
    """To the inviter: the other one said no."""
    return _about(desk)


def cancelled(desk: Desk) -> dict[str, Any]:
    """To the invited one: the offer was taken back."""
    return _about(desk)


def expired(desk: Desk) -> dict[str, Any]:
    """To the inviter: nobody answered in time."""
    return _about(desk)


def _about(desk: Desk) -> dict[str, Any]:
    view = desk.occasion.match
    return {"names": desk.occasion.names(), "terms": terms(view), "url": desk.links.match(view.id)}


def terms(view: MatchView) -> list[str]:
    """What the match is offered on, a fact a line."""
    said = [
        match_terms(view.match),
        rules_name(view.rules_name),
        gettext("rated") if view.rated else gettext("unrated"),
        time_control(view.clock.control, spelled=True),
    ]
    return [term for term in (*said, rests_allowed(view.rests.allowed)) if term]

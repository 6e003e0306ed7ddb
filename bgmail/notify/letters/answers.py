"""Letters that answer a mail: please confirm, what is wrong with it, what came of it. Each shows the match."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from bgmail.notify.letters.desk import Desk
from bgmail.phrases import answers
from bgmail.rules.action import Kind
from bgmail.rules.match import Match, Phase, legal
from bgmail.rules.notation import PlayError
from bgmail.service.errors import Refused
from bgmail.service.turns import Request, action_for
from bgmail.store import matches

MOST_PLAYS = 40
"""Legal plays that a letter lists: all of nearly every roll."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """What the mail may have meant, and the link that carries it out."""

    label: str
    url: str


def confirm(desk: Desk) -> dict[str, Any]:
    """The mail is clear, but nobody vouches for its sender."""
    data = desk.occasion.notice.data
    lead = answers.confirm_lead(data["said"], data["sender"], stranger=data["stranger"])
    return {**_frame(desk), "lead": lead, "proposals": _proposals(desk)}


def help_(desk: Desk) -> dict[str, Any]:
    """The mail is not clear, or says what can't be: why, what is possible, and links for what it may mean."""
    data, match = desk.occasion.notice.data, desk.occasion.match.match
    lead = answers.help_lead(data["why"], data["said"], _error(desk), str(match.dice or ""))
    plays = [str(play) for play in legal(match)] if match.phase is Phase.PLAY else []
    more = max(0, len(plays) - MOST_PLAYS)
    return {
        **_frame(desk),
        "lead": lead,
        "proposals": _proposals(desk),
        "plays": plays[:MOST_PLAYS],
        "more_plays": more,
    }


def answer(desk: Desk) -> dict[str, Any]:
    """What the mail did, where its writer has to go on; or that it came too late."""
    data = desk.occasion.notice.data
    if data["what"] == "done":
        lead = answers.done_lead(data["said"], data["left"], chat_lost=data["chat_lost"])
    else:
        lead = answers.late_lead(data["said"])
    return {**_frame(desk), "lead": lead, "proposals": ()}


def _frame(desk: Desk) -> dict[str, Any]:
    """The board, or for an offer that isn't a match yet its page."""
    view, names = desk.occasion.match, desk.occasion.names()
    if view.started_at is not None:
        return {"situation": desk.situation(), "frame": "mail/match", "names": names}
    made_by = matches.hash_at(desk.connection, view.id, view.version) or ""
    is_open = view.match.phase is Phase.INVITED
    return {
        "frame": "mail/offer",
        "names": names,
        "url": desk.links.match(view.id),
        "reply_to": desk.links.answer(view, desk.occasion.seat, made_by) if is_open else None,
        "how": answers.how_to_answer(view.match, desk.occasion.seat) if desk.links.inbound_domain else "",
    }


def _proposals(desk: Desk) -> tuple[Proposal, ...]:
    view, seat = desk.occasion.match, desk.occasion.seat
    if view.match.phase is Phase.INVITED:
        return ()
    made_by = matches.hash_at(desk.connection, view.id, view.version) or ""
    return tuple(
        Proposal(
            answers.proposal(view.match, action, play, value),
            desk.links.reply(view, seat, made_by, action, value, play),
        )
        for action, play, value in desk.occasion.notice.data["wishes"]
    )


def _error(desk: Desk) -> Exception | None:
    """What the rules or the service say to the mail, found anew for the reader's language."""
    data, match = desk.occasion.notice.data, desk.occasion.match.match
    if data["why"] == "refused":
        code, values = answers.values_of(data["values"])
        return Refused(code, **values)
    return _play_error(desk, match, data["values"]["play"]) if data["why"] == "play" else None


def _play_error(desk: Desk, match: Match, text: str) -> Exception | None:
    try:
        action_for(match, desk.occasion.seat, Request(Kind.PLAY.value, desk.occasion.match.version, text))
    except PlayError as error:
        return error
    return None

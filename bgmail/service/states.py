"""A match as the public contract's `state`: what the JSON API answers and the board script reads."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from bgmail.rules.ids import Situation, gnubg_match_id, xgid
from bgmail.rules.match import Match, Phase, legal
from bgmail.rules.options import options
from bgmail.rules.ruledata import told
from bgmail.rules.score import Crawford
from bgmail.rules.side import Pair, Side
from bgmail.rules.state import without_wager
from bgmail.service.views import MatchView, Person
from bgmail.timing import clock as clocks
from bgmail.timing.rests import allowed_to_json


def state(view: MatchView, you: Side | None, now: datetime) -> dict[str, Any]:
    """The state as `you` may see it (None = somebody who only looks). Holds no future die and no secret."""
    view = view.at(now)
    match = view.match
    side = match.on_turn
    said = situation(match)
    return {
        "id": view.id,
        "version": view.version,
        "phase": match.phase.value,
        "on_turn": side.word if side is not None else None,
        "you": you.word if you is not None else None,
        "white": _person(view.white),
        "black": _person(view.black),
        "length": match.length,
        "games": match.games,
        "rules": view.rules_name,
        "rule_set": None if isinstance(known := told(match.rules), str) else known,
        "wager": match.wager,
        "rated": view.rated,
        "tournament": view.tournament,
        "pauses": allowed_to_json(view.rests.allowed),
        "game": match.game,
        "score": _pair(match.score),
        "crawford": match.crawford.value,
        "cube": {
            "value": match.cube.value,
            "owner": match.cube.owner.word if match.cube.owner is not None else None,
        },
        "untimed_offer": None if view.rests.untimed.offer is None else Side(view.rests.untimed.offer).word,
        "offer": {"side": match.offer.side.word, "value": match.offer.value} if match.offer else None,
        "dice": [match.dice.d1, match.dice.d2] if match.dice else None,
        "position_id": match.seen_by(side if side is not None else match.turn).id,
        "gnubg_match_id": gnubg_match_id(said),
        "xgid": xgid(match.position, said),
        "legal": legal_json(match),
        "options": [kind.value for kind in options(match, you)] if you is not None else [],
        "clocks": clocks.clocks_json(view.clock, now, view.running_pauses),
        "deadline": rfc3339(view.deadline_at),
        "now": rfc3339(now),
        "result": result(match),
    }


def situation(match: Match) -> Situation:
    """What position ids of other programs say beside the position; they know of no wager."""
    match = without_wager(match)
    answering = match.phase is Phase.ANSWER_RESIGNATION and match.offer is not None
    return Situation(
        on_roll=int(match.turn),
        to_act=int(match.turn if match.on_turn is None else match.on_turn),
        cube=match.cube.value,
        owner=None if match.cube.owner is None else int(match.cube.owner),
        dice=match.dice,
        doubled=match.phase is Phase.TAKE_OR_PASS,
        resigned=match.offer.value if answering and match.offer else 0,
        crawford=match.crawford is Crawford.ACTIVE,
        length=match.length,
        score=match.score,
        cube_limit=match.rules.cube_limit,
        playing=match.phase is not Phase.OVER,
    )


def legal_json(match: Match) -> list[dict[str, str]]:
    """The legal plays with the position that each leaves, as the opponent sees it."""
    return [{"play": str(play), "position_id": play.position.opponent_id} for play in legal(match)]


def result(match: Match) -> dict[str, Any] | None:
    """How the match ended; None while it is going on."""
    if match.result is None:
        return None
    return {
        "winner": match.result.winner.word if match.result.winner is not None else None,
        "ending": match.result.ending.value,
        "score": _pair(match.score),
        "awarded": _pair(match.result.awarded) if match.result.awarded else None,
    }


def rfc3339(instant: datetime | None) -> str | None:
    """An instant as the API writes it, in UTC with a Z."""
    return None if instant is None else instant.isoformat().replace("+00:00", "Z")


def _person(person: Person | None) -> dict[str, str] | None:
    return {"handle": person.handle} if person else None


def _pair(pair: Pair) -> dict[str, int]:
    return {"white": pair[0], "black": pair[1]}

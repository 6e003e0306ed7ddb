"""A match as plain data and back: what a row keeps, and what `audit` compares."""

from __future__ import annotations

from typing import Any

from bgmail.rules.dice import Dice
from bgmail.rules.match import GameResult, Match, Offer, Phase, Result
from bgmail.rules.position import Position
from bgmail.rules.ruledata import meant, told
from bgmail.rules.score import Crawford, Cube, Ending
from bgmail.rules.side import Side


def to_data(match: Match) -> dict[str, Any]:
    """Plain values only: numbers, texts, lists and None; a rule set of one's own as a whole."""
    last, result = match.last_game, match.result
    return {
        "rules": told(match.rules),
        "length": match.length,
        "games": match.games,
        **({"wager": match.wager} if match.wager > 1 else {}),
        **({"late": True} if match.late else {}),
        "phase": match.phase.value,
        "game": match.game,
        "turn": int(match.turn),
        "position": match.position.id,
        "dice": [match.dice.d1, match.dice.d2] if match.dice else None,
        "opening": match.opening,
        "cube": [match.cube.value, None if match.cube.owner is None else int(match.cube.owner)],
        "offer": [int(match.offer.side), match.offer.value] if match.offer else None,
        "offers": sorted(int(side) for side in match.offers),
        "score": list(match.score),
        "crawford": match.crawford.value,
        "last_game": [last.game, int(last.winner), last.points, last.ending.value, last.worth]
        if last
        else None,
        "result": _result_data(result) if result else None,
    }


def from_data(data: dict[str, Any]) -> Match:
    """The match of `to_data`. Raises KeyError or ValueError for data that isn't one."""
    offer, last, result = data["offer"], data["last_game"], data["result"]
    return Match(
        rules=meant(data["rules"]),
        length=data["length"],
        games=data["games"],
        phase=Phase(data["phase"]),
        game=data["game"],
        turn=Side(data["turn"]),
        position=Position.from_id(data["position"]),
        dice=Dice(*data["dice"]) if data["dice"] else None,
        opening=data["opening"],
        cube=Cube(data["cube"][0], _side(data["cube"][1])),
        offer=Offer(Side(offer[0]), offer[1]) if offer else None,
        offers=frozenset(Side(number) for number in data["offers"]),
        score=(data["score"][0], data["score"][1]),
        crawford=Crawford(data["crawford"]),
        last_game=GameResult(last[0], Side(last[1]), last[2], Ending(last[3]), last[4]) if last else None,
        result=_result(result) if result else None,
        wager=data.get("wager", 1),
        late=data.get("late", False),
    )


def _side(number: int | None) -> Side | None:
    return None if number is None else Side(number)


def _result_data(result: Result) -> list[Any]:
    winner = None if result.winner is None else int(result.winner)
    return [winner, result.ending.value, list(result.awarded) if result.awarded else None]


def _result(data: list[Any]) -> Result:
    winner, ending, awarded = data
    return Result(_side(winner), Ending(ending), (awarded[0], awarded[1]) if awarded else None)

"""A match as a row of pictures: what lay on the board after each entry, as the log itself tells it.

Nothing is judged again, so a long match is looked through at once; `bgmail.ledger.replay` is the one that judges.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol

from bgmail.ledger.replay import terms_of
from bgmail.rules.dice import Dice
from bgmail.rules.match import Match, Phase
from bgmail.rules.position import Position
from bgmail.rules.score import Cube, crawford_of_next_game
from bgmail.rules.side import Pair, Side, put

START = Position.start().id


class Told(Protocol):
    """An entry as far as it has to be told: all of a log's but nonces and hashes."""

    @property
    def seq(self) -> int: ...
    @property
    def at(self) -> int: ...
    @property
    def seat(self) -> str | None: ...
    @property
    def via(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def data(self) -> Mapping[str, Any]: ...


@dataclass(frozen=True, slots=True)
class Frame:
    """What is to be seen after the entry `seq`, in the game that it belongs to (0 = before the first).

    `side` is whose entry it is (None = nobody's). `position_id` is seen from `on_roll`; "" where it isn't known,
    because the log was cut before. `dice` lie before `roller`; those of a play still lie beside it. `play` is a
    play's notation, "" where there was none. `offered` is the value of a double on the table, offered by `on_roll`.
    At the end of a game its last position stays, with the score after it. `terms` are the match's, with the
    Crawford rule as it stands.
    """

    terms: Match
    seq: int = 0
    kind: str = "invite"
    side: Side | None = None
    game: int = 0
    position_id: str = START
    on_roll: Side = Side.WHITE
    dice: tuple[int, int] | None = None
    roller: Side | None = None
    play: str = ""
    cube: Cube = Cube()
    offered: int | None = None
    score: Pair = (0, 0)

    def match(self) -> Match:
        """The frame as a match that goes on, for a board, for ids and for the words about it."""
        rolled = self.dice if self.kind != "play" else None
        phase = Phase.TAKE_OR_PASS if self.offered else Phase.PLAY if rolled else Phase.ROLL_OR_DOUBLE
        return replace(
            self.terms,
            phase=phase if self.game else Phase.INVITED,
            game=self.game,
            turn=self.on_roll,
            position=Position.from_id(self.position_id or START),
            dice=Dice(*rolled) if rolled else None,
            cube=self.cube,
            score=self.score,
        )


def film(entries: Iterable[Told], whole_after: int = 0) -> list[Frame]:
    """A frame for every entry of a log, from its invitation on.

    Up to the entry `whole_after` those may be left out that are neither invitations, opening rolls, doubles, takes
    nor ends of games: only positions are missing then, up to the next play or game. Raises KeyError or ValueError
    for entries that no match of ours has.
    """
    frames: list[Frame] = []
    for entry in entries:
        frame = _next(frames[-1] if frames else Frame(terms_of(entry.data)), entry)
        frames.append(frame if entry.seq > whole_after else replace(frame, position_id=""))
    return frames


def _next(last: Frame, entry: Told) -> Frame:
    side = Side.named(entry.seat) if entry.seat else None
    now = replace(last, seq=entry.seq, kind=entry.kind, side=side, play="")
    if last.kind == "play":
        now = replace(now, dice=None, roller=None)
    step = _STEPS.get(entry.kind)
    return step(now, entry.data) if step else now


def _opening_roll(now: Frame, data: Mapping[str, Any]) -> Frame:
    first, second = data["dice"]
    starter = None if first == second else Side.WHITE if first > second else Side.BLACK
    terms = now.terms
    if data["game"] > max(now.game, 1):
        crawford = crawford_of_next_game(terms.crawford, now.score, terms.length, terms.wager)
        terms = replace(terms, crawford=crawford)
    return replace(
        now,
        terms=terms,
        side=starter,
        game=data["game"],
        position_id=START,
        on_roll=Side.WHITE if starter is None else starter,
        dice=None if starter is None else (first, second),
        roller=starter,
        cube=Cube(),
        offered=None,
    )


def _roll(now: Frame, data: Mapping[str, Any]) -> Frame:
    return replace(now, dice=(data["dice"][0], data["dice"][1]), roller=now.side)


def _play(now: Frame, data: Mapping[str, Any]) -> Frame:
    mover = now.on_roll if now.side is None else now.side
    return replace(now, position_id=data["position_id"], on_roll=mover.other, play=data["play"] or "")


def _double(now: Frame, data: Mapping[str, Any]) -> Frame:
    return replace(now, offered=data["value"])


def _take(now: Frame, _data: Mapping[str, Any]) -> Frame:
    return replace(now, cube=Cube(now.offered or now.cube.value * 2, now.side), offered=None)


def _pass(now: Frame, _data: Mapping[str, Any]) -> Frame:
    return replace(now, offered=None)


def _game_over(now: Frame, data: Mapping[str, Any]) -> Frame:
    winner = Side.named(data["winner"])
    score = put(now.score, winner, now.score[winner] + data["points"])
    return replace(now, side=winner, score=score, dice=None, roller=None, offered=None)


_STEPS: Mapping[str, Callable[[Frame, Mapping[str, Any]], Frame]] = {
    "opening_roll": _opening_roll,
    "roll": _roll,
    "play": _play,
    "double": _double,
    "take": _take,
    "pass": _pass,
    "game_over": _game_over,
}

"""Replies prepared beforehand: "if my opponent does exactly this, I do that", bound to one version and position.

A line may go several turns deep. What has become impossible is forgotten in the step that made it so; nobody but its
owner learns that there was anything.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy import Connection

from bgmail.rules.action import Kind
from bgmail.rules.dice import BadDice, Dice
from bgmail.rules.match import Match, Phase, apply, legal
from bgmail.rules.notation import PlayError, find_play
from bgmail.rules.options import why_no_double
from bgmail.rules.play import Play
from bgmail.rules.side import Side
from bgmail.service.automation import action_of, step_word
from bgmail.service.errors import NotFound, Refused, Stale
from bgmail.service.ids import new_number
from bgmail.service.orders import needs_running
from bgmail.service.views import MatchView
from bgmail.store import orders
from bgmail.store.engine import Store

MOST_REPLIES = 200
MOST_STEPS = 16
REPLIES = (Kind.ROLL, Kind.DOUBLE, Kind.TAKE, Kind.PASS, Kind.PLAY)
_IN_PLAY = (Phase.ROLL_OR_DOUBLE, Phase.PLAY, Phase.TAKE_OR_PASS)


@dataclass(frozen=True, slots=True)
class Told:
    """One step of a line as people read it: who, what, the dice of a roll, and the play ("" = no legal one).

    `word` is the same as the log's words have it.
    """

    side: Side
    kind: Kind
    word: str
    dice: Dice | None = None
    play: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """What may happen from the match as it stands, step by step, and the match after it.

    What leaves no choice, a dance and the only play, is among the steps without having been asked for.
    """

    match: Match
    steps: tuple[Told, ...] = ()


@dataclass(frozen=True, slots=True)
class Reply:
    """A reply that is kept ready: what has to happen first, and what is done then."""

    id: int
    when: tuple[Told, ...]
    then: Told


def written(told: Told) -> str:
    """A step as `follow` reads it."""
    rest = str(told.dice) if told.dice else told.play
    return f"{told.kind.value} {rest}".rstrip()


def follow(match: Match, texts: Sequence[str]) -> Line:
    """The line of some steps, each written as "roll 6-1", "play 13/7 8/7", "double", "take" or "pass".

    Raises Refused for a step that isn't possible there, and for a line that leads out of the game.
    """
    if match.phase not in _IN_PLAY or match.offer is not None:
        raise Refused("prepare_not_now")
    if len(texts) > MOST_STEPS:
        raise Refused("prepare_deep", most=MOST_STEPS)
    line, asked = _filled(Line(match)), 0
    for text in texts:
        free = line.steps[asked:]
        if free and text.strip() == f"play {free[0].play}".rstrip():
            asked += 1  # what is played without being asked for may be named all the same
            continue
        line = _further(line, _read(line.match, text))
        asked, line = len(line.steps), _filled(line)
    return line


def prepare(
    store: Store,
    view: MatchView,
    account_id: int,
    version: int,
    when: Sequence[str],
    then: str,
    now: datetime,
) -> None:
    """Keeps a reply for when exactly these steps have happened, in place of another for the same.

    One's own steps among them are kept as replies too. Raises Stale for another version, Forbidden, Refused.
    """
    side = needs_running(view, account_id)
    if version != view.version:
        raise Stale(view)
    if view.match.on_turn is side:
        raise Refused("prepare_on_turn")
    line = follow(view.match, when)
    if line.match.on_turn is not side:
        raise Refused("prepare_whose")
    kept = [*_own(view.match, line, side), _steps(line, _reply(line.match, then))]
    with store.write() as connection:
        if orders.mark(connection, view.id) != version:
            raise Stale(view)
        rows = orders.replies_of(connection, account_id, view.id)
        there: dict[int, list[str]] = {row.id: json.loads(row.steps) for row in rows}
        same = [nth for nth, old in there.items() if any(old[:-1] == new[:-1] for new in kept)]
        orders.drop_replies(connection, same)
        if len(there) - len(same) + len(kept) > MOST_REPLIES:
            raise Refused("prepare_many", most=MOST_REPLIES)
        for steps in kept:
            number = _free_number(connection)
            orders.add_reply(connection, number, view.id, account_id, version, json.dumps(steps), now)


def _free_number(connection: Connection) -> int:
    while orders.is_kept(connection, number := new_number()):
        pass
    return number


def mine(store: Store, view: MatchView, account_id: int) -> list[Reply]:
    """The replies that somebody keeps ready in a match as it stands."""
    if not view.ordered or view.side_of(account_id) is None:
        return []
    with store.read() as connection:
        rows = orders.replies_of(connection, account_id, view.id)
    found = [_told(view.match, row.id, json.loads(row.steps)) for row in rows if row.version == view.version]
    return [reply for reply in found if reply]


def forget(store: Store, view: MatchView, account_id: int, reply_id: int | None = None) -> None:
    """Forgets one reply of somebody's, and all that follow from it; None = all. Raises Forbidden, NotFound."""
    needs_running(view, account_id)
    with store.write() as connection:
        rows = {row.id: json.loads(row.steps) for row in orders.replies_of(connection, account_id, view.id)}
        if reply_id is not None and reply_id not in rows:
            raise NotFound("no_prepared")
        gone = rows if reply_id is None else [nth for nth in rows if _follows(rows[nth], rows[reply_id])]
        orders.mark(connection, view.id)
        orders.drop_replies(connection, gone)


def _follows(steps: list[str], first: list[str]) -> bool:
    """Whether a line goes through a reply, with whatever dice it rolls."""
    reply = steps[len(first) - 1 : len(first)]
    same = [word.partition(" ")[0] if first[-1] == "roll" else word for word in reply]
    return steps[: len(first) - 1] == first[:-1] and same == first[-1:]


def _further(line: Line, told: Told) -> Line:
    """The line after one more step."""
    action = action_of(line.match, told.word)
    if action is None:
        raise Refused("prepare_impossible", step=told.word)
    after = apply(line.match, replace(action, dice=told.dice))
    if after.phase not in _IN_PLAY or after.game != line.match.game:
        raise Refused("prepare_ends")
    return Line(after, (*line.steps, told))


def _filled(line: Line) -> Line:
    """Goes on with what is played without being asked for: a dance, and the only legal play."""
    while line.match.phase is Phase.PLAY:
        plays = legal(line.match)
        if len(plays) > 1 or (plays and not line.match.rules.forced_plays):
            break
        line = _further(line, _of_play(line.match, plays[0] if plays else None))
    return line


def _read(match: Match, text: str) -> Told:
    """A step as it is written, for the side on turn."""
    word, _, rest = text.strip().partition(" ")
    side = match.on_turn
    if word not in REPLIES or side is None:
        raise Refused("prepare_step", step=text[:40])
    if word == Kind.ROLL:
        dice = _dice(rest)
        return Told(side, Kind.ROLL, step_word(Kind.ROLL, str(dice)), dice)
    if word != Kind.PLAY:
        return Told(side, Kind(word), step_word(Kind(word)))
    if match.phase is not Phase.PLAY or match.dice is None:
        raise Refused("no_dice")
    try:
        exact = next((play for play in legal(match) if str(play) == rest), None)
        return _of_play(match, exact or find_play(match.position, match.dice, rest, match.rules))
    except PlayError as error:
        raise Refused(error.code, reason=str(error)) from error


def _reply(match: Match, text: str) -> str:
    """The word of a reply in the match in which it is made. Raises Refused where it isn't possible there."""
    told = Told(Side.WHITE, Kind.ROLL, "roll") if text.strip() == "roll" else _read(match, text)
    if told.dice is not None or action_of(match, told.word) is None:
        raise Refused("prepare_impossible", step=text[:40])
    return told.word


def _own(start: Match, line: Line, side: Side) -> Iterator[list[str]]:
    """The replies that a line needs of one's own on its way, where they aren't made without being asked for."""
    match = start
    for nth, told in enumerate(line.steps):
        if told.side is side and not _is_free(match):
            word = "roll" if told.kind is Kind.ROLL else told.word
            yield [*(before.word for before in line.steps[:nth]), word]
        action = action_of(match, told.word)
        if action is not None:
            match = apply(match, replace(action, dice=told.dice))


def _is_free(match: Match) -> bool:
    """Whether the next step needs no wish: a roll that can't be a double instead, a play without choice."""
    if match.phase is Phase.ROLL_OR_DOUBLE:
        return why_no_double(match, match.turn) is not None
    plays = legal(match)
    return match.phase is Phase.PLAY and (not plays or (len(plays) == 1 and match.rules.forced_plays))


def _steps(line: Line, reply: str) -> list[str]:
    return [*(told.word for told in line.steps), reply]


def _told(match: Match, reply_id: int, words: list[str]) -> Reply | None:
    """A reply as people read it; None where it no longer leads anywhere."""
    told: list[Told] = []
    for word in words:
        action, side = action_of(match, word), match.on_turn
        if action is None or side is None:
            return None
        dice = _dice(word[5:]) if word.startswith("roll ") else None
        play = str(action.play) if action.play else ""
        told.append(Told(side, action.kind, word, dice, play))
        if len(told) < len(words):
            match = apply(match, replace(action, dice=dice))
    return Reply(reply_id, tuple(told[:-1]), told[-1])


def _of_play(match: Match, play: Play | None) -> Told:
    after = play.position if play else match.position
    side = match.turn
    return Told(
        side,
        Kind.PLAY,
        step_word(Kind.PLAY, position_id=after.opponent_id),
        None,
        str(play) if play else "",
    )


def _dice(text: str) -> Dice:
    first, _, second = text.strip().partition("-")
    try:
        dice = Dice(int(first), int(second))
    except (ValueError, BadDice) as error:
        raise Refused("prepare_step", step=f"roll {text}"[:40]) from error
    return Dice(dice.high, dice.low)

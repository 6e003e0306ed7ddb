"""What the server does itself because nothing is left to decide, or was decided beforehand: a pure choice.

In this order: a reply prepared for exactly this, a standing order, what leaves no choice. Everything is judged by the
match as it is now; where a person has to come, nothing is done.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from bgmail.rules.action import Action, Kind
from bgmail.rules.bearoff import sure_play
from bgmail.rules.match import Match, Phase, legal
from bgmail.rules.options import why_no_double
from bgmail.rules.play import Play
from bgmail.rules.position import BAR, Position
from bgmail.rules.side import Pair, Side, put

MOST_STEPS = 100  # a chain of dances ends long before; past it the server asks

PREPARED = "prepared"
"""The word of the log for a prepared reply; a standing order has its own name."""


@dataclass(frozen=True, slots=True)
class Orders:
    """What one side ordered for a match, and what holds for it by default.

    `most_a_day` turns are played for it on one day (None = any number). `answer` (TAKE or PASS) is for the next double,
    until its own next roll. `double_on_dance` holds until it doubles or the game ends.
    """

    auto_roll: bool = False
    bear_off: bool = False
    shut_out: bool = True
    most_a_day: int | None = None
    answer: Kind | None = None
    double_on_dance: bool = False


@dataclass(frozen=True, slots=True)
class Prepared:
    """A reply of one side: `steps` are what has still to happen, in the log's words, and the reply last.

    A step is "roll 6-1" (larger die first), "play" and the position after it as the other side sees it, "double",
    "take" or "pass". As a reply, "roll" has no dice.
    """

    id: int
    side: Side
    steps: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Plans:
    """What both sides of a match ordered and prepared. `turns` have been played for them today; `danced` is who had
    no legal play just now."""

    orders: tuple[Orders, Orders] = (Orders(), Orders())
    prepared: tuple[Prepared, ...] = ()
    turns: Pair = (0, 0)
    danced: Side | None = None

    def full(self, side: Side) -> bool:
        """Whether as many turns have been played for a side today as it wants."""
        most = self.orders[side].most_a_day
        return most is not None and self.turns[side] >= most


NO_PLANS = Plans()


@dataclass(frozen=True, slots=True)
class Step:
    """An action without its dice, and in a word by whose wish it is done ("" = it leaves no choice)."""

    action: Action
    by: str = ""


def next_step(match: Match, plans: Plans = NO_PLANS) -> Step | None:
    """The next step that needs nobody; None when a person has to come."""
    if match.phase is Phase.OPENING:
        return Step(Action(Kind.OPENING_ROLL, None))
    side = match.on_turn
    if side is None or match.offer is not None:
        return None
    return (
        _prepared(match, side, plans) or _ordered(match, side, plans) or _without_choice(match, side, plans)
    )


def shut_out(position: Position) -> bool:
    """Whether the side on roll has a checker on the bar and all six entry points are closed."""
    return position.board[BAR] > 0 and all(count <= -2 for count in position.board[19:25])


def stuck(match: Match) -> bool:
    """Whether the side on turn can only roll in vain or pass: its time can't be over before that was done for it."""
    if match.phase is Phase.PLAY:
        return not legal(match)
    return match.phase is Phase.ROLL_OR_DOUBLE and shut_out(match.position)


def advanced(plans: Plans, happened: str, before: Match, after: Match, *, automatic: bool) -> Plans:
    """The plans after an action: what happened as foreseen is done with, what has become impossible is gone.

    `happened` is the step as `Prepared` writes it, "" for what nobody can foresee.
    """
    side = before.on_turn
    turns, orders = plans.turns, plans.orders
    if side is not None:
        rolled, played = happened.startswith("roll"), happened.startswith("play")
        if played and automatic:
            turns = put(turns, side, turns[side] + 1)
        if rolled or (happened in ("take", "pass")):
            orders = _with(orders, side, answer=None)
        if happened == "double":
            orders = _with(orders, side, double_on_dance=False)
    if after.game != before.game or after.phase is Phase.OVER:
        for one in Side:
            orders = _with(orders, one, answer=None, double_on_dance=False)
    return Plans(
        orders,
        tuple(_moved(one) for one in plans.prepared if len(one.steps) > 1 and one.steps[0] == happened),
        turns,
        side if happened.startswith("play") and before.phase is Phase.PLAY and not legal(before) else None,
    )


def step_word(kind: Kind, dice: str = "", position_id: str = "") -> str:
    """An action as `Prepared` writes it; "" for one that can't be prepared for."""
    if kind is Kind.ROLL:
        return f"roll {dice}".rstrip()
    if kind is Kind.PLAY:
        return f"play {position_id}"
    return kind.value if kind in (Kind.DOUBLE, Kind.TAKE, Kind.PASS) else ""


def action_of(match: Match, word: str) -> Action | None:
    """The action of a step for the side on turn, judged by the match as it is; None where it isn't possible now."""
    kind, _, rest = word.partition(" ")
    side = match.on_turn
    if kind == "roll" and match.phase is Phase.ROLL_OR_DOUBLE:
        return Action(Kind.ROLL, side)
    if kind == "double" and match.phase is Phase.ROLL_OR_DOUBLE and not why_no_double(match, match.turn):
        return Action(Kind.DOUBLE, side)
    if kind in ("take", "pass") and match.phase is Phase.TAKE_OR_PASS:
        return Action(Kind(kind), side)
    if kind == "play" and match.phase is Phase.PLAY:
        plays = legal(match)
        if not plays and match.position.opponent_id == rest:
            return Action(Kind.PLAY, side)
        return next(
            (Action(Kind.PLAY, side, play=play) for play in plays if play.position.opponent_id == rest),
            None,
        )
    return None


def _moved(one: Prepared) -> Prepared:
    return replace(one, steps=one.steps[1:])


def _with(orders: tuple[Orders, Orders], side: Side, **changes: object) -> tuple[Orders, Orders]:
    changed = replace(orders[side], **changes)  # type: ignore[arg-type]
    return (changed, orders[1]) if side is Side.WHITE else (orders[0], changed)


def _prepared(match: Match, side: Side, plans: Plans) -> Step | None:
    for one in plans.prepared:
        if one.side is side and len(one.steps) == 1:
            action = action_of(match, one.steps[0])
            if action is not None:
                return Step(action, PREPARED)
    return None


def _ordered(match: Match, side: Side, plans: Plans) -> Step | None:
    orders = plans.orders[side]
    if match.phase is Phase.TAKE_OR_PASS and orders.answer is not None:
        return Step(Action(orders.answer, side), f"{orders.answer.value}_next")
    if match.phase is Phase.ROLL_OR_DOUBLE and why_no_double(match, side) is None:
        if orders.double_on_dance and plans.danced is side.other:
            return Step(Action(Kind.DOUBLE, side), "double_on_dance")
        if orders.auto_roll and not plans.full(side):
            return Step(Action(Kind.ROLL, side), "auto_roll")
    if match.phase is Phase.PLAY and orders.bear_off and not plans.full(side) and len(legal(match)) > 1:
        play = _bear_off(match)
        return Step(Action(Kind.PLAY, side, play=play), "bear_off") if play else None
    return None


def _bear_off(match: Match) -> Play | None:
    """The play that is never less likely to be off than any other; none while a gammon can still be lost."""
    if match.dice is None:
        return None
    return sure_play(match.position, match.dice, match.rules)


def _without_choice(match: Match, side: Side, plans: Plans) -> Step | None:
    if match.phase is Phase.ROLL_OR_DOUBLE:
        vain = plans.orders[side].shut_out and shut_out(match.position)
        return Step(Action(Kind.ROLL, side)) if vain or why_no_double(match, side) is not None else None
    if match.phase is not Phase.PLAY:
        return None
    plays = legal(match)
    if not plays:
        return Step(Action(Kind.PLAY, side))
    if len(plays) == 1 and match.rules.forced_plays and not plans.full(side):
        return Step(Action(Kind.PLAY, side, play=plays[0]))
    return None

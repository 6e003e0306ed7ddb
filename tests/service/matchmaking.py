"""People and matches for service tests, and a chance whose dice the test writes down."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from sqlalchemy import update

from bgmail.dice import FairChance
from bgmail.rules.dice import Dice
from bgmail.rules.match import Phase
from bgmail.rules.position import Position
from bgmail.rules.side import Side
from bgmail.service import accounts, invitations, turns
from bgmail.service.terms import Handle, Terms
from bgmail.service.turns import Outcome, Request
from bgmail.service.views import MatchView, cached
from bgmail.store.engine import Store
from bgmail.store.matches import table
from bgmail.store.tables import MatchRow


class ScriptedChance(FairChance):
    """Draws the dice it is told, then honest ones; secrets and nonces stay real."""

    def __init__(self, dice: Iterable[tuple[int, int]]) -> None:
        self.script = list(dice)

    def draw(self, secret: bytes, match: str, game: int, roll: int, nonces: str) -> Dice:
        if self.script:
            return Dice(*self.script.pop(0))
        return super().draw(secret, match, game, roll, nonces)


def settle(store: Store, now: datetime) -> tuple[int, int, int]:
    """Alice, Bob and Charlie; their account ids."""
    names = ("alice", "bob", "charlie")
    alice, bob, charlie = (
        accounts.create(store, name, f"{name}@play.example", None, now).id for name in names
    )
    return alice, bob, charlie


def begin(
    store: Store, now: datetime, *dice: tuple[int, int], length: int = 7, **terms: object
) -> tuple[MatchView, ScriptedChance]:
    """Alice (White) against Bob; the first of `dice` is the opening roll."""
    alice, bob, _ = settle(store, now)
    chance = ScriptedChance(dice)
    wish = Terms(length, **terms)  # type: ignore[arg-type]
    view = invitations.invite(store, alice, wish, Handle("bob"), "", now, chance)
    return invitations.accept(store, view.id, bob, now, chance), chance


def position(own: dict[int, int], other: dict[int, int]) -> Position:
    """A position by hand, in the numbering of the side on roll (25 = its bar, 0 = the other's)."""
    board = [0] * 26
    for point, count in own.items():
        board[point] += count
    for point, count in other.items():
        board[point] -= count
    return Position.from_board(board)


def stage(
    store: Store, view: MatchView, side: Side, seen: Position, dice: tuple[int, int] | None = None
) -> MatchView:
    """Puts a position on the board with `side` on turn. The log doesn't know of it: not for replays."""
    match = replace(
        view.match,
        turn=side,
        position=seen,
        opening=False,
        dice=Dice(*dice) if dice else None,
        phase=Phase.PLAY if dice else Phase.ROLL_OR_DOUBLE,
    )
    at = view.clock.since or view.moved_at
    clock = view.clock.stop(at).start_turn(0 if side is Side.WHITE else 1, at)
    row = table(MatchRow)
    with store.write() as connection:
        connection.execute(update(row).where(row.c.id == view.id).values(**cached(match, clock, view.rests)))
    return turns.load(store, view.id)


def act(
    store: Store, view: MatchView, side: Side, action: str, now: datetime, chance: FairChance, **wish: object
) -> Outcome:
    """One action at the version of `view`."""
    wish.setdefault("version", view.version)
    return turns.act(store, view.id, side, Request(action, **wish), now, chance)  # type: ignore[arg-type]

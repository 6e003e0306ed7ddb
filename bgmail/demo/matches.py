"""Demo matches, each played until it shows something: a double to answer, a dance, a bear-off, a Crawford
game, an hour left."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from bgmail.demo.player import choose
from bgmail.dice import Chance
from bgmail.rules.action import Kind
from bgmail.rules.match import Match, Phase
from bgmail.rules.options import options
from bgmail.rules.position import BAR
from bgmail.rules.score import Crawford
from bgmail.rules.side import Side
from bgmail.service import invitations, matches, turns
from bgmail.service.terms import Handle, Open, Terms
from bgmail.service.views import MatchView
from bgmail.store.engine import Store

MOST_TRIES = 60


@dataclass(frozen=True, slots=True)
class Scene:
    """A match worth showing. `reached` is asked after every action; with `doubles` the players turn the cube.

    The match began `span` before its end, which lies `ago` back; more than `left` is on the clock then.
    """

    length: int
    reached: Callable[[MatchView], bool]
    doubles: bool = False
    span: timedelta = timedelta(days=12)
    ago: timedelta = timedelta()
    left: timedelta = timedelta(days=1)

    def instant(self, now: datetime, number: int) -> datetime:
        """When action `number` was made: days apart at first, then hours, always before the end."""
        return now - self.ago - self.span / (1 + number / 8)

    def shows(self, view: MatchView, now: datetime) -> bool:
        """Whether the match may stay as it is: a scene that came early, days ago, has no time left."""
        in_time = view.deadline_at is not None and view.deadline_at - now > self.left
        return in_time and self.reached(view)


def _alice_waits(view: MatchView) -> bool:
    return view.match.on_turn is Side.BLACK


def _double_to_answer(view: MatchView) -> bool:
    return view.match.phase is Phase.TAKE_OR_PASS and _alice_waits(view)


def _bob_danced(view: MatchView) -> bool:
    return view.match.seen_by(Side.WHITE).board[BAR] > 0 and _alice_waits(view)


def _bearing_off(view: MatchView) -> bool:
    both = all(1 <= view.match.seen_by(side).off <= 9 for side in Side)
    return both and _alice_waits(view) and view.match.phase is Phase.PLAY


def _crawford(view: MatchView) -> bool:
    return view.match.crawford is Crawford.ACTIVE and _alice_waits(view) and view.match.phase is Phase.PLAY


def _midgame(view: MatchView) -> bool:
    return view.head > 24 and _alice_waits(view) and view.match.phase is Phase.PLAY


AN_HOUR_BEFORE_THE_END = timedelta(days=4) - timedelta(minutes=65)
SCENES = (
    Scene(7, _double_to_answer, doubles=True),
    Scene(5, _bob_danced),
    Scene(7, _bearing_off),
    Scene(3, _crawford, doubles=True),
    Scene(7, _midgame, span=timedelta(minutes=30), ago=AN_HOUR_BEFORE_THE_END, left=timedelta(minutes=50)),
)


def fill(store: Store, alice: int, bob: int, dana: int, now: datetime, chance: Chance) -> list[MatchView]:
    """Plays every scene that isn't there yet between Bob (White) and Alice, for whom they wait, and offers something in
    the lobby."""
    there = [view for view in matches.mine(store, alice, "running") if view.tournament is None]
    found = [_seen(there, scene, now) or _staged(store, bob, alice, scene, now, chance) for scene in SCENES]
    for view in there:
        if view not in found:  # it was being played when that was interrupted
            gives_up = turns.Request(Kind.RESIGN_MATCH, view.version)
            turns.act(store, view.id, Side.WHITE, gives_up, view.moved_at, chance)
    invitations.invite(store, dana, Terms(5), Handle("alice"), "A quiet five-pointer?", now, chance)
    invitations.invite(
        store, dana, Terms(7, time="three-days"), Open(), "Anyone for a long one?", now, chance
    )
    matches.say(store, found[0], alice, "Good luck!", now - timedelta(hours=30))
    matches.say(store, found[0], bob, "And to you. I like my chances here.", now - timedelta(hours=3))
    return found


def _seen(there: list[MatchView], scene: Scene, now: datetime) -> MatchView | None:
    """The match of a scene that was played before an interruption."""
    for view in there:
        if view.match.length == scene.length and view.moved_at <= now - scene.ago and scene.shows(view, now):
            return view
    return None


def _staged(store: Store, bob: int, alice: int, scene: Scene, now: datetime, chance: Chance) -> MatchView:
    """Plays matches until the dice give the scene; those that ended before it stay as history."""
    for _ in range(MOST_TRIES):
        view = _played(store, bob, alice, scene, now, chance)
        if view.match.phase is not Phase.OVER:
            return view
    raise RuntimeError("the dice refused to stage a demo match")


def _played(store: Store, bob: int, alice: int, scene: Scene, now: datetime, chance: Chance) -> MatchView:
    begun = scene.instant(now, 0)
    view = invitations.invite(store, bob, Terms(scene.length), Handle("alice"), "", begun, chance)
    view = invitations.accept(store, view.id, alice, begun, chance)
    number = 0
    while view.match.phase is not Phase.OVER and not scene.shows(view, now):
        number += 1
        side = view.match.on_turn
        if side is None:
            break
        request = _next(view.match, side, view.version, scene)
        view = turns.act(store, view.id, side, request, scene.instant(now, number), chance).view
    return view


def _next(match: Match, side: Side, version: int, scene: Scene) -> turns.Request:
    """Doubles with a lead of a tenth in the race, takes everything, never resigns."""
    may = options(match, side)
    if Kind.DOUBLE in may and scene.doubles and _leads(match):
        return turns.Request(Kind.DOUBLE, version)
    if Kind.PLAY in may:
        return turns.Request(Kind.PLAY, version, play=str(choose(match)))
    return turns.Request(Kind.TAKE if Kind.TAKE in may else Kind.ROLL, version)


def _leads(match: Match) -> bool:
    return match.position.pip_count() * 10 < match.position.opponent_pip_count() * 9

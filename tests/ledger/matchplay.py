"""Random matches played through drafts: every action of people, automation and clock, with real dice."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta

from bgmail import timing
from bgmail.dice import FairChance
from bgmail.ledger import GENESIS
from bgmail.rules.action import Action, Kind
from bgmail.rules.match import Match, Phase, legal, new_match
from bgmail.rules.options import options, resignation_values
from bgmail.rules.ruledata import told
from bgmail.rules.ruleset import CLUB, RuleSet
from bgmail.rules.side import Side
from bgmail.service.draft import Draft
from bgmail.service.views import MatchView, Person
from bgmail.timing import control as controls

START = datetime(2026, 1, 5, 9, tzinfo=UTC)
ALICE, BOB = Person(1, "alice"), Person(2, "bob")
MOST_ACTIONS = 3000


def invited(
    length: int = 5, games: int = 0, rules: RuleSet = CLUB, wager: int = 1, identity: str = "m1"
) -> Draft:
    """Alice's invitation to Bob, as a draft."""
    control = timing.resolve("move-a-day", length or games)
    view = MatchView(
        id=identity, match=new_match(rules, length, games, wager), clock=timing.Clock.start(control),
        version=0, head=0, head_hash=GENESIS, rolls=0, white=ALICE, black=BOB, rated=True, imported=False,
        created_at=START, started_at=None, moved_at=START, finished_at=None, deadline_at=None, due_at=None,
    )  # fmt: skip
    draft = Draft(view, str, {}, FairChance(), START)
    terms = {"rules": told(rules), "wager": wager, "length": length, "games": games, "rated": True}
    draft.invite({**terms, "time": controls.to_json(control)}, "page", None)
    return draft


def play_out(draft: Draft, chance: random.Random, resigning: float = 0.02, lapsing: float = 0.0) -> Draft:
    """Plays the match to its end by random choice, offers to resign included, some of them off turn; and with lapses,
    claimed where the rules want it, or played on before."""
    draft.act(Action(Kind.ACCEPT, Side.BLACK), "page")
    draft.automate()
    for _ in range(MOST_ACTIONS):
        if draft.match.phase is Phase.OVER:
            return draft
        draft.now += timedelta(minutes=chance.randrange(1, 600))
        if chance.random() < lapsing:
            _out_of_time(draft, chance)
            continue
        draft.act(_choice(draft.match, chance, resigning), "page")
        draft.automate()
    raise AssertionError("a random match did not end")


def _out_of_time(draft: Draft, chance: random.Random) -> None:
    draft.now += timedelta(days=30)
    if draft.match.rules.inactivity and chance.random() < 0.5:
        draft.leave()
    else:
        draft.lapse()


def _choice(match: Match, chance: random.Random, resigning: float) -> Action:
    side = match.on_turn
    assert side is not None
    if match.late and chance.random() < 0.5:
        return Action(Kind.CLAIM_TIMEOUT, side.other)
    if chance.random() < resigning:
        side = chance.choice([Side.WHITE, Side.BLACK])
        values = resignation_values(match, side)
        if values:
            return Action(Kind.RESIGN, side, value=chance.choice(values))
        side = match.on_turn
    quitting = {Kind.RESIGN, Kind.RESIGN_MATCH}
    kind = chance.choice([kind for kind in options(match, side) if kind not in quitting])
    return Action(kind, side, play=chance.choice(legal(match)) if kind is Kind.PLAY else None)

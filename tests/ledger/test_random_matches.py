"""Whole matches by random choice: what must always hold, whatever is played."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import timedelta

import pytest

from bgmail.dice import verify
from bgmail.ledger import check_chain, parse_entry, replay
from bgmail.rules.action import Action, Kind
from bgmail.rules.match import Phase
from bgmail.rules.ruleset import CLUB, PRESETS, Timeout
from bgmail.rules.side import Side
from bgmail.rules.snapshot import from_data, to_data
from bgmail.service.draft import Draft
from bgmail.service.retellings import retell
from tests.ledger.matchplay import invited, play_out
from tests.rules.own_rules import own_rules

PARTS = 20


def terms_of(seed: int) -> dict[str, object]:
    chance = random.Random(seed)
    if chance.random() < 0.15:
        return {"length": 0, "games": chance.randrange(1, 4)}
    if chance.random() < 0.3:
        return {"length": chance.choice([1, 2, 3, 5, 7])}
    rules = chance.choice([*PRESETS.values(), own_rules(chance)])
    length = chance.choice([length for length in rules.lengths if length <= 9] or sorted(rules.lengths)[:1])
    games = 0 if length else chance.randrange(1, 4)
    return {"rules": rules, "length": length, "games": games, "wager": chance.randint(1, rules.most_wager)}


def check(draft: Draft) -> None:
    entries = draft.entries
    match = draft.match
    check_chain(entries)
    assert replay(parse_entry(entry.text) for entry in entries) == match
    retold = retell(entries)
    assert (retold.match, retold.clock) == (match, draft.clock)
    assert from_data(to_data(match)) == match
    verdict = verify(entries)
    assert verdict.good, verdict.faults
    assert not verdict.open_games, "a secret was not published"
    assert match.phase is Phase.OVER
    assert not draft.secrets
    for side in Side:
        position = match.seen_by(side)
        assert sum(count for count in position.board if count > 0) + position.off == 15
    points = [entry.data for entry in entries if entry.kind == "game_over"]
    for side in Side:
        assert match.score[side] == sum(game["points"] for game in points if game["winner"] == side.word)
    assert all(entry.version <= entry.seq for entry in entries)


@pytest.mark.parametrize("part", range(PARTS))
def test_random_matches_keep_every_invariant_and_their_dice_verify(part: int, random_matches: int) -> None:
    for seed in range(part * random_matches // PARTS, (part + 1) * random_matches // PARTS):
        draft = invited(**terms_of(seed), identity=f"match{seed}")  # type: ignore[arg-type]
        check(play_out(draft, random.Random(seed), lapsing=0.01))


def test_a_game_after_one_that_nobody_began_to_play_opens_unguarded_and_the_log_says_so() -> None:
    """Two games are lost by the clock, and nobody acts in them: what went before their commitments guards no game."""
    draft = invited(rules=replace(CLUB, name="Ours", timeout=Timeout.GAME))
    draft.act(Action(Kind.ACCEPT, Side.BLACK), "page")
    draft.automate()
    for _ in range(2):
        draft.now += timedelta(days=30)
        draft.lapse()
    draft.act(Action(Kind.RESIGN_MATCH, Side.WHITE), "page")
    verdict = verify(draft.entries)
    assert (verdict.faults, verdict.unguarded) == ([], [2, 3])

"""Replies prepared beforehand: for exactly one thing, at one version and position, or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

import pytest

from bgmail.rules.dice import Dice
from bgmail.rules.match import Phase
from bgmail.rules.position import Position
from bgmail.rules.side import Side
from bgmail.service import belongings, matches, orders, prepared
from bgmail.service.errors import Forbidden, NotFound, Refused, Stale
from bgmail.service.states import state
from bgmail.service.turns import load
from bgmail.service.views import MatchView
from bgmail.store.engine import Store
from tests.service.matchmaking import ScriptedChance, act, begin, position, stage

WHITE, BLACK = Side.WHITE, Side.BLACK


@pytest.fixture
def store(sqlite_schema_url: str) -> Iterator[Store]:
    opened = Store(sqlite_schema_url)
    yield opened
    opened.close()


def bob_on_turn(store: Store, now: datetime, *dice: tuple[int, int]) -> tuple[MatchView, ScriptedChance]:
    """Alice has opened with 3-1, and Bob may roll or double."""
    view, chance = begin(store, now, (3, 1), *dice)
    return act(store, view, WHITE, "play", now, chance, play="8/5 6/5").view, chance


def alice(view: MatchView) -> int:
    assert view.white is not None
    return view.white.id


def keep(store: Store, view: MatchView, now: datetime, when: list[str], then: str) -> None:
    prepared.prepare(store, load(store, view.id), alice(view), view.version, when, then, now)


def spoken(store: Store, view: MatchView) -> list[tuple[list[str], str]]:
    """What Alice keeps ready, in words."""

    def words(told: prepared.Told) -> str:
        return " ".join(filter(None, [told.kind.value, str(told.dice or ""), told.play]))

    found = prepared.mine(store, load(store, view.id), alice(view))
    return [([words(one) for one in reply.when], words(reply.then)) for reply in found]


def done(store: Store, view: MatchView) -> list[str]:
    """What was done by prepared replies."""
    return [one.kind for one in matches.log(store, view.id) if one.data.get("by") == "prepared"]


def test_a_reply_to_a_play_and_a_roll_is_made_when_both_came(store: Store, now: datetime) -> None:
    view, chance = bob_on_turn(store, now, (6, 4), (2, 1))
    keep(store, view, now, ["roll 4-6", "play 24/14", "roll 2-1"], "play 24/22 6/5")
    assert spoken(store, view) == [
        (["roll 6-4", "play 24/14"], "roll"),
        (["roll 6-4", "play 24/14", "roll 2-1"], "play 24/22 6/5"),
    ], "to roll without a double is a reply too"
    view = act(store, load(store, view.id), BLACK, "roll", now, chance).view
    assert [len(when) for when, _ in spoken(store, view)] == [1, 2]
    view = act(store, view, BLACK, "play", now, chance, play="24/14").view
    assert done(store, view) == ["roll", "play"]
    assert view.match.on_turn is BLACK
    assert spoken(store, view) == []
    assert not orders.unfit(store, view, alice(view))


def test_what_was_prepared_for_another_play_is_dropped_and_never_played(store: Store, now: datetime) -> None:
    """A move prepared for one situation was played two turns later elsewhere."""
    view, chance = bob_on_turn(store, now, (6, 4), (2, 1), (6, 4), (2, 1))
    keep(store, view, now, ["roll 6-4", "play 24/14"], "double")
    view = act(store, load(store, view.id), BLACK, "roll", now, chance).view
    view = act(store, view, BLACK, "play", now, chance, play="24/18 13/9").view
    assert (spoken(store, view), done(store, view)) == ([], [])
    assert orders.unfit(store, view, alice(view)), "Alice's page says that it no longer fits"
    view = act(store, view, WHITE, "roll", now, chance).view
    assert not orders.unfit(store, view, alice(view))
    view = act(store, view, WHITE, "play", now, chance, play="24/22 6/5").view
    view = act(store, view, BLACK, "roll", now, chance).view
    view = act(store, view, BLACK, "play", now, chance, play="24/14").view
    assert done(store, view) == []
    assert view.match.phase is Phase.ROLL_OR_DOUBLE


def test_a_tree_goes_several_turns_deep(store: Store, now: datetime) -> None:
    view, chance = bob_on_turn(store, now, (6, 4), (2, 1), (5, 3), (6, 6))
    first = ["roll 6-4", "play 24/14", "roll 2-1", "play 24/22 6/5"]
    keep(store, view, now, [*first, "roll 5-3", "play 8/3 6/3"], "double")
    keep(store, view, now, [*first, "roll 1-1", "play 8/7(2) 6/5(2)"], "roll")
    view = act(store, load(store, view.id), BLACK, "roll", now, chance).view
    view = act(store, view, BLACK, "play", now, chance, play="24/14").view
    assert done(store, view) == ["roll", "play"]
    assert len(spoken(store, view)) == 2
    view = act(store, view, BLACK, "roll", now, chance).view
    assert len(spoken(store, view)) == 1, "the other branch became impossible"
    view = act(store, view, BLACK, "play", now, chance, play="8/3 6/3").view
    assert done(store, view) == ["roll", "play", "double"]
    assert view.match.phase is Phase.TAKE_OR_PASS


HOME = {6: 3, 5: 2, 4: 2, 3: 2, 2: 1}
KINDS = [
    pytest.param({24: 2, 13: 5, 8: 3, 6: 5}, {12: 5, 17: 3, 19: 5, 1: 2}, ["double"], "take", id="take"),
    pytest.param({24: 2, 13: 5, 8: 3, 6: 5}, {12: 5, 17: 3, 19: 5, 1: 2}, ["double"], "pass", id="pass"),
    pytest.param(
        {24: 2, 13: 5, 8: 3, 6: 5},
        {12: 5, 17: 3, 19: 5, 1: 2},
        ["roll 3-1", "play 8/5 6/5"],
        "roll",
        id="roll",
    ),
    pytest.param(
        {24: 2, 13: 5, 8: 3, 6: 5},
        {12: 5, 17: 3, 19: 5, 1: 2},
        ["roll 3-1", "play 8/5 6/5"],
        "double",
        id="double",
    ),
    pytest.param(
        {20: 1, 13: 5, 8: 3, 6: 6},
        {12: 5, 17: 3, 19: 5, 1: 2},
        ["roll 3-2", "play 8/5* 13/11", "roll 6-2"],
        "play bar/23 13/7",
        id="entering",
    ),
    pytest.param(
        HOME, {24: 8, 22: 5}, ["roll 2-1", "play 3/off", "roll 6-5"], "play 6/off 5/off", id="bearing off"
    ),
]


@pytest.mark.parametrize(("own", "other", "when", "then"), KINDS)
def test_every_kind_that_can_be_kept_is_carried_out(
    store: Store,
    now: datetime,
    own: dict[int, int],
    other: dict[int, int],
    when: list[str],
    then: str,
) -> None:
    """Some kinds of prepared moves could be saved elsewhere but were never carried out."""
    view, chance = begin(store, now, (3, 1))
    view = stage(store, view, BLACK, position(own, other).mirrored())
    keep(store, view, now, when, then)
    assert spoken(store, view)[-1][1].startswith(then.split("/", maxsplit=1)[0])
    dice = [step.removeprefix("roll ").split("-") for step in when if step.startswith("roll")]
    chance.script = [(int(first), int(second)) for first, second in dice]
    for step in when[:2]:
        kind, _, text = step.partition(" ")
        wish = {"play": text} if kind == "play" else {}
        view = act(store, load(store, view.id), BLACK, kind, now, chance, **wish).view
    assert then.split(maxsplit=1)[0] in done(store, view)


def test_a_dance_and_an_only_play_need_not_be_named(store: Store, now: datetime) -> None:
    view, chance = begin(store, now, (3, 1))
    five = {6: 2, 5: 2, 4: 2, 3: 2, 2: 2, 8: 3, 9: 2}
    view = stage(store, view, BLACK, position(five, {0: 1, 19: 14}).mirrored())
    keep(store, view, now, ["roll 6-5"], "double")
    assert spoken(store, view) == [(["roll 6-5", "play"], "double")]
    chance.script = [(5, 6)]
    view = act(store, load(store, view.id), BLACK, "roll", now, chance).view
    assert done(store, view) == ["double"]


def test_a_double_of_which_three_parts_are_legal_lies_on_the_way(store: Store, now: datetime) -> None:
    view, chance = begin(store, now, (3, 1))
    seen = position({23: 1, 4: 14}, {3: 2, 20: 6, 22: 5, 24: 2})
    view = stage(store, view, BLACK, seen.mirrored())
    keep(store, view, now, ["roll 2-1", "play 5/3 5/4", "roll 5-5", "double"], "take")
    assert spoken(store, view)[-1][0][2:] == ["roll 5-5", "play 23/8", "double"]
    chance.script = [(2, 1), (5, 5)]
    view = act(store, load(store, view.id), BLACK, "roll", now, chance).view
    view = act(store, view, BLACK, "play", now, chance, play="5/3 5/4").view
    view = act(store, view, BLACK, "double", now, chance).view
    assert done(store, view) == ["roll", "take"]


REFUSED = [
    (["roll 6-4"], "double", "prepare_whose"),
    (["roll 7-1"], "roll", "prepare_step"),
    (["beaver"], "roll", "prepare_step"),
    (["play 24/14"], "roll", "no_dice"),
    (["roll 6-4", "play 24/13"], "roll", "not_these_dice"),
    (["roll 6-4", "play 24/14"], "take", "prepare_impossible"),
    (["roll 6-4", "play 24/14"], "roll 6-6", "prepare_impossible"),
    (["double"], "double", "prepare_impossible"),
    (["double", "pass"], "roll", "prepare_ends"),
    (["take"], "roll", "prepare_impossible"),
    (["roll 1-2"] * 17, "roll", "prepare_deep"),
]


@pytest.mark.parametrize(("when", "then", "code"), REFUSED)
def test_what_could_not_be_carried_out_is_refused_and_nothing_kept(
    store: Store, now: datetime, when: list[str], then: str, code: str
) -> None:
    view, _ = bob_on_turn(store, now)
    with pytest.raises(Refused) as refused:
        keep(store, view, now, when, then)
    assert refused.value.code == code
    assert spoken(store, view) == []
    assert not load(store, view.id).has_orders


def test_only_whoever_waits_for_the_opponent_prepares_and_at_the_present_version(
    store: Store, now: datetime
) -> None:
    view, chance = bob_on_turn(store, now, (6, 4))
    assert view.black is not None
    with pytest.raises(Stale):
        prepared.prepare(store, view, alice(view), view.version - 1, ["double"], "take", now)
    with pytest.raises(Refused, match="prepare_on_turn"):
        prepared.prepare(store, view, view.black.id, view.version, ["double"], "take", now)
    with pytest.raises(Forbidden):
        prepared.prepare(store, view, view.black.id + 1, view.version, ["double"], "take", now)
    act(store, view, BLACK, "roll", now, chance)
    with pytest.raises(Stale):
        prepared.prepare(store, view, alice(view), view.version, ["double"], "take", now)
    assert spoken(store, view) == []


def test_one_reply_a_line_and_what_follows_from_a_forgotten_one_goes_too(store: Store, now: datetime) -> None:
    view, _ = bob_on_turn(store, now)
    keep(store, view, now, ["double"], "take")
    keep(store, view, now, ["double"], "pass")
    keep(store, view, now, ["roll 6-4", "play 24/14", "roll 2-1"], "play 24/22 6/5")
    assert [then for _, then in spoken(store, view)] == ["pass", "roll", "play 24/22 6/5"]
    roll = prepared.mine(store, load(store, view.id), alice(view))[1]
    with pytest.raises(NotFound):
        prepared.forget(store, load(store, view.id), alice(view), 10**6)
    prepared.forget(store, load(store, view.id), alice(view), roll.id)
    assert [then for _, then in spoken(store, view)] == ["pass"]
    prepared.forget(store, load(store, view.id), alice(view))
    assert spoken(store, view) == []


def test_the_numbers_of_one_s_replies_do_not_tell_how_many_others_keep(store: Store, now: datetime) -> None:
    view, _ = bob_on_turn(store, now)
    for answer in (["double"], ["roll 6-4", "play 24/14"]):
        keep(store, view, now, answer, "take" if answer == ["double"] else "roll")
    numbers = [reply.id for reply in prepared.mine(store, load(store, view.id), alice(view))]
    assert len(numbers) == 2
    assert max(numbers) > 1000


def test_a_reply_kept_while_the_opponent_acts_counts_for_what_he_does(store: Store, now: datetime) -> None:
    """Whoever read the match before the reply was kept reads it again: nothing that was saved is passed over."""
    view, chance = bob_on_turn(store, now)
    real, kept = chance.nonce, []

    def keeps_meanwhile() -> str:
        if not kept:
            kept.append(True)
            keep(store, view, now, ["double"], "take")
        return real()

    chance.nonce = keeps_meanwhile  # type: ignore[method-assign]
    view = act(store, view, BLACK, "double", now, chance).view
    assert done(store, view) == ["take"]


def test_prepared_replies_leave_no_trace_and_come_along_with_ones_data(store: Store, now: datetime) -> None:
    view, _ = bob_on_turn(store, now)
    assert view.black is not None
    seen = state(view, BLACK, now), matches.log(store, view.id), matches.pulse(store, view.id, with_chat=True)
    keep(store, view, now, ["double"], "pass")
    after = load(store, view.id)
    assert seen == (
        state(after, BLACK, now),
        matches.log(store, view.id),
        matches.pulse(store, view.id, with_chat=True),
    )
    assert prepared.mine(store, after, view.black.id) == []
    theirs = "".join("".join(file.text) for file in belongings.files(store, view.black.id, now))
    own = {file.path: "".join(file.text) for file in belongings.files(store, alice(view), now)}
    assert '"pass"' in own["orders.json"]
    assert "prepared" not in theirs.replace('"prepared": []', "")


def test_a_line_knows_position_and_dice(store: Store, now: datetime) -> None:
    view, _ = bob_on_turn(store, now)
    line = prepared.follow(view.match, ["roll 6-4", "play 24/14"])
    assert line.match.position == Position.from_id(line.steps[-1].word.removeprefix("play "))
    assert (line.match.on_turn, line.steps[0].dice) == (WHITE, Dice(6, 4))

"""Faults that other services had with games and clocks, each as it was reported, with the right answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta

import pytest

from bgmail import timing
from bgmail.rules.action import Action, Kind
from bgmail.rules.match import Phase
from bgmail.rules.side import Side
from bgmail.service import accounts, draft, invitations, matches, standstills, turns, vacations, weekly
from bgmail.service.automation import Step, next_step
from bgmail.service.deadlines import sweep_match
from bgmail.service.states import state
from bgmail.service.terms import Handle, Terms
from bgmail.service.turns import load
from bgmail.service.vacations import Wish
from bgmail.store.engine import Store
from tests.service.matchmaking import ScriptedChance, act, begin, position, settle, stage
from tests.service.test_deadlines import meanwhile, owed, sweep
from tests.service.tournaments.club import Club

WHITE, BLACK = Side.WHITE, Side.BLACK
HOUR, DAY, SECOND = timedelta(hours=1), timedelta(days=1), timedelta(seconds=1)
FIVE_DAYS = {"per_turn": 5 * 86_400}


@pytest.fixture
def store(sqlite_schema_url: str) -> Iterator[Store]:
    opened = Store(sqlite_schema_url)
    yield opened
    opened.close()


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("own", "dice", "play"),
    [({1: 3}, (1, 1), "1/off(3)"), ({3: 1}, (4, 2), "3/off"), ({3: 1}, (4, 2), "3/1/off")],
)
def test_a_game_that_ends_with_a_die_unplayed_has_one_result_and_no_turn_after_it(
    store: Store, now: datetime, own: dict[int, int], dice: tuple[int, int], play: str
) -> None:
    """Doubles were two half turns elsewhere, and the look ahead failed on an empty board."""
    view, chance = begin(store, now, (3, 1), length=5)
    view = stage(store, view, WHITE, position(own, {24: 2}), dice)
    chance.script = [(6, 1)]
    after = act(store, view, WHITE, "play", now, chance, play=play).view
    assert [entry.kind for entry in matches.log(store, view.id, view.head)] == [
        "play",
        "game_over",
        "reveal",
        "commit",
        "opening_roll",
    ]
    assert (after.match.score, after.match.game, after.match.phase) == ((1, 0), 2, Phase.PLAY)


def lost_its_way(match: object, plans: object) -> None:
    raise IndexError("stale entries")


def against_the_rules(match: object, plans: object) -> Step:
    return Step(Action(Kind.DOUBLE, BLACK))


@pytest.mark.parametrize("fails", [lost_its_way, against_the_rules])
def test_where_automation_fails_the_play_before_it_stands_and_its_person_is_asked(
    store: Store,
    now: datetime,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    fails: Callable[[object, object], Step | None],
) -> None:
    """A forced play that failed stopped a whole server."""
    view, chance = begin(store, now, (3, 1), (6, 4), length=1)
    monkeypatch.setattr(draft, "next_step", fails)
    after = act(store, view, WHITE, "play", now, chance, play="8/5 6/5").view
    assert (after.match.on_turn, after.match.phase) == (BLACK, Phase.ROLL_OR_DOUBLE)
    assert load(store, view.id) == after
    assert view.id in caplog.text
    assert "roll" in state(after, BLACK, now)["options"]
    monkeypatch.setattr(draft, "next_step", next_step)
    rolled = act(store, after, BLACK, "roll", now, chance).view
    assert str(rolled.match.dice) == "6-4"


def test_after_a_refused_resignation_the_same_dice_and_what_was_left_of_the_turn_go_on(
    store: Store, now: datetime
) -> None:
    view, chance = begin(store, now, (3, 1))
    offered = act(store, view, WHITE, "resign", now + 2 * HOUR, chance, value=1).view
    back = act(store, offered, BLACK, "decline_resignation", now + 10 * HOUR, chance).view
    assert (back.match.on_turn, back.match.dice, back.match.offer) == (WHITE, view.match.dice, None)
    assert timing.left(back.clock, now + 10 * HOUR)[WHITE].turn == 22 * HOUR
    assert back.deadline_at == now + 10 * HOUR + 22 * HOUR + 3 * DAY


def test_a_take_from_the_page_of_the_game_before_is_stale(store: Store, now: datetime) -> None:
    view, chance = begin(store, now, (3, 1))
    view = act(store, view, WHITE, "play", now, chance, play="8/5 6/5").view
    asked = act(store, view, BLACK, "double", now, chance).view
    chance.script = [(6, 1)]
    passed = act(store, asked, WHITE, "pass", now, chance).view
    with pytest.raises(turns.Stale) as stale:
        act(store, asked, WHITE, "take", now, chance)
    assert stale.value.view == passed == load(store, view.id)
    assert (passed.match.cube.value, passed.match.cube.owner, passed.match.offer) == (1, None, None)


def test_a_weekend_freezes_five_days_and_hands_nothing_back(store: Store) -> None:
    begun = at("2026-05-28 12:00")
    alice, bob, _ = settle(store, begun)
    weekly.choose(store, alice, timing.Calendar("UTC", frozenset({5, 6})), begun - DAY)
    chance = ScriptedChance([(3, 1)])
    offer = invitations.invite(store, alice, Terms(7, time=FIVE_DAYS), Handle("bob"), "", begun, chance)
    view = invitations.accept(store, offer.id, bob, begun, chance)
    for read in ("2026-05-30 00:00", "2026-05-31 22:00", "2026-06-01 00:00"):
        assert timing.left(view.clock, at(read), view.running_pauses)[WHITE].turn == 84 * HOUR
    lost = at("2026-06-04 12:00")
    assert "timeout" not in sweep(store, lost - SECOND, chance)
    assert sweep(store, lost, chance) == ["timeout"]


def test_a_reminder_of_a_turn_before_is_not_given_in_the_next_one(store: Store) -> None:
    """'No time left' was sent with some 21 hours on the clock: since then both had played."""
    view, chance = begin(store, at("2026-06-06 12:00"), (3, 1), (6, 5), time={"per_turn": 3 * 86_400})
    assert view.deadline_at == at("2026-06-09 12:00")
    view = act(store, view, WHITE, "play", at("2026-06-08 20:00"), chance, play="8/5 6/5").view
    answered = at("2026-06-08 23:50")
    view = act(store, view, BLACK, "roll", answered, chance).view
    view = act(store, view, BLACK, "play", answered, chance, play="24/13").view
    assert (view.match.on_turn, view.deadline_at) == (WHITE, at("2026-06-11 23:50"))
    for old in ("2026-06-09 00:00", "2026-06-09 06:00", "2026-06-09 12:00", "2026-06-11 09:25"):
        assert sweep(store, at(old), chance) == []
    assert sweep(store, at("2026-06-11 09:26"), chance) == ["reminder turn-20"]


def test_a_vacation_leaves_the_clock_of_a_tournament_that_forbids_it_alone_and_says_so(
    store: Store, now: datetime
) -> None:
    club = Club(store, now)
    fixed = club.begin(2, conditions={"length": 1, "pauses": {"vacation": False}})
    (pairing,) = club.pairings(fixed).values()
    there = load(store, pairing.match_id or "")
    away = there.person(there.match.on_turn)  # type: ignore[arg-type]
    other = club.person("alice")
    assert away
    chance = ScriptedChance([(3, 1)])
    offer = invitations.invite(store, away.id, Terms(7), Handle("alice"), "", now, chance)
    here = invitations.accept(store, offer.id, other, now, chance)
    account = accounts.by_handle(store, away.handle)
    taken = vacations.take(store, account, Wish(until=now + 5 * DAY), now + HOUR)
    told = {each.view.id: each.why_not for each in standstills.effects(store, taken)}
    assert told == {here.id: None, there.id: "forbidden"}
    standstills.spread_all(store, account.id, now + HOUR, chance)
    assert load(store, there.id).deadline_at == there.deadline_at
    assert load(store, here.id).deadline_at == now + 4 * DAY + 5 * DAY - HOUR


def test_what_was_left_when_a_match_ended_is_left_for_ever(store: Store) -> None:
    """Bob, with 31 h 20 min of his bank, is on turn when Alice gives up at 10:00."""
    end = at("2026-06-03 10:00")
    begun = end - DAY - (72 * HOUR - timedelta(hours=31, minutes=20))
    view, chance = begin(store, begun, (1, 3))
    sweep(store, end, chance)
    over = act(store, load(store, view.id), WHITE, "resign_match", end, chance).view
    notices = [len(owed(store, kind)) for kind in ("reminder", "timeout", "match_over")]
    for later in (HOUR, 41 * HOUR, 400 * DAY):
        assert sweep(store, end + later, chance) == []
        told = state(load(store, view.id), BLACK, end + later)
        assert told["clocks"]["black"] == {"bank": 31 * 3600 + 20 * 60, "turn_left": None}
        assert (told["deadline"], told["on_turn"]) == (None, None)
    assert load(store, view.id) == over
    assert [len(owed(store, kind)) for kind in ("reminder", "timeout", "match_over")] == notices


def test_a_page_and_the_sweep_that_find_time_over_at_once_end_it_once_for_the_bracket_too(
    store: Store, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    club = Club(store, now)
    tournament = club.begin(2, {"stages": [{"format": "knockout"}]})
    (pairing,) = club.pairings(tournament).values()
    match_id = pairing.match_id or ""
    late = load(store, match_id).deadline_at
    assert late
    sweep(store, late - SECOND, club.chance)
    faster: list[str] = []
    meanwhile(monkeypatch, lambda: faster.extend(sweep_match(store, match_id, late, club.chance)))
    assert sweep(store, late, club.chance) == ["moved"]
    assert faster == [f"timeout {match_id}"]
    assert [entry.kind for entry in matches.log(store, match_id)].count("timeout") == 1
    assert len(owed(store, "timeout")) == 2
    club.now = late
    club.job()
    assert [one.how for one in club.pairings(tournament).values()] == ["forfeit"]
    assert club.load(tournament).state == "over"

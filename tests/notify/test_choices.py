"""How people want to be told: at once, one an absence, in a digest, not at night; and a deadline beats them all."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import Connection, update

from bgmail.notify import mail, smtp
from bgmail.notify.channel import Target
from bgmail.notify.channels import CHANNELS
from bgmail.notify.occasion import Occasion
from bgmail.notify.smtp import Deferred, Rejected
from bgmail.rules.side import Side
from bgmail.service import accounts, choices, invitations, matches, told
from bgmail.service.choices import MAIL, Mode
from bgmail.service.deadlines import sweep_some
from bgmail.service.notices import Kind
from bgmail.service.terms import Handle, Terms
from bgmail.store import people
from bgmail.store.matches import table
from bgmail.store.tables import AccountRow, ErrandRow, NoticeRow
from tests.notify.conftest import NOON, Post
from tests.notify.records import ALICE, BOB, rows, states
from tests.service.matchmaking import ScriptedChance, act, begin, settle

BERLIN = "Europe/Berlin"


def alice_of(post: Post) -> int:
    return accounts.by_handle(post.store, "alice").id


def wants(post: Post, modes: Mapping[Kind, Mode]) -> None:
    choices.choose(post.store, alice_of(post), {(kind, MAIL): mode for kind, mode in modes.items()})


def turns(post: Post, count: int, chance: ScriptedChance) -> None:
    """So many matches in which it is Alice's turn."""
    alice, bob = alice_of(post), accounts.by_handle(post.store, "bob").id
    for _ in range(count):
        offer = invitations.invite(post.store, alice, Terms(7), Handle("bob"), "", post.clock.now, chance)
        chance.script = [(5, 2)]
        invitations.accept(post.store, offer.id, bob, post.clock.now, chance)


def seen(post: Post, account_id: int, at: datetime) -> None:
    with post.store.write() as connection:
        people.seen(connection, account_id, at)


def due(post: Post, kind: str) -> datetime:
    notices = {row.id: row.kind for row in rows(post, NoticeRow)}
    (found,) = [row for row in rows(post, ErrandRow) if notices[row.notice_id] == kind]
    at: datetime = found.due_at
    return at


@pytest.mark.smtp
def test_who_looked_a_moment_ago_is_told_ten_minutes_after_and_not_never(both: Post) -> None:
    view, chance = begin(both.store, NOON - timedelta(minutes=20), (5, 2))
    bob = accounts.by_handle(both.store, "bob").id
    seen(both, bob, NOON)
    both.clock.pass_(minutes=2)
    act(both.store, view, Side.WHITE, "play", both.clock.now, chance, play="13/8 13/11")
    both.deliver()
    assert both.mails(BOB) == []
    both.clock.pass_(minutes=8)
    both.deliver()
    assert len(both.mails(BOB)) == 1


@pytest.mark.smtp
def test_a_program_that_uses_a_token_is_nobody_who_looks(post: Post) -> None:
    from bgmail.service import logins

    alice, _, _ = settle(post.store, post.clock.now)
    token = logins.create_token(post.store, alice, "a program", post.clock.now)
    post.clock.pass_(hours=2)
    assert logins.by_token(post.store, token, post.clock.now) is not None
    with post.store.read() as connection:
        row = people.by_id(connection, alice)
    assert row is not None
    assert row.seen_at is None


@pytest.mark.smtp
def test_quiet_hours_put_a_letter_off_to_their_end(both: Post) -> None:
    settle(both.store, both.clock.now)
    accounts.set_time_zone(both.store, alice_of(both), BERLIN)
    choices.set_hours(both.store, alice_of(both), "12:30", "15:00", "")
    turns(both, 1, ScriptedChance([]))
    both.clock.pass_(minutes=12)
    both.deliver()
    assert both.mails(ALICE) == []
    assert due(both, "your_turn").astimezone(ZoneInfo(BERLIN)).strftime("%H:%M") == "15:00"
    both.clock.now = due(both, "your_turn")
    both.deliver()
    assert len(both.mails(ALICE)) == 1


@pytest.mark.smtp
def test_a_deadline_in_quiet_hours_is_told_of_in_them(post: Post) -> None:
    _, chance = begin(post.store, post.clock.now, (5, 2))
    choices.set_hours(post.store, alice_of(post), "00:00", "23:59", "")
    post.deliver()
    post.clock.now = NOON + timedelta(days=4) - timedelta(hours=6)
    while sweep_some(post.store, post.clock.now, chance):
        pass
    post.deliver()
    assert [letter.subject.partition(",")[0] for letter in post.mails(ALICE)] == ["6 h left"]


@pytest.mark.smtp
@pytest.mark.parametrize(
    ("allowed", "comes"),
    [
        pytest.param(17, "23:00", id="time is over at 05:00: in quiet hours, not first at their end"),
        pytest.param(19.5, "01:30", id="at 07:30: their end leaves too little to answer in"),
        pytest.param(21, "07:00", id="at 09:00: it waits for their end"),
    ],
)
def test_a_reminder_in_the_night_waits_unless_the_morning_is_too_late(
    post: Post, allowed: float, comes: str
) -> None:
    time = {"per_turn": int(allowed * 3600), "per_answer": 3600, "bank": 0, "increment": 0, "cap": None}
    _, chance = begin(post.store, post.clock.now, (5, 2), time=time)
    post.deliver()
    choices.set_hours(post.store, alice_of(post), "22:00", "07:00", "")
    came = []
    post.clock.now = NOON + timedelta(hours=10)
    while post.clock.now < NOON + timedelta(hours=allowed):
        before = len(post.mails(ALICE))
        sweep_some(post.store, post.clock.now, chance)
        post.deliver()
        if len(post.mails(ALICE)) > before:
            came.append(post.clock.now.strftime("%H:%M"))
        post.clock.pass_(minutes=30)
    assert came[0] == comes


@pytest.mark.smtp
def test_one_letter_an_absence_and_the_next_after_coming_back(both: Post) -> None:
    settle(both.store, both.clock.now)
    wants(both, {Kind.YOUR_TURN: Mode.ABSENCE})
    chance = ScriptedChance([])
    turns(both, 3, chance)
    both.clock.pass_(minutes=12)
    both.deliver()
    assert len(both.mails(ALICE)) == 1
    seen(both, alice_of(both), both.clock.pass_(hours=1))
    both.clock.pass_(hours=1)
    turns(both, 2, chance)
    both.clock.pass_(minutes=12)
    both.deliver()
    assert len(both.mails(ALICE)) == 2


@pytest.mark.smtp
def test_where_the_one_letter_is_overtaken_the_next_turn_gets_it(both: Post) -> None:
    settle(both.store, both.clock.now)
    wants(both, {Kind.YOUR_TURN: Mode.ABSENCE})
    choices.set_hours(both.store, alice_of(both), "11:00", "18:00", "")
    chance = ScriptedChance([])
    turns(both, 1, chance)
    both.deliver()
    (first,) = matches.mine(both.store, alice_of(both), "running", 10)
    both.clock.pass_(minutes=30)
    turns(both, 2, chance)
    both.deliver()
    act(both.store, first, Side.BLACK, "resign_match", both.clock.now, chance)
    both.clock.pass_(hours=8)
    both.deliver()
    subjects = [letter.subject.partition(",")[0] for letter in both.mails(ALICE)]
    assert sorted(subjects) == ["The match is over", "Your turn: 5-2 to play"]


@pytest.mark.smtp
def test_who_answers_by_letter_is_back_too(post: Post) -> None:
    view, chance = begin(post.store, post.clock.now, (5, 2))
    wants(post, {Kind.YOUR_TURN: Mode.ABSENCE})
    post.clock.pass_(minutes=12)
    post.deliver()
    assert len(post.mails(ALICE)) == 1
    act(
        post.store, view, Side.WHITE, "play", post.clock.pass_(hours=1), chance, play="13/8 13/11", via="link"
    )
    turns(post, 1, chance)
    post.clock.pass_(minutes=12)
    post.deliver()
    assert len(post.mails(ALICE)) == 2


@pytest.mark.smtp
def test_a_digest_tells_at_its_hour_of_all_that_waits_the_least_time_left_first(both: Post) -> None:
    settle(both.store, both.clock.now)
    wants(both, {Kind.YOUR_TURN: Mode.DIGEST})
    choices.set_hours(both.store, alice_of(both), "", "", "18:30")
    chance = ScriptedChance([])
    turns(both, 1, chance)
    both.clock.pass_(hours=1)
    turns(both, 2, chance)
    both.clock.pass_(hours=1)
    both.deliver()
    assert both.mails(ALICE) == []
    both.clock.now = NOON.replace(hour=18, minute=30)
    assert "sent digest 7" in both.deliver()
    (letter,) = both.mails(ALICE)
    assert letter.subject == "3 matches wait for you"
    left = [line.partition("(")[2] for line in letter.text().splitlines() if " left)" in line]
    assert left == ["3 d 17 h left)", "3 d 18 h left)", "3 d 18 h left)"]
    assert {row.state for row in rows(both, NoticeRow) if row.kind == "your_turn"} == {"gathered"}
    both.clock.pass_(days=2)
    both.deliver()
    assert len(both.mails(ALICE)) == 1


@pytest.mark.smtp
def test_a_digest_with_nothing_left_to_tell_is_not_sent(post: Post) -> None:
    view, chance = begin(post.store, post.clock.now, (5, 2))
    wants(post, {Kind.YOUR_TURN: Mode.DIGEST})
    post.deliver()
    act(post.store, view, Side.WHITE, "play", post.clock.pass_(hours=1), chance, play="13/8 13/11")
    post.clock.pass_(days=1)
    post.deliver()
    assert post.mails(ALICE) == []
    assert ("digest", "obsolete") in states(post)


@pytest.mark.smtp
def test_a_digest_that_would_come_after_the_deadline_is_not_waited_for(post: Post) -> None:
    _, chance = begin(post.store, post.clock.now, (5, 2))
    wants(post, {Kind.REMINDER: Mode.DIGEST, Kind.YOUR_TURN: Mode.OFF})
    choices.set_hours(post.store, alice_of(post), "", "", "11:30")
    post.clock.now = NOON + timedelta(days=4) - timedelta(hours=6)
    while sweep_some(post.store, post.clock.now, chance):
        pass
    post.deliver()
    assert len(post.mails(ALICE)) == 1


class Bell:
    """Another way, which everybody has switched off."""

    name = "bell"

    def targets(
        self, connection: Connection, occasion: Occasion, now: datetime, *, rescue: bool = False
    ) -> tuple[Target, ...]:
        return (Target(7, now),) if rescue else ()


class Failing:
    """A letterbox for which no server takes anything."""

    resting = False

    def __init__(self, trouble: Exception) -> None:
        self.trouble = trouble

    def send(self, *_: object) -> None:
        raise self.trouble

    def close(self) -> None:
        """Nothing is open."""


@pytest.fixture
def bell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bgmail.notify.planning.CHANNELS", (*CHANNELS, Bell()))


@pytest.mark.usefixtures("bell")
def test_where_one_way_fails_near_a_deadline_the_others_are_tried(post: Post) -> None:
    _, chance = begin(post.store, post.clock.now, (5, 2))
    post.app.extensions[mail.EXTENSION] = Failing(Rejected("550 5.1.1 no such person"))
    post.clock.pass_(minutes=12)
    post.deliver()
    assert [row.channel for row in rows(post, ErrandRow) if row.channel == "bell"] == [], "there is time"
    post.clock.now = NOON + timedelta(days=4) - timedelta(hours=6)
    while sweep_some(post.store, post.clock.now, chance):
        pass
    post.deliver()
    assert [(row.target, row.state) for row in rows(post, ErrandRow) if row.channel == "bell"] == [
        (7, "ready")
    ]


@pytest.mark.usefixtures("bell")
@pytest.mark.parametrize("trouble", [Rejected("550 no such person"), Deferred("451 greylisted")])
def test_what_is_urgent_of_a_digest_that_fails_is_told_another_way(post: Post, trouble: Exception) -> None:
    _, chance = begin(post.store, post.clock.now, (5, 2))
    wants(post, {Kind.REMINDER: Mode.DIGEST, Kind.YOUR_TURN: Mode.OFF})
    post.clock.now = NOON + timedelta(days=4) - timedelta(hours=6)
    while sweep_some(post.store, post.clock.now, chance):
        pass
    post.deliver()
    post.app.extensions[mail.EXTENSION] = Failing(trouble)
    post.clock.pass_(hours=2)
    assert post.deliver()[-1].split()[-2] == "digest"
    kinds = {row.id: row.kind for row in rows(post, NoticeRow)}
    (rescued,) = (row for row in rows(post, ErrandRow) if row.channel == "bell")
    assert (kinds[rescued.notice_id], rescued.state) == ("reminder", "ready")


def test_what_is_tried_again_waits_for_the_end_of_quiet_hours(post: Post) -> None:
    settle(post.store, post.clock.now)
    choices.set_hours(post.store, alice_of(post), "12:12", "15:00", "")
    turns(post, 1, ScriptedChance([]))
    post.app.extensions[mail.EXTENSION] = Failing(Deferred("451 greylisted"))
    post.clock.pass_(minutes=11, seconds=55)
    assert "put off your_turn 2" in post.deliver()
    assert due(post, "your_turn") == NOON.replace(hour=15)
    assert smtp.REST > 0


@pytest.mark.smtp
def test_a_test_letter_goes_out_and_stands_in_the_list_of_what_was_sent(both: Post) -> None:
    alice, _, _ = settle(both.store, both.clock.now)
    told.test(both.store, alice, "mail", 0, both.clock.now)
    assert both.deliver() == ["sent test 1"]
    assert both.last(ALICE).subject == "A test letter from bgmail"
    (found,), more = told.page(both.store, alice)
    assert more is None
    assert told.page(both.store, alice, found.id) == ([], None)
    assert (found.kind, found.state, [way.channel for way in found.ways]) == ("test", "sent", ["mail"])
    assert [(one.address, one.outcome) for one in found.ways[0].attempts] == [(ALICE, "sent")]


def test_a_closed_account_chooses_nothing(post: Post) -> None:
    alice, _, _ = settle(post.store, post.clock.now)
    with post.store.write() as connection:
        connection.execute(
            update(table(AccountRow)).where(table(AccountRow).c.id == alice).values(closed_at=post.clock.now)
        )
    choices.mute(post.store, alice, Kind.GAME_OVER, muted=True)
    choices.set_hours(post.store, alice, "22:00", "07:00", "08:00")
    assert choices.of(post.store, alice) == choices.Choices()

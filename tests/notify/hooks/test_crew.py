"""Receivers that keep us waiting keep nobody else waiting, and each gets one call at a time."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import insert, select, update

from bgmail.devmail import Sink
from bgmail.notify.hooks.crew import HANDS, HANDS_FOR_FAILING, MOST_A_HOST, MOST_A_PERSON, Crew, Hands
from bgmail.service import accounts, webhooks
from bgmail.service.notices import Kind, fact
from bgmail.service.webhooks import Webhook
from bgmail.store import errands
from bgmail.store import webhooks as rows
from bgmail.store.matches import table
from bgmail.store.notices import notice
from bgmail.store.tables import WebhookRow
from tests.fixtures.apps import OpenApp
from tests.fixtures.patience import PATIENCE
from tests.notify.conftest import Clock, Post, open_post
from tests.notify.hooks.conftest import Hooks
from tests.notify.hooks.receivers import (
    OK,
    Manners,
    Receiver,
    answers,
    floods,
    receiver,
    status,
)

PEOPLE = 10


@dataclass
class Club:
    """People with webhooks, each to a receiver of its own name."""

    post: Post
    hooks: Hooks
    ids: list[int]

    def add(self, number: int, door: Receiver) -> Webhook:
        return self.hooks.add(self.ids[number % len(self.ids)], door, f"h{number}")

    def owe_tests(self, added: list[Webhook]) -> None:
        """A test event is due to each of them."""
        for webhook in added:
            webhooks.test(self.post.store, webhook.account_id, webhook.id, self.post.clock.now)


@pytest.fixture
def club(open_app: OpenApp, tmp_path: Path, schema_url: str, clock: Clock, sink: Sink) -> Iterator[Club]:
    for post in open_post(open_app, tmp_path, schema_url, clock, sink):
        names = (f"player{number}" for number in range(PEOPLE))
        ids = [
            accounts.create(post.store, name, f"{name}@play.example", None, clock.now).id for name in names
        ]
        hooks = Hooks(post)
        yield Club(post, hooks, ids)
        hooks.crew.leave()


@pytest.mark.slow
def test_of_forty_webhooks_the_good_ones_are_told_at_once_whatever_the_bad_ones_do(club: Club) -> None:
    """Silent, dripping, flooding, failing and redirecting receivers stand first in the line; a name takes long too.

    Those that say nothing go on so until all the good ones are told.
    """
    good_ones, taken, all_told = 34, list[int](), threading.Event()
    outlasted: list[bool] = []

    def prompt(_: Receiver, guest: Any) -> None:
        taken.append(1)
        if len(taken) == good_ones:
            all_told.set()
        guest.sendall(OK)

    def stubborn(*_: object) -> None:
        outlasted.append(all_told.wait(PATIENCE))

    def drips_on(_: Receiver, guest: Any) -> None:
        while not all_told.wait(0.05):
            guest.sendall(b"H")

    club.hooks.streets.slow_names = {"h0.example.org"}
    bad: list[Manners] = [
        answers(OK),  # nobody gets there
        stubborn,
        drips_on,
        floods,
        status(500),
        status(302, "Location: http://127.0.0.1/"),
    ]
    with ExitStack() as doors:
        added = [
            club.add(number, doors.enter_context(receiver(manners))) for number, manners in enumerate(bad)
        ]
        good = doors.enter_context(receiver(prompt))
        added += [club.add(number, good) for number in range(len(bad), len(bad) + good_ones)]
        club.owe_tests(added)
        done = club.hooks.work()
    assert outlasted == [True], "the good ones were told while a bad one was waited for"
    assert len(taken) == good_ones
    assert len(done) == len(added)
    outcomes = [club.hooks.calls(webhook)[0].outcome for webhook in added]
    assert outcomes[0] == "timeout"
    assert "taken" not in outcomes[1:3]
    assert outcomes[3:6] == ["taken", "status", "redirect"]
    assert set(outcomes[6:]) == {"taken"}


def test_a_webhook_gets_one_call_at_a_time(club: Club) -> None:
    together, most, lock = [0], [0], threading.Lock()

    def counting(_: Receiver, guest: Any) -> None:
        with lock:
            together[0] += 1
            most[0] = max(most[0], together[0])
        guest.sendall(OK)
        with lock:
            together[0] -= 1

    with receiver(counting) as door:
        hook = club.add(0, door)
        for _ in range(5):
            club.owe_tests([hook])
            club.post.clock.pass_(seconds=1)
        done = club.hooks.work()
    assert len(done) == len(door.calls) == 5
    assert most == [1]
    assert len({call.headers["webhook-id"] for call in door.calls}) == 5


def test_two_crews_tell_each_webhook_once(club: Club) -> None:
    other = Hooks(club.post)
    other.streets.doors = club.hooks.streets.doors
    with receiver(answers(OK)) as door:
        added = [club.add(number, door) for number in range(12)]
        club.owe_tests(added)
        second = threading.Thread(target=other.work)
        second.start()
        club.hooks.work()
        second.join()
    other.crew.leave()
    assert len(door.calls) == 12
    assert len({call.headers["webhook-id"] for call in door.calls}) == 12


def test_a_webhook_that_another_process_is_calling_waits(club: Club) -> None:
    with receiver(answers(OK)) as door:
        hook = club.add(0, door)
        club.owe_tests([hook])
        busy = club.post.clock.now
        row = table(WebhookRow)
        with club.post.store.write() as connection:
            connection.execute(update(row).values(busy_until=busy.replace(minute=2)))
        assert club.hooks.work() == []
        club.post.clock.pass_(minutes=2)  # that one was killed: its claim has run out
        assert len(club.hooks.work()) == 1


def test_what_was_cut_off_is_repeated_under_the_same_id(club: Club) -> None:
    """As if the process had been killed right after the call: its claim stays, and nothing was written down."""
    with receiver(answers(OK)) as door:
        hook = club.add(0, door)
        club.owe_tests([hook])
        with club.post.app.app_context(), pytest.MonkeyPatch.context() as patch:
            patch.setattr("bgmail.notify.hooks.channel.note", killed)
            patch.setattr(Crew, "_release", lambda *_: None)
            with pytest.raises(SystemExit):
                club.hooks.crew.work(club.post.world)
        assert club.hooks.work() == []
        club.post.clock.pass_(minutes=2)
        assert len(club.hooks.work()) == 1
    first, second = door.calls
    assert first.headers["webhook-id"] == second.headers["webhook-id"]


def killed(*_: object, **__: object) -> None:
    raise SystemExit


def test_nothing_is_left_busy_when_all_is_done(club: Club) -> None:
    with receiver(status(500)) as door:
        added = [club.add(number, door) for number in range(3)]
        club.owe_tests(added)
        club.hooks.work()
    row = table(WebhookRow)
    with club.post.store.read() as connection:
        assert set(connection.scalars(select(row.c.busy_until))) == {None}
        assert not rows.is_any_due(connection, club.post.clock.now)


def waiting(number: int, host: str = "", account_id: int = 0, *, is_failing: bool = False) -> Any:
    return SimpleNamespace(
        id=number, host=host or f"h{number}", account_id=account_id or number + 100, is_failing=is_failing
    )


def test_those_that_failed_never_take_more_than_half_of_the_crew() -> None:
    line = [waiting(number, is_failing=True) for number in range(50)]
    chosen = Hands().free([*line, *(waiting(number) for number in range(50, 100))])
    assert sum(row.is_failing for row in chosen) == HANDS_FOR_FAILING
    assert len(chosen) == HANDS


def test_however_long_the_line_at_a_host_or_of_those_that_fail_others_are_seen(club: Club) -> None:
    """More than a look takes: 60 at one host, half of them of one person, and 60 that fail stand before the last."""
    since = club.post.clock.now

    def row(number: int, **different: Any) -> dict[str, Any]:
        whose = {"account_id": club.ids[number % (PEOPLE - 1)], "host": f"h{number}.example", "name": ""}
        kept = {"url": "https://h.example/", "flavour": "plain", "events": "", "state": "on", "secret": "s"}
        return {**kept, **whose, "created_at": since, "failing_since": None, **different}

    line = [
        *(row(number, host="one.example", account_id=club.ids[0]) for number in range(30)),
        *(row(number, host="one.example") for number in range(30, 60)),
        *(row(number, failing_since=since) for number in range(60, 120)),
        row(120, account_id=club.ids[-1]),
    ]
    with club.post.store.write() as connection:
        for number, values in enumerate(line):
            owed = fact(Kind.TEST, since, account_id=values["account_id"], which=str(number))
            notice_id = connection.scalar(insert(notice).values(**owed).returning(notice.c.id))
            target = rows.add(connection, values)
            errand = {"notice_id": notice_id, "channel": "webhook", "target": target, "state": "ready"}
            due = {"attempts": 0, "asked": False, "created_at": since, "due_at": since}
            errands.add(connection, [errand | due])
    with club.post.store.read() as connection:
        seen = rows.candidates(connection, since, 6, 20)
    assert [one.host for one in seen if not one.is_failing] == [*["one.example"] * 6, "h120.example"]
    assert sum(one.is_failing for one in seen) == 20
    assert len({one.account_id for one in seen[:6]}) == 6, "everybody's first one before anybody's second"


@pytest.mark.parametrize(
    ("same", "most"), [({"host": "one.example"}, MOST_A_HOST), ({"account_id": 7}, MOST_A_PERSON)]
)
def test_a_host_or_a_person_with_many_webhooks_leaves_room_for_others(
    same: dict[str, Any], most: int
) -> None:
    line = [*(waiting(number, **same) for number in range(50)), waiting(99)]
    chosen = Hands().free(line)
    assert [row.id for row in chosen] == [*range(most), 99]

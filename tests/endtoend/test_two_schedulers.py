"""Two schedulers on one database, by mistake or on purpose: what is due happens once, and is told once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import func, select

from bgmail.dice import FairChance
from bgmail.service import invitations, matches
from bgmail.service.terms import Handle, Terms
from bgmail.store.engine import Store
from bgmail.store.matches import table
from bgmail.store.notices import OPEN
from bgmail.store.tables import DeliveryRow, MatchRow, NoticeRow
from tests.endtoend.installation import Installation
from tests.fixtures.patience import until
from tests.fixtures.servers import StartServer
from tests.service.matchmaking import settle

pytestmark = [pytest.mark.slow, pytest.mark.smtp]

OVERDUE = 30
INVITED = 30
SECONDS = 60.0  # two processes have to start, and then send a hundred letters
AGO = timedelta(days=5)
SENDERS = ("one@club.example", "two@club.example")
notice, delivery, match = table(NoticeRow), table(DeliveryRow), table(MatchRow)


@pytest.fixture
def store(schema_url: str) -> Iterator[Store]:
    opened = Store(schema_url)
    yield opened
    opened.close()


def invite(store: Store, alice: int, at: datetime) -> str:
    """Alice invites Bob; the id of the match."""
    return invitations.invite(store, alice, Terms(3), Handle("bob"), "", at, FairChance()).id


def lose_on_time(store: Store, alice: int, bob: int) -> str:
    """A match whose time ran out a day ago, and nobody looked; its id."""
    at = datetime.now(UTC) - AGO
    match_id = invite(store, alice, at)
    invitations.accept(store, match_id, bob, at, FairChance())
    return match_id


def is_idle(store: Store) -> bool:
    """No match is overdue, and nothing is owed any more: asked in this order, as the end of a match owes letters."""
    with store.read() as connection:
        late = connection.scalar(select(func.count()).where(match.c.due_at <= datetime.now(UTC)))
        owed = connection.scalar(select(func.count()).where(notice.c.state.in_(OPEN)))
    return not late and not owed


def test_two_schedulers_do_each_thing_once(
    store: Store, schema_url: str, installation: Installation, start_server: StartServer
) -> None:
    alice, bob, _ = settle(store, datetime.now(UTC) - AGO)
    mail = {"MAIL_SERVER": "127.0.0.1", "MAIL_PORT": str(installation.sink.port)}
    both = [
        start_server(
            "scheduler", wait=False, BGMAIL_DATABASE_URL=schema_url, MAIL_DEFAULT_SENDER=sender, **mail
        )
        for sender in SENDERS
    ]
    invited = []

    def both_send() -> bool:
        invited.append(invite(store, alice, datetime.now(UTC)))
        return {mail.message["X-Envelope-From"] for mail in installation.mails()} == set(SENDERS)

    def logs() -> str:
        return "\n".join(scheduler.log for scheduler in both)

    until(both_send, logs, seconds=SECONDS)
    lost = [lose_on_time(store, alice, bob) for _ in range(OVERDUE)]
    invited += [invite(store, alice, datetime.now(UTC)) for _ in range(INVITED)]
    until(lambda: is_idle(store), logs, seconds=SECONDS)
    assert [scheduler.process.poll() for scheduler in both] == [None, None], both[0].log
    for scheduler in both:
        scheduler.end()
    assert [scheduler.process.returncode for scheduler in both] == [0, 0], "they end when they are asked to"
    for match_id in lost:
        ends = Counter(entry.kind for entry in matches.log(store, match_id))
        assert (ends["timeout"], ends["match_over"]) == (1, 1)
    mails = installation.mails()
    told = Counter((mail.recipients, mail.subject) for mail in mails)
    assert set(told.values()) == {1}, "somebody was told twice"
    about = Counter(
        mail.subject.partition("#")[2] for mail in mails if mail.subject.startswith("Lost on time")
    )
    assert about == dict.fromkeys(lost, 2)
    asked = Counter(mail.subject.partition("#")[2] for mail in mails if mail.subject.startswith("Invitation"))
    assert set(invited) <= set(asked)
    with store.read() as connection:
        tries = connection.execute(select(delivery.c.notice_id, delivery.c.outcome)).all()
    assert len(tries) == len(mails)
    assert {outcome for _, outcome in tries} == {"sent"}
    assert all("Traceback" not in scheduler.log for scheduler in both)

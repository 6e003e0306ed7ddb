"""A ban reaches everything: logins at once, running matches and open offers through the usual door."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest
from sqlalchemy import select, text

from bgmail.dice import FairChance, verify
from bgmail.phrases.people import CLOSED
from bgmail.rules.match import Phase
from bgmail.rules.score import Ending
from bgmail.rules.side import Side
from bgmail.service import (
    accounts,
    departures,
    entrance,
    invitations,
    logins,
    matches,
    notes,
    offers,
    ties,
    turns,
    vacations,
)
from bgmail.service.audits import Tally, audit
from bgmail.service.errors import NotFound, Refused
from bgmail.service.notices import Kind
from bgmail.service.terms import Email, Handle, Open, Terms
from bgmail.service.turns import load
from bgmail.service.vacations import Wish
from bgmail.store import people
from bgmail.store.engine import Store
from bgmail.store.matches import table
from bgmail.store.tables import NoticeRow
from tests.service.matchmaking import settle

CHANCE = FairChance()


def told(store: Store, account_id: int) -> list[str]:
    rows = table(NoticeRow)
    with store.read() as connection:
        query = select(rows.c.kind).where(rows.c.account_id == account_id).order_by(rows.c.id)
        return list(connection.scalars(query))


def test_a_banned_person_loses_every_login_match_and_offer_and_the_others_are_told(
    store: Store, now: datetime
) -> None:
    """Elsewhere a ban missed either the connection or the account."""
    alice, bob, charlie = settle(store, now)
    token = logins.create_token(store, alice, "program", now)
    running = []
    for opponent in (bob, bob, charlie):
        to = Handle("bob" if opponent == bob else "charlie")
        view = invitations.invite(store, alice, Terms(5), to, "", now, CHANCE)
        running.append(invitations.accept(store, view.id, opponent, now, CHANCE))
    challenge = invitations.invite(store, alice, Terms(7), Open(), "", now, CHANCE)
    asked = invitations.invite(store, bob, Terms(7), Handle("alice"), "", now, CHANCE)
    assert departures.ban(store, alice, now, CHANCE) == 3
    assert logins.by_token(store, token, now) is None
    for view in running:
        result = load(store, view.id).match.result
        assert result is not None
        assert (result.winner, result.ending) == (Side.BLACK, Ending.RESIGNED)
        entry = next(entry for entry in matches.log(store, view.id) if entry.kind == "resign_match")
        assert (entry.seat, entry.via, entry.nonce) == ("white", "server", None)
        assert verify(matches.log(store, view.id)).good
    assert load(store, challenge.id).match.phase is Phase.OVER
    assert load(store, asked.id).match.phase is Phase.OVER
    assert told(store, bob).count("match_over") == 2
    assert told(store, bob)[-1] in ("match_over", "declined")
    assert told(store, charlie)[-1] == "match_over"
    assert departures.ban(store, alice, now, CHANCE) == 0


def test_letting_somebody_in_again_brings_no_result_back(store: Store, now: datetime) -> None:
    alice, bob, _ = settle(store, now)
    view = invitations.invite(store, alice, Terms(5), Handle("bob"), "", now, CHANCE)
    invitations.accept(store, view.id, bob, now, CHANCE)
    departures.ban(store, bob, now, CHANCE)
    accounts.unban(store, bob)
    assert load(store, view.id).match.phase is Phase.OVER
    assert accounts.by_id(store, bob).active


def test_a_long_list_of_offers_ends_to_the_last_one(
    store: Store, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Offers are listed so many at a time; those past the first list stayed open, with nobody to begin them."""
    alice, _, _ = settle(store, now)
    made = [invitations.invite(store, alice, Terms(7), Open(), "", now, CHANCE).id for _ in range(5)]
    some = offers.sent
    monkeypatch.setattr(invitations, "sent", lambda *asked: some(*asked)[:2])
    departures.close(store, alice, now, CHANCE)
    assert [load(store, match_id).match.phase for match_id in made] == [Phase.OVER] * 5


class Killed(BaseException):
    """The process is gone: nothing catches that."""


def everything(store: Store) -> str:
    """All that the database holds, as text."""
    with store.read() as connection:
        if store.is_sqlite:
            names = connection.scalars(text("SELECT name FROM sqlite_master WHERE type = 'table'")).all()
        else:
            names = connection.scalars(
                text("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()")
            ).all()
        return "\n".join(str(connection.execute(text(f'SELECT * FROM "{name}"')).all()) for name in names)


def test_a_closed_account_leaves_results_and_chat_and_nothing_that_tells_who_it_was(
    store: Store, now: datetime
) -> None:
    alice, bob, charlie = settle(store, now)
    wish = accounts.Application("Dana", "dana@play.example", "a good password")
    entrance.ask_for_link(store, Kind.SIGN_IN, "alice@play.example", "client", now)
    token = logins.create_token(store, alice, "my program", now)
    mailed = invitations.invite(store, bob, Terms(5), Email("alice@play.example"), "", now, CHANCE)
    running = invitations.accept(store, mailed.id, alice, now, CHANCE, by_address=True)
    matches.say(store, running, alice, "good luck", now)
    for spelled in ("alice@play.example", "ALICE@play.example"):
        invitations.invite(store, bob, Terms(3), Email(spelled), "", now, CHANCE)
    challenge = invitations.invite(store, alice, Terms(7), Open(), "", now, CHANCE)
    ties.make(store, alice, "bob", ties.Kind.FOLLOW, now, CHANCE)
    ties.make(store, charlie, "alice", ties.Kind.BLOCK, now, CHANCE)
    notes.on_person(store, alice, "bob", "rolls well", now)
    notes.on_person(store, bob, "alice", "plays fast", now)
    vacations.take(store, accounts.by_id(store, alice), Wish(), now)
    assert departures.close(store, alice, now, CHANCE) == 1
    ended = load(store, running.id)
    assert ended.match.result
    assert (ended.match.result.winner, ended.match.result.ending) == (ended.side_of(bob), Ending.RESIGNED)
    assert load(store, challenge.id).match.phase is Phase.OVER
    assert told(store, bob)[-1] == "match_over"
    (line,) = matches.chat(store, ended, bob)
    assert (line.author.handle, line.body) == (CLOSED, "good luck")
    assert logins.by_token(store, token, now) is None
    assert ties.mine(store, alice) == ties.mine(store, charlie) == notes.mine(store, alice) == []
    assert vacations.of(store, accounts.by_id(store, alice), now).all == []
    assert [(note.handle, note.body) for note in notes.mine(store, bob)] == [(CLOSED, "plays fast")]
    assert "alice@play.example" not in everything(store).lower()
    assert list(audit(store, Tally())) == []
    with pytest.raises(NotFound):
        accounts.by_handle(store, "alice")
    with pytest.raises(NotFound):
        accounts.by_handle(store, CLOSED)
    for name in ("alice", "A1ice"):
        with pytest.raises(Refused, match="handle_taken"):
            accounts.sign_up(
                store, accounts.Application(name, "new@play.example", "a good password"), "c", now
            )
    assert accounts.sign_up(store, wish, "c", now).handle == "Dana"
    accounts.create(store, "alice2", "alice@play.example", None, now)  # the address is free again
    assert departures.close(store, alice, now, CHANCE) == 0


@pytest.mark.parametrize("go", [departures.close, departures.ban])
@pytest.mark.parametrize("after", [0, 1, 2])
def test_who_dies_while_somebody_leaves_lets_the_scheduler_end_it(
    store: Store, now: datetime, monkeypatch: pytest.MonkeyPatch, go: Any, after: int
) -> None:
    alice, bob, _ = settle(store, now)
    for _ in range(3):
        view = invitations.invite(store, alice, Terms(5), Handle("bob"), "", now, CHANCE)
        invitations.accept(store, view.id, bob, now, CHANCE)
    asked = invitations.invite(store, bob, Terms(7), Handle("alice"), "", now, CHANCE)
    left = [after]

    def act(*args: Any) -> Any:
        left[0] -= 1
        if left[0] < 0:
            raise Killed
        return turns.act_on_sight(args[0], args[1], lambda _: (args[2], args[3]), *args[4:])

    monkeypatch.setattr(turns, "act", act)
    with pytest.raises(Killed):
        go(store, alice, now, CHANCE)
    monkeypatch.undo()
    assert not accounts.by_id(store, alice).active
    assert len(matches.mine(store, alice, "running")) == 3 - after
    assert departures.step(store, now, CHANCE) == f"gone {alice}, matches resigned: {3 - after}"
    assert departures.step(store, now, CHANCE) is None
    assert matches.mine(store, alice, "running") == []
    assert load(store, asked.id).match.phase is Phase.OVER
    assert told(store, bob).count("match_over") == 3


def test_a_departure_that_fails_rests_and_holds_up_nobody(
    store: Store, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice, _, _ = settle(store, now)
    with store.write() as connection:
        people.change(connection, alice, banned_at=now, leaving_at=now)
    monkeypatch.setattr(invitations, "sent", lambda *_: 1 / 0)
    assert departures.step(store, now, CHANCE) == f"failed {alice}"
    monkeypatch.undo()
    assert departures.step(store, now, CHANCE) is None
    assert departures.step(store, now + departures.REST, CHANCE) == f"gone {alice}, matches resigned: 0"

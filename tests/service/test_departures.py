"""A ban reaches everything: logins at once, running matches and open offers through the usual door."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import select

from bgmail.dice import FairChance, verify
from bgmail.rules.match import Phase
from bgmail.rules.score import Ending
from bgmail.rules.side import Side
from bgmail.service import accounts, departures, invitations, logins, matches
from bgmail.service.terms import Handle, Open, Terms
from bgmail.service.turns import load
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

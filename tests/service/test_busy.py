"""Many writers at once: nothing is locked out, nothing is lost, nothing is stored twice."""

from __future__ import annotations

import random
import threading
from datetime import datetime, timedelta

import pytest
from sqlalchemy import func, select

from bgmail.dice import FairChance
from bgmail.ledger import check_chain
from bgmail.rules.match import Phase, legal
from bgmail.rules.options import options
from bgmail.service import invitations, matches
from bgmail.service.deadlines import sweep_some
from bgmail.service.outages import alive
from bgmail.service.terms import Handle, Terms
from bgmail.service.turns import Request, act, load
from bgmail.service.views import MatchView
from bgmail.store import errands
from bgmail.store.engine import Store
from bgmail.store.matches import table
from bgmail.store.tables import ActionRow
from tests.service.matchmaking import settle

THREADS, MATCHES, PLAYS = 8, 50, 20
CLAIM = timedelta(minutes=5)


def next_request(view: MatchView, chance: random.Random) -> Request:
    side = view.match.on_turn
    assert side is not None
    kinds = [kind for kind in options(view.match, side) if not kind.startswith("resign")]
    kind = chance.choice(kinds)
    text = str(chance.choice(legal(view.match))) if kind == "play" else None
    return Request(kind, view.version, play=text)


@pytest.mark.slow
def test_eight_players_a_sweep_and_a_second_writer_never_find_the_database_locked(
    store: Store, now: datetime
) -> None:
    """A transaction that read first and wrote later failed at once, in spite of the busy timeout."""
    alice, bob, _ = settle(store, now)
    ids = []
    for _ in range(MATCHES):
        view = invitations.invite(store, alice, Terms(7), Handle("bob"), "", now, FairChance())
        ids.append(invitations.accept(store, view.id, bob, now, FairChance()).id)
    faults: list[Exception] = []
    acted: list[str] = []
    over = threading.Event()

    def play(number: int) -> None:
        chance = random.Random(number)
        mine = ids[number::THREADS]
        try:
            for step in range(PLAYS):
                view = load(store, mine[step % len(mine)])
                if view.match.phase is Phase.OVER or view.match.on_turn is None:
                    continue
                act(store, view.id, view.match.on_turn, next_request(view, chance), now, FairChance())
                acted.append(view.id)
        except Exception as fault:  # noqa: BLE001 - whatever it is, the test shows it
            faults.append(fault)

    def disturb() -> None:
        try:
            while not over.is_set():
                sweep_some(store, now + timedelta(hours=1), FairChance())
                alive(store, now)
                with store.write() as connection:
                    errands.claim(connection, "mail", now, now + CLAIM, 5)
        except Exception as fault:  # noqa: BLE001 - whatever it is, the test shows it
            faults.append(fault)

    players = [threading.Thread(target=play, args=(number,)) for number in range(THREADS)]
    others = [threading.Thread(target=disturb) for _ in range(2)]
    for thread in players + others:
        thread.start()
    for thread in players:
        thread.join()
    over.set()
    for thread in others:
        thread.join()
    assert faults == []
    assert len(acted) > THREADS * PLAYS / 2
    for match_id in ids:
        check_chain(matches.log(store, match_id))
    actions = table(ActionRow)
    by_api = (actions.c.via == "api", actions.c.kind != "accept")
    with store.read() as connection:
        assert connection.scalar(select(func.count()).select_from(actions).where(*by_api)) == len(acted)

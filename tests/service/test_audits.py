"""Every match is replayed, and what is kept beside its log must be what the log adds up to."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import insert, update

from bgmail.dice import FairChance
from bgmail.rules.match import legal
from bgmail.service import invitations
from bgmail.service.audits import Tally, audit
from bgmail.service.deadlines import sweep_some
from bgmail.service.terms import Handle, Terms
from bgmail.service.views import MatchView
from bgmail.store import matches
from bgmail.store.engine import Store
from tests.service.matchmaking import act, begin, settle
from tests.service.test_exports import play_out


@pytest.fixture
def view(store: Store, now: datetime) -> MatchView:
    """A running match with a double taken, time used, and honest dice."""
    begun, chance = begin(store, now, length=3)
    state = begun
    for hours in range(6):
        at = now + timedelta(hours=hours * 15)  # nobody loses on time, whoever dances
        side = state.match.on_turn
        if side is None:
            break
        wish: dict[str, Any] = {"action": "roll"}
        if state.match.phase.value == "play":
            wish = {"action": "play", "play": str(legal(state.match)[0])}
        state = act(store, state, side, wish.pop("action"), at, chance, **wish).view
    return state


def findings(store: Store) -> list[str]:
    return [finding.text for finding in audit(store, Tally())]


def change_row(store: Store, view: MatchView, **values: Any) -> None:
    with store.write() as connection:
        connection.execute(update(matches.match).where(matches.match.c.id == view.id).values(**values))


def change_entry(store: Store, view: MatchView, seq: int, **values: Any) -> None:
    action = matches.action
    with store.write() as connection:
        where = (action.c.match_id == view.id, action.c.seq == seq)
        connection.execute(update(action).where(*where).values(**values))


def test_matches_as_they_were_played_have_no_findings(store: Store, view: MatchView, now: datetime) -> None:
    play_out(store, view.id, now + timedelta(days=3, hours=12))
    tally = Tally()
    assert list(audit(store, tally)) == []
    assert tally.matches == 1
    assert tally.entries > 30
    assert tally.rolls > 10


def test_a_match_lost_on_time_has_no_findings(store: Store, now: datetime) -> None:
    begin(store, now)
    late = now + timedelta(days=30)
    while sweep_some(store, late, FairChance()):
        pass
    assert findings(store) == []


def test_a_die_changed_in_the_log_breaks_its_hash(store: Store, view: MatchView) -> None:
    with store.read() as connection:
        texts = matches.texts(connection, view.id)
    seq = next(n for n, (text, _) in enumerate(texts, 1) if '"opening_roll"' in text)
    text = texts[seq - 1][0]
    dice = json.loads(text)["data"]["dice"]
    changed = text.replace(json.dumps(dice, separators=(",", ":")), "[6,5]" if dice != [6, 5] else "[6,4]")
    change_entry(store, view, seq, text=changed)
    assert findings(store) == [f"entry {seq + 1}: does not follow the entry before it"]


def test_an_entry_that_is_gone_is_found(store: Store, view: MatchView) -> None:
    action = matches.action
    with store.write() as connection:
        connection.execute(action.delete().where(action.c.match_id == view.id, action.c.seq == 4))
    assert findings(store) == ["entry 4: is numbered 5"]


def test_a_log_that_is_cut_short_is_found_by_its_head(store: Store, view: MatchView) -> None:
    action = matches.action
    with store.write() as connection:
        connection.execute(action.delete().where(action.c.match_id == view.id, action.c.seq == view.head))
    found = findings(store)
    assert any(text.startswith("head is ") for text in found)
    assert any(text.startswith("head_hash is ") for text in found)


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("version", 1),
        ("rolls", 99),
        ("phase", "over"),
        ("on_turn", None),
        ("length", 1),
        ("rules", "federation"),
        ("rated", False),
        ("imported", True),
        ("deadline_at", None),
        ("black_id", None),
        ("due_at", None),
        ("created_at", datetime(2001, 1, 1, tzinfo=UTC)),
        ("started_at", None),
        ("finished_at", datetime(2001, 1, 1, tzinfo=UTC)),
        ("state", "{"),
        ("clock", "[]"),
    ],
)
def test_a_cached_column_that_disagrees_is_named(
    store: Store, view: MatchView, column: str, value: Any
) -> None:
    change_row(store, view, **{column: value})
    [text] = findings(store)
    assert text.startswith((f"{column} is ", f"{column} can't be read"))


def test_a_score_or_a_bank_that_was_changed_is_named(store: Store, view: MatchView) -> None:
    with store.read() as connection:
        row = matches.view(connection, view.id)
    assert row
    state, clock = json.loads(row["state"]), json.loads(row["clock"])
    state["score"], clock["banks"] = [6, 0], [0, 0]
    change_row(store, view, state=json.dumps(state), clock=json.dumps(clock))
    found = " ".join(findings(store))
    assert "state.score is [6, 0], and by the log [0, 0]" in found
    assert "clock.banks is [0, 0]" in found


def test_secrets_must_be_those_committed_to_and_all_there(store: Store, view: MatchView) -> None:
    secret = matches.secret
    with store.write() as connection:
        first = secret.update().where(secret.c.match_id == view.id, secret.c.game == 1)
        connection.execute(first.values(secret=b"\0" * 32))
    assert findings(store) == ["the secret of game 1 is not the one committed to"]
    with store.write() as connection:
        connection.execute(secret.delete().where(secret.c.game == 1))
        connection.execute(insert(secret), {"match_id": view.id, "game": 9, "secret": b"\0" * 32})
    assert findings(store) == ["the secret of game 1 is missing", "the secret of game 9 is kept without need"]


def test_columns_beside_a_text_must_say_the_same(store: Store, view: MatchView) -> None:
    change_entry(store, view, 3, seat="white")
    assert findings(store) == ["entry 3: its row and its text differ"]


def test_a_column_that_is_no_json_is_named_and_the_audit_goes_on(store: Store, view: MatchView) -> None:
    change_entry(store, view, 3, data="{")
    change_row(store, view, rolls=99)
    assert findings(store)[0] == "entry 3: its row and its text differ"
    assert findings(store)[1].startswith("rolls is 99")


def test_an_invitation_that_would_never_expire_is_found(store: Store, now: datetime) -> None:
    alice, _, _ = settle(store, now)
    offered = invitations.invite(store, alice, Terms(7), Handle("bob"), "", now, FairChance())
    assert findings(store) == []
    change_row(store, offered, due_at=None, deadline_at=now + timedelta(days=9999))
    assert [text.split()[0] for text in findings(store)] == ["deadline_at", "due_at"]


def test_entries_and_secrets_whose_match_is_gone_are_found(store: Store, view: MatchView) -> None:
    with store.unchecked() if store.is_sqlite else store.write() as connection:
        if not store.is_sqlite:
            connection.exec_driver_sql("SET LOCAL session_replication_role = replica")
        connection.execute(matches.match.delete().where(matches.match.c.id == view.id))
    found = list(audit(store, Tally()))
    assert [(finding.match_id, "not the match" in finding.text) for finding in found] == [(view.id, True)]

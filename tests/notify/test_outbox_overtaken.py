"""Every fact is checked again before its letter goes out: what was overtaken, or isn't wanted, stays away."""

from __future__ import annotations

import pytest
from sqlalchemy import update

from bgmail.rules.side import Side
from bgmail.service import accounts, choices, entrance, invitations
from bgmail.service.deadlines import sweep_some
from bgmail.service.notices import Kind
from bgmail.service.terms import Email, Handle, Terms
from bgmail.store.matches import table
from bgmail.store.tables import AccountRow
from tests.notify.conftest import Post
from tests.notify.records import ALICE, BOB, states
from tests.service.matchmaking import ScriptedChance, act, begin, settle


@pytest.mark.smtp
def test_a_turn_that_was_played_before_its_letter_went_out_is_not_announced(both: Post) -> None:
    view, chance = begin(both.store, both.clock.now, (5, 2))
    act(both.store, view, Side.WHITE, "play", both.clock.now, chance, play="13/8 13/11")
    both.deliver()
    assert both.mails(ALICE) == []
    assert len(both.mails(BOB)) == 1
    assert ("your_turn", "obsolete") in states(both)


@pytest.mark.smtp
@pytest.mark.parametrize("answered", [False, True])
def test_a_reminder_whose_turn_is_over_is_not_sent(post: Post, answered: bool) -> None:
    """Also when it is their turn again by then."""
    view, chance = begin(post.store, post.clock.now, (5, 2), (6, 4))
    post.clock.pass_(hours=20)
    sweep_some(post.store, post.clock.now, chance)
    view = act(post.store, view, Side.WHITE, "play", post.clock.now, chance, play="13/8 13/11").view
    if answered:
        view = act(post.store, view, Side.BLACK, "roll", post.clock.now, chance).view
        act(post.store, view, Side.BLACK, "play", post.clock.now, chance, play="24/14")
        post.clock.pass_(minutes=11)
    done = post.deliver()
    assert [one.split(" reminder ")[0] for one in done if "reminder" in one] == ["dropped (overtaken)"]
    assert ("reminder", "obsolete") in states(post)
    assert [mail.subject.partition(":")[0] for mail in post.mails(ALICE)] == ["Your turn"] * answered


@pytest.mark.smtp
def test_the_newest_of_several_facts_about_a_match_speaks_for_all(both: Post) -> None:
    _, chance = begin(both.store, both.clock.now, (5, 2))
    both.clock.pass_(hours=20)
    sweep_some(both.store, both.clock.now, chance)
    assert both.deliver() == [
        "dropped (overtaken) invitation 1",
        "dropped (newer) your_turn 2",
        "sent reminder 3",
    ]
    assert len(both.mails(ALICE)) == 1


@pytest.mark.smtp
@pytest.mark.parametrize("change", ["banned_at", "closed_at", "email"])
def test_nothing_goes_to_somebody_who_is_shut_out_or_has_no_proven_address(post: Post, change: str) -> None:
    begin(post.store, post.clock.now, (5, 2))
    values = {change: None if change == "email" else post.clock.now}
    with post.store.write() as connection:
        connection.execute(
            update(table(AccountRow)).where(table(AccountRow).c.handle == "alice").values(**values)
        )
    post.clock.pass_(minutes=11)
    post.deliver()
    assert post.mails() == []
    assert ("your_turn", "obsolete") in states(post)


@pytest.mark.smtp
def test_a_kind_that_is_switched_off_stays_away_and_others_come(post: Post) -> None:
    view, chance = begin(post.store, post.clock.now, (5, 2))
    alice = accounts.by_handle(post.store, "alice").id
    choices.mute(post.store, alice, Kind.YOUR_TURN, muted=True)
    post.clock.pass_(minutes=11)
    post.deliver()
    assert post.mails(ALICE) == []
    entrance.ask_for_link(post.store, Kind.RESET, ALICE, "client", post.clock.now)
    post.clock.pass_(hours=20)
    sweep_some(post.store, post.clock.now, chance)
    post.deliver()
    assert [mail.subject.split(",")[0] for mail in post.mails(ALICE)] == [
        "Choose a new password",
        "3 h 49 min until your bank is used",
    ]
    assert view.id


@pytest.mark.smtp
def test_a_muted_newer_letter_does_not_silence_an_older_one(post: Post) -> None:
    _, chance = begin(post.store, post.clock.now, (5, 2))
    alice = accounts.by_handle(post.store, "alice").id
    choices.mute(post.store, alice, Kind.REMINDER, muted=True)
    post.clock.pass_(hours=20)
    sweep_some(post.store, post.clock.now, chance)
    assert "sent your_turn 2" in post.deliver()


@pytest.mark.smtp
def test_a_link_that_lets_in_is_not_sent_after_everything_was_ended(post: Post) -> None:
    alice, _, _ = settle(post.store, post.clock.now)
    entrance.ask_for_link(post.store, Kind.SIGN_IN, ALICE, "client", post.clock.now)
    accounts.ban(post.store, alice, post.clock.now)
    accounts.unban(post.store, alice)
    assert post.deliver() == ["dropped (overtaken) sign_in 1"]


@pytest.mark.smtp
def test_an_invitation_that_was_answered_or_expired_is_not_sent(post: Post) -> None:
    alice, _, _ = settle(post.store, post.clock.now)
    chance = ScriptedChance([])
    view = invitations.invite(
        post.store, alice, Terms(7), Email("eve@friends.example"), "", post.clock.now, chance
    )
    invitations.cancel(post.store, view.id, alice, post.clock.now, chance)
    invitations.invite(post.store, alice, Terms(7), Handle("bob"), "", post.clock.now, chance)
    post.clock.pass_(days=15)
    assert all(what.startswith("dropped (overtaken) invitation") for what in post.deliver())
    assert post.mails() == []

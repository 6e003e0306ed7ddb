"""Letters are in the language of whoever reads them, whatever the process that writes them speaks."""

from __future__ import annotations

from bgmail.service import accounts, invitations
from bgmail.service.terms import Email, Terms
from tests.notify.conftest import Post
from tests.service.matchmaking import ScriptedChance, begin, settle


def test_each_of_the_two_gets_letters_in_a_language_of_their_own(post: Post) -> None:
    alice, bob, _ = settle(post.store, post.clock.now)
    accounts.set_language(post.store, alice, "de")
    accounts.set_language(post.store, bob, "ru")
    chance = ScriptedChance([])
    for inviter, guest in ((alice, "eve@friends.example"), (bob, "ivan@friends.example")):
        invitations.invite(post.store, inviter, Terms(5), Email(guest), "", post.clock.now, chance)
    post.deliver()
    assert '<html lang="de">' in post.last("eve@friends.example").html()
    assert '<html lang="ru">' in post.last("ivan@friends.example").html()


def test_dates_are_told_as_the_language_does(post: Post) -> None:
    begin(post.store, post.clock.now, (5, 2))
    alice = accounts.by_handle(post.store, "alice")
    accounts.set_language(post.store, alice.id, "ru")
    post.clock.pass_(minutes=11)
    post.deliver()
    assert "5 дек" in post.last("alice@play.example").text()


def test_a_language_that_is_gone_is_english(post: Post) -> None:
    begin(post.store, post.clock.now, (5, 2))
    with post.store.write() as connection:
        connection.exec_driver_sql("UPDATE account SET locale = 'fr'")
    post.clock.pass_(minutes=11)
    post.deliver()
    mail = post.last("alice@play.example")
    assert "Your turn: 5-2 to play." in mail.text()
    assert "Lost on time: Sat 5 Dec" in mail.text()
    assert '<html lang="en">' in mail.html()

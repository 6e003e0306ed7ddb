"""What people wrote stands in a letter as they wrote it, and does nothing."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from sqlalchemy import update

from bgmail.service import invitations
from bgmail.service.terms import Handle, Terms
from bgmail.store.matches import table
from bgmail.store.tables import AccountRow
from tests.notify.conftest import BASE, Post
from tests.notify.records import ALICE, BOB
from tests.service.matchmaking import ScriptedChance, begin, settle


class Elements(HTMLParser):
    """What a mail reader sees in a piece of HTML."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str]] = []
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += [(name, value or "") for name, value in attrs]

    def handle_data(self, data: str) -> None:
        self.text += data


POISONS = [
    "<img src=x onerror=alert(1)>",
    '"><svg onload=alert(1)>',
    "{{7*7}}",
    "javascript:alert(1)",
    "%(x)s {0}",
]


@pytest.mark.parametrize("poison", POISONS)
def test_what_people_wrote_is_shown_literally(post: Post, poison: str) -> None:
    alice, bob, _ = settle(post.store, post.clock.now)
    account = table(AccountRow)
    with post.store.write() as connection:
        connection.execute(update(account).where(account.c.id == alice).values(handle=poison))
    chance = ScriptedChance([(2, 5)])
    view = invitations.invite(
        post.store, alice, Terms(5), Handle("bob"), f"Hi {poison}", post.clock.now, chance
    )
    post.deliver()
    invitations.accept(post.store, view.id, bob, post.clock.now, chance)
    post.clock.pass_(minutes=11)
    post.deliver()
    offer, turn = post.mails(BOB)
    assert f"Hi {poison}" in offer.text()
    for mail in (offer, turn):
        assert poison in mail.text()
        assert poison in mail.subject
        elements = Elements(mail.html())
        assert {"svg", "script"}.isdisjoint(elements.tags)
        assert not [name for name, _ in elements.attributes if name.startswith("on")]
        assert not [
            value for name, value in elements.attributes if name == "href" and not value.startswith(BASE)
        ]
        assert poison in elements.text


@pytest.mark.parametrize(
    "poison", ["X\r\nBcc: victim@example.org", "X\nBcc: victim@example.org", "X\u2028Bcc: v@e.org"]
)
def test_a_poisoned_row_adds_no_header_and_the_others_go_on(post: Post, poison: str) -> None:
    _view, _chance = begin(post.store, post.clock.now, (5, 2))
    account = table(AccountRow)
    with post.store.write() as connection:
        connection.execute(update(account).where(account.c.handle == "bob").values(handle=poison))
    post.clock.pass_(minutes=11)
    post.deliver()
    mail = post.last(ALICE)
    assert "Bcc" not in mail.message
    assert mail.recipients == ALICE
    assert mail.subject.startswith("Your turn: 5-2 to play, match with X Bcc:")

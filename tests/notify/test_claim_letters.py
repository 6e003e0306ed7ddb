"""The letters to both when a time is over that has to be claimed."""

from __future__ import annotations

from bgmail.service.deadlines import sweep_some
from tests.notify.conftest import Post
from tests.notify.reading import claims
from tests.notify.records import ALICE, BOB
from tests.service.matchmaking import begin


def test_both_are_told_since_when_it_may_be_claimed_and_one_gets_the_link(post: Post) -> None:
    """The opponent's letter said until when the other had had time, as if it went on."""
    _, chance = begin(post.store, post.clock.now, (3, 1), length=5, rules="claim", time="move-a-day")
    post.clock.pass_(days=5)
    with post.app.app_context():
        sweep_some(post.store, post.clock.now, chance)
    post.deliver()
    for address, link in ((ALICE, None), (BOB, "claim_timeout")):
        mail = post.last(address)
        assert "May be claimed since: Sat 5 Dec 12:00" in mail.text()
        assert "has until" not in mail.text()
        assert [claim.action for claim in claims(post, mail)] == [link]

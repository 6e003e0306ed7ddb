"""Letters and events about vacation and mercy: who is told what, once, and only while it is so."""

from __future__ import annotations

from datetime import timedelta

from bgmail.notify.hooks.channel import Webhooks
from bgmail.rules.side import Side
from bgmail.service import accounts, choices, standstills, vacations
from bgmail.service.choices import MAIL, Mode
from bgmail.service.notices import Kind
from bgmail.service.vacations import Vacation, Wish
from tests.notify.conftest import Post
from tests.notify.hooks.conftest import Hooks, hooks, told
from tests.notify.hooks.receivers import OK, answers, receiver
from tests.notify.reading import first_letter
from tests.notify.records import ALICE, BOB
from tests.service.matchmaking import ScriptedChance, act

__all__ = ["Webhooks", "hooks"]
DAY = timedelta(days=1)


def take(post: Post, wish: Wish) -> Vacation:
    alice = accounts.by_handle(post.store, "alice")
    taken = vacations.take(post.store, alice, wish, post.clock.now)
    standstills.spread_all(post.store, alice.id, post.clock.now, ScriptedChance([]))
    return taken


def test_the_opponent_is_told_once_and_its_owner_when_it_is_over(post: Post) -> None:
    first_letter(post, (3, 1))
    one = take(post, Wish(until=post.clock.now + 7 * DAY))
    post.deliver()
    mail = post.last(BOB)
    assert mail.subject == "alice is on vacation until Tue 8 Dec 12:11"
    assert "the clock of alice stands still in these matches" in mail.text()
    assert mail.text().count("https://club.example/match/") == 1
    vacations.change(post.store, accounts.by_handle(post.store, "alice"), one.id, None, post.clock.now)
    standstills.spread_all(post.store, one.account_id, post.clock.now, ScriptedChance([]))
    count = len(post.mails(BOB))
    post.deliver()
    assert len(post.mails(BOB)) == count
    post.clock.pass_(days=45)
    for _ in range(2):
        standstills.step(post.store, post.clock.now, ScriptedChance([]))
    post.deliver()
    assert [mail.subject for mail in post.mails(ALICE) if "vacation" in mail.subject] == [
        "Your vacation is over"
    ]
    assert "Your clocks run again, each from where it stood." in post.last(ALICE).text()


def test_one_that_was_taken_back_is_no_news_and_a_digest_does_not_swallow_it(post: Post) -> None:
    first_letter(post, (3, 1))
    bob = accounts.by_handle(post.store, "bob").id
    choices.choose(post.store, bob, {(Kind.OPPONENT_AWAY, MAIL): Mode.DIGEST})
    back = take(post, Wish(post.clock.now + DAY, post.clock.now + 2 * DAY))
    vacations.end(post.store, back.account_id, back.id, post.clock.now)
    post.deliver()
    assert not [mail for mail in post.mails(BOB) if "vacation" in mail.subject]
    take(post, Wish(post.clock.now + 3 * DAY, post.clock.now + 4 * DAY))
    post.deliver()
    assert post.last(BOB).subject == "alice goes on vacation: Fri 4 Dec 12:11 to Sat 5 Dec 12:11"


def test_a_day_given_is_told_with_the_board_and_by_webhook_and_so_is_a_vacation(
    post: Post, hooks: Hooks
) -> None:
    view, chance, _ = first_letter(post, (3, 1))
    alice, bob = (accounts.by_handle(post.store, name).id for name in ("alice", "bob"))
    with receiver(answers(OK)) as hers, receiver(answers(OK)) as his:
        hooks.add(alice, hers, "hers", events=("match.day_given",))
        hooks.add(bob, his, "his", events=("opponent.vacation",))
        act(post.store, view, Side.BLACK, "give_day", post.clock.now, chance)
        take(post, Wish())
        post.clock.pass_(minutes=11)
        post.deliver()
        hooks.work()
        day, away = told(hers.calls[0]), told(his.calls[0])
    assert (day["type"], day["data"]["headline"]) == ("match.day_given", "alice has a day more.")
    assert away["type"] == "opponent.vacation"
    assert away["data"]["opponent"] == "alice"
    assert away["data"]["until"] == "2026-12-31T12:11:00Z"
    assert "until Thu 31 Dec 12:11 at the latest" in away["data"]["headline"]
    letter = next(mail for mail in post.mails(ALICE) if mail.subject.startswith("A day more for you"))
    assert "bob gives you a day more for this turn." in letter.text()
    assert "/r/" in letter.text()

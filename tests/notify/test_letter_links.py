"""The links and the threads of letters: what they lead to, whom they act for, and what belongs together."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from bgmail.notify.links import HASH_PREFIX
from bgmail.rules.side import Side
from bgmail.service import accounts, entrance, invitations, matches
from bgmail.service.accounts import Application
from bgmail.service.notices import Kind
from bgmail.service.terms import Email, Handle, Terms
from bgmail.service.views import MatchView
from bgmail.tokens import MatchClaim
from tests.notify.conftest import BASE, Post
from tests.notify.reading import URL, claims, first_letter, links
from tests.notify.records import ALICE, BOB
from tests.service.matchmaking import ScriptedChance, act, settle


def test_every_reply_link_stands_alone_on_its_line(post: Post) -> None:
    view, chance, _ = first_letter(post, (5, 2))
    act(post.store, view, Side.WHITE, "play", post.clock.now, chance, play="13/8 13/11")
    post.deliver()
    text = post.last(BOB).text()
    found = links(post.last(BOB), "/r/")
    assert len(found) == 2
    assert set(found) <= set(text.splitlines())
    assert "Roll:" in text.splitlines()
    assert "Double to 2:" in text.splitlines()


def test_links_act_for_the_reader_at_this_version_with_its_hash(post: Post) -> None:
    view, chance, mail = first_letter(post, (5, 2))
    (claim,) = claims(post, mail)
    assert claim == MatchClaim(view.id, 0, view.version, claim.hash_prefix)
    entry = next(one for one in matches.log(post.store, view.id) if one.seq == view.version)
    assert claim.hash_prefix == entry.hash[:HASH_PREFIX]
    act(post.store, view, Side.WHITE, "play", post.clock.now, chance, play="13/8 13/11")
    post.deliver()
    assert [(one.side, one.action) for one in claims(post, post.last(BOB))] == [(1, "roll"), (1, "double")]


def test_all_links_lead_to_the_configured_address_whatever_host_asked(post: Post) -> None:
    client = post.app.test_client()
    settle(post.store, post.clock.now)
    client.post(
        "/reset", data={"email": ALICE}, headers={"Host": "evil.example", "X-Forwarded-Host": "evil.example"}
    )
    _view, _chance = begin_again(post)
    with post.app.test_request_context("/", base_url="https://evil.example"):
        post.clock.pass_(minutes=11)
        post.deliver()
    for mail in post.mails():
        assert "evil" not in mail.raw.decode()
        assert all(url.startswith(BASE + "/") for url in URL.findall(mail.text()))
    assert post.mails()


def begin_again(post: Post) -> tuple[MatchView, ScriptedChance]:
    """A match between the people who are there already."""
    chance = ScriptedChance([(5, 2)])
    alice, bob = (accounts.by_handle(post.store, name).id for name in ("alice", "bob"))
    view = invitations.invite(post.store, alice, Terms(7), Handle("bob"), "", post.clock.now, chance)
    return invitations.accept(post.store, view.id, bob, post.clock.now, chance), chance


def test_every_link_of_every_letter_is_a_route_of_the_app(post: Post) -> None:
    settle(post.store, post.clock.now)
    now = post.clock.now
    entrance.ask_for_link(post.store, Kind.SIGN_IN, ALICE, "client", now)
    entrance.ask_for_link(post.store, Kind.RESET, ALICE, "client", now)
    accounts.sign_up(post.store, Application("dana", "dana@play.example", "a long password"), "client", now)
    alice = accounts.by_handle(post.store, "alice").id
    invitations.invite(post.store, alice, Terms(7), Email("eve@friends.example"), "", now, ScriptedChance([]))
    begin_again(post)
    post.clock.pass_(minutes=11)
    post.deliver()
    routes = post.app.url_map.bind("club.example", url_scheme="https")
    found = {
        url
        for mail in post.mails()
        for url in URL.findall(mail.text()) + re.findall(r'href="([^"]+)"', mail.html())
    }
    endpoints = {routes.match(urlsplit(url).path)[0] for url in found}
    assert {
        "auth.link",
        "auth.verify",
        "invitation.claim",
        "reply.show",
        "match.page",
        "letters.unsubscribe",
    } <= endpoints
    assert any(endpoint.startswith("auth.reset") for endpoint in endpoints)


def test_letters_of_a_match_are_one_thread_for_each_reader(post: Post) -> None:
    view, chance, _first = first_letter(post, (5, 2))
    outcome = act(post.store, view, Side.WHITE, "play", post.clock.now, chance, play="13/8 13/11")
    outcome = act(post.store, outcome.view, Side.BLACK, "double", post.clock.now, chance)
    post.deliver()
    mine, theirs = post.mails(ALICE), post.mails(BOB)
    assert len({mail.message["Message-ID"] for mail in mine + theirs}) == len(mine + theirs)
    assert {mail.message["References"] for mail in mine} == {f"<match.{view.id}.white@club.example>"}
    assert {mail.message["In-Reply-To"] for mail in theirs} <= {f"<match.{view.id}.black@club.example>"}
    about = f"match with bob #{view.id}"
    assert [mail.subject for mail in mine] == [f"Your turn: 5-2 to play, {about}", f"Take or pass, {about}"]


def test_a_rematch_is_another_thread_with_another_subject(post: Post) -> None:
    first_view, _, first = first_letter(post, (5, 2))
    second_view, _ = begin_again(post)
    post.clock.pass_(minutes=11)
    post.deliver()
    second = post.last(ALICE)
    assert first.message["References"] != second.message["References"]
    assert first_view.id in first.subject
    assert second_view.id in second.subject

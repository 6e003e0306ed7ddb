"""Letters about no position: invitations and their answers, links that let in, addresses that moved."""

from __future__ import annotations

from urllib.parse import urlsplit

from bgmail.rules.ruledata import to_data
from bgmail.rules.ruleset import FEDERATION
from bgmail.rules.side import Side
from bgmail.service import accounts, entrance, invitations, matches, proofs
from bgmail.service.accounts import Application
from bgmail.service.entrance import EntryClaim
from bgmail.service.notices import Kind
from bgmail.service.terms import Email, Handle, Terms
from bgmail.tokens import Purpose
from tests.notify.conftest import BASE, Post
from tests.notify.reading import first_letter, links
from tests.notify.records import ALICE, BOB
from tests.service.matchmaking import ScriptedChance, act, settle


def test_each_letter_has_one_recipient_and_nobody_elses_address(post: Post) -> None:
    view, chance, _ = first_letter(post, (5, 2))
    act(post.store, view, Side.WHITE, "resign_match", post.clock.now, chance)
    post.clock.pass_(minutes=11)
    post.deliver()
    for mail in post.mails():
        own, other = (ALICE, BOB) if mail.recipients == ALICE else (BOB, ALICE)
        assert mail.recipients == own
        assert mail.message["To"].addresses[0].addr_spec == own
        assert other not in mail.raw.decode()
        assert "Cc" not in mail.message


def test_a_stranger_is_invited_by_a_link_of_the_mailbox_alone(post: Post) -> None:
    alice, _, _ = settle(post.store, post.clock.now)
    terms = Terms(5, time="three-days")
    view = invitations.invite(
        post.store,
        alice,
        terms,
        Email("eve@friends.example"),
        "Hi Eve!\nA game?",
        post.clock.now,
        ScriptedChance([]),
    )
    post.deliver()
    mail = post.last("eve@friends.example")
    (link,) = links(mail, "/invitation/")
    token = urlsplit(link).path.removeprefix("/invitation/")
    assert post.world.signer.read(Purpose.INVITATION, token) == [view.id, "eve@friends.example"]
    assert mail.subject == f"alice invites you to backgammon at bgmail #{view.id}"
    for part in (
        "5-point match",
        "3 days a move",
        "\r\n  rated\r\n",
        "Hi Eve!",
        "You only choose a name, no password",
        "This is bgmail:",
    ):
        assert part in mail.text()
    assert "List-Unsubscribe" not in mail.message
    assert matches.log(post.store, view.id)[1].data["commitment"] in mail.text()


def test_a_letter_says_what_rules_of_somebodys_own_change(post: Post) -> None:
    alice, _, _ = settle(post.store, post.clock.now)
    own = {**to_data(FEDERATION), "name": "Friday night", "cube": False, "timeout": "gammon"}
    terms, to = Terms(5, rules=own, rated=False), Handle("bob")
    invitations.invite(post.store, alice, terms, to, "", post.clock.now, ScriptedChance([]))
    post.deliver()
    mail = post.last(BOB)
    assert "own rules “Friday night”\r\n  unrated\r\n" in mail.text()
    assert "Like federation rules, but:\r\n  Doubling cube: There is no doubling cube.\r\n" in mail.text()
    assert "Time over: The game on the board is lost as a gammon" in mail.text()
    differs, rest = mail.text().split("Everything else is as there:")
    assert "Resigning a game" in rest
    assert "Resigning a game" not in differs
    assert "Doubling cube: There is no doubling cube." in mail.html()


def test_somebody_who_is_here_is_invited_to_the_page(post: Post) -> None:
    alice, _, _ = settle(post.store, post.clock.now)
    view = invitations.invite(
        post.store, alice, Terms(5), Handle("bob"), "", post.clock.now, ScriptedChance([])
    )
    post.deliver()
    assert links(post.last(BOB), "/match/") == [f"{BASE}/match/{view.id}"]
    assert links(post.last(BOB), "/invitation/") == []
    assert "Hello bob," in post.last(BOB).text()


def test_the_inviter_is_told_of_an_answer(post: Post) -> None:
    alice, bob, _ = settle(post.store, post.clock.now)
    chance = ScriptedChance([])
    view = invitations.invite(post.store, alice, Terms(5), Handle("bob"), "", post.clock.now, chance)
    invitations.decline(post.store, view.id, bob, post.clock.now, chance)
    post.deliver()
    assert "bob declines your invitation." in post.last(ALICE).text()
    assert post.mails(BOB) == []


def test_sign_in_reset_and_proof_links_carry_their_claims(post: Post) -> None:
    alice, _, _ = settle(post.store, post.clock.now)
    account = accounts.by_id(post.store, alice)
    entrance.ask_for_link(post.store, Kind.SIGN_IN, ALICE, "client", post.clock.now)
    entrance.ask_for_link(post.store, Kind.RESET, ALICE, "client", post.clock.now)
    proofs.propose(post.store, account, "alice@new.example", "", post.clock.now, client="client")
    post.deliver()
    signer, claim = post.world.signer, EntryClaim(alice, account.epoch).payload()
    sign_in, reset = post.mails(ALICE)
    assert signer.read(Purpose.SIGN_IN, links(sign_in, "/sign-in-link/")[0].rpartition("/")[2]) == claim
    assert signer.read(Purpose.RESET, links(reset, "/reset/")[0].rpartition("/")[2]) == claim
    proof = post.last("alice@new.example")
    assert signer.read(Purpose.VERIFY, links(proof, "/verify/")[0].rpartition("/")[2]) == [
        alice,
        "alice@new.example",
    ]
    assert proof.subject == "bgmail: is this your address?"
    assert "Welcome" not in proof.text()
    for mail in (sign_in, reset, proof):
        assert "List-Unsubscribe" not in mail.message
        assert "References" not in mail.message


def test_a_moved_account_is_told_at_its_old_address_without_the_whole_new_one(post: Post) -> None:
    alice, _, _ = settle(post.store, post.clock.now)
    account = accounts.by_id(post.store, alice)
    proofs.propose(post.store, account, "alice@new.example", "", post.clock.now, client="client")
    claim = proofs.AddressClaim(alice, "alice@new.example")
    proofs.prove(post.store, claim, post.clock.now, signed_in=alice)
    post.deliver()
    text = post.last(ALICE).text()
    assert "letters for alice go to a…@new.example instead of alice@play.example" in text
    assert post.mails("alice@new.example") == []


def test_the_first_letter_to_somebody_new_welcomes_and_says_where_it_comes_from(post: Post) -> None:
    accounts.sign_up(
        post.store,
        Application("eve", "eve@friends.example", "a long password"),
        "client",
        post.clock.now,
    )
    post.deliver()
    mail = post.last("eve@friends.example")
    assert mail.subject == "Welcome to bgmail: is this your address?"
    assert "Welcome to bgmail: backgammon by correspondence." in mail.text()


def test_an_address_that_has_an_account_is_told_so(post: Post) -> None:
    settle(post.store, post.clock.now)
    accounts.sign_up(post.store, Application("eve", ALICE, "a long password"), "client", post.clock.now)
    post.deliver()
    assert "used your address for the name eve" in post.last(ALICE).text()

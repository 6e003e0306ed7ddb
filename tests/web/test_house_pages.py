"""Playing the house by a click: the newcomer's first match, and the mark that every machine bears."""

from __future__ import annotations

import pytest

from bgmail import house
from bgmail.engine.plain import PlainPlayer
from bgmail.rules.match import Phase
from bgmail.service import accounts, invitations, matches, turns
from bgmail.service.terms import Open, Terms
from bgmail.service.turns import Request
from bgmail.service.views import MatchView
from bgmail.world import World
from tests.web.conftest import Auth, Outbox, Visitor

NONCE = "fedcba9876543210" * 2


@pytest.fixture
def alice(auth: Auth) -> int:
    """Alice has just joined: her address isn't proven yet."""
    auth.sign_up("Alice")
    return accounts.by_handle(auth._app.extensions["bgmail"].store, "Alice").id


def the_match(world: World, account_id: int) -> MatchView:
    (view,) = matches.mine(world.store, account_id, "running", 10)
    return view


def play(visitor: Visitor, **fields: str) -> None:
    visitor.open("/lobby")
    visitor.post("/house", {"length": "3", **fields}, follow_redirects=True)


def test_a_newcomer_finds_the_house_on_the_first_page_and_plays_by_one_click(
    world: World, alice: int, visitor: Visitor, outbox: Outbox
) -> None:
    visitor.open("/")
    assert "Play the house machine" in visitor.text
    visitor.post("/house", {"length": "3", "nonce": NONCE}, follow_redirects=True)
    view = the_match(world, alice)
    assert f"/match/{view.id}/" in visitor.page
    assert "House machine" in visitor.text
    accepted = matches.log(world.store, view.id)[2]
    assert (accepted.kind, accepted.seat, accepted.nonce) == ("accept", "black", NONCE)
    house.step(world.store, world.now(), world.chance, PlainPlayer())
    assert the_match(world, alice).match.on_turn is view.side_of(alice)
    assert "Play the house" not in visitor.open("/").get_data(as_text=True)


def test_a_click_without_a_script_gets_a_nonce_of_the_servers_and_says_so(
    world: World, alice: int, visitor: Visitor
) -> None:
    play(visitor, nonce="")
    accepted = matches.log(world.store, the_match(world, alice).id)[2]
    assert accepted.data["server_nonce"] is True


def test_a_second_press_is_the_same_match(world: World, alice: int, visitor: Visitor) -> None:
    play(visitor, key="press")
    begun = the_match(world, alice).id
    play(visitor, key="press")
    assert [view.id for view in matches.mine(world.store, alice, "running", 10)] == [begun]


@pytest.mark.parametrize("fields", [{"length": "26"}, {"length": "many"}, {"length": ""}, {"nonce": "mine"}])
def test_what_cant_be_played_is_refused_with_a_sentence(
    world: World, alice: int, visitor: Visitor, fields: dict[str, str]
) -> None:
    play(visitor, **fields)
    assert "Lobby" in visitor.text
    assert 'role="alert"' in visitor.page or "notice-bad" in visitor.page
    assert matches.mine(world.store, alice, "running", 10) == []


def test_a_stranger_is_asked_to_join_first(world: World, visitor: Visitor) -> None:
    visitor.open("/lobby")
    assert "Play the house machine" in visitor.text
    assert "Join and play" in visitor.text
    visitor.get("/sign-in")
    assert "/sign-in" in visitor.post("/house", {"length": "3"}).headers["Location"]


def test_the_form_for_a_new_match_takes_the_house_by_its_name(
    world: World, alice: int, visitor: Visitor
) -> None:
    visitor.open("/invite?opponent=House")
    fields = {"to": "person", "opponent": "house", "length": "5", "time": "three-days", "rules": "club"}
    visitor.post("/invite", {**fields, "rated": "1"}, follow_redirects=True)
    view = the_match(world, alice)
    assert (view.match.length, view.clock.control.name, view.rated) == (5, "three-days", False)
    assert view.white
    assert view.white.is_bot


def test_a_rematch_with_the_house_begins_at_once(world: World, alice: int, visitor: Visitor) -> None:
    play(visitor)
    view = the_match(world, alice)
    resign = Request("resign_match", view.version)
    turns.act(world.store, view.id, turns.seat(view, alice), resign, world.now(), world.chance)
    visitor.open(f"/match/{view.id}")
    for _ in range(2):
        visitor.post(f"/match/{view.id}/rematch", follow_redirects=True)
    again = the_match(world, alice)
    assert again.id != view.id
    assert again.match.phase is not Phase.INVITED


def test_a_machine_is_marked_wherever_its_name_stands(world: World, alice: int, visitor: Visitor) -> None:
    robot = accounts.create(world.store, "Robot", None, None, world.now(), is_bot=True)
    invitations.invite(world.store, robot.id, Terms(3), Open(), "", world.now(), world.chance)
    play(visitor)
    view = the_match(world, alice)
    marked = {"/lobby": "Robot machine", "/?show=all": "House machine"}
    marked |= {f"/match/{view.id}": "House machine", "/u/House": "House machine", "/u/Alice": "House machine"}
    for path, words in marked.items():
        visitor.open(path)
        assert words in visitor.text, path
    matches.say(world.store, view, view.white.id if view.white else 0, "Good luck!", world.now())
    visitor.open(f"/match/{view.id}")
    assert "Good luck! House machine" in visitor.text


def test_the_page_says_which_program_plays(alice: int, visitor: Visitor) -> None:
    play(visitor)
    sentence = {"sage": "It plays by Open Sage", "plain": "It plays by a small program of our own"}[
        house.engine()
    ]
    for path in ("/lobby", "/u/House"):
        visitor.open(path)
        assert sentence in visitor.text


def test_the_proof_of_the_dice_says_that_the_house_has_no_say(
    world: World, alice: int, visitor: Visitor
) -> None:
    play(visitor)
    visitor.open(f"/match/{the_match(world, alice).id}/dice")
    assert "The house is moved by this server, and so it has no say here" in visitor.text


def test_nobody_signs_in_as_the_house_by_password_or_by_letter(
    world: World, auth: Auth, visitor: Visitor, outbox: Outbox
) -> None:
    house.account(world.store, world.now())
    for password in ("", "house", "correct horse"):
        auth.sign_in("House", password)
        assert "Sign out" not in visitor.text
    for path in ("/sign-in-link", "/reset"):
        visitor.get(path)
        visitor.post(path, {"name": "House", "email": "House", "address": "House"})
    assert outbox.letters() == []
    auth.sign_up("house", visitor=visitor)
    assert "Sign out" not in visitor.text

"""Reply links: looked at as often as a scanner likes, they act once, by a person's POST, and never mislead."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from bgmail.rules.match import Phase
from bgmail.rules.side import Side
from bgmail.service import matches
from bgmail.service.deadlines import sweep_some
from bgmail.tokens import MatchClaim, Purpose
from tests.web.conftest import Clock, Visitor
from tests.web.table import Table

Deal = Callable[..., Table]


@pytest.fixture
def deal(app: Flask) -> Deal:
    return lambda *dice, **terms: Table(app, *dice, **terms)


def follow(visitor: Visitor, link: str, action: str, **fields: str) -> TestResponse:
    """Opens a link, sends one of its forms, and goes where that leads."""
    visitor.open(link)
    return visitor.post(link, {"action": action, **fields}, follow_redirects=True)


def test_scanners_may_open_a_link_before_the_person_and_spend_nothing(deal: Deal) -> None:
    table = deal((3, 1))
    link, before = table.link(Side.WHITE), table.entries()
    for _ in range(10):
        assert table.stranger.client.head(link).status_code == 200
        assert table.stranger.client.get(link).status_code == 200
    assert table.entries() == before
    person = Visitor(table.app)
    assert "Your turn: 3-1 to play" in person.open(link).text
    answer = follow(person, link, "play", play="8/5 6/5")
    assert (answer.status_code, answer.request.path) == (200, "/r/done")
    assert "you 3-1 8/5 6/5" in person.text
    made = next(entry for entry in matches.log(table.world.store, table.view.id) if entry.kind == "play")
    assert (made.via, made.seat, made.data["play"]) == ("link", "white", "8/5 6/5")


def test_a_used_link_says_what_was_done_and_when_even_after_a_month(deal: Deal, clock: Clock) -> None:
    table = deal((6, 5))
    link = table.link(Side.WHITE)
    follow(table.stranger, link, "play", play="24/13")
    before = table.entries()

    def again() -> str:
        answer = follow(table.stranger, link, "play", play="24/13")
        assert (answer.status_code, answer.request.path) == (200, link)
        return table.stranger.text

    assert "It worked: 24/13, on Mon 2 Mar 12:00." in again()
    assert table.entries() == before
    table.act(Side.BLACK, "roll")
    clock.move(days=30)
    later = again()
    assert "It worked: 24/13, on Mon 2 Mar 12:00." in later
    assert "Sign in" in later


def test_used_overtaken_and_expired_links_each_have_their_own_words(deal: Deal, clock: Clock) -> None:
    table = deal((3, 1), (6, 5))
    used = table.link(Side.WHITE)
    follow(table.stranger, used, "play", play="8/5 6/5")
    overtaken = table.link(Side.BLACK)
    table.act(Side.BLACK, "roll")
    expired = table.link(Side.BLACK)
    clock.move(days=5)
    seen = {}
    for name, link in (("used", used), ("overtaken", overtaken), ("expired", expired)):
        seen[name] = (table.stranger.get(link).status_code, table.stranger.text)
        assert table.stranger.post(link, {"action": "play", "play": "24/13"}).status_code == seen[name][0]
    assert {name: status for name, (status, _) in seen.items()} == {
        "used": 200,
        "overtaken": 409,
        "expired": 410,
    }
    assert "You have already answered by this link" in seen["used"][1]
    assert "You went on another way: rolled, on Mon 2 Mar 12:00." in seen["overtaken"][1]
    assert "The time for this turn is over" in seen["expired"][1]
    assert all("How it stands" in text and "Sign in" in text for _, text in seen.values())
    assert table.now().match.phase is Phase.PLAY


def test_a_link_whose_turn_the_clock_ended_has_expired(deal: Deal, clock: Clock) -> None:
    table = deal((3, 1))
    link = table.link(Side.WHITE)
    clock.move(days=4, minutes=1)
    while sweep_some(table.world.store, clock(), table.world.chance):
        pass
    assert table.now().match.phase is Phase.OVER
    assert table.stranger.get(link).status_code == 410
    assert "ran out" in table.stranger.text or "out of time" in table.stranger.text


def test_a_link_into_a_log_that_was_put_back_does_nothing(deal: Deal) -> None:
    table = deal((3, 1))
    good = table.link(Side.WHITE)
    claim = table.world.signer.read_claim(good.removeprefix("/r/"))
    other = f"/r/{table.world.signer.sign_claim(MatchClaim(claim.match, 0, claim.version, 'f' * 12))}"
    ahead = f"/r/{table.world.signer.sign_claim(MatchClaim(claim.match, 0, 99, claim.hash_prefix))}"
    for link in (other, ahead):
        assert table.stranger.get(link).status_code == 409
        assert "This link belongs to a state that is gone" in table.stranger.text
        assert table.stranger.post(link, {"action": "play", "play": "8/5 6/5"}).status_code == 409
    assert table.now().version == claim.version


@pytest.mark.parametrize("ending", ["", "x", "/", "%00", "é", "." * 3000])
def test_a_link_that_was_cut_or_forged_helps_on(deal: Deal, ending: str) -> None:
    table = deal((3, 1))
    whole = table.link(Side.WHITE)
    for link in (whole[: len(whole) // 2] + ending, "/r/" + (ending.strip("/") or "nonsense")):
        assert table.stranger.get(link).status_code == 404
    assert table.stranger.get(whole[:-4]).status_code == 404
    assert "copy the whole address" in table.stranger.text


def test_a_token_of_another_purpose_opens_nothing(deal: Deal) -> None:
    table = deal((3, 1))
    claim = [table.view.id, 0, table.view.version, table.view.head_hash[:12]]
    for purpose in (Purpose.RECEIPT, Purpose.VERIFY, Purpose.SIGN_IN):
        assert table.stranger.get(f"/r/{table.world.signer.sign(purpose, claim)}").status_code == 404
    nowhere = MatchClaim("zzzzzzzzzzzz", 0, 1, "0" * 12)
    assert table.stranger.get(f"/r/{table.world.signer.sign_claim(nowhere)}").status_code == 404


@pytest.mark.parametrize("wish", ["pass", "resign", "resign_match"])
def test_a_prepared_pass_or_resignation_needs_a_tick_as_well(deal: Deal, wish: str) -> None:
    table = deal((3, 1))
    table.act(Side.WHITE, "play", play="8/5 6/5")
    side = Side.BLACK
    if wish == "pass":
        table.act(Side.BLACK, "double")
        side = Side.WHITE
    link, before = table.link(side, wish), table.entries()
    page = table.stranger.get(link).text
    assert 'name="sure"' in page
    value = {"value": "1"} if wish == "resign" else {}
    answer = follow(table.stranger, link, wish, **value)
    assert answer.status_code == 422
    assert "Tick the box as well" in table.stranger.text
    assert table.entries() == before
    assert follow(table.stranger, link, wish, sure="yes", **value).request.path == "/r/done"
    assert table.entries() > before


def test_a_prepared_double_or_take_needs_its_button_alone(deal: Deal) -> None:
    table = deal((3, 1))
    table.act(Side.WHITE, "play", play="8/5 6/5")
    link = table.link(Side.BLACK, "double")
    table.stranger.open(link)
    assert "Double to 2? 7-point match" in table.stranger.text
    follow(table.stranger, link, "double")
    assert table.now().match.phase is Phase.TAKE_OR_PASS
    follow(table.stranger, table.link(Side.WHITE, "take"), "take")
    assert table.now().match.cube.owner is Side.WHITE


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"action": "play", "play": "8/2"}, "No die of 3-1 fits that."),
        ({"action": "play", "play": ""}, "Write a play first"),
        ({"action": "double"}, "can't be done"),
        ({"action": "fly"}, "There is no action called fly."),
        ({"action": "play", "play": "8/5 6/5", "nonce": "zz"}, "A nonce is"),
    ],
)
def test_bad_input_behind_a_link_gets_a_sentence(deal: Deal, fields: dict[str, str], sentence: str) -> None:
    table = deal((3, 1))
    link, before = table.link(Side.WHITE), table.entries()
    table.stranger.open(link)
    assert table.stranger.post(link, fields).status_code == 422
    assert sentence in table.stranger.text
    assert table.entries() == before


def test_a_form_cant_reach_past_the_version_of_its_link(deal: Deal) -> None:
    table = deal((3, 1), (6, 5))
    link = table.link(Side.WHITE)
    table.act(Side.WHITE, "play", play="8/5 6/5")
    table.act(Side.BLACK, "roll")
    table.act(Side.BLACK, "play", play="24/13")
    answer = table.stranger.post(link, {"action": "roll", "version": str(table.now().version)})
    assert answer.status_code == 409
    assert table.now().match.phase is Phase.ROLL_OR_DOUBLE


def test_pages_behind_a_link_tell_nobody_their_address(deal: Deal) -> None:
    table = deal((3, 1))
    link = table.link(Side.WHITE)
    bad = table.stranger.client.get("/r/nonsense")
    for answer in (table.stranger.client.get(link), table.stranger.client.head(link), bad):
        assert answer.headers["Referrer-Policy"] == "no-referrer"
        assert answer.headers["Cache-Control"] == "no-store"
        assert "noindex" in answer.headers["X-Robots-Tag"]
    done = table.stranger.client.post(link, data={"action": "play", "play": "8/5 6/5"})
    assert (done.status_code, done.headers["Location"]) == (303, "/r/done")
    assert done.headers["Referrer-Policy"] == "no-referrer"
    assert "HttpOnly" in done.headers["Set-Cookie"]
    assert "Path=/r/done" in done.headers["Set-Cookie"]


def test_the_result_is_shown_to_that_browser_for_ten_minutes(deal: Deal, clock: Clock) -> None:
    table = deal((3, 1))
    follow(table.stranger, table.link(Side.WHITE), "play", play="8/5 6/5")
    assert "you 3-1 8/5 6/5" in table.stranger.text
    assert table.bob.get("/r/done").status_code == 404
    clock.move(minutes=12)
    assert table.stranger.get("/r/done").status_code == 404
    assert "Nothing to show any more" in table.stranger.text


def test_who_rolled_by_a_link_goes_on_by_the_next_one(deal: Deal) -> None:
    table = deal((3, 1), (6, 5))
    table.act(Side.WHITE, "play", play="8/5 6/5")
    rolled = table.link(Side.BLACK)
    page = follow(table.stranger, rolled, "roll").text
    assert "Go on with your turn" in page
    on = page.split('button-main" href="')[1].split('"')[0]
    assert on.startswith("/r/")
    assert "Go on with your turn" in table.stranger.open(rolled).text
    follow(table.stranger, on, "play", play="24/13")
    assert table.now().match.on_turn is Side.WHITE
    assert "Go on with your turn" not in table.stranger.text
    assert "Go on with your turn" not in table.stranger.open(rolled).text


def test_whose_turn_it_is_again_is_told_so_instead_of_to_close_the_page(deal: Deal) -> None:
    """Without a cube the opponent is rolled for, and may be played for too: the next turn can be there at once."""
    table = deal((3, 1), (6, 5), (2, 1), length=1)
    follow(table.stranger, table.link(Side.WHITE), "play", play="8/5 6/5")
    assert "You can close this page." in table.stranger.text
    table.act(Side.BLACK, "play", play="24/13")
    again = table.stranger.open("/r/done").text
    assert "It is your turn again already." in again
    assert "close this page" not in again


def test_a_link_signs_nobody_in_and_shows_whose_it_is(deal: Deal) -> None:
    table = deal((3, 1))
    link = table.link(Side.WHITE)
    table.bob.open(link)
    assert "This link answers for alice" in table.bob.text
    follow(table.bob, link, "play", play="8/5 6/5")
    table.bob.open("/")
    assert "bob" in table.bob.text
    follow(table.stranger, table.link(Side.BLACK), "roll")
    assert "Sign in" in table.stranger.open("/").text


def test_two_at_once_by_one_link_count_once(deal: Deal) -> None:
    table = deal((3, 1))
    link = table.link(Side.WHITE)
    table.stranger.post(link, {"action": "play", "play": "8/5 6/5"})
    answer = table.bob.post(link, {"action": "play", "play": "24/23 13/10"})
    assert answer.status_code == 200
    assert "It worked: 8/5 6/5" in table.bob.text


def test_an_offer_to_resign_is_accepted_by_link(deal: Deal) -> None:
    table = deal((3, 1))
    table.act(Side.WHITE, "resign", value=1)
    link = table.link(Side.BLACK)
    assert "alice offers to resign a single game" in table.stranger.open(link).text
    follow(table.stranger, link, "accept_resignation")
    assert table.now().match.score == (0, 1)


def test_a_link_that_declines_says_whose_offer_and_lays_no_board_to_play_on(deal: Deal) -> None:
    table = deal((3, 1))
    table.act(Side.BLACK, "resign", value=1)
    page = table.stranger.get(table.link(Side.WHITE, "decline_resignation")).text
    assert "<h1>bob offers to resign</h1>" in page
    assert "Play on" in table.stranger.text
    assert "board-data" not in page
    assert "board-data" in table.stranger.get(table.link(Side.WHITE, "play", play="8/5 6/5")).text


def test_a_page_behind_a_link_knows_the_readers_zone_and_bare_frame(deal: Deal) -> None:
    table = deal((3, 1))
    table.stranger.open(table.link(Side.WHITE))
    assert "Bank starts tomorrow 12:00" in table.stranger.text
    assert "My turn" not in table.stranger.text
    assert "Sign in" not in table.stranger.text


def test_a_link_with_a_prepared_play_offers_it_first_and_the_others_after_it(deal: Deal) -> None:
    table = deal((6, 5))
    link = table.link(Side.WHITE, "play", play="24/13")
    for _ in range(3):
        page = table.stranger.get(link).text
    assert "Play 24/13" in table.stranger.text
    assert page.count("button-main") == 1
    assert table.now().version == table.view.version
    follow(table.stranger, link, "play", play="24/13")
    assert table.now().match.on_turn is Side.BLACK

"""The page of a match for its two people and for those who look on, and the forms that play it without a script."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from flask import Flask

from bgmail import streams
from bgmail.rules.match import Phase
from bgmail.rules.side import Side
from bgmail.service import accounts, departures, invitations, matches
from bgmail.service.terms import Email, Handle, Open, Terms
from tests.web.conftest import Auth, Clock
from tests.web.table import Table

NASTY = """<img src=x onerror=alert(1)> "><svg onload=alert(1)> {{7*7}} javascript:alert(1)"""

Deal = Callable[..., Table]


@pytest.fixture
def deal(app: Flask) -> Deal:
    return lambda *dice, **terms: Table(app, *dice, **terms)


def test_my_roll_is_to_be_played_and_the_opponent_waits(deal: Deal) -> None:
    table = deal((3, 1))
    table.alice.open(table.path)
    assert "Your turn: 3-1 to play 7-point match, game 1, cube in the middle." in table.alice.text
    assert "Bank starts tomorrow 12:00 Lost on time Fri 6 Mar 12:00" in table.alice.text
    table.bob.open(table.path)
    assert "alice has 3-1 to play" in table.bob.text
    assert 'id="board-data"' not in table.bob.page


def test_who_only_looks_sees_the_board_and_neither_chat_nor_buttons(deal: Deal) -> None:
    table = deal((3, 1))
    table.bob.open(table.path)
    table.bob.post(f"{table.path}/chat", {"body": "between you and me"})
    page = table.stranger.open(table.path).text
    assert "alice has 3-1 to play" in table.stranger.text
    assert "between you and me" not in page
    assert "data-send" not in page
    assert "Say something" not in page


def test_the_board_is_seen_from_the_own_side(deal: Deal) -> None:
    table = deal((3, 1))
    table.act(Side.WHITE, "play", play="8/5 6/5")
    table.alice.open(table.path)
    assert "5 point, 2 of yours" in table.alice.page
    table.bob.open(table.path)
    assert "20 point, 2 of alice" in table.bob.page


def test_the_script_is_given_the_contracts_state_and_the_checkers(deal: Deal) -> None:
    table = deal((3, 1))
    page = table.alice.open(table.path).text
    data = json.loads(re.search(r'id="board-data"[^>]*>(.*?)</script>', page, re.DOTALL)[1])  # type: ignore[index]
    assert data["state"]["dice"] == [3, 1]
    assert len(data["state"]["legal"]) == 16
    assert data["points"][6] == 5
    assert data["geometry"]["points"]["13"]["dir"] == 1


def test_a_roll_stands_however_often_it_is_looked_at(deal: Deal) -> None:
    # Dice were once rolled again after every submission.
    table = deal((6, 5))
    version = table.now().version
    assert "is blocked" in table.send(table.alice, "play", play="24/19 13/7")
    for visitor in (table.alice, table.alice, table.alice, table.enter(Side.WHITE)):
        visitor.open(table.path)
        assert "6-5 to play" in visitor.text
    assert table.now().version == version
    rolls = [entry for entry in matches.log(table.world.store, table.view.id) if entry.kind == "opening_roll"]
    assert len(rolls) == 1


def test_a_double_is_shown_with_the_position_after_my_own_play_and_what_passing_costs(deal: Deal) -> None:
    # Who had to answer a double once saw the board from before their own last move.
    table = deal((3, 1))
    table.act(Side.WHITE, "play", play="8/5 6/5")
    table.act(Side.BLACK, "double")
    table.alice.open(table.path)
    assert "5 point, 2 of yours" in table.alice.page
    assert "Take or pass at 2?" in table.alice.text
    assert "bob doubles. Take, and the game counts 2 points; pass, and you lose 1 point." in table.alice.text
    assert "pips 167" in table.alice.text
    assert "pips 163" in table.alice.text
    assert "bob wins this game: 1 point. The score would be 0–1." in table.alice.text


def test_the_list_has_every_legal_play_highest_point_first(deal: Deal) -> None:
    table = deal((3, 1))
    page = table.alice.open(table.path).text
    plays = re.findall(r'type="radio" name="play" value="([^"]+)"', page)
    assert len(plays) == 16
    assert plays[0].startswith("24/")
    assert plays[-1].startswith("6/")
    assert "Or one of the 16 legal plays" in table.alice.text


def test_many_plays_are_listed_under_their_first_move(deal: Deal) -> None:
    table = deal((2, 1))
    table.stage(Side.WHITE, {24: 2, 13: 5, 8: 3, 6: 5}, {1: 2, 12: 5, 17: 3, 19: 5}, (2, 2))
    page = table.alice.open(table.path).text
    assert len(re.findall("<optgroup", page)) > 5
    assert len(re.findall("<option", page)) == len(re.findall(r'"position_id"', page)) - 1
    assert len(page) < 60_000


def test_a_play_by_form_is_made_once_and_the_page_comes_back(deal: Deal) -> None:
    table = deal((3, 1))
    assert "It is bob's turn" in table.send(table.alice, "play", play="8/5 6/5")
    stale = table.send(table.alice, "play", play="8/5 6/5", version=table.view.version)
    assert "has moved on" in stale
    entry = next(one for one in matches.log(table.world.store, table.view.id) if one.kind == "play")
    assert (entry.via, entry.data["play"], entry.data["server_nonce"]) == ("page", "8/5 6/5", True)


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"action": "play", "play": ""}, "Write a play first"),
        ({"action": "play", "play": "8/5 6/5 \x00"}, "can't be read"),
        ({"action": "play", "play": "8/2"}, "No die of 3-1 fits that."),
        ({"action": "play", "play": "x" * 5000}, "too long"),
        ({"action": "fly"}, "There is no action called fly."),
        ({"action": "take", "sure": "yes"}, "can't be done"),
        ({"action": "resign", "sure": "yes", "value": "7"}, "That offer isn't possible here."),
        ({"action": "play", "play": "8/5 6/5", "version": "99999999999999"}, "has moved on"),
        ({"action": "play", "play": "8/5 6/5", "version": "one"}, "has moved on"),
        ({"action": "play", "play": "8/5 6/5", "nonce": "ABC"}, "A nonce is 32 lower-case hex digits."),
    ],
)
def test_bad_input_gets_a_sentence_and_changes_nothing(
    deal: Deal, fields: dict[str, str], sentence: str
) -> None:
    table = deal((3, 1))
    before = table.entries()
    fields = dict(fields)
    assert sentence in table.send(table.alice, fields.pop("action"), **fields)
    assert table.entries() == before


def test_others_may_not_act_and_strangers_are_sent_to_sign_in(deal: Deal, app: Flask, auth: Auth) -> None:
    table = deal((3, 1))
    before = table.entries()
    table.stranger.open(table.path)
    table.stranger.open("/sign-in")
    answer = table.stranger.post(f"{table.path}/act", {"action": "play", "play": "8/5 6/5"})
    assert (answer.status_code, "/sign-in" in answer.headers["Location"]) == (303, True)
    auth.person("dana", "correct horse")
    auth.sign_in("dana", visitor=table.stranger)
    table.stranger.open(f"{table.path}/log")
    table.stranger.open("/")
    answer = table.stranger.post(f"{table.path}/act", {"action": "play", "play": "8/5 6/5"})
    assert answer.status_code == 403
    assert table.stranger.post(f"{table.path}/chat", {"body": "hello"}).status_code == 403
    assert table.entries() == before


def test_what_cant_be_taken_back_is_asked_on_a_page_of_its_own(deal: Deal) -> None:
    table = deal((3, 1))
    table.act(Side.WHITE, "play", play="8/5 6/5")
    table.act(Side.BLACK, "double")
    asked = table.send(table.alice, "pass")
    assert "Please say that you are sure." in asked
    assert "Pass and lose 1 point?" in asked
    assert table.now().match.phase is Phase.TAKE_OR_PASS
    table.send(table.alice, "pass", sure="yes")
    assert table.now().match.score == (0, 1)


def test_a_question_that_doesnt_arise_leads_back_to_the_match(deal: Deal) -> None:
    table = deal((3, 1))
    table.alice.open(f"{table.path}/confirm/take")
    assert "That isn't possible now" in table.alice.text
    assert table.alice.get(f"{table.path}/confirm/nonsense").status_code == 303


def test_a_resignation_offered_off_turn_is_shown_beside_the_roll(deal: Deal) -> None:
    table = deal((3, 1))
    table.act(Side.BLACK, "resign", value=2)
    table.alice.open(table.path)
    assert "bob offers to resign. You win a gammon: 2 points. The score would be 2–0." in table.alice.text
    assert "3-1 to play" in table.alice.text
    table.bob.open(table.path)
    assert "You offered to resign. The clock runs for the answer." in table.bob.text
    table.send(table.alice, "accept_resignation", sure="yes")
    assert table.now().match.score == (2, 0)


def test_a_finished_match_shows_how_it_ended_and_offers_a_rematch(deal: Deal) -> None:
    table = deal((3, 1))
    table.send(table.bob, "resign_match", sure="yes")
    table.alice.open(table.path)
    assert "bob resigned the match. You won the match, 0–0." in table.alice.text
    assert "The score stays as played; the 7 missing points are awarded." in table.alice.text
    table.alice.post(f"{table.path}/rematch", follow_redirects=True)
    assert "Waiting for bob to accept" in table.alice.text


def test_an_invitation_is_answered_by_who_was_invited(deal: Deal) -> None:
    table = deal((3, 1))
    world = table.world
    assert table.view.white
    new = invitations.invite(
        world.store, table.view.white.id, Terms(9), Handle("bob"), NASTY, world.now(), world.chance
    )
    page = table.bob.open(f"/match/{new.id}")
    assert "alice invites you to a match" in table.bob.text
    assert NASTY in table.bob.text
    assert "<img src=x" not in page.text
    assert "Accept" in table.bob.text
    assert table.stranger.get(f"/match/{new.id}").status_code == 404
    assert table.stranger.get(f"/match/{new.id}/news").status_code == 404
    table.alice.open(f"/match/{new.id}")
    assert "Take it back" in table.alice.text


@pytest.mark.parametrize("answer", ["accept", "decline", "cancel", "counter", "rematch"])
def test_who_may_not_know_of_an_invitation_is_not_even_told_that_it_is_anothers(
    deal: Deal, answer: str
) -> None:
    table = deal((3, 1))
    world = table.world
    assert table.view.white
    to = Email("dana@x.example")
    new = invitations.invite(world.store, table.view.white.id, Terms(9), to, "", world.now(), world.chance)
    table.bob.open("/lobby")
    place = "/match" if answer == "rematch" else "/invitations"
    assert table.bob.post(f"{place}/{new.id}/{answer}").status_code == 404


def test_a_rematch_pressed_twice_is_one_offer(deal: Deal) -> None:
    table = deal((3, 1))
    table.send(table.bob, "resign_match", sure="yes")
    table.alice.open(table.path)
    first, second = (table.alice.post(f"{table.path}/rematch") for _ in range(2))
    assert first.headers["Location"] == second.headers["Location"]


def test_an_open_challenge_and_its_message_may_be_seen_by_all_as_in_the_lobby(deal: Deal) -> None:
    table = deal((3, 1))
    world = table.world
    assert table.view.white
    new = invitations.invite(
        world.store, table.view.white.id, Terms(5), Open(), "for whoever comes", world.now(), world.chance
    )
    page = table.stranger.open(f"/match/{new.id}").text
    assert "Sign in to accept" in page
    assert "for whoever comes" in page
    assert "for whoever comes" in table.stranger.open("/lobby").text


def test_chat_is_shown_as_written_to_both(deal: Deal) -> None:
    table = deal((3, 1))
    table.alice.open(table.path)
    table.alice.post(f"{table.path}/chat", {"body": NASTY}, follow_redirects=True)
    page = table.bob.open(table.path).text
    assert NASTY in table.bob.text
    assert "<img src=x" not in page
    assert "<svg onload" not in page
    table.alice.post(f"{table.path}/chat", {"body": "   "}, follow_redirects=True)
    table.alice.post(f"{table.path}/chat", {"body": "x" * 1001}, follow_redirects=True)
    assert len(matches.chat(table.world.store, table.view, table.view.white.id)) == 1  # type: ignore[union-attr]


def test_nothing_new_is_an_empty_answer_with_the_servers_time(deal: Deal, clock: Clock) -> None:
    table = deal((3, 1))
    page = table.bob.open(table.path).text
    mark = re.search(r'data-mark="([^"]+)"', page)
    assert mark
    clock.move(minutes=3)
    quiet = table.bob.get(f"{table.path}?seen={mark[1]}")
    assert (quiet.status_code, quiet.headers["X-Now"]) == (204, str(int(clock.instant.timestamp() * 1000)))
    table.act(Side.WHITE, "play", play="8/5 6/5")
    assert "Your turn" in table.bob.get(f"{table.path}?seen={mark[1]}").text


def test_clocks_run_into_the_bank_and_turn_amber_at_the_end(deal: Deal, clock: Clock) -> None:
    table = deal((3, 1))
    clock.move(hours=25)
    page = table.alice.open(table.path).text
    assert "bank 2 d 23 h" in table.alice.text
    assert "Bank started today 12:00" in table.alice.text
    assert "clock on low" not in page
    clock.move(hours=66)
    page = table.alice.open(table.path).text
    assert "clock on low" in page


def test_an_untimed_match_has_no_clock(deal: Deal) -> None:
    table = deal((3, 1), time="untimed", rated=False)
    page = table.alice.open(table.path).text
    assert 'class="clock' not in page
    assert "Lost on time" not in page


def test_looking_changes_nothing(deal: Deal) -> None:
    table = deal((3, 1))
    before = table.entries()
    for path in ("", "/log", "/log/4", "/dice", "/export.mat", "/export.json", "/confirm/resign"):
        assert table.alice.get(f"{table.path}{path}").status_code == 200
        assert table.alice.client.head(f"{table.path}{path}").status_code == 200
    assert table.entries() == before


@pytest.mark.parametrize(
    "path", ["/match/zzzzzzzzzzzz", "/match/zzzzzzzzzzzz/log", "/match/%00/dice", "/match/../x"]
)
def test_a_match_that_isnt_there_is_nowhere(deal: Deal, path: str) -> None:
    assert deal((3, 1)).alice.get(path).status_code == 404


def test_an_open_page_is_told_of_what_it_has_not_seen(deal: Deal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "LIFETIME", 0.1)
    monkeypatch.setattr(streams, "POLL", 0.0)
    table = deal((3, 1))
    table.bob.open(table.path)
    head = table.now().head
    table.bob.post(f"{table.path}/chat", {"body": "between you and me"})
    told = table.alice.client.get(f"{table.path}/news?seen={head}-0", multithread=True).text
    assert f"id: {head}-1\nevent: message\ndata: {head}-1\n\n" in told
    assert told.count("data:") == 1
    assert "data:" not in table.alice.client.get(f"{table.path}/news?seen={head}-1", multithread=True).text
    again = table.alice.client.get(
        f"{table.path}/news?seen={head}-0", multithread=True, headers={"Last-Event-ID": f"{head}-1"}
    )
    assert "data:" not in again.text


def test_a_watcher_is_told_of_plays_and_not_of_chat(deal: Deal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "LIFETIME", 0.1)
    monkeypatch.setattr(streams, "POLL", 0.0)
    table = deal((3, 1))
    table.bob.open(table.path)
    table.bob.post(f"{table.path}/chat", {"body": "between you and me"})
    seen = f"{table.now().head}-0"
    assert "data:" not in table.stranger.client.get(f"{table.path}/news?seen={seen}", multithread=True).text
    table.act(Side.WHITE, "play", play="8/5 6/5")
    told = table.stranger.client.get(f"{table.path}/news?seen={seen}", multithread=True).text
    assert f"data: {table.now().head}-0" in told


def test_time_is_over_to_the_second_while_somebody_watches(
    deal: Deal, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No scheduler is there: the stream of a stranger looks at the deadline by itself, through the same door."""
    table = deal((3, 1), time={"per_turn": 10, "per_answer": 10, "bank": 2, "increment": 0, "cap": None})
    end, head = table.now().deadline_at, table.now().head
    assert end is not None
    clock.move(seconds=0.3)

    def pause(_: streams.Streams, seconds: float) -> bool:
        clock.move(seconds=seconds)
        return table.now().match.phase is not Phase.OVER

    monkeypatch.setattr(streams.Streams, "pause", pause)
    told = table.stranger.client.get(f"{table.path}/news?seen={head}-0", multithread=True).text
    over = table.now()
    assert over.match.phase is Phase.OVER
    assert over.moved_at == end
    assert f"data: {over.head}-0" in told
    log = matches.log(table.world.store, over.id)
    assert [entry.via for entry in log if entry.kind == "timeout"] == ["clock"]


def test_a_server_with_one_thread_tells_what_is_new_and_has_it_back_at_once(deal: Deal) -> None:
    table = deal((3, 1))
    told = table.stranger.client.get(f"{table.path}/news?seen=0-0", multithread=False).text
    assert f"data: {table.now().head}-0" in told


def test_what_a_closed_account_said_is_signed_so_in_the_readers_language(deal: Deal) -> None:
    table = deal((3, 1))
    table.bob.open(table.path)
    table.bob.post(f"{table.path}/chat", {"body": "so long"})
    bob, here = table.view.black, table.world
    assert bob
    departures.close(here.store, bob.id, here.now(), here.chance)
    table.alice.open(table.path)
    assert "so long closed account" in table.alice.text
    assert table.view.white
    accounts.set_language(here.store, table.view.white.id, "de")
    table.alice.open(table.path)
    assert "so long geschlossenes Konto" in table.alice.text

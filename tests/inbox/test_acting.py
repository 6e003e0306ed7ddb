"""What becomes of an answer by mail: it plays, or its writer is asked, or told, or nothing at all."""

from __future__ import annotations

import re

import pytest

from bgmail.dice import FairChance
from bgmail.rules.match import Phase
from bgmail.rules.side import Side
from bgmail.service import matches
from tests.inbox.replies import Desk, address_of, another, text_of
from tests.service.matchmaking import act, begin, position, stage

pytestmark = pytest.mark.smtp
CHANCE = FairChance()


def test_a_play_is_made_at_once_and_the_rest_goes_into_the_chat(both: Desk) -> None:
    view, _ = begin(both.store, both.clock.now, (3, 1))
    letter = both.letter("alice")
    assert both.reply(letter, "8/5 6/5\n\nGood luck, Bob!\nMay the best one win.") == ["acted"]
    after = both.view(view)
    assert after.match.on_turn is Side.BLACK
    play = next(entry for entry in matches.log(both.store, view.id) if entry.kind == "play")
    assert (play.data["play"], play.via, play.seat) == ("8/5 6/5", "mail", "white")
    assert "server_nonce" not in play.data
    assert both.chat(after) == [("alice", "Good luck, Bob!\nMay the best one win.")]
    assert len(both.mails("alice@play.example")) == 1


def test_the_address_fits_and_names_no_one(desk: Desk) -> None:
    begin(desk.store, desk.clock.now, (3, 1))
    letter = desk.letter("alice")
    local, _, domain = address_of(letter).partition("@")
    assert domain == "answers.club.example"
    assert re.fullmatch(r"play\+[a-z2-7]{58}", local)
    assert "Or answer this letter: write your play into the first line" in text_of(letter)
    assert "Or answer this letter" in letter.html()


def test_without_a_relay_to_believe_every_mail_is_asked_about(wary: Desk) -> None:
    view, _ = begin(wary.store, wary.clock.now, (3, 1))
    letter = wary.letter("alice")
    assert wary.reply(letter, "8/5 6/5\n\nHello") == ["asked"]
    assert wary.view(view).head == view.head
    asked = wary.letter("alice", 0)
    assert "We received “8/5 6/5” in your name" in text_of(asked)
    link = re.search(r"Play 8/5 6/5:\nhttps://club\.example(/r/[\w.-]+)", text_of(asked))
    assert link is not None
    client = wary.app.test_client()
    page = client.get(link[1], base_url="https://club.example")
    assert 'value="8/5 6/5"' in page.text
    done = client.post(
        link[1], data={"action": "play", "play": "8/5 6/5"}, base_url="https://club.example",
        headers={"Referer": "https://club.example"},
    )  # fmt: skip
    assert done.status_code == 303
    assert wary.view(view).match.on_turn is Side.BLACK
    assert wary.chat(wary.view(view)) == []


@pytest.mark.parametrize("verdict", [None, "fail", "none"])
def test_a_sender_that_nobody_vouches_for_is_asked(desk: Desk, verdict: str | None) -> None:
    view, _ = begin(desk.store, desk.clock.now, (3, 1))
    assert desk.reply(desk.letter("alice"), "8/5 6/5", verdict=verdict) == ["asked"]
    assert desk.view(view).head == view.head


def test_another_address_is_asked_at_the_registered_one(desk: Desk) -> None:
    view, _ = begin(desk.store, desk.clock.now, (3, 1))
    letter = desk.letter("alice")
    assert desk.reply(letter, "8/5 6/5", sender="a.alias@y.example") == ["asked"]
    assert desk.view(view).head == view.head
    asked = desk.letter("alice", 0)
    assert "We received “8/5 6/5” from a.alias@y.example" in text_of(asked)
    assert desk.mails("a.alias@y.example") == []


def test_the_answer_of_one_acts_never_for_the_other(desk: Desk) -> None:
    """Bob learns Alice's address to answer to, and our relay vouches for him."""
    view, _ = begin(desk.store, desk.clock.now, (3, 1))
    letter = desk.letter("alice")
    assert desk.reply(letter, "8/5 6/5", sender="bob@play.example") == ["asked"]
    assert desk.view(view).head == view.head
    assert desk.letter("alice", 0).recipients == "alice@play.example"
    assert desk.mails("bob@play.example") == []


def test_every_letter_has_one_recipient_and_an_address_of_its_own(desk: Desk) -> None:
    view, _ = begin(desk.store, desk.clock.now, (3, 1))
    mine = desk.letter("alice")
    desk.reply(mine, "8/5 6/5")
    stage(desk.store, desk.view(view), Side.BLACK, position({24: 1, 1: 2}, {24: 2}))
    theirs = desk.letter("bob")
    assert address_of(mine) != address_of(theirs)
    for mail in desk.mails():
        assert "," not in mail.recipients
        assert "Cc" not in mail.message
        other = "bob@" if mail.recipients.startswith("alice") else "alice@"
        assert other not in mail.raw.decode()


def test_a_relay_may_give_the_answer_another_id(desk: Desk) -> None:
    """Only the token tells what is answered: no reference and no id of the letter."""
    view, _ = begin(desk.store, desk.clock.now, (3, 1))
    letter = desk.letter("alice")
    raw = desk.answer(letter, "8/5 6/5", message_id="<rewritten+=%40@relay.example>", References="<other@x>")
    desk.receive(raw, address_of(letter))
    assert desk.handle() == ["acted"]
    assert desk.view(view).match.on_turn is Side.BLACK


@pytest.mark.parametrize(
    "subject", ["AW: Du bist dran", "Sv: x", "", "RE: 3-1 to play, match with bob #{other}"]
)
def test_the_subject_never_chooses_a_match(desk: Desk, subject: str) -> None:
    view, _ = begin(desk.store, desk.clock.now, (3, 1))
    letter = desk.letter("alice")
    other = another(desk, (3, 1))
    assert desk.reply(letter, "8/5 6/5", subject=subject.format(other=other.id)) == ["acted"]
    assert desk.view(view).match.on_turn is Side.BLACK
    assert desk.view(other).head == other.head


def test_names_and_words_outside_ascii_arrive(desk: Desk) -> None:
    view, _ = begin(desk.store, desk.clock.now, (6, 5))
    letter = desk.letter("alice")
    raw = desk.answer(letter, "24–13\n\nSchöner Zug → ♟", sender="Søren Ångström ♟ <alice@play.example>")
    desk.receive(raw, address_of(letter))
    assert desk.handle() == ["acted"]
    assert desk.chat(desk.view(view)) == [("alice", "Schöner Zug → ♟")]


def test_what_was_said_can_put_no_header_into_a_letter(desk: Desk) -> None:
    begin(desk.store, desk.clock.now, (3, 1))
    letter = desk.letter("alice")
    raw = desk.answer(letter, "13/7\r\rBcc: victim@example.org 8/7\u2028Bcc: victim@example.org")
    desk.receive(raw, address_of(letter))
    assert desk.handle()[0].startswith("helped")
    answered = desk.letter("alice", 0)
    assert "Bcc" not in answered.message
    assert answered.recipients == "alice@play.example"


def test_two_ways_with_two_results_are_asked_about(desk: Desk) -> None:
    view, _ = begin(desk.store, desk.clock.now, (6, 2))
    seen = position({13: 3, 24: 2, 6: 5, 8: 5}, {7: 1, 24: 2, 19: 5, 17: 3, 12: 4})
    view = stage(desk.store, view, Side.WHITE, seen, (6, 2))
    assert desk.reply(desk.letter("alice"), "13/5") == ["helped (play)"]
    assert desk.view(view).head == view.head
    text = text_of(desk.letter("alice", 0))
    assert "That can mean two things" in text
    assert "Play 13/7*/5:\nhttps://" in text
    assert "Play 13/11/5:\nhttps://" in text
    assert "You may play:\n" in text


def test_two_ways_with_one_result_are_no_doubt(desk: Desk) -> None:
    view, _ = begin(desk.store, desk.clock.now, (6, 2))
    assert desk.reply(desk.letter("alice"), "24/16") == ["acted"]
    assert desk.view(view).match.on_turn is Side.BLACK


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Nice game!", "Its first line is no play and no other command."),
        ("", "It holds no words of your own."),
        ("Hello,\n\n8/5 6/5", "The command has to be the first thing you write."),
        ("8/5 6/5\nwhat a roll", "There are more words beside the command"),
        ("13/8", "No die of 3-1 fits that."),
        ("8/5", "You can use both dice, so you must."),
        ("61: 13/7 8/7", "“61: 13/7 8/7” names other dice than yours: you have 3-1."),
        ("roll", "“roll” isn’t possible now."),
        ("take", "“take” isn’t possible now."),
        ("8/5\n6/5", "One command is enough"),
        ("resign match", "Resigning the whole match can’t be taken back"),
    ],
)
def test_a_mail_in_doubt_is_answered_and_nothing_is_done(desk: Desk, text: str, reason: str) -> None:
    view, _ = begin(desk.store, desk.clock.now, (3, 1))
    letter = desk.letter("alice")
    (outcome,) = desk.reply(letter, text)
    assert outcome.startswith("helped")
    assert desk.view(view).head == view.head
    answered = desk.letter("alice", 0)
    assert "Your mail was not carried out." in text_of(answered)
    assert reason in " ".join(text_of(answered).split())
    assert "  8/5 6/5\n" in text_of(answered)
    assert "pips 167" in text_of(answered)
    assert answered.message["References"] == letter.message["References"]
    assert answered.message["Auto-Submitted"] == "auto-generated"
    assert address_of(answered) == address_of(letter)


def test_what_a_doubtful_mail_may_have_meant_is_one_click_away(desk: Desk) -> None:
    begin(desk.store, desk.clock.now, (3, 1))
    desk.reply(desk.letter("alice"), "Hello,\n\n8/5 6/5")
    assert "Play 8/5 6/5:\nhttps://club.example/r/" in text_of(desk.letter("alice", 0))


def test_a_roll_by_mail_is_answered_with_the_dice(desk: Desk) -> None:
    view, _ = begin(desk.store, desk.clock.now, (3, 1))
    view = stage(desk.store, view, Side.WHITE, view.match.position)
    assert desk.reply(desk.letter("alice"), "roll\n13/7 8/7") == ["acted"]
    after = desk.view(view)
    assert (after.match.phase, after.match.on_turn) == (Phase.PLAY, Side.WHITE)
    text = text_of(desk.letter("alice", 0))
    assert "Done: “roll”." in text
    assert "Not done, since the position is another one now: “13/7 8/7”." in text
    assert "Your dice: " in text


def test_a_double_is_taken_in_german_and_passed_in_russian(desk: Desk) -> None:
    view, chance = begin(desk.store, desk.clock.now, (3, 1))
    view = stage(desk.store, view, Side.WHITE, view.match.position)
    assert desk.reply(desk.letter("alice"), "Verdoppeln!") == ["acted"]
    assert desk.reply(desk.letter("bob"), "Ich nehme an.") == ["acted"]
    view = desk.view(view)
    assert (view.match.cube.value, view.match.cube.owner) == (2, Side.BLACK)
    view = stage(desk.store, view, Side.BLACK, view.match.position)
    act(desk.store, view, Side.BLACK, "double", desk.clock.now, chance)
    assert desk.reply(desk.letter("alice"), "Пас") == ["acted"]
    assert desk.view(view).match.score == (0, 2)


def test_a_resignation_is_offered_declined_and_the_same_mail_rolls(desk: Desk) -> None:
    view, _ = begin(desk.store, desk.clock.now, (3, 1))
    view = stage(desk.store, view, Side.BLACK, view.match.position)
    act(desk.store, view, Side.WHITE, "resign", desk.clock.now, CHANCE, value=1)
    assert desk.reply(desk.letter("bob"), "decline\nroll") == ["acted"]
    view = desk.view(view)
    assert view.match.offer is None
    kinds = [entry.kind for entry in matches.log(desk.store, view.id, view.head - 2)]
    assert kinds == ["decline_resignation", "roll"]


def test_a_mail_that_resigns_too_little_is_answered_with_what_makes_a_difference(desk: Desk) -> None:
    """In a match to one point a backgammon is no other loss than the gammon that is certain."""
    view, _ = begin(desk.store, desk.clock.now, (3, 1), length=1)
    stage(desk.store, view, Side.WHITE, position({13: 15}, {24: 1}))
    (outcome,) = desk.reply(desk.letter("alice"), "resign")
    assert outcome.startswith("helped")
    said = " ".join(text_of(desk.letter("alice", 0)).split())
    assert "You may resign: a gammon." in said
    assert "backgammon" not in said


def test_a_resignation_without_a_word_more_is_a_single_game(desk: Desk) -> None:
    view, _ = begin(desk.store, desk.clock.now, (3, 1))
    assert desk.reply(desk.letter("alice"), "resign") == ["acted"]
    offer = desk.view(view).match.offer
    assert offer is not None
    assert offer.value == 1

"""From board to board: an action leads to the next match that waits, Skip goes past one, by forms alone."""

from __future__ import annotations

import re
from html import unescape

from flask import Flask

from bgmail.rules.match import Phase
from bgmail.rules.side import Side
from bgmail.service import turns
from bgmail.service.views import MatchView
from tests.web.conftest import Clock, Visitor
from tests.web.table import Table
from tests.web.test_queue import another, listed, play


def three(app: Flask, clock: Clock) -> tuple[Table, list[MatchView]]:
    """Three matches in which Alice has the first play; the oldest has the nearest deadline."""
    table = Table(app, (3, 1))
    views = [table.view]
    for dice in ((5, 2), (6, 4)):
        clock.move(minutes=10)
        views.append(another(table, dice))
    return table, views


def send(visitor: Visitor, **fields: str) -> str:
    """Sends the first form of an action on the page, as a browser without a script does; where that led."""
    action, form = re.findall(
        r'<form[^>]* action="(/match/[^"]+/act[^"]*)"[^>]*>(.*?)</form>', visitor.page, re.DOTALL
    )[0]
    hidden = dict(re.findall(r'type="hidden" name="([^"]+)" value="([^"]*)"', form))
    answer = visitor.post(unescape(action), {**hidden, **fields}, follow_redirects=True)
    return answer.request.path


def skip(visitor: Visitor) -> str:
    """Follows Skip; where that led."""
    address = re.findall(r'<a class="button" href="([^"]+)" data-skip>', visitor.page)[0]
    return visitor.open(unescape(address)).request.path


def at(view: MatchView) -> str:
    return f"/match/{view.id}"


def test_a_form_leads_to_the_next_match_and_says_what_was_sent(app: Flask, clock: Clock) -> None:
    table, (first, second, third) = three(app, clock)
    table.alice.open(at(first))
    assert "Submit and next" in table.alice.text
    assert "Then on to the match with bob." in table.alice.text
    assert send(table.alice, play="8/5 6/5") == at(second)
    assert "Sent to bob." in table.alice.text
    assert send(table.alice, play="13/8 13/11") == at(third)
    assert "This is the last one that waits for you." in table.alice.text
    assert "Submit and next" not in table.alice.text
    assert send(table.alice, play="24/14") == "/"
    assert "Nothing waits for you That was all." in table.alice.text
    for view in (first, second, third):
        assert turns.load(table.world.store, view.id).match.on_turn is Side.BLACK


def test_from_the_middle_it_goes_round_to_the_first(app: Flask, clock: Clock) -> None:
    table, (first, second, third) = three(app, clock)
    table.alice.open(at(second))
    assert send(table.alice, play="13/8 13/11") == at(third)
    assert send(table.alice, play="24/14") == at(first)


def test_the_order_of_the_queue_is_kept_from_board_to_board(app: Flask, clock: Clock) -> None:
    table, (first, second, third) = three(app, clock)
    table.alice.open("/?order=reply")
    assert listed(table.alice) == [third.id, second.id, first.id]
    assert f'href="{at(third)}?order=reply"' in table.alice.page
    table.alice.open(f"{at(third)}?order=reply")
    assert send(table.alice, play="24/14") == at(second)
    assert send(table.alice, play="13/8 13/11") == at(first)
    assert send(table.alice, play="8/5 6/5") == "/"
    assert "That was all." in table.alice.text


def test_skip_acts_on_nothing_and_ends_at_the_queue(app: Flask, clock: Clock) -> None:
    table, (first, second, third) = three(app, clock)
    table.alice.open(at(second))
    assert skip(table.alice) == at(third)
    assert skip(table.alice) == at(first)
    assert skip(table.alice) == "/"
    assert "Three matches wait for you That was all." in table.alice.text
    for view in (first, second, third):
        assert turns.load(table.world.store, view.id).version == view.version


def test_what_was_skipped_does_not_come_again_on_the_same_way(app: Flask, clock: Clock) -> None:
    table, (first, second, third) = three(app, clock)
    table.alice.open(at(first))
    assert skip(table.alice) == at(second)
    assert send(table.alice, play="13/8 13/11") == at(third)
    assert send(table.alice, play="24/14") == "/"
    assert listed(table.alice)[0] == first.id


def test_a_match_answered_elsewhere_meanwhile_is_passed_over(app: Flask, clock: Clock) -> None:
    table, (first, second, third) = three(app, clock)
    table.alice.open(at(first))
    play(table, second, Side.WHITE, "play", play="13/8 13/11")
    assert send(table.alice, play="8/5 6/5") == at(third)


def test_a_match_alone_keeps_its_reader_and_offers_no_skip(app: Flask) -> None:
    table = Table(app, (3, 1))
    table.alice.open(at(table.view))
    assert "data-skip" not in table.alice.page
    assert send(table.alice, play="8/5 6/5") == at(table.view)
    assert "It is bob's turn" in table.alice.text


def test_a_refused_play_leads_nowhere(app: Flask, clock: Clock) -> None:
    table, (first, _, _) = three(app, clock)
    table.alice.open(f"{at(first)}?order=bank&walk=")
    assert send(table.alice, play="24/19") == at(first)
    assert turns.load(table.world.store, first.id).version == first.version
    assert "order=bank&amp;walk=" in table.alice.page, "the way through the queue goes on from here"


def test_a_roll_stays_where_it_was_rolled(app: Flask, clock: Clock) -> None:
    table, (first, second, _) = three(app, clock)
    table.act(Side.WHITE, "play", play="8/5 6/5")
    clock.move(minutes=10)  # or its new deadline is that of the third match
    play(table, first, Side.BLACK, "roll", (6, 5))
    play(table, first, Side.BLACK, "play", play="24/13")
    assert turns.load(table.world.store, first.id).match.phase is Phase.ROLL_OR_DOUBLE
    table.alice.open(at(first))
    assert send(table.alice) == at(first)
    assert "Submit and next" in table.alice.text
    assert f"to={second.id}" in table.alice.page


def test_a_roll_that_lets_nothing_be_played_is_shown_before_the_next_match(app: Flask) -> None:
    """Whoever danced was on the next board at once, told "Sent to bob.", and never saw the dice."""
    table = Table(app, (3, 1), (5, 4))
    another(table, (5, 2))
    table.stage(Side.WHITE, {25: 1, 6: 3}, {20: 2, 21: 2, 22: 2, 23: 2, 24: 2})
    table.alice.open(table.path)
    assert send(table.alice) == table.path
    assert "5-4 no legal play, passed" in table.alice.text
    assert "Next match that waits for you" in table.alice.text


def test_the_question_before_a_take_leads_on_too(app: Flask, clock: Clock) -> None:
    table, (first, second, _) = three(app, clock)
    table.act(Side.WHITE, "play", play="8/5 6/5")
    clock.move(minutes=10)
    play(table, first, Side.BLACK, "double")
    table.alice.open(f"{at(first)}?order=bank")
    question = re.findall(r'href="(/match/[^"]+/confirm/take[^"]*)"', table.alice.page)[0]
    table.alice.open(unescape(question))
    assert send(table.alice, sure="yes") == at(second)


def test_chat_keeps_the_way_and_an_invitation_is_no_stop_on_it(app: Flask, clock: Clock) -> None:
    table, (first, _, _) = three(app, clock)
    table.alice.open(f"{at(first)}?order=reply&walk=")
    chat = re.findall(r'action="(/match/[^"]+/chat[^"]*)"', table.alice.page)[0]
    answer = table.alice.post(unescape(chat), {"body": "Well played"}, follow_redirects=True)
    assert answer.request.path == at(first)
    assert answer.request.args.to_dict() == {"order": "reply", "walk": ""}
    assert "Well played" in table.alice.text
    assert "Submit and next" in table.alice.text


def test_nonsense_in_the_address_leads_somewhere_safe(app: Flask, clock: Clock) -> None:
    table, (first, _, _) = three(app, clock)
    for query in ("to=//evil.example", "to=%00", "order=x&walk=a.b..%00&after=%ff", "walk=" + "x" * 3000):
        assert table.alice.open(f"/next?{query}").request.path == at(first)
    assert table.stranger.get("/next").location.startswith("/sign-in?next=")

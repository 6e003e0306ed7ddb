"""The forms of an event: what Discord and Slack are sent keeps to their limits, and calls nobody."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from bgmail.notify.hooks.event import Event, envelope
from bgmail.notify.hooks.flavours import body
from bgmail.rules.side import Side
from bgmail.service import accounts, turns
from bgmail.service.deadlines import sweep_some
from bgmail.service.webhooks import Flavour
from tests.notify.conftest import Post
from tests.notify.hooks.conftest import Hooks, told
from tests.notify.hooks.receivers import OK, answers, receiver
from tests.service.matchmaking import act, begin

NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)
EVENT = Event(
    type="match.turn",
    at=NOON,
    link="https://club.example/match/abc",
    headline="_alice_ has 5-2 to play",
    data={"match_id": "abc"},
    name="_alice_ – bob, 7-point match",
    facts=("7-point match, game 1, cube in the middle.", "_alice_ 0, bob 0"),
    board="+--13--14--+\n|   O    X |",
    deadline=datetime(2026, 12, 5, 12, tzinfo=UTC),
)
NASTY = "@everyone <!channel> <@123> & **x** [y](https://z) ```"


@pytest.fixture(autouse=True)
def spoken(post: Post) -> Any:
    with post.app.app_context():
        yield


def form(event: Event, flavour: Flavour, language: str = "en") -> Any:
    return json.loads(body(event, flavour, language))


def test_the_plain_form_is_type_time_and_data() -> None:
    assert form(EVENT, Flavour.STANDARD) == {
        "type": "match.turn",
        "timestamp": "2026-12-01T12:00:00Z",
        "data": {"match_id": "abc"},
    }
    assert envelope(EVENT)["data"] == EVENT.data


def test_discord_is_sent_a_message_with_the_board_and_a_deadline_in_each_readers_zone() -> None:
    message = form(EVENT, Flavour.DISCORD)
    (embed,) = message["embeds"]
    assert message["content"] == r"\_alice\_ has 5-2 to play"
    assert embed["url"] == EVENT.link
    assert "```\n+--13--14--+\n|   O    X |\n```" in embed["description"]
    assert embed["fields"] == [{"name": "Until", "value": "<t:1796472000:f> (<t:1796472000:R>)"}]


def test_slack_is_sent_blocks_with_the_board_and_a_deadline_in_each_readers_zone() -> None:
    message = form(EVENT, Flavour.SLACK)
    header, facts, board = message["blocks"]
    assert message["text"] == "_alice_ has 5-2 to play"
    assert header["text"] == {"type": "plain_text", "text": "_alice_ has 5-2 to play", "emoji": False}
    assert facts["text"]["text"].startswith("<https://club.example/match/abc|_alice_ – bob, 7-point match>\n")
    assert "<!date^1796472000^{date_short_pretty} {time}|2026-12-05 12:00 UTC>" in facts["text"]["text"]
    assert board["text"]["text"] == "```\n+--13--14--+\n|   O    X |\n```"


def test_no_name_calls_anybody_in_discord() -> None:
    nasty = replace(EVENT, headline=NASTY, name=NASTY, facts=(NASTY,), board=NASTY)
    message = form(nasty, Flavour.DISCORD)
    assert message["allowed_mentions"] == {"parse": []}
    assert message["content"].startswith(r"\@everyone \<!channel\> \<\@123\>")
    assert r"\[y\](https://z)" in message["content"]
    assert message["embeds"][0]["description"].count("```") == 2


def test_no_name_calls_anybody_in_slack() -> None:
    nasty = replace(EVENT, headline=NASTY, name=NASTY, facts=(NASTY,), board=NASTY)
    written = json.dumps(form(nasty, Flavour.SLACK)["blocks"][1:])
    assert "<!channel>" not in written
    assert "<@123>" not in written
    assert "&lt;!channel&gt; &lt;@123&gt; &amp;" in written


def test_the_longest_texts_keep_to_what_discord_and_slack_take() -> None:
    board = "\n".join(["+" * 72] * 17)
    long = replace(EVENT, headline="h" * 5000, name="n" * 5000, facts=("f" * 5000,), board=board)
    message = form(long, Flavour.DISCORD)
    (embed,) = message["embeds"]
    assert len(message["content"]) <= 2000
    assert len(embed["title"]) <= 256
    assert len(embed["description"]) <= 4096
    assert len(embed["title"]) + len(embed["description"]) <= 6000
    assert embed["description"].endswith("\n```")
    blocks = form(long, Flavour.SLACK)["blocks"]
    assert len(blocks[0]["text"]["text"]) <= 150
    assert all(len(block["text"]["text"]) <= 3000 for block in blocks)
    assert blocks[2]["text"]["text"].endswith("\n```")


def test_without_deadline_and_board_nothing_is_said_of_them() -> None:
    over = replace(EVENT, deadline=None, board="")
    assert form(over, Flavour.DISCORD)["embeds"][0]["fields"] == []
    assert len(form(over, Flavour.SLACK)["blocks"]) == 2


def test_the_words_are_the_owners() -> None:
    assert form(EVENT, Flavour.DISCORD, "de")["embeds"][0]["fields"][0]["name"] == "Bis"


def sent(hooks: Hooks, door: Any) -> list[tuple[str, str]]:
    hooks.work()
    return [(told(call)["type"], told(call)["data"]["headline"]) for call in door.calls]


def test_a_match_is_told_from_the_first_turn_to_the_end(post: Post, hooks: Hooks) -> None:
    view, chance = begin(post.store, post.clock.now, (5, 2), (6, 5), (3, 1), (6, 4), length=1)
    bob = accounts.by_handle(post.store, "bob").id
    with receiver(answers(OK)) as door:
        hooks.add(bob, door)
        view = act(post.store, view, Side.WHITE, "play", post.clock.now, chance, play="13/8 13/11").view
        hooks.work()
        post.clock.now = view.due_at or post.clock.now
        sweep_some(post.store, post.clock.now, chance)
        hooks.work()
        view = turns.load(post.store, view.id)
        act(post.store, view, Side.BLACK, "resign_match", post.clock.now, chance)
        found = sent(hooks, door)
    assert [kind for kind, _ in found] == ["match.turn", "match.reminder", "match.finished"]
    assert found[0][1] == "bob has 6-5 to play"
    assert found[1][1].startswith("bob has ")
    assert found[2][1].startswith("bob resigned")
    data = told(door.calls[0])["data"]
    assert data["last_play"] == {"side": "white", "play": "13/11 13/8"}
    assert data["you"] == "black"
    assert told(door.calls[2])["data"]["result"]["winner"] == "white"


def test_doubles_resignations_and_ends_of_games_are_told(post: Post, hooks: Hooks) -> None:
    view, chance = begin(post.store, post.clock.now, (5, 2), (6, 5), (3, 1))
    alice, bob = (accounts.by_handle(post.store, name).id for name in ("alice", "bob"))
    with receiver(answers(OK)) as hers, receiver(answers(OK)) as his:
        hooks.add(alice, hers, "alice")
        hooks.add(bob, his, "bob", flavour="discord")
        view = act(post.store, view, Side.WHITE, "play", post.clock.now, chance, play="13/8 13/11").view
        view = act(post.store, view, Side.BLACK, "double", post.clock.now, chance).view
        hooks.work()
        act(post.store, view, Side.WHITE, "pass", post.clock.now, chance)
        hooks.work()
    (doubled, lost), (won,) = ([told(call) for call in door.calls] for door in (hers, his))
    assert (doubled["type"], doubled["data"]["headline"]) == ("match.double", "alice is doubled to 2")
    assert (lost["type"], lost["data"]["headline"]) == ("match.turn", "alice has 6-5 to play")
    assert lost["data"]["last_game"] == {
        "game": 1,
        "winner": "black",
        "points": 1,
        "worth": 1,
        "ending": "pass",
    }
    assert won["content"] == "bob won game 1: alice passed, 1 point."

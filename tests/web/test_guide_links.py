"""What is refused leads to its explanation: on pages, in the API's problems, on the form of an invitation."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape

import pytest
from flask import Flask
from flask.testing import FlaskClient

from bgmail.phrases import refusal, refusals
from bgmail.phrases.anchors import CLOCKS, NOTATION, OF_MATCHES, OF_PLAYS, Where, explained_at
from bgmail.rules import Dice, Position, find_play
from bgmail.rules.notation import PlayError
from bgmail.rules.play_errors import Illegal
from bgmail.rules.ruleset import CLUB, PRESETS
from bgmail.rules.side import Side
from bgmail.service.errors import Forbidden, Refused
from bgmail.timing import BadTimeControl, resolve
from bgmail.web.errors import of_service
from bgmail.web.explained import explained, told
from bgmail.web.guide_studies import STUDIES
from tests.web.conftest import Auth, Visitor
from tests.web.table import Table
from tests.web.test_guide import ids, section

WHERES = sorted({*OF_PLAYS.values(), *OF_MATCHES.values(), NOTATION, CLOCKS})


@pytest.mark.parametrize("where", WHERES, ids="-".join)
def test_every_explanation_stands_where_it_is_linked_to(
    app: Flask, client: FlaskClient, where: Where
) -> None:
    with app.test_request_context():
        address = app.url_for(f"guide.{where.page}")
    assert where.anchor in ids(client.get(address).get_data(as_text=True))


def test_every_refusal_of_a_play_is_explained() -> None:
    assert set(OF_PLAYS) == {reason.value for reason in Illegal}
    assert set(OF_MATCHES) <= {*refusals.GENERAL, "resign_value"}


@pytest.mark.parametrize("name", [name for name, study in STUDIES.items() if study.tries])
def test_the_section_that_explains_a_refusal_has_an_example_of_it(
    client: FlaskClient, app: Flask, name: str
) -> None:
    study, page = STUDIES[name], client.get("/rules/").get_data(as_text=True)
    for text in study.tries:
        with pytest.raises(PlayError) as refused:
            find_play(study.position, study.dice, text, CLUB)
        where = explained_at(refused.value)
        assert where
        with app.test_request_context():
            assert refusal(refused.value) in section(page, where.anchor)


def test_an_error_inside_a_refusal_is_what_is_explained(app: Flask) -> None:
    def caught(act: Callable[[], object]) -> Exception:
        try:
            act()
        except (PlayError, BadTimeControl) as error:
            return error
        raise AssertionError("nothing was refused")

    blocked = caught(lambda: find_play(Position.start(), Dice(5, 4), "24/19", CLUB))
    garbled = caught(lambda: find_play(Position.start(), Dice(5, 4), "hello", CLUB))
    outer = Refused("illegal_play")
    outer.__cause__ = blocked
    with app.test_request_context():
        assert explained(outer) == explained(blocked) == "/rules/#blocked"
        assert explained(garbled) == "/help#notation"
        assert explained(caught(lambda: resolve("hourglass", 7))) == "/help#clocks"
        assert explained(Refused("dead_cube")) == "/rules/#dead-cube"
        assert explained(Forbidden("not_your_match")) is None
        assert told(Forbidden("not_your_match")) == "You don&#39;t sit in this match."


def test_what_was_typed_is_never_a_part_of_the_page(app: Flask) -> None:
    with app.test_request_context():
        sentence = told(Refused("rules", rules="<b>poker</b>", known="club"))
    assert "&lt;b&gt;poker" in sentence
    assert '<a href="/rules/#rule-sets">' in sentence


def test_a_refused_play_on_the_page_links_to_its_rule(app: Flask) -> None:
    table = Table(app, (5, 4))
    table.send(table.alice, "play", play="24/19")
    assert "The 19 point is blocked." in unescape(table.alice.page)
    assert re.search(r'blocked\. <a href="/rules/#blocked">Explained in the guide</a>', table.alice.page)


def test_a_refused_play_by_a_link_links_to_its_rule(app: Flask) -> None:
    table = Table(app, (5, 4))
    link = table.link(Side.WHITE, "play")
    table.stranger.get(link)
    assert table.stranger.post(link, {"action": "play", "play": "24/19"}).status_code == 422
    assert 'blocked. <a href="/rules/#blocked">Explained in the guide</a>' in table.stranger.page


def test_a_refused_invitation_links_to_what_is_possible(auth: Auth, visitor: Visitor) -> None:
    auth.person("Alice")
    auth.sign_in("Alice")
    visitor.get("/invite")
    terms = {"to": "open", "length": "6", "rules": "federation", "time": "move-a-day"}
    assert visitor.post("/invite", terms).status_code == 422
    assert 'length 6. <a href="/rules/#match">Explained in the guide</a>' in visitor.page


def test_a_refused_play_by_the_api_names_its_rule(app: Flask) -> None:
    table = Table(app, (5, 4))
    table.alice.open(table.path)
    body = {"version": table.now().version, "action": "play", "play": "24/19"}
    answer = table.alice.client.post(
        f"/api/v1/matches/{table.view.id}/actions", json=body, headers={"X-CSRFToken": table.alice.token}
    )
    assert answer.status_code == 422
    problem = answer.get_json()
    assert problem["reason"] == "blocked"
    assert problem["guide"] == "/rules/#blocked"
    stale = table.alice.client.post(
        f"/api/v1/matches/{table.view.id}/actions",
        json={"version": 1, "action": "roll"},
        headers={"X-CSRFToken": table.alice.token},
    )
    assert (stale.status_code, stale.get_json()["guide"]) == (409, "/help#links")


def test_an_error_page_links_to_what_explains_it(app: Flask) -> None:
    with app.test_request_context():
        page, status, _ = of_service(Refused("rules", rules="poker", known="club"))
    assert status == 422
    assert 'There are: club. <a href="/rules/#rule-sets">Explained in the guide</a>' in page


def test_the_form_of_an_invitation_links_to_what_its_choices_mean(auth: Auth, visitor: Visitor) -> None:
    auth.person("Alice")
    auth.sign_in("Alice")
    visitor.get("/invite")
    assert 'href="/help#clocks"' in visitor.page
    for name in PRESETS:
        assert f'href="/rules/{name}"' in visitor.page


def test_the_menu_and_the_front_page_lead_to_the_guide(auth: Auth, visitor: Visitor) -> None:
    assert 'href="/rules/">The rules, with examples' in visitor.get("/").get_data(as_text=True)
    auth.person("Alice")
    auth.sign_in("Alice")
    menu = visitor.get("/lobby").get_data(as_text=True).split("</header>")[0]
    assert 'href="/help"' in menu

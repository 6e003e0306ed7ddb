"""Those who organise a tournament, by forms alone: made in one, run by others, and nobody else's business."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import pytest
from flask import Flask

from bgmail.phrases.corrections import logged
from bgmail.phrases.organising import DONE, log_line
from bgmail.phrases.words import Names
from bgmail.rules.score import Ending
from bgmail.rules.side import Side
from bgmail.service import accounts, corrections, departures, exports
from bgmail.service.corrections import Verdict
from bgmail.service.tournaments import views
from bgmail.service.tournaments.commands import COMMANDS
from bgmail.service.tournaments.views import Tournament
from bgmail.web.tournaments.plan_form import TEMPLATES, Form
from bgmail.world import World
from tests.service.tournaments.club import Club
from tests.web.conftest import Visitor
from tests.web.test_queue import statements
from tests.web.test_tournament_pages import browser_of, path

SWISS = {"stages": [{"format": "swiss", "rounds": 3}]}
KNOCKOUT = {"stages": [{"format": "knockout"}]}
HAND = {"length": 1, "rounds": "hand"}


@pytest.fixture
def dana(app: Flask, club: Club) -> Visitor:
    return browser_of(app, club, "dana")


def say(visitor: Visitor, tournament: Tournament, command: str, **fields: Any) -> int:
    """One form of the organisers' page; the status of the answer."""
    here = path(tournament, "/organise")
    visitor.open(here)
    form = {"command": command, "key": f"{command} {sorted(fields.items())}", **fields}
    return visitor.post(here, form, follow_redirects=False).status_code


def handles(club: Club, tournament: Tournament, state: str = "in") -> list[str]:
    found = [one for one in views.entrants(club.store, tournament.id) if one.state == state]
    return [one.handle for one in sorted(found, key=lambda one: (one.seed or 99, one.number))]


@pytest.mark.parametrize("template", TEMPLATES)
def test_a_name_and_a_format_are_enough(dana: Visitor, club: Club, template: str) -> None:
    dana.open("/tournaments/new")
    key = re.search(r'name="key" value="([0-9a-f]+)"', dana.page)
    assert key
    form = {"name": "Autumn", "template": template, "key": key[1], "open": "1", "extra_match": "1"}
    for _ in range(2):  # the second press finds the same one
        assert dana.post("/tournaments/new", form).status_code == 303
    (made,) = views.listed(club.store, tuple(views.State), account_id=club.dana)
    assert (made.name, made.state, made.places) == ("Autumn", "open", 8)
    formats = [stage.format for stage in made.plan.stages]
    wanted = {"groups": ["round_robin", "knockout"], "league": ["round_robin"]}.get(template, [template])
    assert formats == wanted
    assert made.conditions.at_once == (3 if template == "league" else 0)
    club.enter(made, *[f"player{number}" for number in range(8)])
    assert say(dana, made, "start") == 303
    club.job()
    assert club.pairings(made)


def test_what_nobody_can_play_is_refused_with_what_was_typed(dana: Visitor, club: Club) -> None:
    dana.open("/tournaments/new")
    usual = {**Form.fresh("k").texts, "name": "Mine", "text": "Bring honey"}
    wrong: list[Mapping[str, str]] = [
        {"name": ""},
        {"template": "chess"},
        {"places": "1"},
        {"places": "many"},
        {"length": "0"},
        {"rules": "nobody's"},
        {"time": "slowly"},
        {"start": "date", "starts_at": "2001-01-01T00:00"},
        {"start": "date", "starts_at": "soon"},
        {"start": "full", "places": "0"},
        {"template": "swiss", "swiss_rounds": "31"},
        {"at_once": "1000"},
    ]
    for change in wrong:
        assert dana.post("/tournaments/new", {**usual, **change}).status_code == 422, change
        assert 'role="alert"' in dana.page
        assert "Bring honey" in dana.page
    assert views.listed(club.store, tuple(views.State), account_id=club.dana) == ()


def test_charlie_neither_sees_nor_does_it(app: Flask, club: Club, dana: Visitor) -> None:
    draft, tournament = club.create(name="Secret plans"), club.open()
    charlie = browser_of(app, club, "Charlie")
    for one, status in ((draft, 404), (tournament, 403)):
        before = views.load(club.store, one.id, club.dana)
        assert charlie.get(path(one, "/organise")).status_code == status
        for command in (*COMMANDS, "pair"):
            form = {"command": command, "reason": "Because.", "entry": "1", "text": "Hear, hear!"}
            assert charlie.post(path(one, "/organise"), form).status_code == status
        assert views.load(club.store, one.id, club.dana) == before
    assert "/organise" not in charlie.get(path(tournament)).get_data(as_text=True)
    stranger = Visitor(app)
    assert stranger.get(path(tournament, "/organise")).status_code == 303
    assert stranger.get("/tournaments/new").status_code == 303
    accounts.set_staff(club.store, club.person("Stella"), is_staff=True)
    stella = browser_of(app, club, "Stella")
    assert [stella.get(path(one, "/organise")).status_code for one in (tournament, draft)] == [200, 200]


def test_seeds_by_boxes_by_lot_and_a_second_press(club: Club, dana: Visitor) -> None:
    tournament = club.enter(club.open(KNOCKOUT), "Alice", "Bob", "Eve", "Finn")
    number = {one.handle: one.number for one in views.entrants(club.store, tournament.id)}
    boxes = {
        f"seed-{number[name]}": place for name, place in (("Alice", 1), ("Bob", 2), ("Eve", 3), ("Finn", 1))
    }
    assert say(dana, tournament, "seed", how="hand", **boxes) == 303
    assert handles(club, tournament) == ["Finn", "Alice", "Bob", "Eve"]
    head = club.load(tournament).head
    assert say(dana, tournament, "seed", how="hand", **boxes) == 303
    assert club.load(tournament).head == head, "the same press again changes nothing"
    assert say(dana, tournament, "seed", how="hand", key="other", **{**boxes, "seed-1": "x"}) == 422
    assert say(dana, tournament, "seed", how="alphabet") == 422
    assert handles(club, tournament) == ["Finn", "Alice", "Bob", "Eve"]
    assert say(dana, tournament, "seed", how="order") == 303
    assert handles(club, tournament) == ["Alice", "Bob", "Eve", "Finn"]


def test_rounds_by_hand_results_and_people(club: Club, dana: Visitor) -> None:
    tournament = club.begin(5, SWISS, HAND)
    assert say(dana, tournament, "begin") == 303
    assert say(dana, tournament, "pair", key="p1") == 303
    assert say(dana, tournament, "pair", key="p2") == 422
    assert "draw it again" in dana.text
    assert say(dana, tournament, "bye", entry=1) == 303
    club.job()
    assert say(dana, tournament, "begin", key="b1") == 303
    club.job()
    one = next(one for one in club.pairings(tournament).values() if one.match_id)
    dana.open(path(tournament, f"/organise?pairing={one.key}"))
    assert f"{one.first.handle} wins without play" in dana.text
    result = {"pairing": one.key, "result": f"forfeit {one.first.number}"}
    assert say(dana, tournament, "decide", **result) == 422, "a reason is needed"
    assert f"{one.first.handle} wins without play" in dana.text, "the form stays"
    assert say(dana, tournament, "decide", reason="No show.", **result, key="d1") == 303
    assert club.pairings(tournament)[one.key].winner == one.first.number
    assert say(dana, tournament, "extend", days=2, pairing="") == 303
    assert say(dana, tournament, "exclude", entry=one.second and one.second.number, reason="Rude.") == 303
    assert say(dana, tournament, "announce", text="Round two\r\nis near.") == 303
    club.person("Bob")
    assert say(dana, tournament, "add_organiser", handle="bob") == 303
    assert say(dana, tournament, "remove_organiser", handle="dana") == 303
    assert dana.get(path(tournament, "/organise")).status_code == 403
    names = [one.handle for one in views.organisers(club.store, tournament.id)]
    assert names == ["Bob"]


def test_what_was_typed_comes_back_in_its_own_form(club: Club, dana: Visitor) -> None:
    tournament = club.begin(4, KNOCKOUT, {"length": 1, "substitutes": True})
    club.enter(tournament, "Waiter", "Other")
    club.wins(club.pairings(tournament)["w1.1"], "player1")
    club.job()
    for command, fields, back in (
        (
            "extend",
            {"pairing": "w1.2", "days": 99, "reason": "Storm"},
            ('value="w1.2" selected', 'value="99"'),
        ),
        ("exclude", {"entry": 3}, ('value="3" selected', 'value="exclude" required checked')),
        ("decide", {"pairing": "w1.2", "result": "forfeit 3"}, ('value="forfeit 3" required checked',)),
        ("correct", {"pairing": "w1.1", "result": "annulled"}, ('value="annulled" required checked',)),
        ("replace", {"entry": 1, "by": 6}, ('value="1" selected', 'value="6" selected')),
        ("add_organiser", {"handle": "nobody-here"}, ('value="nobody-here"',)),
        ("announce", {"text": "Hear\x07!"}, ("Hear\x07!</textarea>",)),
        ("cancel", {}, ('id="end" open>', 'value="cancel" required checked')),
    ):
        assert say(dana, tournament, command, **fields) == 422, command
        assert [dana.page.count(one) for one in back] == [1] * len(back), command
        assert dana.page.count('value="Storm"') == (command == "extend"), "no other form has its reason"
    fresh = club.enter(club.open(KNOCKOUT), "Alice", "Bob")
    assert say(dana, fresh, "seed", how="hand", **{"seed-1": 2, "seed-2": "second"}) == 422
    assert 'value="second"' in dana.page


def test_a_round_that_was_begun_is_not_offered_to_be_begun(club: Club, dana: Visitor) -> None:
    tournament = club.begin(4, SWISS, HAND)
    assert say(dana, tournament, "pair") == 303
    dana.open(path(tournament, "/organise"))
    assert "Begin the round" in dana.text
    assert say(dana, tournament, "begin") == 303
    dana.open(path(tournament, "/organise"))
    assert "Begin the round" not in dana.text, "also before the job has made its matches"
    assert "Draw it again" not in dana.text


def test_the_page_tells_what_was_done_and_asks_a_bounded_number_of_times(
    app: Flask, club: Club, dana: Visitor, world: World
) -> None:
    tournament = club.begin(4, KNOCKOUT)
    say(dana, tournament, "cancel", reason="Rain & storm")
    assert "It can" not in dana.text
    dana.open(path(tournament, "/organise"))
    assert "dana: cancelled it (Rain & storm)" in dana.text
    assert "player1: entered" in dana.text
    counts = []
    for number in (4, 24):
        other = club.begin(number, KNOCKOUT, name=f"With {number}")
        dana.get(path(other, "/organise"))
        with statements(world) as seen:
            dana.get(path(other, "/organise"))
        counts.append(len(seen))
    assert counts[0] == counts[1] <= 12


def test_the_log_keeps_the_names_of_then(club: Club, dana: Visitor) -> None:
    """Eve got the number of Bob's place, and Bob hers: who entered and who was withdrawn stays as it was."""
    tournament = club.enter(
        club.open(KNOCKOUT, {"length": 1, "substitutes": True}, places=2), "Alice", "Bob", "Eve"
    )
    club.say(tournament, "start")
    club.job()
    assert say(dana, tournament, "withdraw", entry=2, reason="Ill.") == 303
    dana.open(path(tournament, "/organise"))
    assert "dana: withdrew Bob; Eve has the place now (Ill.)" in dana.text
    for name in ("Alice", "Bob", "Eve"):
        assert f"{name}: entered " in dana.text
    assert dana.text.index("Eve: entered") < dana.text.index("Bob: entered"), "the newest first"


def test_more_time_is_there_for_what_runs_whatever_round_is_looked_at(club: Club, dana: Visitor) -> None:
    tournament = club.begin(4, KNOCKOUT)
    for one in club.pairings(tournament).values():
        club.wins(one, one.first.handle)
    club.job()
    for shown in ("", "?round=1", "?pairing=w1.1"):
        dana.open(path(tournament, f"/organise{shown}"))
        assert '<option value="w2.1"' in dana.page
        assert "No match is running." not in dana.text
    assert "Days more for whoever is on turn A day is 24 hours, also where clocks change." in dana.text


def test_a_wrong_result_is_put_right_together_with_what_followed(club: Club, dana: Visitor) -> None:
    tournament = club.begin(4, KNOCKOUT)
    for one in club.pairings(tournament).values():
        club.wins(one, one.first.handle)
    club.job()
    first = club.pairings(tournament)["w1.1"]
    right = {"pairing": "w1.1", "result": f"played {first.second and first.second.number}", "reason": "Typo."}
    assert say(dana, tournament, "correct", **right) == 422
    assert "it can only be changed if that one is annulled too" in dana.text
    assert 'name="annul_later"' in dana.page
    assert say(dana, tournament, "correct", **right, annul_later="1", key="both") == 303
    dana.open(path(tournament, "/organise?round=2"))
    assert "?pairing=w2.1#result" not in dana.page, "it is about to be made anew"
    club.job()
    dana.open(path(tournament, "/organise"))
    names = f"{first.first.handle} – {first.second and first.second.handle}"
    assert f"(Semi-finals, match 1, {names}), annulled 1 match that followed (Typo.)" in dana.text
    assert club.pairings(tournament)["w2.1-2"].match_id
    old, new = ("?pairing=w2.1#result", "?pairing=w2.1-2#result")
    dana.open(path(tournament, "/organise?round=2"))
    assert (old in dana.page, new in dana.page) == (False, True), "what was made anew is no more corrected"
    dana.open(path(tournament, "/organise?pairing=w2.1"))
    assert 'id="result"' not in dana.page
    wish = {"pairing": "w2.1", "result": f"played {first.first.number}", "reason": "x"}
    assert say(dana, tournament, "correct", **wish) == 422
    assert "was annulled and made anew: the new one can be decided or corrected" in dana.text


def test_logs_of_matches_hold_accounts_and_pages_tell_names(club: Club, visitor: Visitor) -> None:
    """So nobody is called by name there who has closed their account; older entries hold handles."""
    tournament = club.begin(4, KNOCKOUT)
    first, second = club.pairings(tournament).values()
    bob = club.person("Bob")
    club.say(tournament, "add_organiser", handle="Bob")
    club.say(tournament, "extend", bob, pairing=first.key, days=2)
    costs = []
    for number in (1, 9):
        for place in range(number):
            club.say(tournament, "extend", pairing=first.key, days=1, key=f"{number} {place}")
        with statements(visitor.app.extensions["bgmail"]) as seen:
            visitor.get(f"/match/{first.match_id}")
        costs.append(len(seen))
    assert costs[0] == costs[1], "an organiser is looked up once, however much of theirs there is"
    club.say(
        tournament, "decide", bob, pairing=first.key, winner=first.first.number, how="forfeit", reason="Ill."
    )
    club.job()
    old = Verdict(Side.WHITE, Ending.FORFEIT, "Bob", "Of old.")  # type: ignore[arg-type]
    corrections.end(club.store, second.match_id or "", old, club.now, club.chance)
    for name in ("Bob", "closed account"):
        visitor.get(f"/match/{first.match_id}/log")
        assert f"got 2 days more from {name}" in visitor.text
        assert f"won by the decision of {name}: Ill." in visitor.text
        visitor.get(f"/match/{second.match_id}/log")
        assert f"won by the decision of {name}: Of old." in visitor.text
        departures.close(club.store, bob, club.now, club.chance)
    exported = exports.export_json(club.store, first.match_id or "")
    assert "Bob" not in str(exported)
    elsewhere = Names("alice", "eve")
    said = {"winner": None, "ending": "annulled", "author": bob, "reason": "Rain."}
    with visitor.app.test_request_context():
        assert logged(said, elsewhere) == "An organiser annulled the match: Rain."


def test_every_command_has_words(app: Flask) -> None:
    with app.test_request_context():
        assert set(DONE) == {*COMMANDS, "pair"}
        for command in (*COMMANDS, "pair", "create", "enter", "leave", "moved_up", "advance", "not_started"):
            assert log_line(command, {"entry": 1}, {1: "Alice"}) != command

"""The pages of tournaments for those who play in them: conditions, entry, pairings, brackets."""

from __future__ import annotations

import re

from flask import Flask

from bgmail.service import logins
from bgmail.service.tournaments import forecast, views
from bgmail.service.tournaments.views import Tournament
from tests.service.tournaments.club import Club
from tests.web.conftest import Visitor
from tests.web.test_queue import statements

KNOCKOUT = {"stages": [{"format": "knockout", "third_place": True}]}
DOUBLE = {"stages": [{"format": "double_elimination"}]}
GROUPS = {
    "stages": [{"format": "round_robin", "groups": 2, "advance": 2}, {"format": "knockout"}],
    "tie_breaks": ["head_to_head"],
}


def browser_of(app: Flask, club: Club, name: str) -> Visitor:
    """A browser in which that person is signed in."""
    visitor, secret = Visitor(app), logins.new_secret()
    logins.open_session(club.store, club.person(name), "test", secret, club.now)
    visitor.client.set_cookie(app.config["BGMAIL_LOGIN_COOKIE"], secret)
    visitor.get("/")
    return visitor


def path(tournament: Tournament, page: str = "") -> str:
    return f"/tournaments/{tournament.id}{page}"


def test_whoever_enters_has_read_all_conditions_and_promises_fair_play(app: Flask, club: Club) -> None:
    tournament = club.open(
        KNOCKOUT,
        {"length": 5, "time": "live-8-10", "text": "Bring honey & <b>bread</b>."},
        name="Honey <i>Cup",
    )
    alice = browser_of(app, club, "Alice")
    alice.get(path(tournament))
    for said in (
        "Honey <i>Cup",
        "Those who lose the semi-finals play for the third place.",
        "5-point match, rated",
        "8 minutes bank; each move earns 10 seconds",
        "Not by mail: these clocks leave no time for letters.",
        "Machines may not enter",
        "Who is disqualified is not listed",
        "Bring honey & <b>bread</b>.",
        tournament.commitment,
    ):
        assert said in alice.text
    form = {"conditions": tournament.digest, "agreed": "yes", "fair_play": "yes"}
    for missing, says in (("agreed", "say that you accept them"), ("fair_play", "without help")):
        answer = alice.post(path(tournament, "/enter"), {k: v for k, v in form.items() if k != missing})
        assert answer.status_code == 422
        assert says in alice.text
    assert alice.post(path(tournament, "/enter"), form | {"conditions": "0" * 64}).status_code == 422
    assert "are not its own" in alice.text
    assert views.entrants(club.store, tournament.id) == ()
    assert alice.post(path(tournament, "/enter"), form).status_code == 303
    alice.get(path(tournament))
    assert "You are in." in alice.text
    assert "Enter the tournament" not in alice.text
    alice.post(path(tournament, "/leave"), {})
    assert [one.state for one in views.entrants(club.store, tournament.id)] == ["left"]


def test_a_stranger_reads_everything_and_signs_in_to_enter(app: Flask, club: Club) -> None:
    tournament, draft = club.open(KNOCKOUT), club.create(KNOCKOUT, name="Secret plans")
    stranger = Visitor(app)
    stranger.get(path(tournament))
    assert "Sign in to enter" in stranger.text
    assert stranger.post(path(tournament, "/enter"), {}).status_code in (303, 400)
    assert stranger.get(path(draft)).status_code == 404
    assert stranger.get("/tournaments/nothing/bracket").status_code == 404
    stranger.get("/tournaments?show=mine")
    assert "Autumn" in stranger.text
    assert "Secret plans" not in stranger.text
    dana = browser_of(app, club, "dana")
    dana.get("/tournaments")
    assert "Secret plans" in dana.text
    assert dana.get(path(draft)).status_code == 200


def test_the_list_counts_and_names_the_next_date(app: Flask, club: Club) -> None:
    club.begin(4, KNOCKOUT, name="Running one")
    club.enter(club.open(DOUBLE, name="Full one", places=2, starts_full=False), "player1", "player2", "Alice")
    alice = browser_of(app, club, "Alice")
    alice.get("/tournaments?show=open")
    assert "Open: 1" in alice.text
    assert "Running: 1" in alice.text
    assert "Over: 0" in alice.text
    assert "Mine: 1" in alice.text
    assert "2 of 2 places taken, 1 waiting · starts when its organiser says so" in alice.text
    assert "Running one" not in alice.text
    alice.get("/tournaments?show=running&start=%D9%A3")
    assert "4 players" in alice.text
    alice.get("/tournaments?show=running&start=25")
    assert "No tournament is running." in alice.text


def test_a_bracket_is_drawn_and_stands_in_lists_beside_it(app: Flask, club: Club) -> None:
    tournament = club.begin(6, KNOCKOUT)
    first = {key: one for key, one in club.pairings(tournament).items() if one.match_id}
    pairing = first["w1.2"]
    club.wins(pairing, pairing.first.handle)
    club.job()
    visitor = browser_of(app, club, "player1")
    visitor.get(path(tournament))
    assert "Withdraw from the tournament" in visitor.text
    assert pairing.second is not None
    out = browser_of(app, club, pairing.second.handle)
    out.get(path(tournament))
    assert "Withdraw" not in out.text, "nothing is left that they could give up"
    visitor.get(path(tournament, "/bracket"))
    page = visitor.page
    drawing = page[page.index('<svg class="br"') : page.index("</svg>", page.index('<svg class="br"'))]
    assert drawing.count('class="br-box') == 6, (
        "two first matches, two semi-finals, the final and the third place"
    )
    assert drawing.count("br-won") == 1
    assert f'href="/match/{pairing.match_id}" tabindex="-1"' in drawing
    assert 'aria-hidden="true"' in drawing[:200]
    listed = visitor.text[visitor.text.index("Round by round") :]
    assert f"{pairing.first.handle} won" in listed
    assert "Loser of: Semi-finals, match 1 – Loser of: Semi-finals, match 2" in listed
    assert listed.count("bye") == 2


def test_winners_and_losers_have_their_own_drawings_and_a_second_final_comes_when_it_is_needed(
    app: Flask, club: Club
) -> None:
    tournament = club.begin(3, DOUBLE)
    visitor = Visitor(app)
    while True:
        visitor.get(path(tournament, "/bracket"))
        open_ = [one for one in club.pairings(tournament).values() if one.how is None]
        if not open_:
            break
        assert ("Second final" in visitor.text) == (open_[0].key == "f2")
        last = open_[0]
        assert last.second is not None
        loses = last.first if last.key == "f1" else max(last.first, last.second, key=lambda one: one.number)
        club.wins(last, (last.second if loses == last.first else last.first).handle)
        club.job()
    assert visitor.page.count('<svg class="br"') == 2
    assert "Winners’ bracket and final" in visitor.text
    assert "loser of W2.1" in visitor.page or "Losers’ bracket" in visitor.text
    assert "Second final" in visitor.text
    visitor.get(path(tournament))
    assert "player1 has won this tournament. Standings" in visitor.text


def test_pairings_stand_by_round_and_the_reader_sees_whose_turn_it_is(app: Flask, club: Club) -> None:
    tournament = club.begin(4, GROUPS)
    visitor = browser_of(app, club, "player1")
    visitor.get(path(tournament))
    assert "My matches" in visitor.text
    assert re.search(r"your turn until|is on turn until", visitor.text)
    assert "Probably over" not in visitor.text
    forecast.step(club.store, club.now)
    visitor.get(path(tournament))
    assert "Probably over about" in visitor.text
    visitor.get(path(tournament, "/pairings"))
    assert "Round 1" in visitor.text
    assert visitor.page.count('class="meet') >= 2
    visitor.get(path(tournament, "/pairings?round=99"))
    assert "Round 1" in visitor.text
    visitor.get(path(tournament, "/players"))
    assert "4 players" in visitor.text
    visitor.get(path(tournament, "/bracket"))
    assert "The bracket is drawn when its stage begins." in visitor.text


def test_pages_cost_as_many_statements_however_many_play(app: Flask, club: Club) -> None:
    small, large = club.begin(4, KNOCKOUT, name="small"), club.begin(12, KNOCKOUT, name="large")
    visitor = browser_of(app, club, "player1")
    for page, most in (("", 10), ("/bracket", 8), ("/pairings", 8), ("/players", 6)):
        counted = []
        for tournament in (small, large):
            with statements(app.extensions["bgmail"]) as seen:
                assert visitor.get(path(tournament, page)).status_code == 200
            counted.append(len(seen))
        assert counted[0] == counted[1] <= most, (page, seen)
    with statements(app.extensions["bgmail"]) as seen:
        visitor.get("/tournaments?show=mine")
    assert len(seen) <= 6, seen


def test_who_withdraws_ticks_that_they_are_sure_and_all_read_what_organisers_say(
    app: Flask, club: Club
) -> None:
    tournament = club.begin(4, KNOCKOUT)
    club.say(tournament, "announce", text="No play at <Christmas>.")
    alice = browser_of(app, club, "player1")
    alice.get(path(tournament))
    assert "No play at <Christmas>." in alice.text
    assert alice.post(path(tournament, "/leave"), {}).status_code == 303
    alice.get(path(tournament))
    assert "Tick that you are sure." in alice.text
    assert alice.post(path(tournament, "/leave"), {"sure": "yes"}).status_code == 303
    alice.get(path(tournament))
    assert "You have withdrawn from this tournament." in alice.text
    club.job()
    alice.get(path(tournament, "/bracket"))
    assert "won without play" in alice.text
    assert 'class="br-mark"' in alice.page


def test_a_match_names_its_tournament_and_round_and_a_profile_where_somebody_plays(
    app: Flask, club: Club
) -> None:
    tournament = club.begin(8, GROUPS, {"length": 1, "rated": False}, name="Autumn & Co")
    visitor = Visitor(app)
    club.job()
    group = next(one for one in club.pairings(tournament).values() if one.match_id)
    visitor.get(f"/match/{group.match_id}")
    assert f"Autumn & Co Round {group.round}" in visitor.text
    while any(":" not in one.key and one.how is None for one in club.pairings(tournament).values()):
        for one in club.pairings(tournament).values():
            if one.match_id and one.how is None and ":" not in one.key:
                club.wins(one, one.first.handle)
        club.job()
    later = next(
        one for key, one in club.pairings(tournament).items() if key.startswith("2:") and one.match_id
    )
    visitor.get(f"/match/{later.match_id}")
    assert f"Autumn & Co Semi-finals, match {later.key[-1]}" in visitor.text
    visitor.get(f"/u/{later.first.handle}")
    assert "Autumn & Co" in visitor.text
    visitor.get(path(tournament, "/bracket"))
    assert "Semi-finals" in visitor.text


def test_a_stream_tells_an_open_page_that_something_is_new(app: Flask, club: Club) -> None:
    tournament = club.begin(4, KNOCKOUT)
    visitor = Visitor(app)
    visitor.get(path(tournament))
    mark = visitor.page.split('data-mark="')[1].split('"')[0]
    assert visitor.get(path(tournament, f"/news?seen={mark}")).text.count("event:") == 0
    pairing = club.pairings(tournament)["w1.1"]
    club.wins(pairing, pairing.first.handle)
    club.job()
    told = visitor.get(path(tournament, f"/news?seen={mark}")).text
    assert told.count("event: message") == 1
    assert visitor.get("/tournaments/nothing/news").status_code == 404

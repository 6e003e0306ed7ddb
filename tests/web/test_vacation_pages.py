"""The page of one's vacation, and what others see of it: on a match's page, in its log and at one's name."""

from __future__ import annotations

from datetime import datetime

import pytest
from flask import Flask

from bgmail.rules.side import Side
from bgmail.scheduler import run_pass
from bgmail.service import accounts, vacations
from bgmail.timing import Allowed
from tests.web.conftest import Clock
from tests.web.table import Table
from tests.web.test_queue import statements

PAGE = "/settings/vacation"


@pytest.fixture
def table(app: Flask) -> Table:
    """Alice has 3-1 to play. It is Monday, 2 March 2026, 12:00 UTC."""
    return Table(app, (3, 1), (6, 5), (4, 2))


def deadline(table: Table) -> datetime:
    found = table.now().deadline_at
    assert found
    return found


def test_looking_shows_what_it_holds_and_takes_nothing(table: Table) -> None:
    before = table.now()
    table.alice.open(f"{PAGE}?look=yes&last=2026-03-08")
    assert "Mon 2 Mar 12:00 to Mon 9 Mar 00:00" in table.alice.text
    assert "It takes 6 days 12 hours of 2026." in table.alice.text
    assert "It holds 1 match" in table.alice.text
    assert (
        "Match with bob 7-point match, game 1 lost on time Fri 13 Mar 00:00 instead of Fri 6 Mar 12:00"
        in table.alice.text
    )
    assert table.now() == before


@pytest.mark.parametrize(("first", "early"), [("2026-03-06", False), ("2026-03-07", True)])
def test_time_that_is_over_before_it_begins_is_told(table: Table, first: str, early: bool) -> None:
    """Alice's is over on Friday, 6 March, at noon."""
    table.alice.open(f"{PAGE}?look=yes&first={first}&last=2026-03-09")
    assert ("your time is over before it: Fri 6 Mar 12:00" in table.alice.text) is early
    assert ("instead of Fri 6 Mar 12:00" in table.alice.text) is not early
    table.bob.open(f"{PAGE}?look=yes&first={first}&last=2026-03-09")
    assert "your next turn" in table.bob.text


def test_taking_and_ending_it_by_hand(table: Table, clock: Clock) -> None:
    table.alice.open(f"{PAGE}?look=yes")
    table.alice.post(PAGE, {"first": "", "last": "", "with_play": ""}, follow_redirects=True)
    assert "Your vacation has begun." in table.alice.text
    assert "You are on vacation" in table.alice.text
    assert "It holds 1 match" in table.alice.text
    assert deadline(table).isoformat() == "2026-04-05T12:00:00+00:00"
    clock.move(days=2)
    table.alice.open(PAGE)
    assert "Left for 2026 28 days" in table.alice.text
    assert "The vacation that you are on uses them up, as long as you don’t end it." in table.alice.text
    table.alice.post(f"{PAGE}/1/end", follow_redirects=True)
    assert "Your vacation is over. Your clocks run again." in table.alice.text
    assert "Left for 2026 28 days" in table.alice.text
    assert deadline(table).isoformat() == "2026-03-08T12:00:00+00:00"


def test_a_match_that_forbids_it_is_named_before_and_after(app: Flask) -> None:
    table = Table(app, (3, 1), pauses=Allowed(vacation=False))
    table.alice.open(f"{PAGE}?look=yes")
    forbids = "7-point match, game 1 doesn’t allow vacation: its clock keeps running"
    assert "It holds 0 matches It doesn’t hold 1 match" in table.alice.text
    assert forbids in table.alice.text
    table.alice.post(PAGE, {}, follow_redirects=True)
    assert forbids in table.alice.text


def test_one_that_is_planned_is_listed_and_can_be_taken_back(table: Table) -> None:
    table.alice.open(PAGE)
    table.alice.post(PAGE, {"first": "2026-03-10", "last": "2026-03-12"}, follow_redirects=True)
    assert "Your vacation is planned." in table.alice.text
    assert "Tue 10 Mar 00:00 to Fri 13 Mar 00:00 3 days" in table.alice.text
    table.alice.post(f"{PAGE}/1/end", follow_redirects=True)
    assert "Your vacation is taken back." in table.alice.text
    assert "Left for 2026 30 days" in table.alice.text


@pytest.mark.parametrize(
    ("wish", "says"),
    [
        ({"last": "soon"}, "Write a day like 2026-12-24, not “soon”."),
        ({"last": "9999-12-31"}, "Write a day like 2026-12-24"),
        ({"first": "2026-03-01"}, "can't begin in the past"),
        ({"last": "2026-02-01"}, "ends after it begins"),
        ({"last": "2026-07-01"}, "ends on Wed 1 Apr 12:00 at the latest"),
        ({"first": "2028-01-01"}, "begins within 366 days"),
    ],
)
def test_what_can_not_be_had_is_said_and_what_was_typed_stays(
    table: Table, wish: dict[str, str], says: str
) -> None:
    table.alice.open(PAGE)
    assert table.alice.post(PAGE, wish).status_code == 422
    assert says in table.alice.text
    assert table.alice.get(PAGE, query_string={"look": "yes", **wish}).status_code == 422
    assert f'value="{next(iter(wish.values()))}"' in table.alice.page
    assert vacations.seen(table.world.store, 1, table.world.now()) is None


def test_its_days_are_those_of_the_owner_s_zone(table: Table) -> None:
    table.alice.open("/settings")
    table.alice.post("/settings/time-zone", {"time_zone": "Europe/Berlin"})
    table.alice.post(PAGE, {"first": "2026-03-29", "last": "2026-03-29"}, follow_redirects=True)
    assert "23 hours" in table.alice.text  # the clocks go forward that day
    alice = accounts.by_handle(table.world.store, "alice")
    (planned,) = vacations.of(table.world.store, alice, table.world.now()).all
    assert planned.start.isoformat() == "2026-03-28T23:00:00+00:00"
    assert planned.end.isoformat() == "2026-03-29T22:00:00+00:00"


def test_others_see_it_on_the_match_and_at_the_name(table: Table) -> None:
    table.alice.open(PAGE)
    table.alice.post(PAGE, {"last": "2026-03-08"})
    table.bob.open(table.path)
    assert "Paused until Mon 9 Mar 00:00 (vacation)" in table.bob.text
    table.stranger.open("/u/alice")
    assert "Vacation on vacation until Mon 9 Mar 00:00" in table.stranger.text
    table.stranger.open(f"{table.path}/log")
    assert "on vacation: Mon 2 Mar 12:00 to Mon 9 Mar 00:00 UTC" in table.stranger.text
    table.act(Side.WHITE, "play", play="8/5 6/5")
    table.bob.open(table.path)
    assert "alice is on vacation until Mon 9 Mar 00:00." in table.bob.text
    table.stranger.open("/u/bob")
    assert "on vacation" not in table.stranger.text


def test_it_begins_by_itself_only_once_that_is_switched_on(table: Table, clock: Clock, app: Flask) -> None:
    table.alice.open(PAGE)
    assert "checked" not in table.alice.page.split('id="automatic"')[1].split("</form>")[0]
    table.alice.post(f"{PAGE}/automatic", {"automatic": "yes"}, follow_redirects=True)
    assert "A vacation begins by itself when your time runs out." in table.alice.text
    clock.move(days=4)
    with app.app_context():
        assert any("held" in said for said in run_pass(table.world))
    table.alice.open(PAGE)
    assert "It began by itself, because your time was about to run out." in table.alice.text


def test_nobody_ends_the_vacation_of_another(table: Table) -> None:
    table.alice.open(PAGE)
    table.alice.post(PAGE, {})
    table.bob.open(PAGE)
    assert "You are on vacation" not in table.bob.text
    table.bob.post(f"{PAGE}/1/end")
    table.alice.open(PAGE)
    assert "You are on vacation" in table.alice.text
    assert table.stranger.get(PAGE).location.startswith("/sign-in")


def test_the_page_asks_the_database_few_times(table: Table, app: Flask) -> None:
    table.alice.open(PAGE)
    table.alice.post(PAGE, {})
    with statements(app.extensions["bgmail"]) as asked:
        table.alice.open(PAGE)
    assert len(asked) <= 6


def test_a_day_is_given_by_a_button_that_counts_once(table: Table) -> None:
    table.bob.open(table.path)
    assert "Give a day" in table.bob.text
    page = table.bob.page.split('value="give_day"')[1]
    fields = {name: page.split(f'name="{name}" value="')[1].split('"')[0] for name in ("version", "key")}
    for _ in range(2):
        table.bob.post(f"{table.path}/act", {"action": "give_day", **fields}, follow_redirects=True)
    assert "alice has a day more." in table.bob.text
    assert "You gave 1 day in this turn." in table.bob.text
    assert deadline(table).isoformat() == "2026-03-07T12:00:00+00:00"
    table.alice.open(table.path)
    assert "bob gave a day more" in table.alice.text
    assert "Give a day" not in table.alice.text


def test_both_agree_on_a_page_to_play_without_a_clock(app: Flask) -> None:
    table = Table(app, (3, 1), rated=False)
    assert "alice is asked whether to play on without a clock." in table.send(table.bob, "offer_untimed")
    assert "bob hasn’t answered yet" not in table.bob.text
    table.alice.open(table.path)
    assert "bob offers to play on without a clock." in table.alice.text
    assert "Agreed: this match goes on without a clock." in table.send(table.alice, "accept_untimed")
    assert table.now().deadline_at is None
    assert table.now().person(Side.WHITE)

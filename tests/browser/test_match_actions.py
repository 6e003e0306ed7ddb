"""What else the page of a match does: confirmations, lost answers, clocks, boards turned, reply links."""

from __future__ import annotations

import json
import re
from itertools import islice
from random import Random
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from bgmail.rules.dice import ROLLS
from bgmail.rules.legal import legal_plays
from bgmail.rules.position import Position
from bgmail.rules.ruleset import STANDARD
from bgmail.service import turns
from bgmail.service.pausing import calendar_data
from bgmail.timing import Calendar
from tests.browser.clubroom import Club, Phase, Side
from tests.browser.test_match_play import click, place, rest, said, sent, submit
from tests.fixtures.browsers import weight

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Page, Request, Response, Route

pytestmark = pytest.mark.slow

WRONG_CLOCK = "{const d = Date.now; Date.now = () => d() + %d;}"


def test_double_and_take_each_ask_before_they_act(club: Club) -> None:
    view = club.begin((3, 1))
    view = club.act(view, Side.WHITE, "play", play="8/5 6/5")
    bob = club.open(Side.BLACK, view)
    bob.get_by_role("button", name="Double to 2").click()
    bob.get_by_role("button", name="Not now").click()
    assert club.load(view).match.phase is Phase.ROLL_OR_DOUBLE
    bob.get_by_role("button", name="Double to 2").click()
    dialog = bob.get_by_role("dialog")
    assert "alice may take, and own the cube at 2, or pass and lose 1 point." in dialog.inner_text()
    dialog.get_by_role("button", name="Double to 2").click()
    sent(bob)
    assert club.load(view).match.phase is Phase.TAKE_OR_PASS
    alice = club.open(Side.WHITE, view)
    assert (
        "Take, and the game counts 2 points; pass, and you lose 1 point."
        in alice.locator("main").inner_text()
    )
    alice.get_by_role("button", name="Pass").click()
    assert "The score would be 0–1." in alice.get_by_role("dialog").inner_text()
    alice.get_by_role("button", name="Think again").click()
    alice.get_by_role("button", name="Take").click()
    alice.get_by_role("dialog").get_by_role("button", name="Take").click()
    sent(alice)
    assert club.load(view).match.cube.owner is Side.WHITE


def test_a_take_and_a_resignation_are_done_by_keys_alone(club: Club) -> None:
    view = club.begin((3, 1))
    club.act(view, Side.WHITE, "play", play="8/5 6/5")
    club.act(view, Side.BLACK, "double")
    page = club.open(Side.WHITE, view)
    page.get_by_role("button", name="Take").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")
    page.get_by_role("dialog").get_by_role("button", name="Take").focus()
    page.keyboard.press("Enter")
    sent(page)
    page.get_by_role("link", name="Resign").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowDown")  # from a single game to a gammon
    page.get_by_role("button", name="Offer to resign").focus()
    page.keyboard.press("Enter")
    page.get_by_text("You offered to resign").wait_for()
    offer = club.load(view).match.offer
    assert offer
    assert (offer.side, offer.value) == (Side.WHITE, 2)


def test_without_a_script_a_pass_needs_a_tick_and_the_button(club: Club) -> None:
    view = club.begin((3, 1))
    club.act(view, Side.WHITE, "play", play="8/5 6/5")
    club.act(view, Side.BLACK, "double")
    page = club.open(Side.WHITE, view, java_script_enabled=False)
    page.get_by_role("button", name="Pass").click()
    page.get_by_role("button", name="Pass").click()
    assert club.load(view).match.phase is Phase.TAKE_OR_PASS, "the box was not ticked"
    page.get_by_label("Yes, I pass and lose this game.").check()
    page.get_by_role("button", name="Pass").click()
    assert club.load(view).match.score == (0, 1)


def test_a_play_whose_answer_was_lost_is_sent_again_and_counts_once(club: Club) -> None:
    view = club.begin((3, 1))
    page = club.open(Side.WHITE, view)
    tries = []

    def lose_the_first(route: Route, request: Request) -> None:
        tries.append(json.loads(request.post_data or ""))
        if len(tries) == 1:
            route.fetch()  # the server acts, the answer never comes
            route.abort()
        else:
            route.continue_()

    page.route("**/actions", lose_the_first)
    make_31(page)
    submit(page).click()
    sent(page)
    assert len(tries) == 2
    assert tries[0] == tries[1]
    assert club.plays(view, Side.WHITE) == ["8/5 6/5"]


def make_31(page: Page) -> None:
    for point in (8, 5, 6, 5):
        click(page, point)
    rest(page)


def test_when_the_match_moved_on_elsewhere_the_page_shows_how_it_stands(club: Club) -> None:
    view = club.begin((3, 1))
    page = club.context(Side.WHITE, view).new_page()
    page.route(re.compile(r"[?&]seen="), lambda route: route.abort())  # news would take the play away first
    page.goto(f"{club.url}/match/{view.id}")
    make_31(page)
    club.act(view, Side.WHITE, "play", play="24/23 13/10")
    submit(page).click()
    page.get_by_text("has moved on").wait_for()
    page.get_by_role("heading", name="It is bob's turn").wait_for()
    assert place_text(page, "10 point, 1 of yours")
    assert club.plays(view, Side.WHITE) == ["24/23 13/10"]


def place_text(page: Page, words: str) -> bool:
    return words in (page.locator("svg.bd desc").first.text_content() or "")


def test_an_unsent_play_says_so_and_leaving_warns(club: Club) -> None:
    # A previewed move once looked as if it had been sent.
    view = club.begin((3, 1))
    page = club.open(Side.WHITE, view)
    make_31(page)
    assert "not sent yet" in said(page)
    asked = []

    def stay(dialog: object) -> None:
        asked.append(dialog.type)  # type: ignore[attr-defined]
        dialog.accept()  # type: ignore[attr-defined]

    page.on("dialog", stay)
    page.goto(f"{club.url}/match/{view.id}/log")
    assert asked == ["beforeunload"]
    assert club.load(view).match.on_turn is Side.WHITE


def test_a_browser_clock_that_is_wrong_changes_neither_countdown_nor_buttons(club: Club) -> None:
    # Clients whose clock was off by minutes were locked out.
    view = club.begin((3, 1))
    for wrong in (50 * 60_000, -3 * 3_600_000):
        context = club.context(Side.WHITE, view)
        context.add_init_script(WRONG_CLOCK % wrong)
        page = context.new_page()
        page.goto(f"{club.url}/match/{view.id}")
        page.wait_for_timeout(1100)
        assert page.locator(".clock.on").inner_text() == "23 h 59 min, then bank"
        assert page.locator(".clock.low").count() == 0
        make_31(page)
        assert submit(page).is_enabled()
    page.wait_for_timeout(450)
    submit(page).click()
    page.get_by_text("Sent.").wait_for()
    assert club.load(view).match.on_turn is Side.BLACK


def test_a_clock_that_rests_stands_still_on_an_open_page_until_it_goes_on(club: Club) -> None:
    view, now = club.begin((3, 1)), club.now()
    assert view.white
    pause = Calendar("UTC", frozenset({now.weekday(), (now.weekday() + 1) % 7}))
    draft = turns.load_draft(club.world.store, view.id, now, club.world.chance)
    draft.pause(calendar_data(Side.WHITE, pause))
    assert turns.commit(club.world.store, draft, actor=None)
    context = club.context(Side.WHITE, view)
    context.clock.install()
    page = context.new_page()
    page.goto(f"{club.url}/match/{view.id}")
    rests = page.locator(".clock.rests [data-own]")
    shown = rests.inner_text()
    page.clock.run_for(3_600_000)
    assert rests.inner_text() == shown == "1 d"
    page.evaluate("document.querySelector('.clock.rests').dataset.runs -= 3 * 86_400_000")
    page.clock.run_for(1000)
    assert rests.inner_text() != shown


@pytest.mark.parametrize("turned", ["", "home_left", "home_top", "home_left.home_top"])
@pytest.mark.parametrize("width", [390, 1280])
def test_a_turned_board_plays_alike(club: Club, turned: str, width: int) -> None:
    # Orientation and point numbers once did not belong together. Bob is the second player; his die is the higher one.
    view = club.begin((1, 3))
    boards = f"click:choose.{turned}"
    page = club.open(Side.BLACK, view, boards=boards, viewport={"width": width, "height": 800})
    home = place(page, 1).locator(".bd-hit").bounding_box()
    board = page.locator("svg.bd[role=group]").bounding_box()
    assert home
    assert board
    assert (home["x"] + home["width"] / 2 < board["x"] + board["width"] / 2) == ("left" in turned)
    assert (home["y"] < board["y"] + board["height"] / 4) == ("top" in turned)
    for point in (8, 5, 6, 5):
        place(page, point).locator(".bd-hit").click(force=True)
    assert said(page) == "8/5 6/5: not sent yet. Submit it, or undo."
    assert page.locator("[data-pips=viewer]").inner_text() == "163"
    rest(page)
    submit(page).click()
    sent(page)
    assert club.plays(view, Side.BLACK) == ["8/5 6/5"]


def test_a_reply_link_plays_with_the_board_and_without_a_script(club: Club) -> None:
    view = club.begin((3, 1), (6, 5))
    page = club.context(None, view).new_page()
    page.goto(club.link(view, Side.WHITE))
    make_31(page)
    submit(page).click()
    page.get_by_role("heading", name="Done").wait_for()
    assert "/r/done" in page.url
    assert club.plays(view, Side.WHITE) == ["8/5 6/5"]
    bob = club.context(None, view, java_script_enabled=False).new_page()
    bob.goto(club.link(club.load(view), Side.BLACK))
    bob.get_by_role("button", name="Roll").click()
    bob.get_by_role("link", name="Go on with your turn").click()
    bob.get_by_label("Your play, written").fill("24/13")
    bob.get_by_role("button", name="Play what is written").click()
    bob.get_by_role("heading", name="Done").wait_for()
    assert club.plays(view, Side.BLACK) == ["24/13"]
    bob.goto(f"{club.url}/")
    assert bob.get_by_role("link", name="Sign in").first.is_visible(), "a link signs nobody in"


def test_the_first_load_is_small_and_breaks_no_rule_of_the_page(club: Club) -> None:
    view = club.begin((3, 1))
    view = club.stage(view, Side.WHITE, {24: 2, 13: 5, 8: 3, 6: 5}, {1: 2, 12: 5, 17: 3, 19: 5}, 2, 2)
    page = club.context(Side.WHITE, view).new_page()
    answers: list[Response] = []
    complaints: list[str] = []
    page.on("response", lambda answer: answers.append(answer))  # noqa: PLW0108 Playwright can't mark a built-in
    page.on("console", lambda message: complaints.append(message.text))
    page.goto(f"{club.url}/match/{view.id}")
    assert weight(answers) < 100_000
    assert complaints == []


def test_dice_are_checked_in_the_browser(club: Club) -> None:
    view = club.begin(length=1)
    club.act(view, view.match.turn, "resign_match")
    page = club.open(None, view)
    page.get_by_role("link", name="Dice proof").click()
    page.wait_for_url("**/dice")
    page.wait_for_load_state()
    page.get_by_role("button", name="Check all rolls").click()
    expect(page.locator("[data-verdict]")).to_contain_text("All is well")


def positions(count: int) -> Iterator[tuple[Position, tuple[int, int]]]:
    """Positions and rolls met by chance, from the start on."""
    chance = Random(7)
    position = Position.start()
    while count:
        dice = chance.choice(ROLLS)
        plays = legal_plays(position, dice, STANDARD)
        if plays:
            yield position, (dice.d1, dice.d2)
            count -= 1
        after = chance.choice(plays).position if plays else position
        position = Position.start() if after.off == 15 else after.mirrored()


WALK = """async ([cases, address]) => {
  const {Builder} = await import(address);
  const found = [];
  for (const {board, dice, legal} of cases) {
    const start = new Builder(board, dice, legal);
    const ends = new Set(), seen = new Set();
    (function walk() {
      const key = start.board.join() + start.left();
      if (seen.has(key)) return;
      seen.add(key);
      const done = start.finished();
      if (done !== null) ends.add(done);
      for (const from of start.sources()) for (const move of start.moves(from)) {
        start.play([move]);
        walk();
        start.undo();
      }
    })();
    found.push({ends: [...ends].sort(), clean: start.board.join() === board.join()});
  }
  return found;
}"""


def test_move_by_move_the_board_reaches_every_legal_play_and_no_other(club: Club) -> None:
    cases = []
    for position, dice in islice(positions(400), 400):
        plays = legal_plays(position, next(roll for roll in ROLLS if (roll.d1, roll.d2) == dice), STANDARD)
        legal = [{"play": str(play), "position_id": play.position.mirrored().id} for play in plays]
        cases.append({"board": list(position.board), "dice": list(dice), "legal": legal})
    page = club.context(None, club.begin()).new_page()
    page.goto(f"{club.url}/look")
    found = page.evaluate(WALK, [cases, f"{club.url}/static/board.js"])
    for case, result in zip(cases, found, strict=True):
        assert result["clean"]
        assert result["ends"] == sorted(play["play"] for play in case["legal"]), case

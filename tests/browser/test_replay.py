"""Looking back in a real browser: news on the board, the replay of a whole match, and notes of one's own."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from bgmail.service import films, notes
from bgmail.service.imports import import_file
from tests.browser.clubroom import Club, Side
from tests.browser.test_match_access import faults
from tests.browser.test_match_actions import click

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from bgmail.service.views import MatchView

pytestmark = pytest.mark.slow

DESKTOP, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 780}
FILE = Path(__file__).parents[1] / "data/matches/club-1.txt"
PICTURE = """(svg) => {
  const all = (css, what) => [...svg.querySelectorAll(css)].map(what);
  const at = (one, ...names) => names.map((name) => one.getAttribute(name)).join(' ');
  return [
    ...all('use', (one) => at(one, 'href', 'x', 'y')),
    ...all('.bd-die rect', (one) => at(one, 'class', 'x', 'y')),
    ...all('.bd-die circle', (one) => at(one, 'class', 'cx', 'cy')),
    ...all('.bd-cube', (one) => `${at(one, 'class')} ${at(one.firstElementChild, 'x', 'y')} ${one.textContent}`),
    ...all('.bd-arrow', (one) => at(one, 'd')),
    ...all('.bd-count,.bd-off', (one) => `${at(one, 'x', 'y')} ${one.textContent}`),
  ];
}"""
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def picture(page: Page) -> list[tuple[str, list[float]]]:
    """Everything that lies on the board of a page: what it is, and where; measures in half units of the drawing."""
    drawn = page.locator("[data-screen] svg").evaluate(PICTURE)
    return sorted((NUMBER.sub("#", one), [float(number) for number in NUMBER.findall(one)]) for one in drawn)


def alike(one: list[tuple[str, list[float]]], other: list[tuple[str, list[float]]]) -> bool:
    """Whether two pictures differ by no more than what the server rounds off."""
    return [what for what, _ in one] == [what for what, _ in other] and all(
        mine == pytest.approx(theirs, abs=0.11) for (_, mine), (_, theirs) in zip(one, other, strict=True)
    )


def met(club: Club) -> MatchView:
    """31: 8/5 6/5, then Bob's 65: 24/13 and Alice's roll to come: Alice has one thing to look back on."""
    view = club.begin((3, 1), (6, 5), (2, 1))
    club.act(view, Side.WHITE, "play", play="8/5 6/5")
    club.act(view, Side.BLACK, "roll")
    return club.act(view, Side.BLACK, "play", play="24/13")


def doubled(club: Club) -> MatchView:
    """The same with Bob's double after it, which Alice has to answer."""
    view = club.begin((3, 1), (6, 5), (2, 1))
    club.act(view, Side.WHITE, "play", play="8/5 6/5")
    return club.act(view, Side.BLACK, "double")


def player(page: Page) -> Any:
    return page.get_by_role("group", name="Replay")


def said(page: Page) -> str:
    return str(page.locator("[data-said]").inner_text())


def calm(page: Page) -> None:
    """Waits until nothing plays by itself any more."""
    page.locator(".film").wait_for(state="detached")


# ---- since the last visit


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_on_opening_a_match_what_is_new_is_shown_once_and_ends_at_the_present(
    club: Club, size: dict[str, int]
) -> None:
    page = club.open(Side.WHITE, met(club), viewport=size)
    page.locator(".film .bd-arrow").first.wait_for()
    assert page.locator(".film .bd-die").count() == 2
    assert page.locator(".news .now").inner_text().split() == ["bob", "6-5", "24/13"]
    calm(page)
    assert said(page) == "The board shows the position now."
    assert page.get_by_role("button", name="Roll", exact=True).is_enabled()
    page.reload()
    player(page).get_by_role("button", name="Play").wait_for()
    page.locator("[data-to=back][aria-disabled=false]").wait_for()
    page.wait_for_timeout(300)
    assert page.locator(".film").count() == 0, "it was seen already"


def test_steps_are_gone_through_with_buttons_and_arrow_keys_and_announced(club: Club) -> None:
    view = met(club)
    page = club.open(Side.WHITE, view, reduced_motion="reduce")
    first = player(page).get_by_role("button", name="First step")
    first.click()
    assert said(page) == "Step 1 of 1: bob 6-5: 24/13"
    assert page.locator("[data-said]").get_attribute("aria-live") == "polite"
    assert page.locator(".film use").count() == 29, "six on the midpoint are five and a number"
    page.keyboard.press("ArrowRight")
    assert page.locator(".film").count() == 0
    page.keyboard.press("ArrowLeft")
    assert said(page) == "Step 1 of 1: bob 6-5: 24/13"
    page.keyboard.press("End")
    assert page.locator(".film").count() == 0
    page.keyboard.press("Home")
    page.keyboard.press("Escape")
    assert page.locator(".film").count() == 0
    page.locator(".news").get_by_role("link", name="24/13").click()
    assert said(page) == "Step 1 of 1: bob 6-5: 24/13"
    assert "/log/" not in page.url


def test_a_double_is_shown_with_its_cube_before_it_is_answered(club: Club) -> None:
    page = club.open(Side.WHITE, doubled(club), reduced_motion="reduce")
    player(page).get_by_role("button", name="First step").click()
    assert page.locator(".film .bd-offer").text_content() == "2"
    assert said(page) == "Step 1 of 1: bob doubled to 2"
    page.get_by_role("button", name="Take").click()
    assert page.locator(".film").count() == 0
    assert page.get_by_role("dialog").is_visible(), "the first press does what it is for"


def test_who_wants_no_motion_gets_none(club: Club) -> None:
    page = club.open(Side.WHITE, met(club), reduced_motion="reduce")
    player(page).get_by_role("button", name="Play").wait_for()
    page.wait_for_timeout(400)
    assert page.locator(".film").count() == 0
    page.get_by_role("button", name="First step").click()
    assert page.evaluate("document.getAnimations().length") == 0
    assert page.locator(".film .bd-arrow").count() == 1


def rolled(club: Club) -> MatchView:
    """Alice has a 2-1 to play after Bob's 24/13."""
    view = met(club)
    return club.act(view, Side.WHITE, "roll")


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_a_click_on_the_board_ends_the_replay_and_plays(club: Club, size: dict[str, int]) -> None:
    view = rolled(club)
    page = club.open(Side.WHITE, view, viewport=size)
    page.locator(".film").wait_for()
    click(page, 6)
    assert page.locator(".film").count() == 0
    click(page, 4)
    click(page, 6)
    click(page, 5)
    page.wait_for_timeout(450)
    page.get_by_role("button", name="Submit", exact=True).click()
    page.get_by_text("Sent.").wait_for()
    assert club.plays(view, Side.WHITE)[-1] == "6/5 6/4"


def test_a_key_for_the_board_ends_the_replay_and_counts(club: Club) -> None:
    page = club.open(Side.WHITE, rolled(club))
    page.locator(".film").wait_for()
    page.keyboard.press("s")
    assert page.locator(".film").count() == 0
    assert "The 1 is played first now." in page.locator("[data-say]").inner_text()


def test_a_look_back_leaves_a_half_made_play_alone(club: Club) -> None:
    page = club.open(Side.WHITE, rolled(club), reduced_motion="reduce")
    click(page, 6)
    click(page, 4)
    page.get_by_role("button", name="First step").click()
    assert page.locator(".film").count() == 1
    page.get_by_role("button", name="The position now").click()
    assert page.locator('[data-point="4"]').get_attribute("aria-label") == "4 point, 1 of yours"
    page.get_by_role("button", name="Undo").click()
    assert page.locator('[data-point="4"]').get_attribute("aria-label") == "4 point, empty"


def test_a_play_not_sent_yet_does_not_look_sent_after_a_look_back(club: Club) -> None:
    # Stepping through the history once made an unsent move look sent.
    view = club.begin((3, 1), (6, 5), (6, 5))
    club.act(view, Side.WHITE, "play", play="8/5 6/5")
    club.act(view, Side.BLACK, "roll")
    club.act(view, Side.BLACK, "play", play="24/13")
    club.act(view, Side.WHITE, "roll")
    page = club.open(Side.WHITE, view, reduced_motion="reduce")
    click(page, 24)
    click(page, 13)
    assert "24/13: not sent yet." in page.locator("[data-say]").inner_text()
    page.get_by_role("button", name="Step back").click()
    assert "24/13: not sent yet." in page.locator("[data-say]").inner_text()
    page.get_by_role("button", name="Next step").click()
    assert "24/13: not sent yet." in page.locator("[data-say]").inner_text()
    assert page.get_by_role("button", name="Submit", exact=True).get_attribute("aria-disabled") == "false"
    asked: list[str] = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.dismiss()))
    page.get_by_role("link", name="All plays").click()
    page.wait_for_timeout(300)
    assert asked == ["beforeunload"]
    assert club.load(view).match.on_turn is Side.WHITE


def test_news_that_arrive_are_played_unless_a_play_is_in_the_making(club: Club) -> None:
    view = club.begin((3, 1), (6, 5), (2, 1), (4, 3))
    page = club.open(Side.WHITE, view)
    club.act(view, Side.WHITE, "play", play="8/5 6/5")
    club.act(view, Side.BLACK, "roll")
    club.act(view, Side.BLACK, "play", play="24/13")
    page.locator(".film .bd-arrow").first.wait_for()
    calm(page)
    club.act(view, Side.WHITE, "roll")
    page.get_by_role("button", name="Submit", exact=True).wait_for()
    click(page, 6)
    click(page, 4)
    club.act(view, Side.BLACK, "resign", value=1)
    page.get_by_text("offered to resign").first.wait_for()
    assert page.locator(".film").count() == 0
    assert page.locator('[data-point="4"]').get_attribute("aria-label") == "4 point, 1 of yours"


def test_where_the_board_is_out_of_sight_the_picture_comes_along(club: Club) -> None:
    page = club.open(Side.WHITE, met(club), viewport={"width": 320, "height": 480}, reduced_motion="reduce")
    page.locator(".news").evaluate("(list) => scrollTo(0, list.getBoundingClientRect().top - 300)")
    before = page.get_by_role("button", name="First step").bounding_box()
    page.get_by_role("button", name="First step").click()
    picture = page.locator(".film.afloat").bounding_box()
    assert picture
    assert before
    assert picture["y"] >= 0
    assert picture["y"] + picture["height"] <= before["y"], "it doesn't lie over the buttons"
    assert picture["x"] >= 0
    assert picture["x"] + picture["width"] <= 320
    assert page.get_by_role("button", name="First step").bounding_box() == before, "no control has moved"
    page.evaluate("scrollTo(0, 0)")
    page.locator(".film:not(.afloat)").wait_for()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_to_object_to(club: Club, scheme: str) -> None:
    view = met(club)
    looks = {"color_scheme": scheme, "bypass_csp": True, "reduced_motion": "reduce"}
    page = club.open(Side.WHITE, view, **looks)
    page.get_by_role("button", name="First step").click()
    page.get_by_text("My notes").click()
    assert faults(page) == []
    for path in ("/replay", "/log/6", "/print?game=1"):
        page.goto(f"{club.url}/match/{view.id}{path}")
        assert faults(page) == [], path
    page.goto(f"{club.url}/u/bob")
    assert faults(page) == []


def test_without_a_script_each_line_leads_to_its_position_and_on(club: Club) -> None:
    page = club.open(Side.WHITE, met(club), java_script_enabled=False)
    assert not player(page).is_visible()
    page.locator(".news").get_by_role("link", name="24/13").click()
    assert page.locator("[data-said]").inner_text() == "bob 6-5: 24/13"
    page.get_by_role("link", name="Step back").click()
    assert page.locator("[data-said]").inner_text() == "you 3-1: 8/5 6/5"
    page.get_by_role("link", name="To the match").click()
    page.get_by_role("link", name="A board for each step, to print").click()
    assert page.locator("figure").count() == 1


# ---- the whole match


@pytest.fixture
def imported(club: Club) -> str:
    """A 7-point match of nine games from a file, with doubles, hits, bear-offs and dances."""
    return import_file(club.world.store, FILE.name, FILE.read_bytes(), datetime.now(UTC)).match_id


def replay(club: Club, match_id: str, path: str = "/replay", **options: Any) -> Page:
    page = club._new_context(**options).new_page()
    page.goto(f"{club.url}/match/{match_id}{path}")
    page.locator("[data-ready]").wait_for()
    return page


@pytest.mark.parametrize("boards", ["", "home_left", "home_left.home_top.checkers:dark"])
def test_the_script_draws_every_position_as_the_server_does(club: Club, imported: str, boards: str) -> None:
    context = club._new_context(reduced_motion="reduce")
    context.add_cookies([{"name": "bgmail_board", "value": boards, "url": club.url}] if boards else [])
    page, plain = context.new_page(), context.new_page()
    page.goto(f"{club.url}/match/{imported}/replay")
    page.locator("[data-ready]").wait_for()
    page.route("**/log/*", lambda route: route.abort())  # what is fetched beside isn't asked here
    rows = page.request.get(f"{club.url}/match/{imported}/film").json()["rows"]
    assert len(rows) > 60
    for nth in range(0, len(rows), 1 if not boards else 7):
        page.locator("[data-slider]").evaluate(
            "(slider, to) => { slider.value = to; slider.dispatchEvent(new Event('input', {bubbles: true})); }",
            nth + 1,
        )
        answer = plain.request.get(f"{club.url}/match/{imported}/log/{rows[nth][0]}").text()
        plain.set_content(re.sub(r"<(script|link)\b.*?>", "", answer))
        assert alike(picture(page), picture(plain)), rows[nth]
        assert page.locator("[data-pips]").inner_text() == plain.locator("[data-pips]").inner_text()
        assert page.locator("[data-score]").inner_text() == plain.locator("[data-score]").inner_text()


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_slider_keys_and_buttons_lead_to_every_position_and_the_address_follows(
    club: Club, imported: str, size: dict[str, int]
) -> None:
    page = replay(club, imported, viewport=size, reduced_motion="reduce")
    rows = page.request.get(f"{club.url}/match/{imported}/film").json()["rows"]

    def at() -> int:
        page.wait_for_timeout(20)
        seq = int(page.url.rsplit("/", 1)[1])
        nth = next(nth for nth, row in enumerate(rows) if row[0] == seq)
        assert page.locator("[data-nth]").inner_text() == f"{nth + 1} / {len(rows)}"
        assert page.locator("[data-said]").inner_text() == rows[nth][2]
        return nth

    page.keyboard.press("ArrowRight")
    assert at() == 1
    page.keyboard.press("End")
    assert at() == len(rows) - 1
    page.keyboard.press("PageUp")
    last_game = next(nth for nth, row in enumerate(rows) if row[1] == rows[-1][1])
    assert at() == last_game
    page.keyboard.press("PageUp")
    assert rows[at()][1] == rows[-1][1] - 1
    page.keyboard.press("PageDown")
    assert at() == last_game
    page.keyboard.press("Home")
    assert at() == 0
    page.get_by_role("link", name="The next game").click()
    assert rows[at()][1] == 2
    page.get_by_role("link", name="Step back").click()
    assert rows[at()][1] == 1
    page.locator("[data-slider]").focus()
    page.keyboard.press("ArrowRight")
    assert rows[at()][1] == 2
    assert (
        page.locator("[data-slider]").get_attribute("aria-valuetext")
        == f"Step {at() + 1} of {len(rows)}: {rows[at()][2]}"
    )
    page.reload()
    page.locator("[data-ready]").wait_for()
    assert rows[at()][1] == 2, "the address is that of the position"


def test_sheet_graph_and_ids_follow_once_one_rests(club: Club, imported: str) -> None:
    page = replay(club, imported, reduced_motion="reduce")
    before = page.locator("code.long").first.text_content()
    page.keyboard.press("End")
    page.get_by_role("heading", name="Game 9").or_(page.locator("[data-moment=sheet] h2")).first.wait_for()
    page.wait_for_function(
        "(before) => document.querySelector('code.long').textContent !== before", arg=before
    )
    current = page.locator("[data-seq][aria-current=step]")
    assert current.get_attribute("href") in page.url
    assert page.locator(".pg").get_attribute("aria-label") in page.locator("[data-moment=graph]").inner_html()
    page.locator("[data-seq]").first.click()
    page.wait_for_timeout(50)
    assert page.locator("[data-seq]").first.get_attribute("aria-current") == "step"


def test_it_plays_by_itself_until_it_is_told_to_stop(club: Club, imported: str) -> None:
    page = replay(club, imported)
    page.get_by_role("button", name="Play").click()
    page.get_by_role("button", name="Pause").wait_for()
    page.locator("[data-nth]", has_text=re.compile("^3 ")).wait_for()
    page.get_by_role("button", name="Pause").click()
    page.get_by_role("button", name="Play").wait_for()
    stopped = page.locator("[data-nth]").inner_text()
    page.wait_for_timeout(1300)
    assert page.locator("[data-nth]").inner_text() == stopped
    assert "/log/" in page.url


def test_a_roll_that_waits_for_its_play_stays_on_the_board_until_one_goes_on(club: Club) -> None:
    view = rolled(club)
    roll = next(entry.seq for entry in films.told(club.world.store, view.id) if entry.kind == "roll")
    page = replay(club, view.id, f"/log/{roll}", reduced_motion="reduce")
    assert page.locator("[data-said]").inner_text() == "bob 6-5: rolled"
    assert page.locator("[data-screen] .bd-die").count() == 2
    page.keyboard.press("ArrowRight")
    assert page.locator("[data-said]").inner_text() == "bob 6-5: 24/13"


@pytest.mark.parametrize("width", [320, 390, 768, 1280])
def test_nothing_is_wider_than_the_screen(club: Club, imported: str, width: int) -> None:
    page = replay(club, imported, viewport={"width": width, "height": 700}, reduced_motion="reduce")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.goto(f"{club.url}/match/{imported}/print?game=1")
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_in_print_there_are_boards_and_no_buttons(club: Club, imported: str) -> None:
    page = replay(club, imported)
    page.emulate_media(media="print")
    assert page.locator("[data-screen] svg").is_visible()
    assert not page.get_by_role("link", name="Next step").is_visible()
    page.goto(f"{club.url}/match/{imported}/print?game=1")
    figures = page.locator("figure")
    assert figures.count() > 10
    assert figures.first.is_visible()
    assert not page.get_by_role("link", name="Sign in").is_visible()


# ---- notes of one's own


def test_a_note_is_kept_without_leaving_the_page_or_the_play_in_the_making(club: Club) -> None:
    view = rolled(club)
    page = club.open(Side.WHITE, view, reduced_motion="reduce")
    click(page, 6)
    click(page, 4)
    page.get_by_text("My notes").click()
    page.get_by_label("On bob").fill("Runs early.")
    form = page.locator("[data-note]", has=page.get_by_label("On bob"))
    form.get_by_role("button", name="Keep").click()
    form.get_by_text("Kept.").wait_for()
    assert page.locator('[data-point="4"]').get_attribute("aria-label") == "4 point, 1 of yours"
    assert view.white
    assert view.black
    assert notes.read(club.world.store, view.white.id, view.id, view.black.id).person == "Runs early."
    page.reload()
    assert page.get_by_label("On bob").input_value() == "Runs early."


def test_a_note_half_written_is_kept_when_one_goes_on(club: Club) -> None:
    view = met(club)
    page = club.open(Side.WHITE, view, reduced_motion="reduce")
    page.get_by_text("My notes").click()
    with page.expect_response("**/notes.js?*"):
        page.get_by_label("On this match").focus()
    page.wait_for_timeout(100)
    page.get_by_label("On this match").fill("His anchor holds.")
    page.get_by_role("link", name="All matches").click()
    page.wait_for_url("**/?show=all")
    page.wait_for_timeout(300)
    page.goto(f"{club.url}/match/{view.id}")
    assert page.get_by_label("On this match").input_value() == "His anchor holds."

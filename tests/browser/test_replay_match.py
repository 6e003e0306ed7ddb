"""The replay of a whole match: every position by slider, keys, buttons, sheet and graph, on paper too."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from bgmail.service import films
from bgmail.service.imports import import_file
from tests.browser.clubroom import Club
from tests.browser.test_replay import DESKTOP, PHONE, rolled

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.slow

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
        nth = int(page.locator("[data-nth]").inner_text().partition(" / ")[0]) - 1
        expect(page).to_have_url(re.compile(rf"/{rows[nth][0]}$"))
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
    expect(page.locator("[data-seq]").first).to_have_attribute("aria-current", "step")


def test_it_plays_by_itself_until_it_is_told_to_stop(club: Club, imported: str) -> None:
    page = replay(club, imported)
    page.get_by_role("button", name="Play").click()
    page.get_by_role("button", name="Pause").wait_for()
    page.locator("[data-nth]", has_text=re.compile(r"^([3-9]|\d\d) ")).wait_for()
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

"""What the letters of a match say, parsed from the messages that really arrive."""

from __future__ import annotations

import re
from datetime import timedelta

from bgmail.ledger import parse_entry
from bgmail.rules.side import Side
from bgmail.service import accounts, matches
from bgmail.service.deadlines import sweep_some
from tests.notify.conftest import Post
from tests.notify.reading import claims, first_letter, links
from tests.notify.records import ALICE, BOB
from tests.service.matchmaking import act, begin


def test_a_letter_shows_the_whole_board_score_cube_clocks_dice_and_both_moments(post: Post) -> None:
    _, _, mail = first_letter(post, (5, 2))
    text = mail.text()
    assert "+--13--14--15--16--17--18-+-BAR+--19--20--21--22--23--24-+" in text
    for part in ("Your turn: 5-2 to play", "7-point match, game 1, cube in the middle.", "Your dice: 5-2."):
        assert part in text
    assert re.search(r"alice +0 +1 d, then 3 d bank|alice +0 +23 h 49 min, then 3 d bank", text)
    assert "Your bank starts: Wed 2 Dec 12:00" in text
    assert "Lost on time: Sat 5 Dec 12:00" in text


def test_instants_are_told_in_the_readers_zone(post: Post) -> None:
    _view, _chance = begin(post.store, post.clock.now, (5, 2))
    alice = accounts.by_handle(post.store, "alice")
    accounts.set_time_zone(post.store, alice.id, "Asia/Kolkata")
    post.clock.pass_(minutes=11)
    post.deliver()
    assert "Lost on time: Sat 5 Dec 17:30" in post.last(ALICE).text()
    assert "Times are in Asia/Kolkata (UTC+5:30)." in post.last(ALICE).text()


def test_the_html_has_the_board_inline_by_content_id_and_in_words(post: Post) -> None:
    _, _, mail = first_letter(post, (5, 2))
    html, pictures = mail.html(), mail.pictures()
    ((cid, (kind, data)),) = pictures.items()
    assert f'src="cid:{cid}"' in html
    assert (kind, data[:8]) == ("image/png", b"\x89PNG\r\n\x1a\n")
    alt = re.search(r'alt="([^"]+)"', html)
    assert alt is not None
    assert "24 point 2" in alt[1]
    assert "Your dice: 5-2." in alt[1]


def test_the_html_loads_nothing_from_elsewhere_and_has_its_style_in_it(post: Post) -> None:
    _, _, mail = first_letter(post, (5, 2))
    html = mail.html()
    assert not re.search(r"""(src|background)=["']https?:|@import|url\(|<script|<link""", html)
    assert 'style="' in html
    assert "prefers-color-scheme:dark" in html.replace(" ", "")


def test_a_double_shows_the_position_the_cube_and_the_price_of_passing(post: Post) -> None:
    view, chance, _ = first_letter(post, (5, 2))
    outcome = act(post.store, view, Side.WHITE, "play", post.clock.now, chance, play="13/8 13/11")
    act(post.store, outcome.view, Side.BLACK, "double", post.clock.now, chance)
    post.deliver()
    mail = post.last(ALICE)
    text = mail.text()
    assert "bob doubles to 2. Take or pass?" in text
    assert "Passing costs 1 point. The score would be 0–1." in text
    assert "pips 160" in text
    assert "pips 167" in text
    assert "[2] ?" in text
    assert [claim.action for claim in claims(post, mail)] == ["take", "pass"]
    assert "Counts as a pass: " in text


def test_an_offered_resignation_says_what_accepting_wins(post: Post) -> None:
    view, chance, _ = first_letter(post, (5, 2))
    act(post.store, view, Side.BLACK, "resign", post.clock.now, chance, value=2)
    post.deliver()
    mail = post.last(ALICE)
    assert "bob offers to resign a gammon" in mail.text()
    assert "Accepting wins you a gammon: 2 points. The score would be 2–0." in mail.text()
    assert [claim.action for claim in claims(post, mail)] == [
        None,
        "accept_resignation",
        "decline_resignation",
    ]


def test_after_a_game_each_side_gets_one_letter(post: Post) -> None:
    view, chance, _ = first_letter(post, (5, 2), (6, 4))
    outcome = act(post.store, view, Side.WHITE, "resign", post.clock.now, chance, value=1)
    chance.script = [(6, 1)]
    post.deliver()
    before = len(post.mails())
    act(post.store, outcome.view, Side.BLACK, "accept_resignation", post.clock.now, chance)
    post.clock.pass_(minutes=11)
    post.deliver()
    mine, theirs = post.last(ALICE), post.last(BOB)
    assert len(post.mails()) == before + 2
    assert "bob won game 1: you resigned a single game, 1 point." in mine.text()
    assert "Your turn: 6-1 to play." in mine.text()
    assert "You won game 1: alice resigned a single game, 1 point." in theirs.text()
    assert "The next game has begun. alice has 6-1 to play." in theirs.text()
    assert claims(post, theirs) == []


def test_the_first_letter_of_a_game_names_its_dice_and_later_ones_do_not(post: Post) -> None:
    view, chance, mail = first_letter(post, (5, 2), (6, 4), (3, 1))
    sealed = [
        entry.data["commitment"] for entry in matches.log(post.store, view.id) if entry.kind == "commit"
    ]
    assert sealed[0] in mail.text()
    assert sealed[0] in mail.html()
    outcome = act(post.store, view, Side.WHITE, "play", post.clock.now, chance, play="13/8 13/11")
    outcome = act(post.store, outcome.view, Side.BLACK, "roll", post.clock.now, chance)
    act(post.store, outcome.view, Side.BLACK, "play", post.clock.now, chance, play="24/14")
    post.clock.pass_(minutes=11)
    post.deliver()
    assert len(post.mails(ALICE)) == 2
    assert sealed[0] not in post.last(ALICE).text()


def test_no_letter_shows_a_secret_or_a_die_to_come(post: Post) -> None:
    view, chance, _ = first_letter(post, (5, 2), (6, 4))
    act(post.store, view, Side.WHITE, "play", post.clock.now, chance, play="13/8 13/11")
    post.deliver()
    mail = post.last(BOB)
    assert "6-4" not in mail.text()
    assert "secret" not in mail.raw.decode().lower()


def test_it_tells_what_happened_since_the_readers_last_visit_their_own_play_first(post: Post) -> None:
    view, chance, _ = first_letter(post, (5, 2), (6, 4), (3, 1))
    outcome = act(post.store, view, Side.WHITE, "play", post.clock.now, chance, play="13/8 13/11")
    outcome = act(post.store, outcome.view, Side.BLACK, "roll", post.clock.now, chance)
    act(post.store, outcome.view, Side.BLACK, "play", post.clock.now, chance, play="24/14")
    post.clock.pass_(minutes=11)
    post.deliver()
    text = post.last(ALICE).text()
    told = text.split("Since your last visit:")[1].split("The match, when")[0].split("\n")
    assert [line.split() for line in told if line.strip()] == [
        ["you", "5-2", "13/11", "13/8"],
        ["bob", "6-4", "24/14*"],
    ]


def test_what_was_seen_on_the_page_is_not_told_again(post: Post) -> None:
    view, chance, _ = first_letter(post, (5, 2), (6, 4), (3, 1))
    outcome = act(post.store, view, Side.WHITE, "play", post.clock.now, chance, play="13/8 13/11")
    outcome = act(post.store, outcome.view, Side.BLACK, "roll", post.clock.now, chance)
    alice = accounts.by_handle(post.store, "alice").id
    matches.mark_visit(post.store, outcome.view, alice, post.clock.now)
    act(post.store, outcome.view, Side.BLACK, "play", post.clock.now, chance, play="24/14")
    post.clock.pass_(minutes=11)
    post.deliver()
    told = post.last(ALICE).text().split("Since your last visit:")[1].split("The match, when")[0]
    assert told.split() == ["bob", "6-4", "24/14*"]


def test_a_long_story_is_cut_and_says_so(post: Post) -> None:
    _view, _chance = begin(post.store, post.clock.now, *[(3, 3), (2, 2), (1, 1)] * 6, (5, 2))
    post.clock.pass_(minutes=11)
    post.deliver()
    assert re.search(r"\(\d+ lines before\)", post.last(ALICE).text())


def test_a_reminder_says_how_much_is_left_and_what_to_do(post: Post) -> None:
    _, chance, _ = first_letter(post, (5, 2))
    post.clock.now += timedelta(hours=19, minutes=9)
    with post.app.app_context():
        assert sweep_some(post.store, post.clock.now, chance)[0].startswith("reminder")
    post.deliver()
    mail = post.last(ALICE)
    assert mail.subject.startswith("4 h 40 min until your bank is used, match with bob #")
    assert "In 4 hours 40 minutes your bank is about to be used." in mail.text()
    assert [claim.action for claim in claims(post, mail)] == [None]


def test_a_question_in_a_letter_ends_with_its_own_mark(post: Post) -> None:
    """A reminder of an open double said "Take or pass at 2?."."""
    view, chance, _ = first_letter(post, (5, 2))
    view = act(post.store, view, Side.WHITE, "play", post.clock.now, chance, play="13/8 24/22").view
    act(post.store, view, Side.BLACK, "double", post.clock.now, chance)
    post.clock.now += timedelta(hours=20)
    with post.app.app_context():
        assert sweep_some(post.store, post.clock.now, chance)[0].startswith("reminder")
    post.deliver()
    text = post.last(ALICE).text()
    assert "Take or pass at 2?" in text.splitlines()


def test_both_are_told_of_a_match_lost_on_time(post: Post) -> None:
    _, chance, _ = first_letter(post, (5, 2))
    post.clock.pass_(days=9)
    with post.app.app_context():
        sweep_some(post.store, post.clock.now, chance)
    post.deliver()
    award = "The score stays as played; the 7 missing points are awarded."
    assert f"Your time ran out. bob won the match, 0–0. {award}" in post.last(ALICE).text()
    assert f"alice ran out of time. You won the match, 0–0. {award}" in post.last(BOB).text()
    assert links(post.last(ALICE), "/r/") == []


def test_a_match_that_is_over_is_told_to_both(post: Post) -> None:
    view, chance, _ = first_letter(post, (5, 2))
    act(post.store, view, Side.WHITE, "resign_match", post.clock.now, chance)
    post.clock.pass_(minutes=11)
    post.deliver()
    assert "You resigned the match. bob won the match, 0–0." in post.last(ALICE).text()
    assert "alice resigned the match. You won the match, 0–0." in post.last(BOB).text()
    assert post.last(BOB).subject == f"The match is over, match with alice #{view.id}"


def test_the_entries_in_a_letter_are_the_log(post: Post) -> None:
    view, _, mail = first_letter(post, (5, 2))
    log = matches.log(post.store, view.id)
    assert all(parse_entry(entry.text) == entry for entry in log)
    assert "start the game" in mail.text()

"""What the letters of a match and of an account say, parsed from the messages that really arrive."""

from __future__ import annotations

import re
from datetime import timedelta
from html.parser import HTMLParser
from urllib.parse import urlsplit

import pytest
from sqlalchemy import update

from bgmail.devmail import Mail
from bgmail.ledger import parse_entry
from bgmail.notify.links import HASH_PREFIX
from bgmail.rules.side import Side
from bgmail.service import accounts, entrance, invitations, matches, proofs
from bgmail.service.accounts import Application
from bgmail.service.deadlines import sweep_one
from bgmail.service.entrance import EntryClaim
from bgmail.service.notices import Kind
from bgmail.service.terms import Email, Handle, Terms
from bgmail.service.views import MatchView
from bgmail.store.matches import table
from bgmail.store.tables import AccountRow
from bgmail.tokens import MatchClaim, Purpose
from tests.notify.conftest import BASE, Post
from tests.service.matchmaking import ScriptedChance, act, begin, settle

ALICE, BOB = "alice@play.example", "bob@play.example"
URL = re.compile(r"https://[^\s\"<>]+")


def links(mail: Mail, place: str) -> list[str]:
    """The links of the text part that lead to a place, in order."""
    return [url for url in URL.findall(mail.text()) if urlsplit(url).path.startswith(place)]


def claims(post: Post, mail: Mail) -> list[MatchClaim]:
    return [
        post.world.signer.read_claim(urlsplit(url).path.removeprefix("/r/")) for url in links(mail, "/r/")
    ]


def first_letter(post: Post, *dice: tuple[int, int]) -> tuple[MatchView, ScriptedChance, Mail]:
    """Alice won the opening roll; her first letter."""
    view, chance = begin(post.store, post.clock.now, *dice)
    post.clock.pass_(minutes=11)
    post.deliver()
    return view, chance, post.last(ALICE)


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


def test_every_reply_link_stands_alone_on_its_line(post: Post) -> None:
    view, chance, _ = first_letter(post, (5, 2))
    act(post.store, view, Side.WHITE, "play", post.clock.now, chance, play="13/8 13/11")
    post.deliver()
    text = post.last(BOB).text()
    found = links(post.last(BOB), "/r/")
    assert len(found) == 2
    assert set(found) <= set(text.splitlines())
    assert "Roll:" in text.splitlines()
    assert "Double to 2:" in text.splitlines()


def test_links_act_for_the_reader_at_this_version_with_its_hash(post: Post) -> None:
    view, chance, mail = first_letter(post, (5, 2))
    (claim,) = claims(post, mail)
    assert claim == MatchClaim(view.id, 0, view.version, claim.hash_prefix)
    entry = next(one for one in matches.log(post.store, view.id) if one.seq == view.version)
    assert claim.hash_prefix == entry.hash[:HASH_PREFIX]
    act(post.store, view, Side.WHITE, "play", post.clock.now, chance, play="13/8 13/11")
    post.deliver()
    assert [(one.side, one.action) for one in claims(post, post.last(BOB))] == [(1, "roll"), (1, "double")]


def test_all_links_lead_to_the_configured_address_whatever_host_asked_bg_130(post: Post) -> None:
    client = post.app.test_client()
    settle(post.store, post.clock.now)
    client.post(
        "/reset", data={"email": ALICE}, headers={"Host": "evil.example", "X-Forwarded-Host": "evil.example"}
    )
    _view, _chance = begin_again(post)
    with post.app.test_request_context("/", base_url="https://evil.example"):
        post.clock.pass_(minutes=11)
        post.deliver()
    for mail in post.mails():
        assert "evil" not in mail.raw.decode()
        assert all(url.startswith(BASE + "/") for url in URL.findall(mail.text()))
    assert post.mails()


def begin_again(post: Post) -> tuple[MatchView, ScriptedChance]:
    """A match between the people who are there already."""
    chance = ScriptedChance([(5, 2)])
    alice, bob = (accounts.by_handle(post.store, name).id for name in ("alice", "bob"))
    view = invitations.invite(post.store, alice, Terms(7), Handle("bob"), "", post.clock.now, chance)
    return invitations.accept(post.store, view.id, bob, post.clock.now, chance), chance


def test_every_link_of_every_letter_is_a_route_of_the_app(post: Post) -> None:
    settle(post.store, post.clock.now)
    now = post.clock.now
    entrance.ask_for_link(post.store, Kind.SIGN_IN, ALICE, "client", now)
    entrance.ask_for_link(post.store, Kind.RESET, ALICE, "client", now)
    accounts.sign_up(post.store, Application("dana", "dana@play.example", "a long password"), "client", now)
    alice = accounts.by_handle(post.store, "alice").id
    invitations.invite(post.store, alice, Terms(7), Email("eve@friends.example"), "", now, ScriptedChance([]))
    begin_again(post)
    post.clock.pass_(minutes=11)
    post.deliver()
    routes = post.app.url_map.bind("club.example", url_scheme="https")
    found = {
        url
        for mail in post.mails()
        for url in URL.findall(mail.text()) + re.findall(r'href="([^"]+)"', mail.html())
    }
    endpoints = {routes.match(urlsplit(url).path)[0] for url in found}
    assert {
        "auth.link",
        "auth.verify",
        "invitation.claim",
        "reply.show",
        "match.page",
        "letters.unsubscribe",
    } <= endpoints
    assert any(endpoint.startswith("auth.reset") for endpoint in endpoints)


def test_letters_of_a_match_are_one_thread_for_each_reader_bg_087(post: Post) -> None:
    view, chance, _first = first_letter(post, (5, 2))
    outcome = act(post.store, view, Side.WHITE, "play", post.clock.now, chance, play="13/8 13/11")
    outcome = act(post.store, outcome.view, Side.BLACK, "double", post.clock.now, chance)
    post.deliver()
    mine, theirs = post.mails(ALICE), post.mails(BOB)
    assert len({mail.message["Message-ID"] for mail in mine + theirs}) == len(mine + theirs)
    assert {mail.message["References"] for mail in mine} == {f"<match.{view.id}.white@club.example>"}
    assert {mail.message["In-Reply-To"] for mail in theirs} <= {f"<match.{view.id}.black@club.example>"}
    about = f"match with bob #{view.id}"
    assert [mail.subject for mail in mine] == [f"Your turn: 5-2 to play, {about}", f"Take or pass, {about}"]


def test_a_rematch_is_another_thread_with_another_subject_bg_089(post: Post) -> None:
    first_view, _, first = first_letter(post, (5, 2))
    second_view, _ = begin_again(post)
    post.clock.pass_(minutes=11)
    post.deliver()
    second = post.last(ALICE)
    assert first.message["References"] != second.message["References"]
    assert first_view.id in first.subject
    assert second_view.id in second.subject


def test_a_double_shows_the_position_the_cube_and_the_price_of_passing_bg_038(post: Post) -> None:
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


def test_no_letter_shows_a_secret_or_a_die_to_come_bg_018(post: Post) -> None:
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
        assert str(sweep_one(post.store, post.clock.now, chance)).startswith("reminder")
    post.deliver()
    mail = post.last(ALICE)
    assert mail.subject.startswith("4 h 40 min until your bank is used, match with bob #")
    assert "In 4 h 40 min your bank is about to be used." in mail.text()
    assert [claim.action for claim in claims(post, mail)] == [None]


def test_both_are_told_of_a_match_lost_on_time(post: Post) -> None:
    _, chance, _ = first_letter(post, (5, 2))
    post.clock.pass_(days=9)
    with post.app.app_context():
        sweep_one(post.store, post.clock.now, chance)
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


def test_each_letter_has_one_recipient_and_nobody_elses_address_bg_086(post: Post) -> None:
    view, chance, _ = first_letter(post, (5, 2))
    act(post.store, view, Side.WHITE, "resign_match", post.clock.now, chance)
    post.clock.pass_(minutes=11)
    post.deliver()
    for mail in post.mails():
        own, other = (ALICE, BOB) if mail.recipients == ALICE else (BOB, ALICE)
        assert mail.recipients == own
        assert mail.message["To"].addresses[0].addr_spec == own
        assert other not in mail.raw.decode()
        assert "Cc" not in mail.message


def test_a_stranger_is_invited_by_a_link_of_the_mailbox_alone(post: Post) -> None:
    alice, _, _ = settle(post.store, post.clock.now)
    terms = Terms(5, time="three-days")
    view = invitations.invite(
        post.store,
        alice,
        terms,
        Email("eve@friends.example"),
        "Hi Eve!\nA game?",
        post.clock.now,
        ScriptedChance([]),
    )
    post.deliver()
    mail = post.last("eve@friends.example")
    (link,) = links(mail, "/invitation/")
    token = urlsplit(link).path.removeprefix("/invitation/")
    assert post.world.signer.read(Purpose.INVITATION, token) == [view.id, "eve@friends.example"]
    assert mail.subject == f"Invitation, match with alice #{view.id}"
    for part in ("5-point match", "3 d a move", "Hi Eve!", "You only choose a name, no password"):
        assert part in mail.text()
    assert "List-Unsubscribe" not in mail.message
    assert matches.log(post.store, view.id)[1].data["commitment"] in mail.text()


def test_somebody_who_is_here_is_invited_to_the_page(post: Post) -> None:
    alice, _, _ = settle(post.store, post.clock.now)
    view = invitations.invite(
        post.store, alice, Terms(5), Handle("bob"), "", post.clock.now, ScriptedChance([])
    )
    post.deliver()
    assert links(post.last(BOB), "/match/") == [f"{BASE}/match/{view.id}"]
    assert links(post.last(BOB), "/invitation/") == []
    assert "Hello bob," in post.last(BOB).text()


def test_the_inviter_is_told_of_an_answer(post: Post) -> None:
    alice, bob, _ = settle(post.store, post.clock.now)
    chance = ScriptedChance([])
    view = invitations.invite(post.store, alice, Terms(5), Handle("bob"), "", post.clock.now, chance)
    invitations.decline(post.store, view.id, bob, post.clock.now, chance)
    post.deliver()
    assert "bob declines your invitation." in post.last(ALICE).text()
    assert post.mails(BOB) == []


def test_sign_in_reset_and_proof_links_carry_their_claims(post: Post) -> None:
    alice, _, _ = settle(post.store, post.clock.now)
    account = accounts.by_id(post.store, alice)
    entrance.ask_for_link(post.store, Kind.SIGN_IN, ALICE, "client", post.clock.now)
    entrance.ask_for_link(post.store, Kind.RESET, ALICE, "client", post.clock.now)
    proofs.propose(post.store, account, "alice@new.example", "", post.clock.now, client="client")
    post.deliver()
    signer, claim = post.world.signer, EntryClaim(alice, account.epoch).payload()
    sign_in, reset = post.mails(ALICE)
    assert signer.read(Purpose.SIGN_IN, links(sign_in, "/sign-in-link/")[0].rpartition("/")[2]) == claim
    assert signer.read(Purpose.RESET, links(reset, "/reset/")[0].rpartition("/")[2]) == claim
    proof = post.last("alice@new.example")
    assert signer.read(Purpose.VERIFY, links(proof, "/verify/")[0].rpartition("/")[2]) == [
        alice,
        "alice@new.example",
    ]
    for mail in (sign_in, reset, proof):
        assert "List-Unsubscribe" not in mail.message
        assert "References" not in mail.message


def test_a_moved_account_is_told_at_its_old_address_without_the_whole_new_one(post: Post) -> None:
    alice, _, _ = settle(post.store, post.clock.now)
    account = accounts.by_id(post.store, alice)
    proofs.propose(post.store, account, "alice@new.example", "", post.clock.now, client="client")
    claim = proofs.AddressClaim(alice, "alice@new.example")
    proofs.prove(post.store, claim, post.clock.now, signed_in=alice)
    post.deliver()
    text = post.last(ALICE).text()
    assert "letters for alice go to a…@new.example instead of alice@play.example" in text
    assert post.mails("alice@new.example") == []


def test_an_address_that_has_an_account_is_told_so(post: Post) -> None:
    settle(post.store, post.clock.now)
    accounts.sign_up(post.store, Application("eve", ALICE, "a long password"), "client", post.clock.now)
    post.deliver()
    assert "used your address for the name eve" in post.last(ALICE).text()


class Elements(HTMLParser):
    """What a mail reader sees in a piece of HTML."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str]] = []
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += [(name, value or "") for name, value in attrs]

    def handle_data(self, data: str) -> None:
        self.text += data


POISONS = [
    "<img src=x onerror=alert(1)>",
    '"><svg onload=alert(1)>',
    "{{7*7}}",
    "javascript:alert(1)",
    "%(x)s {0}",
]


@pytest.mark.parametrize("poison", POISONS)
def test_what_people_wrote_is_shown_literally_bg_140(post: Post, poison: str) -> None:
    alice, bob, _ = settle(post.store, post.clock.now)
    account = table(AccountRow)
    with post.store.write() as connection:
        connection.execute(update(account).where(account.c.id == alice).values(handle=poison))
    chance = ScriptedChance([(2, 5)])
    view = invitations.invite(
        post.store, alice, Terms(5), Handle("bob"), f"Hi {poison}", post.clock.now, chance
    )
    post.deliver()
    invitations.accept(post.store, view.id, bob, post.clock.now, chance)
    post.clock.pass_(minutes=11)
    post.deliver()
    offer, turn = post.mails(BOB)
    assert f"Hi {poison}" in offer.text()
    for mail in (offer, turn):
        assert poison in mail.text()
        assert poison in mail.subject
        elements = Elements(mail.html())
        assert {"svg", "script"}.isdisjoint(elements.tags)
        assert not [name for name, _ in elements.attributes if name.startswith("on")]
        assert not [
            value for name, value in elements.attributes if name == "href" and not value.startswith(BASE)
        ]
        assert poison in elements.text


@pytest.mark.parametrize(
    "poison", ["X\r\nBcc: victim@example.org", "X\nBcc: victim@example.org", "X\u2028Bcc: v@e.org"]
)
def test_a_poisoned_row_adds_no_header_and_the_others_go_on_bg_092(post: Post, poison: str) -> None:
    _view, _chance = begin(post.store, post.clock.now, (5, 2))
    account = table(AccountRow)
    with post.store.write() as connection:
        connection.execute(update(account).where(account.c.handle == "bob").values(handle=poison))
    post.clock.pass_(minutes=11)
    post.deliver()
    mail = post.last(ALICE)
    assert "Bcc" not in mail.message
    assert mail.recipients == ALICE
    assert mail.subject.startswith("Your turn: 5-2 to play, match with X Bcc:")


def test_the_entries_in_a_letter_are_the_log(post: Post) -> None:
    view, _, mail = first_letter(post, (5, 2))
    log = matches.log(post.store, view.id)
    assert all(parse_entry(entry.text) == entry for entry in log)
    assert "start the game" in mail.text()

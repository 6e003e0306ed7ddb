"""Two people, from the first page to the last checker: by pages and mailed links, with real dice and real mail."""

from __future__ import annotations

import re
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect
from sqlalchemy import select

from bgmail.devmail import Mail
from bgmail.rules.match import legal
from bgmail.rules.play import Play
from bgmail.rules.score import Ending
from bgmail.rules.side import Side
from bgmail.service import turns
from bgmail.service.views import MatchView
from bgmail.settings import DEVELOPMENT_KEY
from bgmail.store.engine import Store
from bgmail.store.matches import table
from bgmail.store.tables import NoticeRow
from bgmail.tokens import Signer
from tests.browser.clubroom import Club
from tests.browser.postbox import Postbox, follow
from tests.browser.test_match_play import click, drag, rest, sent, submit
from tests.fixtures.forks import COLD
from tests.fixtures.programs import PROJECT

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.fixtures.browsers import NewContext
    from tests.fixtures.servers import Server, StartServer

pytestmark = pytest.mark.slow

MOST_TURNS = 400


class Player:
    """One of the two: a browser, and a mailbox."""

    def __init__(self, name: str, page: Page, server: Server) -> None:
        self.name, self.page, self.server = name, page, server
        self.box = Postbox(server, f"{name}@play.example")
        self.by_mail = 0
        self.by_page = 0

    def play_on_the_page(self, match_id: str, play: Play) -> None:
        """Clicks the play together on the board, and submits it."""
        self.page.goto(f"{self.server.url}/match/{match_id}")
        play_by_hand(self.page, play)
        rest(self.page)
        submit(self.page).click()
        sent(self.page)
        self.by_page += 1

    def play_by_the_letter(self, version: int, play: Play) -> None:
        """Opens the letter of this turn, follows its link, and chooses the play from the list there."""
        mail = self.box.wait(self.page, lambda mail: version_of(mail) == version)
        self.box.open(self.page, mail)
        follow(self.page, "Choose your play")
        self.page.get_by_role("button", name="Write the play, or choose from the list").click()
        if self.page.locator("#listed").count():
            self.page.locator("#listed").select_option(str(play))
        else:
            self.page.get_by_label(str(play), exact=True).check()
        self.page.get_by_role("button", name="Play the chosen one").click()
        expect(self.page.get_by_role("heading", name="Done")).to_be_visible()
        self.by_mail += 1


def play_by_hand(page: Page, play: Play) -> None:
    """Each checker is dragged die by die: of two on the bar neither goes on before both are in."""
    for move in play.moves:
        drag(page, move.from_point, move.to_point)


def version_of(mail: Mail) -> int | None:
    """The version that the letter's reply links are for."""
    link = re.search(r"/r/(\S+)", mail.text())
    return Signer(DEVELOPMENT_KEY).read_claim(link[1]).version if link else None


def racing(view: MatchView) -> Play:
    """The legal play that comes home soonest: nothing is hit if it can be helped, and the last run first."""

    def cost(play: Play) -> tuple[int, int]:
        behind = sum(count * point**2 for point, count in enumerate(play.position.board) if count > 0)
        return str(play).count("*"), behind

    return min(legal(view.match), key=cost)


def sign_up(player: Player) -> None:
    page = player.page
    page.goto(f"{player.server.url}/")
    page.get_by_role("link", name="Join and play").click()
    page.get_by_label("Handle").fill(player.name)
    page.get_by_label("E-mail address").fill(f"{player.name}@play.example")
    page.get_by_label("Password").fill("a few good words")
    page.get_by_role("button", name="Join").click()
    expect(page.get_by_text(f"A letter is on its way to {player.name}@play.example")).to_be_visible()


def confirm_the_address(player: Player) -> None:
    page = player.page
    player.box.find(page)
    follow(page, "Yes, it is mine")
    page.get_by_role("button", name=f"Confirm {player.name}@play.example").click()
    expect(page.get_by_text(f"{player.name}@play.example is confirmed")).to_be_visible()


def invite(player: Player, address: str) -> str:
    """Invites by the form; the id of the match."""
    page = player.page
    page.get_by_text(player.name, exact=True).click()
    page.get_by_role("link", name="Invite somebody").click()
    page.get_by_label("Handle or e-mail address").fill(address)
    page.get_by_label("Length").select_option("1")
    page.get_by_label("A word with it").fill("One quick game?")
    page.get_by_role("button", name="Send the invitation").click()
    expect(page.get_by_role("heading", name=f"Waiting for {address} to accept")).to_be_visible()
    return page.url.rpartition("/")[2]


def accept_by_the_letter(player: Player, store: Store, match_id: str) -> None:
    """Opens the invitation, chooses a handle and is in the match."""
    page = player.page
    player.box.find(page)
    follow(page, "Look at the invitation")
    expect(page.get_by_text("One quick game?")).to_be_visible()
    before = turns.load(store, match_id)
    page.reload()
    assert turns.load(store, match_id) == before, "to look is not to accept"
    assert before.black is None
    page.get_by_label("What should others call you?").fill(player.name)
    page.get_by_role("button", name="Accept and play").click()
    page.wait_for_url(f"{player.server.url}/match/{match_id}")


def play_to_the_end(players: dict[Side, Player], store: Store, match_id: str) -> None:
    """Each turn in another way than that player's last one. Who has just moved gets no letter at once: the page."""
    actor: Side | None = Side.BLACK  # has just accepted
    for _ in range(MOST_TURNS):
        view = turns.load(store, match_id)
        side = view.match.on_turn
        if side is None:
            return
        player = players[side]
        if side is not actor and player.by_mail <= player.by_page:
            player.play_by_the_letter(view.version, racing(view))
        else:
            player.play_on_the_page(match_id, racing(view))
        actor = side
    raise AssertionError("the match doesn't end")


def command(server: Server, *words: str, **settings: str) -> None:
    """A command of the operator on the same installation, with its letters going to the same mailbox."""
    mail = {"MAIL_SERVER": "127.0.0.1", "MAIL_PORT": str(server.ports["smtp_port"])}
    environment = {**server.environment, **mail, "BGMAIL_BASE_URL": server.url, **settings}
    subprocess.run([*COLD, *words], cwd=PROJECT, env=environment, check=True, stdout=sys.stderr)


def see_the_result(player: Player, match_id: str, sentence: str) -> None:
    player.page.goto(f"{player.server.url}/match/{match_id}")
    expect(player.page.get_by_role("heading", name=sentence)).to_be_visible()
    expect(player.page.get_by_role("button", name="Offer a rematch")).to_be_visible()


@pytest.mark.long
def test_two_people_meet_and_play_a_match_by_pages_and_letters(
    start_server: StartServer, new_context: NewContext
) -> None:
    server = start_server("dev", "--port", "0", "--no-demo")
    store = Store(f"sqlite:///{server.folder / 'bgmail.db'}")
    alice, bob = (Player(name, new_context().new_page(), server) for name in ("alice", "bob"))
    sign_up(alice)
    confirm_the_address(alice)
    match_id = invite(alice, "bob@play.example")
    accept_by_the_letter(bob, store, match_id)
    players = {Side.WHITE: alice, Side.BLACK: bob}
    play_to_the_end(players, store, match_id)
    view = turns.load(store, match_id)
    store.close()
    result = view.match.result
    assert result
    assert result.ending is Ending.BEAR_OFF
    assert result.winner is not None
    winner, loser = players[result.winner], players[result.winner.other]
    won = view.match.score[result.winner]
    see_the_result(winner, match_id, f"You won the match, {won}–0")
    see_the_result(loser, match_id, f"{winner.name} won the match, {won}–0")
    # Who made the last play sees the end on the page, and gets its letter ten minutes later.
    at = datetime.now(UTC) + timedelta(minutes=11)
    command(server, "tick", "--at", at.isoformat(), BGMAIL_ALLOW_TIME_TRAVEL="1")
    for player in players.values():
        player.box.wait(player.page, lambda mail: mail.subject.startswith("The match is over"))
        assert player.box.mails()[-1].subject.startswith("The match is over")
        assert player.by_mail >= 5
        assert player.by_page >= 5
    sent_letters = [mail.message["Message-ID"] for player in players.values() for mail in player.box.mails()]
    assert len(sent_letters) == len(set(sent_letters))
    command(server, "audit")


def facts(club: Club, match_id: str) -> tuple[int, str, list[Any]]:
    """What a look must leave alone: the version, the newest entry, and all that is owed by mail."""
    view = turns.load(club.world.store, match_id)
    with club.world.store.read() as connection:
        owed = connection.execute(select(table(NoticeRow)).order_by(table(NoticeRow).c.id)).all()
    return view.version, view.head_hash, list(owed)


def test_a_reply_link_may_be_looked_at_as_often_as_a_scanner_likes_and_acts_once(club: Club) -> None:
    view = club.begin((3, 1), (6, 5))
    link = club.link(view, Side.WHITE)
    before = facts(club, view.id)
    page = club.context(None, view).new_page()
    for _ in range(10):
        answer = page.goto(link)
        assert answer
        assert answer.status == 200
        assert page.request.head(link).status == 200
    assert facts(club, view.id) == before
    for point in (8, 5, 6, 5):
        click(page, point)
    rest(page)
    submit(page).click()
    expect(page.get_by_role("heading", name="Done")).to_be_visible()
    assert club.plays(view, Side.WHITE) == ["8/5 6/5"]
    assert page.url == f"{club.url}/r/done"


def test_a_used_link_and_an_overtaken_one_each_say_what_happened(club: Club) -> None:
    view = club.begin((3, 1), (6, 5))
    used = club.link(view, Side.WHITE)
    page = club.context(None, view).new_page()
    page.goto(used)
    page.get_by_role("button", name="Write the play, or choose from the list").click()
    page.get_by_label("Your play, written").fill("8/5 6/5")
    page.get_by_role("button", name="Play what is written").click()
    expect(page.get_by_role("heading", name="Done")).to_be_visible()
    overtaken = club.link(club.load(view), Side.BLACK)
    club.act(view, Side.BLACK, "roll")
    stands = facts(club, view.id)
    for link, status, heading in (
        (used, 200, "You have already answered by this link"),
        (overtaken, 409, "The match has moved on"),
    ):
        answer = page.goto(link)
        assert answer
        assert answer.status == status
        expect(page.get_by_role("heading", name=heading)).to_be_visible()
        pressed = page.request.post(link, form={"action": "roll"})
        assert pressed.status == status
    assert facts(club, view.id) == stands

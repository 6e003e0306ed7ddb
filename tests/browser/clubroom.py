"""An app on a real port with people, scripted dice and positions by hand, for tests in a real browser."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from werkzeug.serving import WSGIRequestHandler, make_server

from bgmail.rules.match import Phase
from bgmail.rules.side import Side
from bgmail.service import logins, matches, turns
from bgmail.service.turns import Request
from bgmail.service.views import MatchView
from bgmail.settings import Settings
from bgmail.tokens import MatchClaim
from bgmail.web.boards import COOKIE
from bgmail.world import World
from tests.fixtures.patience import PATIENCE
from tests.service.matchmaking import ScriptedChance, begin, position, stage

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

    from tests.fixtures.apps import OpenApp
    from tests.fixtures.browsers import NewContext

__all__ = ["Club", "Phase", "Side", "open_club", "position"]


class Club:
    """One running app. Alice is White, Bob is Black; `dice` are drawn in order, then honest ones."""

    def __init__(self, world: World, port: int, cookie: str, new_context: NewContext) -> None:
        self.world = world
        self.url = f"http://127.0.0.1:{port}"
        self._cookie, self._new_context = cookie, new_context
        self._contexts: list[BrowserContext] = []

    def begin(self, *dice: tuple[int, int], length: int = 7, **terms: Any) -> MatchView:
        """A match between Alice and Bob that has just begun."""
        view, chance = begin(self.world.store, self.now(), *dice, length=length, **terms)
        scripted = self.world.chance
        assert isinstance(scripted, ScriptedChance)
        scripted.script = chance.script
        return view

    def now(self) -> datetime:
        return datetime.now(UTC)

    def stage(
        self, view: MatchView, side: Side, own: dict[int, int], other: dict[int, int], *dice: int
    ) -> MatchView:
        """Puts a position on the board, in the numbers of the side on turn."""
        roll = (dice[0], dice[1]) if dice else None
        return stage(self.world.store, view, side, position(own, other), roll)

    def load(self, view: MatchView) -> MatchView:
        return turns.load(self.world.store, view.id)

    def act(self, view: MatchView, side: Side, action: str, **wish: Any) -> MatchView:
        """One action from elsewhere."""
        wish.setdefault("version", self.load(view).version)
        request = Request(action, **wish)
        return turns.act(self.world.store, view.id, side, request, self.now(), self.world.chance).view

    def plays(self, view: MatchView, side: Side) -> list[str]:
        """What a side has played by itself, in the notation of the log."""
        log = matches.log(self.world.store, view.id)
        return [entry.data["play"] for entry in log if entry.kind == "play" and entry.seat == side.word]

    def context(
        self, side: Side | None, view: MatchView, *, boards: str = "click:choose", **options: Any
    ) -> BrowserContext:
        """A browser of one of the two, or of a stranger; `boards` is how it wants them, as its cookie says it.

        Without more a press chooses a checker and the next one says where to: so a test names both places.
        """
        context = self._new_context(**options)
        self._contexts.append(context)
        context.add_cookies([{"name": COOKIE, "value": boards, "url": self.url}] if boards else [])
        person = view.person(side) if side is not None else None
        if person:
            secret = logins.new_secret()
            logins.open_session(self.world.store, person.id, "test", secret, self.now())
            context.add_cookies([{"name": self._cookie, "value": secret, "url": self.url}])
        return context

    def open(self, side: Side | None, view: MatchView, **options: Any) -> Page:
        """The page of the match, in a browser of its own."""
        page = self.context(side, view, **options).new_page()
        page.goto(f"{self.url}/match/{view.id}")
        return page

    def leave(self) -> None:
        """Closes every browser: none asks for anything any more."""
        for context in self._contexts:
            context.close()

    def link(self, view: MatchView, side: Side, action: str | None = None) -> str:
        """A reply link as a letter carries it."""
        entry = matches.log(self.world.store, view.id, view.version - 1)[0]
        claim = MatchClaim(view.id, int(side), view.version, entry.hash[:12], action)
        return f"{self.url}/r/{self.world.signer.sign_claim(claim)}"


class Handler(WSGIRequestHandler):
    """Doesn't wait for ever on a connection on which nobody asks for anything."""

    timeout = PATIENCE


@contextmanager
def open_club(folder: Path, database_url: str, new_context: NewContext, open_app: OpenApp) -> Iterator[Club]:
    """Starts an app on a free port of this machine, and ends it once all that was asked of it is answered."""
    settings = Settings(instance=folder, database_url=database_url)
    app = open_app(settings, chance=ScriptedChance([]))
    server = make_server("127.0.0.1", 0, app, threaded=True, request_handler=Handler)
    # It waits for its threads: one that came late would open the store again behind its closing.
    server.daemon_threads = False
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    here: World = app.extensions["bgmail"]
    club = Club(here, server.server_port, app.config["BGMAIL_LOGIN_COOKIE"], new_context)
    try:
        yield club
    finally:
        club.leave()
        app.extensions["bgmail.streams"].end(PATIENCE)
        server.shutdown()
        thread.join()
        server.server_close()
        here.store.close()

"""A match between Alice and Bob, and the browsers of both and of a stranger."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from flask import Flask

from bgmail.rules.side import Side
from bgmail.service import logins, matches, turns
from bgmail.service.views import MatchView
from bgmail.tokens import MatchClaim
from bgmail.world import World
from tests.service.matchmaking import begin, position, stage
from tests.web.conftest import Visitor


class Table:
    """Alice is White. The first of `dice` is the opening roll; those after it come in order, then honest ones."""

    def __init__(self, app: Flask, *dice: tuple[int, int], length: int = 7, **terms: Any) -> None:
        here: World = app.extensions["bgmail"]
        self.app = app
        self.view, chance = begin(here.store, here.now(), *dice, length=length, **terms)
        self.world = app.extensions["bgmail"] = replace(here, chance=chance)
        self.alice, self.bob = self.enter(Side.WHITE), self.enter(Side.BLACK)
        self.stranger = Visitor(app)

    def enter(self, side: Side) -> Visitor:
        """A browser in which that side is signed in."""
        person, visitor = self.view.person(side), Visitor(self.app)
        assert person
        secret = logins.new_secret()
        logins.open_session(self.world.store, person.id, "test", secret, self.world.now())
        visitor.client.set_cookie(self.app.config["BGMAIL_LOGIN_COOKIE"], secret)
        return visitor

    @property
    def path(self) -> str:
        return f"/match/{self.view.id}"

    def now(self) -> MatchView:
        return turns.load(self.world.store, self.view.id)

    def entries(self) -> int:
        return len(matches.log(self.world.store, self.view.id))

    def act(self, side: Side, action: str, **wish: Any) -> MatchView:
        """One action from elsewhere."""
        wish.setdefault("version", self.now().version)
        world = self.world
        request = turns.Request(action, **wish)
        return turns.act(world.store, self.view.id, side, request, world.now(), world.chance).view

    def stage(
        self, side: Side, own: dict[int, int], other: dict[int, int], dice: tuple[int, int] | None = None
    ) -> MatchView:
        """Puts a position on the board, in the numbers of the side on turn."""
        return stage(self.world.store, self.now(), side, position(own, other), dice)

    def send(self, visitor: Visitor, action: str, **fields: Any) -> str:
        """Sends a form of the match's page; the words of the page that follows."""
        visitor.open(self.path)
        fields.setdefault("version", self.now().version)
        visitor.post(f"{self.path}/act", {"action": action, **fields}, follow_redirects=True)
        return visitor.text

    def link(self, side: Side, action: str | None = None, **wish: Any) -> str:
        """A reply link as a letter carries it, for the match as it stands."""
        view = self.now()
        entry = matches.log(self.world.store, view.id, view.version - 1)[0]
        claim = MatchClaim(view.id, int(side), view.version, entry.hash[:12], action, **wish)
        return f"/r/{self.world.signer.sign_claim(claim)}"

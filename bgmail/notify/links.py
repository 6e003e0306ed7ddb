"""Addresses that letters carry: signed claims on the configured base URL. Nothing is read from a request."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from flask import current_app
from werkzeug.routing import MapAdapter

from bgmail.rules.side import Side
from bgmail.service.accounts import Account
from bgmail.service.entrance import EntryClaim
from bgmail.service.notices import Kind
from bgmail.service.views import MatchView
from bgmail.tokens import MatchClaim, Purpose, Signer
from bgmail.world import World

MAILBOX = "play"
"""The name before the token in the addresses that answers go to."""
HASH_PREFIX = 12
"""Hex digits of the version's entry in a claim: they tell a restored log from the one the link is for."""


@dataclass(frozen=True, slots=True)
class Links:
    """Makes links for one installation: paths from the app's routes, the host from the settings.

    `operator` is the address of whoever runs it, if they have named one; `inbound_domain` that of addresses to answer
    to, None where no mail is read.
    """

    routes: MapAdapter
    signer: Signer
    operator: str | None = None
    inbound_domain: str | None = None

    def home(self) -> str:
        return self._to("home.index")

    def settings(self) -> str:
        return self._to("settings.index")

    def push(self) -> str:
        """The page of browsers that are told."""
        return self._to("push.index")

    def help(self, anchor: str) -> str:
        """A section of the help page."""
        return f"{self._to('guide.help')}#{anchor}"

    def webhooks(self) -> str:
        """The webhooks of who is signed in."""
        return self._to("webhooks.index")

    def vacation(self) -> str:
        """The vacations of who is signed in."""
        return self._to("vacation.index")

    def sign_in_form(self) -> str:
        return self._to("auth.sign_in")

    def match(self, match_id: str) -> str:
        """The page of a match, for who is signed in."""
        return self._to("match.page", match_id=match_id)

    def tournament(self, tournament_id: str) -> str:
        """The page of a tournament."""
        return self._to("tournaments.overview", tournament_id=tournament_id)

    def reply(
        self,
        view: MatchView,
        side: Side,
        version_hash: str,
        action: str | None = None,
        value: int | None = None,
        play: str | None = None,
    ) -> str:
        """A reply link: this side may act in this match while its version stands.

        `version_hash` is the hash of the entry that made the version. `action` is what the link proposes, with a
        resignation's `value` or a `play`; None opens the board with every choice.
        """
        claim = MatchClaim(view.id, int(side), view.version, version_hash[:HASH_PREFIX], action, value, play)
        return self._to("reply.show", token=self.signer.sign_claim(claim))

    def answer(self, view: MatchView, side: Side, version_hash: str) -> str | None:
        """The address to answer to by mail: what `reply` is for a browser. None where no mail is read."""
        if self.inbound_domain is None:
            return None
        claim = MatchClaim(view.id, int(side), view.version, version_hash[:HASH_PREFIX])
        token = self.signer.sign_address(claim)
        return f"{MAILBOX}+{token}@{self.inbound_domain}" if token else None

    def invitation(self, match_id: str, address: str) -> str:
        """An invitation to an address: only who reads its mail knows this link."""
        return self._signed("invitation.claim", Purpose.INVITATION, [match_id, address])

    def verify(self, claim: object) -> str:
        """The proof of an address."""
        return self._signed("auth.verify", Purpose.VERIFY, claim)

    def sign_in(self, claim: object) -> str:
        """One sign-in without a password."""
        return self._signed("auth.link", Purpose.SIGN_IN, claim)

    def reset(self, claim: object) -> str:
        """One new password."""
        return self._signed("auth.reset", Purpose.RESET, claim)

    def unsubscribe(self, account_id: int, kind: Kind) -> str:
        """Switches the letters of one kind off, and on again, for one person."""
        return self._signed("letters.unsubscribe", Purpose.UNSUBSCRIBE, [account_id, kind.value])

    def _signed(self, endpoint: str, purpose: Purpose, payload: object) -> str:
        return self._to(endpoint, token=self.signer.sign(purpose, payload))

    def _to(self, endpoint: str, **values: str) -> str:
        return self.routes.build(endpoint, values, force_external=True)


def links_of(world: World) -> Links:
    """The links of the current app's installation."""
    base = urlsplit(world.settings.base_url)
    routes = current_app.url_map.bind(base.netloc, url_scheme=base.scheme)
    settings = world.settings
    return Links(routes, world.signer, settings.operator_email, settings.inbound_domain)


def sign_in_url(world: World, account: Account) -> str:
    """A link that lets this person in once, for the operator who starts a development server."""
    return links_of(world).sign_in(EntryClaim(account.id, account.epoch).payload())

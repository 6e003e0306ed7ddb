"""The page behind a mailed invitation: who invites to what; a new friend is asked for a handle only."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, g, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from bgmail import phrases
from bgmail.phrases.translate import gettext as _
from bgmail.rules.match import Phase
from bgmail.service import accounts, invitations
from bgmail.service.accounts import Account
from bgmail.service.errors import NotFound, Refused, ServiceError, Stale
from bgmail.service.invitations import Invitation
from bgmail.tokens import BadToken, Purpose
from bgmail.web.forms import Form, posted, refused
from bgmail.web.guard import let_in
from bgmail.web.language import spoken
from bgmail.world import world

blueprint = Blueprint("invitation", __name__)

Answer = tuple[str, int] | Response


@dataclass(frozen=True, slots=True)
class Offer:
    """An invitation to an address, opened by somebody who reads its mail. `owner` has proven that address."""

    invitation: Invitation
    address: str
    owner: Account | None

    @property
    def match_id(self) -> str:
        return self.invitation.view.id

    @property
    def is_open(self) -> bool:
        """Whether it can still be answered."""
        view = self.invitation.view
        return view.match.phase is Phase.INVITED and world().now() < self.invitation.expires_at


@blueprint.route("/invitation/<token>", methods=["GET", "POST"])
def claim(token: str) -> Answer:
    """Looks at the invitation; the form accepts or declines it, once."""
    try:
        offer = _read(token)
    except (BadToken, NotFound):
        return _gone(_("This link isn't whole: copy all of it from the letter."), 404)
    if not offer.is_open:
        return _over(offer)
    if request.method != "POST":
        return _page(offer, Form())
    try:
        return _decline(offer) if request.form.get("answer") == "decline" else _accept(offer)
    except Stale:
        return _over(_read(token))
    except ServiceError as error:
        return _page(offer, refused(error, posted("handle")))


def _read(token: str) -> Offer:
    here = world()
    payload = here.signer.read(Purpose.INVITATION, token)
    match payload:
        case [str() as match_id, str() as address]:
            invitation = invitations.find(here.store, match_id)
        case _:
            raise BadToken("no claim to an invitation")
    if invitation.email != address:
        raise NotFound("no_match")
    try:
        owner = accounts.by_email(here.store, address)
    except NotFound:
        owner = None
    return Offer(invitation, address, owner)


def _accept(offer: Offer) -> Answer:
    """The seat goes to who is signed in, or to the new account of who reads the address's mail."""
    here, now = world(), world().now()
    account = g.account
    if account is None:
        if offer.owner:
            raise Refused("address_taken")
        typed = posted("handle", "time_zone")
        handle, chosen = typed["handle"].strip(), {"time_zone": typed["time_zone"], "locale": spoken()}
        account = accounts.join(here.store, handle, offer.address, now, **chosen)
    response = redirect(url_for("match.page", match_id=offer.match_id), 303)
    if g.account is None:
        let_in(response, account)
    invitations.accept(here.store, offer.match_id, account.id, now, here.chance, by_address=True)
    return response


def _decline(offer: Offer) -> Answer:
    here = world()
    account_id = g.account.id if g.account else None
    invitations.decline(here.store, offer.match_id, account_id, here.now(), here.chance, by_address=True)
    return _gone(_("You declined. %(name)s is told.", name=_inviter(offer)), 200)


def _over(offer: Offer) -> Answer:
    view = offer.invitation.view
    if g.account and view.side_of(g.account.id) is not None:
        return redirect(url_for("match.page", match_id=view.id), 303)
    if view.match.phase is not Phase.INVITED and view.match.result is None:
        return _gone(_("This invitation was accepted already: it works once. Sign in to go on playing."), 410)
    return _gone(_("This invitation is over: it was answered, taken back, or ran out after 14 days."), 410)


def _page(offer: Offer, form: Form) -> tuple[str, int]:
    view = offer.invitation.view
    terms = [
        phrases.match_terms(view.match),
        phrases.time_control(view.clock.control, spelled=True),
        phrases.rests_allowed(view.rests.allowed),
        phrases.rules_name(view.rules_name),
        _("rated") if view.rated else _("unrated"),
    ]
    page = render_template(
        "auth/invitation.html",
        offer=offer,
        inviter=_inviter(offer),
        terms=[term for term in terms if term],
        form=form,
    )
    return page, form.status


def _inviter(offer: Offer) -> str:
    white = offer.invitation.view.white
    return white.handle if white else _("somebody")


def _gone(sentence: str, status: int) -> tuple[str, int]:
    return render_template("auth/invitation_over.html", sentence=sentence), status

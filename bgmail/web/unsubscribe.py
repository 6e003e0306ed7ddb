"""Letters of one kind, switched off and on by the link in a letter. Looking changes nothing."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue

from bgmail.phrases.channels import notice_name
from bgmail.phrases.translate import gettext as _
from bgmail.service import accounts, choices
from bgmail.service.accounts import Account
from bgmail.service.choices import MAIL, Mode
from bgmail.service.errors import Forbidden, NotFound
from bgmail.service.notices import Kind
from bgmail.tokens import BadToken, Purpose
from bgmail.web.language import speak_to
from bgmail.world import world

blueprint = Blueprint("letters", __name__, url_prefix="/unsubscribe")

ONE_CLICK = ("List-Unsubscribe", "One-Click")
NEEDED = frozenset({Kind.YOUR_TURN, Kind.DOUBLE, Kind.RESIGNATION, Kind.REMINDER, Kind.CLAIM})
"""Letters that tell somebody that their time runs: without them matches are lost."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What a link speaks of: one kind of letter to one person."""

    account: Account
    kind: Kind

    @property
    def muted(self) -> bool:
        """Whether these letters are switched off now."""
        return choices.of(world().store, self.account.id).mode(self.kind, MAIL) is Mode.OFF

    def mute(self, muted: bool) -> None:
        """Switches them off or on; the same again changes nothing."""
        choices.mute(world().store, self.account.id, self.kind, muted=muted)


def choice(token: str) -> Choice:
    """What the link speaks of. Raises BadToken, NotFound, and Forbidden for an account that is closed."""
    payload = world().signer.read(Purpose.UNSUBSCRIBE, token)
    match payload:
        case [int() as account_id, str() as kind] if kind in set(Kind):
            return Choice(speak_to(accounts.require_active(world().store, account_id)), Kind(kind))
    raise BadToken("no choice of letters")


@blueprint.route("/<token>", methods=("GET", "POST"))
def unsubscribe(token: str) -> ResponseReturnValue:
    """What would be switched off, and a button; only pressing it changes something. Needs no login."""
    chosen = choice(token)
    return _choose(chosen) if request.method == "POST" else _page(chosen, "")


def _choose(chosen: Choice) -> ResponseReturnValue:
    """One click of a mail program (RFC 8058), or the button of the page: off, or on again."""
    off = request.form.get(ONE_CLICK[0]) == ONE_CLICK[1] or request.form.get("letters") == "off"
    if not off and request.form.get("letters") != "on":
        return _page(chosen, _("Say which: press one of the buttons. Nothing was changed.")), 400
    chosen.mute(off)
    return _page(chosen, _("These letters are off now.") if off else _("These letters are on again."))


@blueprint.errorhandler(BadToken)
@blueprint.errorhandler(NotFound)
def dead(_error: Exception) -> ResponseReturnValue:
    """A link that was cut short, was never ours, or whose person is gone."""
    sentence = _("This link is not complete. Open the one in the letter, or sign in and go to your settings.")
    return render_template("error.html", title=_("No such link"), sentence=sentence), 404


@blueprint.errorhandler(Forbidden)
def gone(_error: Exception) -> ResponseReturnValue:
    """Of a closed account nothing is kept, and what the link asks for is so already."""
    sentence = _("This account is closed: no letters go to it any more.")
    return render_template("error.html", title=_("No more letters"), sentence=sentence), 200


def _page(chosen: Choice, said: str) -> str:
    return render_template(
        "letters/unsubscribe.html",
        handle=chosen.account.handle,
        letters=notice_name(chosen.kind),
        muted=chosen.muted,
        needed=chosen.kind in NEEDED,
        said=said,
    )

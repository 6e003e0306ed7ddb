"""What I do about letters that don't reach me: have them tried again, or a kind sent again that was taken for junk."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, flash, g, redirect, request, url_for
from werkzeug.wrappers import Response

from bgmail.phrases.channels import notice_name
from bgmail.phrases.translate import gettext as _
from bgmail.service import addresses, bounces
from bgmail.web.guard import signed_in
from bgmail.world import world

blueprint = Blueprint("bounces", __name__, url_prefix="/settings/notices")

MOST_SAID = 160


@dataclass(frozen=True, slots=True)
class Line:
    """A trouble as its owner reads it. `about` is the kind that was taken for junk, "" where all letters come back."""

    about: str
    text: str


def lines() -> list[Line]:
    """What keeps letters from who is signed in, a line each. Asked only where there is something."""
    if not g.troubled:
        return []
    return [Line(one.about, _sentence(one)) for one in bounces.of(world().store, g.account)]


@blueprint.post("/again")
@signed_in
def again() -> Response:
    """My letters are to be tried again: a test goes out at once."""
    bounces.try_again(world().store, g.account, world().now())
    flash(_("Letters go to your address again. A test is on its way: if it comes back too, it is said here."))
    return _back()


@blueprint.post("/junk")
@signed_in
def settle() -> Response:
    """A kind that was switched off because it was taken for junk: send it again, or leave it off."""
    wanted = request.form.get("answer") == "send"
    about = request.form.get("about", "")
    bounces.settle(world().store, g.account, about, world().now(), wanted=wanted)
    flash(_("These letters come again.") if wanted else _("They stay off."))
    return _back()


def _back() -> Response:
    place = "notices.index" if request.form.get("from") == "notices" else "home.index"
    return redirect(url_for(place), 303)


def _sentence(trouble: bounces.Trouble) -> str:
    if trouble.about:
        what = notice_name(trouble.about)
        return _(
            "No letter comes any more when: %(what)s. Your mail provider told us that one was marked as junk.",
            what=what,
        )
    address = addresses.shown(trouble.address)
    if not trouble.said:
        return _("Letters to %(address)s don't arrive: they come back.", address=address)
    said = trouble.said if len(trouble.said) <= MOST_SAID else trouble.said[: MOST_SAID - 1] + "…"
    return _("Letters to %(address)s don't arrive: “%(said)s”", address=address, said=said)

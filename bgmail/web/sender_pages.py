"""The addresses that somebody answers from, besides the one that their letters go to."""

from __future__ import annotations

from flask import Blueprint, flash, g, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from bgmail.phrases.translate import gettext as _
from bgmail.service import addresses, inbound
from bgmail.service.errors import ServiceError
from bgmail.web.forms import Form, posted, refused
from bgmail.web.guard import signed_in
from bgmail.world import world

blueprint = Blueprint("senders", __name__, url_prefix="/settings/senders")

Page = tuple[str, int, dict[str, str]]


@blueprint.get("")
@signed_in
def index() -> Page:
    """The list."""
    return _page(Form())


@blueprint.post("")
@signed_in
def add() -> Page | Response:
    """One more."""
    here, typed = world(), posted("email")
    try:
        inbound.add_sender(here.store, g.account, typed["email"], here.now())
    except ServiceError as error:
        return _page(refused(error, typed))
    flash(_("Saved. What you write from there counts as yours."))
    return redirect(url_for("senders.index"), 303)


@blueprint.post("/drop")
@signed_in
def drop() -> Response:
    """One less."""
    inbound.drop_sender(world().store, g.account.id, request.form.get("address", ""))
    flash(_("Saved. What comes from there has to be confirmed again."))
    return redirect(url_for("senders.index"), 303)


def _page(form: Form) -> Page:
    here = world()
    page = render_template(
        "settings/senders.html",
        here="settings",
        form=form,
        account=g.account,
        senders=inbound.senders(here.store, g.account.id),
        shown=addresses.shown,
        is_read=here.settings.inbound_domain is not None,
    )
    return page, form.status, dict(form.headers)

"""My webhooks: which there are and how they fare, one by one with its secret and its calls."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from zoneinfo import ZoneInfo

from flask import Blueprint, flash, g, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from bgmail.phrases import instant
from bgmail.phrases.people import called
from bgmail.phrases.terms import match_terms
from bgmail.phrases.translate import gettext as _
from bgmail.phrases.webhooks import call_result, event_name, flavour_name, state_line
from bgmail.service import matches, webhooks
from bgmail.service.errors import NotFound, ServiceError
from bgmail.service.views import MatchView
from bgmail.service.webhooks import NAMES, Flavour, State, Webhook, Wish
from bgmail.web.forms import Form, posted, refused
from bgmail.web.guard import signed_in
from bgmail.world import world

blueprint = Blueprint("webhooks", __name__, url_prefix="/settings/webhooks")

Page = tuple[str, int, dict[str, str]]
Answer = Page | Response

MATCHES_SHOWN = 100
MOST_ID = 2**31 - 1
ONE = "/<int(max=2147483647):webhook_id>"


@blueprint.get("")
@signed_in
def index() -> Answer:
    """All of them, and a form for another one."""
    return _list(Form(), Wish("", Flavour.STANDARD, NAMES))


@blueprint.post("")
@signed_in
def add() -> Answer:
    """Another webhook."""
    here, wish = world(), _wish()
    try:
        added = webhooks.add(here.store, g.account.id, wish, webhooks.new_secret(), here.now())
    except ServiceError as error:
        return _list(refused(error, posted("url", "name", "events")), wish)
    flash(_("The webhook is there. Send a test to see whether it arrives."))
    return redirect(url_for("webhooks.show", webhook_id=added.id), 303)


@blueprint.get(ONE)
@signed_in
def show(webhook_id: int) -> Answer:
    """One webhook, without its secret."""
    return _one(webhook_id, Form())


@blueprint.post(ONE)
@signed_in
def change(webhook_id: int) -> Answer:
    """Other wishes for it."""
    wish = _wish()
    try:
        webhooks.change(world().store, g.account.id, webhook_id, wish)
    except NotFound:
        raise
    except ServiceError as error:
        return _one(webhook_id, refused(error, posted("url", "name", "events")), wish=wish)
    return _done(webhook_id, _("Saved."))


@blueprint.post(f"{ONE}/test")
@signed_in
def test(webhook_id: int) -> Answer:
    """A test event."""
    send = lambda: webhooks.test(world().store, g.account.id, webhook_id, world().now())  # noqa: E731
    return _do(
        webhook_id, send, _("A test is on its way. Reload this page in a moment to see what came back.")
    )


@blueprint.post(f"{ONE}/pause")
@signed_in
def pause(webhook_id: int) -> Answer:
    """Nothing is sent there for now."""
    webhooks.pause(world().store, g.account.id, webhook_id)
    return _done(webhook_id, _("Switched off: nothing is sent there until you switch it on."))


@blueprint.post(f"{ONE}/resume")
@signed_in
def resume(webhook_id: int) -> Answer:
    """It is sent there again."""
    webhooks.resume(world().store, g.account.id, webhook_id)
    return _done(webhook_id, _("Switched on."))


@blueprint.post(f"{ONE}/secret")
@signed_in
def secret(webhook_id: int) -> Answer:
    """Shows the secret on this one answer; a new one if that is asked for."""
    here = world()
    if request.form.get("answer") == "renew":
        webhooks.renew_secret(here.store, g.account.id, webhook_id, webhooks.new_secret(), here.now())
    return _one(webhook_id, Form(), reveal=True)


@blueprint.post(f"{ONE}/delete")
@signed_in
def delete(webhook_id: int) -> Answer:
    """Deletes it and its log."""
    webhooks.delete(world().store, g.account.id, webhook_id)
    flash(_("The webhook is deleted."))
    return redirect(url_for("webhooks.index"), 303)


@blueprint.post(f"{ONE}/calls/<int(max=2147483647):call_id>/again")
@signed_in
def again(webhook_id: int, call_id: int) -> Answer:
    """What one call told is sent once more."""
    send = lambda: webhooks.send_again(world().store, g.account.id, webhook_id, call_id, world().now())  # noqa: E731
    return _do(webhook_id, send, _("It is on its way once more, under the same id."))


def _do(webhook_id: int, act: Callable[[], None], says: str) -> Answer:
    try:
        act()
    except NotFound:
        raise
    except ServiceError as error:
        return _one(webhook_id, refused(error, {}))
    return _done(webhook_id, says)


def _done(webhook_id: int, says: str) -> Response:
    flash(says)
    return redirect(url_for("webhooks.show", webhook_id=webhook_id), 303)


def _wish() -> Wish:
    """What the form says."""
    typed = request.form
    return Wish(
        url=typed.get("url", ""),
        flavour=typed.get("flavour", ""),
        events=typed.getlist("events"),
        match_id=typed.get("match", ""),
        name=typed.get("name", ""),
    )


def _list(form: Form, wish: Wish) -> Page:
    found = webhooks.mine(world().store, g.account.id)
    page = render_template(
        "settings/webhooks.html",
        webhooks=found,
        most=webhooks.MOST,
        **_words(form, wish),
    )
    return page, form.status, dict(form.headers)


def _one(webhook_id: int, form: Form, *, wish: Wish | None = None, reveal: bool = False) -> Page:
    here = world()
    webhook = webhooks.one(here.store, g.account.id, webhook_id)
    before = request.args.get("before", type=int)
    calls = webhooks.calls(
        here.store, g.account.id, webhook_id, before if before and 0 < before <= MOST_ID else None
    )
    page = render_template(
        "settings/webhook.html",
        webhook=webhook,
        calls=calls,
        older=calls[-1].id if len(calls) == webhooks.CALLS_SHOWN else None,
        reveal=reveal,
        now=here.now(),
        result=call_result,
        **_words(form, wish or _as_wished(webhook)),
    )
    return page, form.status, dict(form.headers)


def _as_wished(webhook: Webhook) -> Wish:
    return Wish(webhook.url, webhook.flavour, webhook.events, webhook.match_id or "", webhook.name)


def _words(form: Form, wish: Wish) -> Mapping[str, object]:
    """What both pages have: the form with what may be chosen in it, and how things are called."""
    here = world()
    zone, now = ZoneInfo(g.account.time_zone), here.now()
    running = matches.mine(here.store, g.account.id, "running", MATCHES_SHOWN)
    return {
        "here": "settings",
        "form": form,
        "wish": wish,
        "events": [(name, event_name(name)) for name in NAMES],
        "flavours": [(flavour.value, flavour_name(flavour)) for flavour in Flavour],
        "matches": _choices(running, wish.match_id),
        "event_name": event_name,
        "state_line": state_line,
        "State": State,
        "when": lambda at: instant(at, zone, now),
    }


def _choices(running: list[MatchView], chosen: str) -> list[tuple[str, str]]:
    """The matches that a webhook may be kept to; the one that is chosen among them, also when it is over."""
    found = [(view.id, _match_name(view)) for view in running]
    missing = chosen and chosen not in dict(found)
    return [*found, (chosen, f"#{chosen}")] if missing else found


def _match_name(view: MatchView) -> str:
    side = view.side_of(g.account.id)
    opponent = view.person(side.other) if side is not None else None
    name = called(opponent.handle) if opponent else _("an open seat")
    return _("%(name)s, %(terms)s (#%(id)s)", name=name, terms=match_terms(view.match), id=view.id)

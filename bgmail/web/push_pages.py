"""My browsers that are told by push: the worker that shows it there, subscribing, testing and removing."""

from __future__ import annotations

from collections.abc import Callable
from zoneinfo import ZoneInfo

from flask import Blueprint, Response, abort, flash, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.wrappers import Response as AnyResponse

from bgmail import webpush
from bgmail.phrases import instant, refusal
from bgmail.phrases.translate import gettext as _
from bgmail.service import push, told
from bgmail.service.choices import PUSH
from bgmail.service.errors import NotFound, Refused, ServiceError
from bgmail.service.push import Subscriber, Wish
from bgmail.web import addresses
from bgmail.web.browsers import browser_name
from bgmail.web.forms import Form, posted, refused
from bgmail.web.guard import signed_in
from bgmail.world import world

blueprint = Blueprint("push", __name__)

WORKER = "push-worker.js"
MOST_ID = 2**31 - 1


@blueprint.get("/sw.js")
def worker() -> AnyResponse:
    """The service worker, at the root so that every page is its own; browsers look each time for a new one."""
    script = addresses.text(WORKER) or abort(404)
    response = Response(script, mimetype="text/javascript", headers={"Cache-Control": "no-cache"})
    response.add_etag()
    return response.make_conditional(request)


@blueprint.get("/settings/push")
@signed_in
def index() -> ResponseReturnValue:
    """My browsers, and the switch for this one."""
    return _page(Form())


@blueprint.post("/settings/push")
@signed_in
def subscribe() -> ResponseReturnValue:
    """The page's script has subscribed this browser."""
    here, name = world(), browser_name(request.user_agent.string)
    try:
        push.subscribe(here.store, g.account.id, g.login_id, _wish(), name, here.now())
    except Refused as error:
        return refusal(error), 422, {"Content-Type": "text/plain; charset=utf-8"}
    flash(_("This browser is told of your turns from now on."))
    return "", 204


@blueprint.post("/settings/push/moved")
def moved() -> ResponseReturnValue:
    """The worker says that this browser has another endpoint now: the old one proves that it is ours."""
    if g.login_id is None:
        return "", 401
    try:
        push.move(world().store, g.login_id, request.form.get("before", ""), _wish())
    except (NotFound, Refused) as error:
        return refusal(error), 422, {"Content-Type": "text/plain; charset=utf-8"}
    return "", 204


@blueprint.post(f"/settings/push/<int(max={MOST_ID}):browser_id>/remove")
@signed_in
def remove(browser_id: int) -> ResponseReturnValue:
    """Tells one browser nothing any more."""
    gone = lambda: push.remove(world().store, g.account.id, browser_id)  # noqa: E731
    return _do(gone, _("That browser is told nothing any more."))


@blueprint.post(f"/settings/push/<int(max={MOST_ID}):browser_id>/test")
@signed_in
def test(browser_id: int) -> ResponseReturnValue:
    """Tells one browser something, to see whether it arrives."""
    here = world()

    def try_it() -> None:
        found = push.find(here.store, g.account.id, browser_id)
        told.test(here.store, g.account.id, PUSH, found.id, here.now())

    return _do(try_it, _("A test is on its way: it should appear within seconds."))


def _do(act: Callable[[], object], says: str) -> ResponseReturnValue:
    try:
        act()
    except ServiceError as error:
        return _page(refused(error, {}))
    flash(says)
    return redirect(url_for("push.index"), 303)


def _wish() -> Wish:
    return Wish(**posted("endpoint", "p256dh", "auth"))


def _page(form: Form) -> ResponseReturnValue:
    here = world()
    now = here.now()
    browsers = push.browsers(here.store, g.account.id, now)
    page = render_template(
        "settings/push.html",
        here="settings",
        form=form,
        key=webpush.text(webpush.public_key(push.own_key(here.store, now))),
        browsers=browsers,
        this=next((one for one in browsers if one.login_id == g.login_id), None),
        told=_told,
    )
    return page, form.status, dict(form.headers)


def _told(browser: Subscriber) -> str:
    """How the last message to a browser went."""
    zone, now = ZoneInfo(g.account.time_zone), world().now()
    if browser.failing_since is not None:
        since = instant(browser.failing_since, zone, now)
        return _("not reached since %(when)s: %(said)s", when=since, said=browser.said)
    if browser.sent_at is None:
        return _("nothing to tell yet")
    return _("last told %(when)s", when=instant(browser.sent_at, zone, now))

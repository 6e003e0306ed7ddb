"""A person's deadlines as a calendar and turns as a feed, read by programs under a secret address, and its settings."""

from __future__ import annotations

from datetime import timedelta

from flask import Blueprint, Response, flash, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.wrappers import Response as AnyResponse

from bgmail.formats import atom, calendar
from bgmail.phrases import lasting
from bgmail.phrases.translate import gettext as _
from bgmail.service import feeds, lately
from bgmail.service.accounts import Account
from bgmail.service.errors import NotFound
from bgmail.service.feeds import Feed
from bgmail.tokens import BadToken, Purpose
from bgmail.web import feed_entries
from bgmail.web.errors import Page, of_service
from bgmail.web.guard import signed_in
from bgmail.web.language import speak_to
from bgmail.world import world

blueprint = Blueprint("feeds", __name__)

REFRESH = timedelta(minutes=30)
KEPT_BY = "private, no-cache"
"""The one who reads may keep the file and ask whether it has changed; nobody on the way may keep it."""


@blueprint.get("/settings/feeds")
@signed_in
def settings() -> ResponseReturnValue:
    """The addresses, and what can be done with them."""
    feed = feeds.of(world().store, g.account.id)
    return render_template(
        "settings/feeds.html",
        here="settings",
        calendar=_address(feed, "feeds.deadlines") if feed else "",
        turns=_address(feed, "feeds.turns") if feed else "",
        read=_told(feed) if feed else "",
    )


@blueprint.post("/settings/feeds")
@signed_in
def choose() -> ResponseReturnValue:
    """New addresses, or none."""
    here = world()
    if request.form.get("answer") == "stop":
        feeds.stop(here.store, g.account.id)
        flash(_("Your addresses have ended. Programs that know them read nothing any more."))
    else:
        feeds.renew(here.store, g.account.id, here.now())
        flash(
            _("Your addresses are ready. Whoever knows them can read your turns, so keep them to yourself.")
        )
    return redirect(url_for("feeds.settings"), 303)


@blueprint.get("/feed/<token>/deadlines.ics")
def deadlines(token: str) -> AnyResponse:
    """One event for each match in which time runs for the owner."""
    owner, _feed = _enter(token)
    now = world().now()
    found = (
        feed_entries.event(view, owner, _match(view.id), now) for view in feeds.turns(world().store, owner.id)
    )
    events = [event for event in found if event]
    name = _("bgmail: deadlines of %(name)s", name=owner.handle)
    return _sent(calendar.write_calendar(name, events, REFRESH), calendar.MEDIA_TYPE, "bgmail-deadlines.ics")


@blueprint.get("/feed/<token>/turns.atom")
def turns(token: str) -> AnyResponse:
    """One entry for each match that waits for the owner."""
    owner, feed = _enter(token)
    here, now = world(), world().now()
    views = feeds.turns(here.store, owner.id)
    acts = lately.acts(here.store, [view.id for view in views])
    written = atom.Feed(
        id=feed_entries.iri(f"turns of {owner.handle} since {owner.created_at.isoformat()}"),
        title=_("bgmail: turns of %(name)s", name=owner.handle),
        url=f"{here.settings.base_url}{url_for('home.index')}",
        own=_address(feed, "feeds.turns"),
        language=owner.locale,
        made_at=feed.made_at,
        entries=[
            feed_entries.entry(view, owner, _match(view.id), acts.get(view.id, ()), now) for view in views
        ],
    )
    return _sent(atom.write_feed(written), atom.MEDIA_TYPE, "bgmail-turns.atom")


@blueprint.errorhandler(BadToken)
def unknown(_error: BadToken) -> Page:
    """An address that was cut short, or was never ours: the same answer as for one that has ended."""
    return of_service(NotFound("no_feed"))


def _enter(token: str) -> tuple[Account, Feed]:
    """Who reads by this address: from here on the answer is in their language."""
    here = world()
    match here.signer.read(Purpose.FEED, token):
        case [int() as account_id, str() as mark]:
            owner, feed = feeds.enter(here.store, account_id, mark, here.now())
            return speak_to(owner), feed
    raise BadToken("no address of a feed")


def _address(feed: Feed, endpoint: str) -> str:
    """The whole address of a file: the same each time, until it is renewed."""
    here = world()
    token = here.signer.sign(Purpose.FEED, [feed.account_id, feed.mark], at=feed.made_at)
    return f"{here.settings.base_url}{url_for(endpoint, token=token)}"


def _match(match_id: str) -> str:
    return f"{world().settings.base_url}{url_for('match.page', match_id=match_id)}"


def _told(feed: Feed) -> str:
    """When a program last read the files."""
    if feed.read_at is None:
        return _("No program has read them yet.")
    return _("A program read them about %(span)s ago.", span=lasting(world().now() - feed.read_at))


def _sent(text: str, media_type: str, name: str) -> AnyResponse:
    """The file, or that it is the one that the reader has already."""
    response = Response(text, content_type=f"{media_type}; charset=utf-8")
    response.headers.set("Content-Disposition", "inline", filename=name)
    response.headers["Cache-Control"] = KEPT_BY
    response.headers["X-Robots-Tag"] = "noindex, nofollow"
    response.add_etag()
    return response.make_conditional(request)

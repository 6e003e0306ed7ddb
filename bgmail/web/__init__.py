"""The pages. `register` puts them, and the guard before them, into an app."""

from __future__ import annotations

from flask import Flask

from bgmail.web import (
    auth,
    bounce_pages,
    claim_pages,
    devmail_pages,
    directory,
    errors,
    farewell_pages,
    feeds,
    guard,
    guide_pages,
    headers,
    history_pages,
    home,
    language,
    layout,
    links,
    lobby,
    look,
    match_pages,
    match_rules,
    metrics,
    note_pages,
    notice_pages,
    operator_pages,
    order_pages,
    people,
    push_pages,
    rating_pages,
    replay_pages,
    resign_pages,
    sender_pages,
    series_pages,
    settings_pages,
    sketch_pages,
    tournaments,
    unsubscribe,
    vacation_pages,
    waking,
    webhook_pages,
    weekly_pages,
)

__all__ = ["history_pages", "register", "replay_pages"]

PAGES = (
    auth,
    bounce_pages,
    claim_pages,
    directory,
    farewell_pages,
    feeds,
    guide_pages,
    home,
    language,
    links,
    lobby,
    look,
    match_pages,
    match_rules,
    metrics,
    note_pages,
    notice_pages,
    operator_pages,
    order_pages,
    people,
    push_pages,
    rating_pages,
    resign_pages,
    sender_pages,
    series_pages,
    settings_pages,
    sketch_pages,
    tournaments,
    unsubscribe,
    vacation_pages,
    webhook_pages,
    weekly_pages,
)


def register(app: Flask) -> None:
    """Adds every page to an app; the mailbox of development never to one in production."""
    settings = app.extensions["bgmail"].settings
    waking.register(app)
    guard.register(app)
    headers.register(app, secure=settings.base_url.startswith("https:"))
    errors.register(app)
    layout.register(app)
    language.register(app)
    for pages in PAGES:
        app.register_blueprint(pages.blueprint)
    if not settings.production:
        devmail_pages.register(app)

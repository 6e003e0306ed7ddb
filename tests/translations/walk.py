"""A walk through all pages that links lead to, a few of each kind."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator
from urllib.parse import urlsplit

from flask.testing import FlaskClient
from werkzeug.exceptions import HTTPException

from bgmail.service import logins
from tests.translations.club import Club
from tests.translations.words import Page

START = (
    "/",
    "/?show=all",
    "/lobby",
    "/invite",
    "/settings",
    "/settings/notices",
    "/settings/notices/sent",
    "/settings/vacation?look=yes",
    "/settings/webhooks",
    "/sign-in",
    "/sign-up",
    "/rules/",
    "/nowhere",
)
ENOUGH = 4
"""So many pages of one kind are read, and all of match pages."""
ALL_OF = {"match.page", "people.profile"}
NO_PAGES = {"match.export", "static", "look.style"}


def browser(club: Club, account_id: int | None) -> FlaskClient:
    """A browser in which somebody is signed in, or nobody (who asks for the club's language)."""
    client = club.app.test_client()
    client.environ_base["HTTP_ACCEPT_LANGUAGE"] = club.language
    if account_id is not None:
        secret = logins.new_secret()
        logins.open_session(club.store, account_id, "test", secret, club.clock.now)
        client.set_cookie(club.app.config["BGMAIL_LOGIN_COOKIE"], secret)
    return client


def pages(club: Club, client: FlaskClient, *also: str) -> Iterator[tuple[str, Page]]:
    """Every page with its address."""
    routes = club.app.url_map.bind("127.0.0.1")
    waiting, known, seen = deque([*START, *also]), set[str](), Counter[str]()
    while waiting:
        address = waiting.popleft()
        split = urlsplit(address)
        path = split.path + (f"?{split.query}" if split.query else "")
        if split.netloc or split.scheme or not path.startswith("/") or path in known:
            continue
        known.add(path)
        try:
            endpoint = routes.match(split.path)[0]
        except HTTPException:
            endpoint = "nowhere"
        seen[endpoint] += 1
        if endpoint in NO_PAGES or (seen[endpoint] > ENOUGH and endpoint not in ALL_OF):
            continue
        answer = client.get(path)
        if answer.mimetype == "text/html" and answer.status_code not in (302, 303):
            page = Page(answer.get_data(as_text=True))
            waiting.extend(page.links)
            yield f"{path} ({answer.status_code})", page
        elif answer.location:
            waiting.append(answer.location)

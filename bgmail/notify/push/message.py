"""What a browser shows: a title, a line or two, and where a click leads. Others may read it over a shoulder."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlsplit

import flask_babel  # type: ignore[import-untyped]

from bgmail.ledger.latest import Act, last_act
from bgmail.notify.links import Links
from bgmail.notify.occasion import Occasion
from bgmail.phrases import button, heading, instant, span, stage
from bgmail.phrases.claims import claim_title
from bgmail.phrases.lately import told_line
from bgmail.phrases.tasks import offer_line
from bgmail.phrases.translate import gettext
from bgmail.service.notices import Kind
from bgmail.service.push import KINDS

TEST_TAG = "test"


@dataclass(frozen=True, slots=True)
class Message:
    """`tag` is the match: a newer message takes the place of an older one. `link` is a path on this site."""

    title: str
    body: str
    link: str
    tag: str
    language: str

    def packed(self) -> bytes:
        """As the service worker reads it."""
        fields = {"title": self.title, "body": self.body, "link": self.link, "tag": self.tag}
        return json.dumps({**fields, "lang": self.language}, ensure_ascii=False).encode()


def message_of(occasion: Occasion, links: Links, acts: Iterable[Act], now: datetime) -> Message:
    """The message of an occasion in its reader's language and zone; `acts` are what was done lately in the match."""
    with flask_babel.force_locale(occasion.locale):
        if occasion.kind is Kind.TEST:
            return _trial(occasion, links)
        if occasion.kind not in KINDS:
            raise LookupError(f"a browser is told nothing about {occasion.kind}")
        view = occasion.match
        lines = [_says(occasion, acts), _until(occasion, now)]
        return Message(
            title=_title(occasion, now),
            body="\n".join(line for line in lines if line),
            link=_path(links.match(view.id)),
            tag=view.id,
            language=occasion.locale,
        )


def _trial(occasion: Occasion, links: Links) -> Message:
    says = gettext("This is how you will be told of your turns.")
    return Message(gettext("It works"), says, _path(links.push()), TEST_TAG, occasion.locale)


def _title(occasion: Occasion, now: datetime) -> str:
    view, name = occasion.match, occasion.names().opponent
    if occasion.kind is Kind.REMINDER and view.deadline_at:
        return gettext(
            "%(span)s left in the match with %(name)s", span=span(view.deadline_at - now), name=name
        )
    return gettext("Match with %(name)s: %(todo)s", name=name, todo=button(view.match, occasion.seat))


def _says(occasion: Occasion, acts: Iterable[Act]) -> str:
    """What the opponent did, or what is to be decided; and in which game that is."""
    match, names = occasion.match.match, occasion.names()
    if occasion.kind is Kind.RESIGNATION:
        return offer_line(match, names)
    if occasion.kind is Kind.CLAIM:
        return claim_title(match, names)
    done = last_act(acts, occasion.seat.other)
    line = told_line(done, names) if done and occasion.kind is not Kind.REMINDER else ""
    return f"{line or heading(match, names)} ({stage(match)})"


def _until(occasion: Occasion, now: datetime) -> str:
    view = occasion.match
    if view.deadline_at is None or view.match.on_turn is not occasion.side:
        return ""
    return gettext("Until %(when)s", when=instant(view.deadline_at, occasion.zone, now))


def _path(url: str) -> str:
    return urlsplit(url).path

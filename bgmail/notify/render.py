"""From an occasion to a finished letter: the templates of its kind, filled and inlined."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any

import css_inline
import flask_babel  # type: ignore[import-untyped]
from babel import Locale
from flask import Flask, current_app
from jinja2 import Environment, StrictUndefined
from sqlalchemy import Connection

from bgmail.notify.letters import LETTERS, Desk
from bgmail.notify.links import Links
from bgmail.notify.message import Letter, board_cid
from bgmail.notify.occasion import Occasion
from bgmail.notify.present import ACCOUNT_KINDS, ANSWERS
from bgmail.notify.situation import Situation
from bgmail.phrases.languages import LANGUAGES
from bgmail.phrases.translate import DEFAULT_LOCALE, gettext, locale

EXTENSION = "bgmail_letters"
WORD_JOINER = "\u2060"
_BLANKS = re.compile(r"\n{3,}")

_inliner = css_inline.CSSInliner(keep_style_tags=False, keep_at_rules=True, load_remote_stylesheets=False)


def letter(connection: Connection, occasion: Occasion, links: Links, now: datetime, domain: str) -> Letter:
    """The letter of an occasion in its reader's language. `domain` is that of Message-IDs and pictures."""
    with flask_babel.force_locale(_locale(occasion.locale)):
        words = LETTERS[occasion.kind](Desk(occasion, links, now, connection))
        unsubscribe = _unsubscribe(occasion, links)
        context = {**_frame(occasion, links, domain), **words, "unsubscribe": unsubscribe}
        templates = _templates(occasion)
        situation = words.get("situation")
        return Letter(
            subject=_fill(templates["subject.txt"], context),
            text=_BLANKS.sub("\n\n", _fill(templates["body.txt"], context)) + "\n",
            html=_inliner.inline(_fill(templates["body.html"], context)),
            board=situation.png if isinstance(situation, Situation) else None,
            unsubscribe=unsubscribe,
            thread=_thread(occasion),
            reply_to=words.get("reply_to")
            or (situation.reply_to if isinstance(situation, Situation) else None),
        )


def environment(app: Flask) -> Environment:
    """The app's templates, stricter: a letter with a hole in it is not written."""
    found: Environment | None = app.extensions.get(EXTENSION)
    if found is None:
        found = app.jinja_env.overlay(undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
        found.filters = {**found.filters, "unbroken": unbroken}
        app.extensions[EXTENSION] = found
    return found


def unbroken(text: str) -> str:
    """The text with its scores kept on one line: browsers break after the dash of 4–2."""
    return text.replace("–", f"{WORD_JOINER}–{WORD_JOINER}")


def _templates(occasion: Occasion) -> dict[str, Any]:
    app = current_app._get_current_object()  # type: ignore[attr-defined]
    folder = f"mail/{occasion.kind.value}"
    names = ("subject.txt", "body.txt", "body.html")
    return {name: environment(app).get_template(f"{folder}/{name}") for name in names}


def _fill(template: Any, context: Mapping[str, Any]) -> str:
    filled: str = template.render(context)
    return filled.strip()


def _frame(occasion: Occasion, links: Links, domain: str) -> dict[str, Any]:
    """What every letter has around its own words."""
    return {
        "handle": occasion.handle,
        "home": links.home(),
        "settings": links.settings(),
        "help": links.help("letters"),
        "operator": links.operator,
        "about": _about(occasion),
        "cid": board_cid(domain),
        "locale": locale().language,
    }


def _about(occasion: Occasion) -> str:
    """The part of the subject that all letters of a match share: opponent and match."""
    if occasion.view is None or occasion.side is None:
        return ""
    opponent = occasion.names().opponent or gettext("an open seat")
    return gettext("match with %(name)s #%(id)s", name=opponent, id=occasion.view.id)


def _unsubscribe(occasion: Occasion, links: Links) -> str | None:
    if occasion.kind in ACCOUNT_KINDS | ANSWERS or occasion.reader is None:
        return None
    return links.unsubscribe(occasion.reader.id, occasion.kind)


def _thread(occasion: Occasion) -> str:
    """Letters of one match to one reader belong together."""
    if occasion.view is None or occasion.side is None:
        return ""
    return f"{occasion.view.id}.{occasion.side.word}"


def _locale(name: str) -> Locale:
    return Locale(name) if name in LANGUAGES else DEFAULT_LOCALE

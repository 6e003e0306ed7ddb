"""The forms in which an event is sent: plain by the Standard Webhooks specification, or as Discord or Slack show it.

In a chat nobody is called by a name that happens to look like a mention, and no sign of ours is taken for markup.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

import flask_babel  # type: ignore[import-untyped]

from bgmail.notify.hooks.event import Event, envelope
from bgmail.phrases.translate import gettext
from bgmail.service.states import rfc3339
from bgmail.service.webhooks import Flavour

DISCORD_CONTENT, DISCORD_TITLE, DISCORD_DESCRIPTION, DISCORD_FIELD = 2000, 256, 4096, 1024
SLACK_TEXT, SLACK_HEADER = 3000, 150
COLOUR = 0x8B5E34
_MARKDOWN = re.compile(r"([\\*_~`|<>\[\]@])")
_FENCE = "```"


def body(event: Event, flavour: Flavour, language: str) -> bytes:
    """The event as the body of a call, in JSON; the few words of a form in this language."""
    with flask_babel.force_locale(language):
        form = _FORMS[flavour](event)
    return json.dumps(form, ensure_ascii=False, separators=(",", ":")).encode()


def _discord(event: Event) -> dict[str, Any]:
    """One message with one embed. Discord shows the deadline in each reader's own zone."""
    title = _short(_marked_down(event.name or event.headline), DISCORD_TITLE)
    fields = []
    if event.deadline:
        seconds = int(event.deadline.timestamp())
        fields = [{"name": gettext("Until"), "value": f"<t:{seconds}:f> (<t:{seconds}:R>)"}]
    embed = {
        "title": title,
        "url": event.link,
        "description": _short(_marked_down("\n".join(event.facts)), DISCORD_DESCRIPTION - 1500)
        + _fenced(event.board),
        "color": COLOUR,
        "timestamp": rfc3339(event.at),
        "fields": fields,
    }
    content = _short(_marked_down(event.headline), DISCORD_CONTENT)
    return {"content": content, "embeds": [embed], "allowed_mentions": {"parse": []}}


def _slack(event: Event) -> dict[str, Any]:
    """A headline, the facts and the board as blocks, and the headline alone for notifications."""
    link = f"<{_escaped(event.link)}|{_escaped(event.name or event.headline)}>"
    lines = [link, *(_escaped(fact) for fact in event.facts)]
    if event.deadline:
        fallback = event.deadline.strftime("%Y-%m-%d %H:%M UTC")
        when = f"<!date^{int(event.deadline.timestamp())}^{{date_short_pretty}} {{time}}|{fallback}>"
        lines.append(f"{_escaped(gettext('Until'))} {when}")
    blocks: list[dict[str, Any]] = [
        {
            "type": "header",
            "text": {"type": "plain_text", "text": _short(event.headline, SLACK_HEADER), "emoji": False},
        },
        _section("\n".join(lines)),
    ]
    if event.board:
        blocks.append(_section(_fenced(_escaped(event.board)).lstrip()))
    return {"text": _escaped(event.headline)[:SLACK_TEXT], "blocks": blocks, "unfurl_links": False}


def _section(text: str) -> dict[str, Any]:
    return {"type": "section", "text": {"type": "mrkdwn", "text": text[:SLACK_TEXT]}}


_FORMS: Mapping[Flavour, Callable[[Event], dict[str, Any]]] = {
    Flavour.STANDARD: envelope,
    Flavour.DISCORD: _discord,
    Flavour.SLACK: _slack,
}


def _fenced(board: str) -> str:
    """The board in equal-width letters; nothing in it can end the fence."""
    return f"\n{_FENCE}\n{board.replace('`', '´')}\n{_FENCE}" if board else ""


def _marked_down(text: str) -> str:
    return _MARKDOWN.sub(r"\\\1", text)


def _escaped(text: str) -> str:
    """The three signs that Slack reads as its own: links and mentions begin with them."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1].rstrip("\\") + "…"

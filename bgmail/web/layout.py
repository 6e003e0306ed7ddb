"""What the frame of every page needs: who is signed in, what waits, light or dark, and asset addresses."""

from __future__ import annotations

import re
from typing import Any

from flask import Flask, g
from markupsafe import Markup, escape

from bgmail.phrases.translate import locale
from bgmail.service import matches
from bgmail.service.accounts import Account
from bgmail.service.board_preferences import CHOICES
from bgmail.web import boards, look
from bgmail.web.addresses import asset, kept_forever
from bgmail.web.reader import signed_in
from bgmail.world import world

_HYPHENED = re.compile(r"[\w-]*\w[-–]\w[\w-]*")


def register(app: Flask) -> None:
    """Gives the frame's values to all templates."""
    app.jinja_options = {**app.jinja_options, "trim_blocks": True, "lstrip_blocks": True}
    app.context_processor(frame)
    app.add_template_filter(whole)
    app.after_request(kept_forever)


def whole(text: str) -> Markup:
    """A heading whose words with hyphens, names and scores above all, stay in one line where they fit into one."""
    return Markup(_HYPHENED.sub(r'<span class="whole">\g<0></span>', str(escape(text))))  # noqa: S704 - escaped first


def frame() -> dict[str, Any]:
    """The values of `base.html`."""
    account = signed_in()
    return {
        "me": account,
        "my_turn": waiting(account) if account else 0,
        "theme": look.theme(),
        "boards": boards.chosen(),
        "themes": CHOICES["theme"],
        "operator": world().settings.operator_email,
        "locale": str(locale()).replace("_", "-"),
        "asset": asset,
    }


def waiting(account: Account) -> int:
    """How many matches wait for somebody: counted once a request, and by the page itself where it lists them."""
    if "my_turn" not in g:
        g.my_turn = matches.count_my_turn(world().store, account.id)
    return int(g.my_turn)

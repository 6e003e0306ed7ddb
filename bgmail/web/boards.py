"""How the reader wants boards: from their account, else from a cookie; changed by a form, drawn as a sample."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, fields, replace
from typing import Any

from flask import g, request
from markupsafe import Markup

from bgmail.board.view import BoardView
from bgmail.phrases.translate import gettext as _
from bgmail.rules.position import Position
from bgmail.service.board_preferences import CHOICES, CORNERS, DEFAULT, BoardPreference
from bgmail.service.errors import Refused
from bgmail.web.picture import drawing, place_words, seen

COOKIE = "bgmail_board"
SWITCHES = tuple(
    one.name for one in fields(BoardPreference) if one.name not in CHOICES and not one.name.startswith("home")
)


def chosen() -> BoardPreference:
    """How the reader wants boards."""
    if "chosen_boards" not in g:
        g.chosen_boards = g.get("board") or remembered(request.cookies.get(COOKIE, ""))
    preference: BoardPreference = g.chosen_boards
    return preference


def spelled(preference: BoardPreference) -> str:
    """What a cookie says of a choice: a word for each that isn't the default, "" for none."""
    words = [
        f"{name}:{value}" if name in CHOICES else name if value else f"no_{name}"
        for name, value in asdict(preference).items()
        if value != getattr(DEFAULT, name)
    ]
    return ".".join(words)


def remembered(words: str) -> BoardPreference:
    """The choice that a cookie says; words that mean nothing are passed over."""
    preference = DEFAULT
    for word in words.split("."):
        name, _colon, value = word.partition(":")
        change = {name: value} if name in CHOICES else _switch(name)
        try:
            preference = replace(preference, **change)
        except Refused:
            continue
    return preference


def _switch(word: str) -> dict[str, Any]:
    name = word.removeprefix("no_")
    return {name: name == word} if isinstance(getattr(DEFAULT, name, None), bool) else {}


def changed(form: Mapping[str, str], before: BoardPreference) -> BoardPreference:
    """The choice after a form. It changes what it names; a `whole` one also switches off what it leaves out.

    Raises Refused("no_such_choice").
    """
    change: dict[str, Any] = {name: form[name] for name in CHOICES if name in form}
    if "home" in form:
        if form["home"] not in CORNERS:
            raise Refused("no_such_choice", choice=form["home"][:40])
        change["home_left"], change["home_top"] = CORNERS[form["home"]]
    switches = SWITCHES if "whole" in form else tuple(name for name in SWITCHES if name in form)
    change |= {name: form.get(name) == "yes" for name in switches}
    return replace(before, **change)


def sample(preference: BoardPreference) -> Markup:
    """A board as somebody sees it with these choices."""
    view = seen(BoardView.of(Position.start(), on_roll_is_viewer=True, dice=(3, 1)), preference)
    words, title = place_words(_("the opponent")), _("A board as you see it")
    return drawing(view, words, title, interactive=False, ids="sample-", theme=preference.theme)

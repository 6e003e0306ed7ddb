"""The way to the translators: Flask-Babel's functions, with types."""

from __future__ import annotations

from typing import Any

import flask_babel  # type: ignore[import-untyped]
from babel import Locale

DEFAULT_LOCALE = Locale("en")


def gettext(text: str, /, **values: object) -> str:
    """The sentence in the reader's language, filled with `values`."""
    translated: str = flask_babel.gettext(text, **values)
    return translated


def ngettext(one: str, many: str, num: int, /, **values: object) -> str:
    """The sentence for a number of things; `num` is among the values."""
    translated: str = flask_babel.ngettext(one, many, num, **values)
    return translated


def lazy_gettext(text: str) -> Any:
    """A sentence to be translated when it is shown, for tables made at import."""
    return flask_babel.lazy_gettext(text)


def locale() -> Locale:
    """The reader's language, English outside a request or a letter."""
    return flask_babel.get_locale() or DEFAULT_LOCALE


def look_again() -> None:
    """The reader turns out to be another than was thought: the next sentence asks anew for a language."""
    flask_babel.refresh()

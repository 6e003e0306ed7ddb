"""The languages of this site, and their catalogues: read from the .po files themselves, once a process.

No compiled file lies beside them that could fall behind.
"""

from __future__ import annotations

from functools import cache
from gettext import NullTranslations
from io import BytesIO
from pathlib import Path

import flask_babel  # type: ignore[import-untyped]
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.support import NullTranslations as Untranslated
from babel.support import Translations

ENGLISH = "en"
LANGUAGES = {ENGLISH: "English", "de": "Deutsch", "ru": "Русский"}
"""Code and own name. English is what the code itself says."""
FOLDER = Path(__file__).resolve().parent.parent / "translations"


class Catalogues(flask_babel.Domain):  # type: ignore[misc]
    """Where Flask-Babel looks for a sentence."""

    def get_translations(self) -> NullTranslations:
        """The catalogue of the reader's language."""
        return catalogue(flask_babel.get_locale().language)


@cache
def catalogue(code: str) -> NullTranslations:
    """The sentences of a language; English, and any that we don't speak, says what the code says."""
    if code == ENGLISH or code not in LANGUAGES:
        return Untranslated()
    with catalogue_file(code).open("rb") as file:
        sentences = read_po(file, locale=code, abort_invalid=True)
    compiled = BytesIO()
    write_mo(compiled, sentences)
    compiled.seek(0)
    return Translations(compiled)


def catalogue_file(code: str) -> Path:
    """Where the translators of a language work."""
    return FOLDER / code / "LC_MESSAGES" / "messages.po"

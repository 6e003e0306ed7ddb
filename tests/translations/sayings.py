"""What the code says to people, and what the catalogues make of it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_dir
from babel.messages.pofile import read_po

from bgmail.phrases.languages import ENGLISH, LANGUAGES, catalogue_file

ROOT = Path(__file__).resolve().parents[2]
TRANSLATED = tuple(code for code in LANGUAGES if code != ENGLISH)
KEYWORDS = {**DEFAULT_KEYWORDS, "lazy_gettext": None}
MARKS = re.compile(r"%\(\w+\)[sd]|%%|\{\w*\}|</?\w+[^>]*>|&\w+;|https?://\S+")
"""What must be in a translation just as often: values, tags, addresses."""


@dataclass(frozen=True)
class Flaw:
    """What is wrong with a translation."""

    code: str
    said: str
    why: str

    def __str__(self) -> str:
        return f"{self.code}: {self.why}: {self.said}"


@cache
def said() -> frozenset[str | tuple[str, str]]:
    """All that the code says, as the catalogues know it: a sentence, or one and many."""
    mappings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["babel"]["mappings"]
    found = extract_from_dir(
        str(ROOT), [(one["pattern"], one["method"]) for one in mappings], keywords=KEYWORDS
    )
    return frozenset(_known_as(message) for _, _, message, _, _ in found)


def flaws(code: str) -> Iterator[Flaw]:
    """Whatever a catalogue lacks, has too much of, or says with other values than the code."""
    with catalogue_file(code).open("rb") as file:
        sentences = read_po(file, locale=code)
    known = {_known_as(message.id): message for message in sentences if message.id}
    yield from (Flaw(code, str(one), "not in the catalogue") for one in said() - known.keys())
    yield from (
        Flaw(code, str(one), "said no more") for one in (*(known.keys() - said()), *sentences.obsolete)
    )
    for message in known.values():
        yield from (Flaw(code, str(message.id), why) for why in _flaws_of(message, sentences))


def _flaws_of(message: Message, catalog: Catalog) -> Iterator[str]:
    forms = message.string if isinstance(message.string, tuple) else (message.string,)
    if message.fuzzy:
        yield "marked as uncertain"
    if isinstance(message.id, tuple) and len(forms) != catalog.num_plurals:
        yield f"{catalog.num_plurals} forms are needed"
    if not all(forms):
        yield "not translated"
        return
    for form in forms:
        if not fits(message.id, form):
            yield f"other values or tags in “{form}”"


def fits(said: str | tuple[str, str], form: str) -> bool:
    """A form for one may leave the number out, or say it."""
    wanted = [said] if isinstance(said, str) else said
    return any(sorted(MARKS.findall(one)) == sorted(MARKS.findall(form)) for one in wanted)


def _known_as(message: str | tuple[str, ...]) -> str | tuple[str, str]:
    return message if isinstance(message, str) else (message[0], message[1])

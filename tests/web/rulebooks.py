"""How a rulebook is taken apart: headings, and sentences and bullets that each have an id.

An id is book, section, paragraph, sentence: `federation-3.4.2`. Sections are numbered as the book numbers its headings
(those without a number of their own get a letter), or counted where it doesn't number them.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator

from tests.fixtures.programs import PROJECT

FOLDER = PROJECT.parent / "shared" / "rulebooks"
MARK = re.compile(r"^(?:[•-]|\d+\.)\s+")
ENDS = re.compile(r"(?<=[.!?])\s+(?=[A-Z“])")
RULE = re.compile(r"[|\- ]+")
LONGEST_HEADING = 10
LONGEST_TITLE = 5
RUN_IN_TITLES = re.compile(r"federation-(?:\d|10)$")
"""The sections whose paragraphs begin with a title ("Doubles. If you ..."): it belongs to its first sentence."""


def book(name: str) -> str | None:
    """The text of a rulebook where it lies beside the project."""
    file = FOLDER / f"{name}.txt"
    return file.read_text(encoding="utf-8") if file.exists() else None


def taken_apart(name: str, text: str) -> Iterator[tuple[str | None, str]]:
    """Every line of a book in its order: a heading without an id, or sentence after sentence with theirs."""
    section, numbered, letter, counted, paragraph = "", "", "", 0, 0
    begins = True
    table = False
    for line in filter(None, map(str.strip, text.splitlines())):
        if is_heading(line):
            number = re.match(r"(\d+)\. ", line)
            if number:
                numbered, letter = number[1], ""
            elif numbered:
                letter = chr(ord(letter or "`") + 1)
            begins = True
            yield None, line
            continue
        if begins:
            counted, paragraph, begins = counted + 1, 0, False
            section = f"{name}-{numbered}{letter}" if numbered else f"{name}-{counted}"
        head_of_table = line.startswith("|") and not table
        table = line.startswith("|")
        if head_of_table or (table and RULE.fullmatch(line)):
            yield None, line
            continue
        paragraph += 1
        for number_in, sentence in enumerate(sentences(section, line), 1):
            yield f"{section}.{paragraph}.{number_in}", sentence


def is_heading(line: str) -> bool:
    """A short line that is no bullet and doesn't end like a sentence."""
    return (
        not line.startswith(("•", "- ", "|"))
        and line[-1] not in ".:;!?"
        and len(line.split()) <= LONGEST_HEADING
    )


def sentences(section: str, line: str) -> list[str]:
    """The sentences of a paragraph or bullet, without its mark."""
    found = ENDS.split(MARK.sub("", line))
    if RUN_IN_TITLES.fullmatch(section) and len(found) > 1 and len(found[0].split()) <= LONGEST_TITLE:
        found[:2] = [f"{found[0]} {found[1]}"]
    return found


def digest(sentence: str) -> str:
    """What a row knows of its sentence, apart from the number of words."""
    return hashlib.sha256(" ".join(sentence.split()).encode()).hexdigest()[:16]


def bare(text: str) -> list[str]:
    """All words of a book in order, without the marks of bullets and lists."""
    lines = filter(None, map(str.strip, text.splitlines()))
    return [word for line in lines for word in (line if is_heading(line) else MARK.sub("", line)).split()]

"""Paragraphs that a client broke into lines (format=flowed, RFC 3676), put together again."""

from __future__ import annotations

import re

_QUOTE = re.compile(r">*")
SIGNATURE = "-- "


def unflowed(text: str, *, delete_space: bool = False) -> str:
    """The text with its paragraphs whole: a line that ends with a blank goes on in the next one.

    Lines of another depth of quoting, and the mark of a signature, end a paragraph. `delete_space`: the blank at
    the end was put there for the break alone.
    """
    done: list[str] = []
    open_depth: int | None = None
    for line in text.split("\n"):
        depth = len(_QUOTE.match(line)[0])  # type: ignore[index]  # it always matches, if only nothing
        words = line[depth:].removeprefix(" ")
        flows = words.endswith(" ") and words != SIGNATURE
        if open_depth == depth and words != SIGNATURE:
            done[-1] += _kept(words, flows, delete_space)
        else:
            done.append(("> " if depth else "") + _kept(words, flows, delete_space))
        open_depth = depth if flows else None
    return "\n".join(done)


def _kept(words: str, flows: bool, delete_space: bool) -> str:
    return words[:-1] if flows and delete_space else words

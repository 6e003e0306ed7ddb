"""From one line to a command: a word of `words`, or a play in the usual notation. Nothing is guessed."""

from __future__ import annotations

import re
import unicodedata

from bgmail.inbox.reading import Command
from bgmail.inbox.words import BEFORE_A_PLAY, MEANINGS, POINT_WORDS, RESIGN, WORTH
from bgmail.rules.notation import PlayError
from bgmail.rules.parts import parse

LONGEST = 120
_EDGES = " \t.,;:!*_\"'“”„«»()"
_DICE = re.compile(r"^\(?([1-6])\s?[-x,/:]?\s?([1-6])\)?\s?[:=]\s?(?=\S)")
"""A roll before its play, as match files write it: "61: 13/7 8/7"."""
_WORD = re.compile(r"[^\W\d_]+")


def command(line: str) -> Command | None:
    """The command of a line; None when it is none, or holds anything besides."""
    text = " ".join(unicodedata.normalize("NFKC", line).split())
    if not text or len(text) > LONGEST:
        return None
    said = text.casefold().strip(_EDGES).strip()
    if said in MEANINGS:
        return Command(text, MEANINGS[said])
    return _resignation(text, said) or _play(text)


def commands_within(line: str) -> list[Command]:
    """What in a line with other words might be a command: its longest beginning or end that is one."""
    words = line.split()
    if len(words) > 40:
        return []
    for count in range(len(words) - 1, 0, -1):
        for piece in (words[:count], words[-count:]):
            found = command(" ".join(piece))
            if found and (found.play or len(piece) > 1 or len(words) <= 4):
                return [found]
    return []


def _resignation(text: str, said: str) -> Command | None:
    """ "resign gammon", "resign (2)": what the game is given up for stands behind the word."""
    for word in sorted(
        (word for word, actions in MEANINGS.items() if actions == RESIGN), key=len, reverse=True
    ):
        if said.startswith(word + " "):
            value = WORTH.get(said.removeprefix(word).strip(_EDGES + "-–").strip())
            return Command(text, RESIGN, value=value) if value else None
    return None


def _play(text: str) -> Command | None:
    """A play, with or without the dice and a word like "play" before it."""
    rest = _without_introduction(text)
    found = _DICE.match(rest)
    dice = (int(found[1]), int(found[2])) if found else None
    notation = _in_our_words(rest[found.end() :] if found else rest).strip(" \t.,;:!_\"'“”„«»")
    if not any(sign.isdigit() for sign in notation):
        return None
    try:
        parse(notation)
    except PlayError:
        return None
    return Command(text, ("play",), play=notation, dice=dice)


def _without_introduction(text: str) -> str:
    head, colon, tail = text.partition(":")
    if colon and head.strip().casefold() in BEFORE_A_PLAY:
        return tail.strip()
    words = text.split()
    for count in (2, 1):
        if " ".join(words[:count]).casefold() in BEFORE_A_PLAY:
            return " ".join(words[count:])
    return text


def _in_our_words(text: str) -> str:
    return _WORD.sub(lambda word: POINT_WORDS.get(word[0].casefold(), word[0]), text)

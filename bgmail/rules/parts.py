"""Notation taken apart: what somebody wrote about each checker, before anyone asks whether it is legal."""

from __future__ import annotations

import re
from dataclasses import dataclass
from unicodedata import normalize

from bgmail.rules.play_errors import Malformed, MalformedPlay
from bgmail.rules.position import BAR, OFF

MAX_TEXT = 200
MAX_CHECKERS = 4

_DASHES = dict.fromkeys(map(ord, "-\u2010\u2011\u2012\u2013\u2014\u2212\u2044\u2215>\u2192"), "/")
_SPACED = re.compile(r"\s*([/(])\s*|\s+(?=\*)")
_SEPARATORS = re.compile(r"[\s,;.]+")
_PART = re.compile(r"(?P<stops>[^()]+)(?:\((?P<times>[1-9]\d?)\))?")
_STOP = re.compile(r"(?P<point>bar|off|\d{1,2})(?P<star>\*?)")
_WORDS = {"bar": BAR, "off": OFF}


@dataclass(frozen=True, slots=True)
class Part:
    """One checker's way as written: the points named in order, and those of them that have a star."""

    points: tuple[int, ...]
    starred: frozenset[int]
    text: str


def parse(text: str) -> tuple[Part, ...]:
    """Take notation apart, one `Part` for each checker; raises `MalformedPlay` naming what can't be read.

    Read alike: any case, `25` and `bar`, `0` and `off`, `6/1 6/1` and `6/1(2)`, any dash or arrow for the
    slash, wide digits, commas and any kind of space between the parts.
    """
    if len(text) > MAX_TEXT:
        raise MalformedPlay(Malformed.TOO_LONG, text[:MAX_TEXT], text[:MAX_TEXT])
    plain = normalize("NFKC", text).lower().translate(_DASHES)
    words = [word for word in _SEPARATORS.split(_SPACED.sub(r"\1", plain)) if word]
    if not words:
        raise MalformedPlay(Malformed.EMPTY, text, "")
    parts = tuple(part for word in words for part in _checkers(text, word))
    if len(parts) > MAX_CHECKERS:
        raise MalformedPlay(Malformed.TOO_MANY, text, words[-1])
    return parts


def _checkers(text: str, word: str) -> list[Part]:
    match = _PART.fullmatch(word)
    if match is None:
        raise MalformedPlay(Malformed.UNREADABLE, text, word)
    times = int(match["times"] or 1)
    if times > MAX_CHECKERS:
        raise MalformedPlay(Malformed.TOO_MANY, text, word)
    return [_part(text, word, match["stops"])] * times


def _part(text: str, word: str, stops: str) -> Part:
    found = [_STOP.fullmatch(stop) for stop in stops.split("/")]
    matches = [match for match in found if match]
    if len(matches) < max(2, len(found)):
        raise MalformedPlay(Malformed.UNREADABLE, text, word)
    points = tuple(_point(match["point"]) for match in matches)
    if max(points) > BAR:
        raise MalformedPlay(Malformed.NO_SUCH_POINT, text, word)
    if matches[0]["star"]:
        raise MalformedPlay(Malformed.UNREADABLE, text, word)
    starred = frozenset(point for point, match in zip(points, matches, strict=True) if match["star"])
    return Part(points, starred, word)


def _point(written: str) -> int:
    return _WORDS[written] if written in _WORDS else int(written)

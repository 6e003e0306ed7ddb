"""Handles: which are allowed, and when two of them are one name to the eye. Knows nothing about accounts.

A letter is allowed when it is known what it looks like: the alphabet and the table of look-alikes are one.
"""

from __future__ import annotations

import unicodedata

from bgmail.service.errors import Refused

LEAST, MOST = 2, 20

RESERVED = frozenset(
    [
        "abuse",
        "admin",
        "administrator",
        "anonymous",
        "bgmail",
        "hostmaster",
        "house",
        "me",
        "moderator",
        "nobody",
        "noreply",
        "official",
        "operator",
        "postmaster",
        "root",
        "security",
        "server",
        "staff",
        "support",
        "system",
        "webmaster",
        "you",
    ]
)
"""Names that would speak for the site. An operator may still give them out by command."""

_LATIN = {
    "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "ł": "l", "ŋ": "n",
    "ŧ": "t", "þ": "p", "ə": "e",
}  # fmt: skip
_GREEK = dict(zip("αβγδεζηθικλμνξοπρςστυφχψω", "abyδeznθikλmvξoπpσσtuφxψω", strict=True))
_CYRILLIC = dict(
    zip(
        "абвгдежзийклмнопрстуфхцчшщъыьэюяіїєґјљњћђџѕўё",
        "aбbгдeжзийkлmhoпpctyфxцчшщъыьэюяiiєґjљњћђџsye",
        strict=True,
    )
)
_SIGNS = {"_": "-", "-": "-", "0": "o", "1": "l"} | {digit: digit for digit in "23456789"}
_LOOKS = {letter: letter for letter in "abcdefghijklmnopqrstuvwxyz"} | _LATIN | _GREEK | _CYRILLIC | _SIGNS
_PAIRS = (("i", "l"), ("rn", "m"), ("vv", "w"))
"""What can't be told apart once it stands in a line: I and l, rn and m, vv and w."""


def clean(text: str) -> str:
    """The handle that was typed, in composed Unicode. Raises Refused with the rule it breaks.

    2 to 20 letters (Latin, Greek or Cyrillic, one of them at a time), ASCII digits, `_` and `-`, with at
    least one letter or digit.
    """
    handle = unicodedata.normalize("NFC", text)
    if not LEAST <= len(handle) <= MOST:
        raise Refused("handle_length", least=LEAST, most=MOST)
    for sign in handle:
        if sign != " " and _look(sign) is None:
            raise Refused("handle_sign", sign=_shown(sign))
    if " " in handle:
        raise Refused("handle_blank")
    if not any(sign.isalnum() for sign in handle):
        raise Refused("handle_empty")
    if len({unicodedata.name(sign).split()[0] for sign in handle if sign.isalpha()}) > 1:
        raise Refused("handle_scripts")
    return handle


def refuse_reserved(handle: str) -> None:
    """Raises Refused for a name that would speak for the site."""
    if handle_key(handle) in _RESERVED_KEYS:
        raise Refused("handle_reserved", handle=handle)


def handle_key(handle: str) -> str:
    """What the handle looks like: two handles with one key are one name, and only one of them can exist.

    Case and accents go, `_` becomes `-`, 0 and o are one, so are 1, i and l, rn and m, vv and w; Greek and
    Cyrillic letters that look Latin become Latin. What is no sign of a handle is a
    question mark: nobody has it.
    """
    look = "".join(_look(sign) or "?" for sign in unicodedata.normalize("NFC", handle))
    for seen, as_this in _PAIRS:
        look = look.replace(seen, as_this)
    return look


def same(one: str, other: str) -> bool:
    """Whether both are spelled alike, but for case: how a typed handle names a person."""
    return _spelling(one) == _spelling(other)


def _spelling(handle: str) -> str:
    return unicodedata.normalize("NFC", handle).casefold()


def _look(sign: str) -> str | None:
    """What one sign looks like without case and accents; None for what is no sign of a handle."""
    if sign in _SIGNS:
        return _SIGNS[sign]
    if not sign.isalpha():
        return None
    looks = [_look_of_letter(letter) for letter in sign.lower()]
    known = [look for look in looks if look is not None]
    return "".join(known) if len(known) == len(looks) else None


def _look_of_letter(letter: str) -> str | None:
    if letter in _LOOKS:
        return _LOOKS[letter]
    if unicodedata.combining(letter):
        return ""
    base = unicodedata.normalize("NFD", letter)
    return _LOOKS.get(base[0]) if len(base) > 1 and all(map(unicodedata.combining, base[1:])) else None


def _shown(sign: str) -> str:
    return sign if sign.isprintable() and not sign.isspace() else f"U+{ord(sign):04X}"


_RESERVED_KEYS = frozenset(map(handle_key, RESERVED))

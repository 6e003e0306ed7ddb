"""One entry of a match's log in its canonical form, and the chain of hashes that makes the log one thing."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import orjson

FORMAT = 1
GENESIS = "0" * 64
NONCE = re.compile(r"[0-9a-f]{32}")
_FIELDS = {"format", "match", "seq", "version", "at", "seat", "via", "kind", "data", "nonce", "prev"}


class BrokenChain(ValueError):
    """A log that isn't what was written: `seq` is the entry where it first shows."""

    def __init__(self, seq: int, reason: str) -> None:
        self.seq = seq
        self.reason = reason
        super().__init__(f"entry {seq}: {reason}")


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry as logged.

    `at` is in integer microseconds since 1970 (UTC). `seat` is "white", "black" or None for the server; `via`
    is the way it came in. `version` is the match's version with this entry. `nonce` is 32 lower-case hex
    digits for an action of a person, else None. `prev` is the hash of the entry before it.
    """

    match: str
    seq: int
    version: int
    at: int
    seat: str | None
    via: str
    kind: str
    data: Mapping[str, Any]
    nonce: str | None
    prev: str
    text: str = field(init=False)
    hash: str = field(init=False)

    def __post_init__(self) -> None:
        text = canonical(
            {
                "format": FORMAT,
                "match": self.match,
                "seq": self.seq,
                "version": self.version,
                "at": self.at,
                "seat": self.seat,
                "via": self.via,
                "kind": self.kind,
                "data": self.data,
                "nonce": self.nonce,
                "prev": self.prev,
            }
        )
        object.__setattr__(self, "text", text)
        object.__setattr__(self, "hash", hashlib.sha256(text.encode()).hexdigest())


def canonical(value: Mapping[str, Any]) -> str:
    """JSON with sorted keys and no spaces. Raises ValueError for a float and for a number of more than 64 bits: the log
    counts in whole numbers, and small ones."""
    _refuse_floats(value.values())
    try:
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode()
    except TypeError as error:
        raise ValueError(f"the log can't hold this: {error}") from error


_PLAIN = frozenset({str, int, bool, type(None)})


def _refuse_floats(values: Iterable[Any]) -> None:
    for value in values:
        if type(value) in _PLAIN:  # nearly all
            continue
        if isinstance(value, float):
            raise ValueError("the log holds no floats")
        if isinstance(value, Mapping):
            _refuse_floats(value.values())
        elif isinstance(value, list | tuple):
            _refuse_floats(value)


def parse_entry(text: str) -> Entry:
    """The entry of a canonical text. Raises ValueError unless the text is exactly what was hashed."""
    value = json.loads(text)
    if not isinstance(value, dict) or set(value) != _FIELDS:
        raise ValueError("an entry has exactly the fields " + ", ".join(sorted(_FIELDS)))
    if value.pop("format") != FORMAT:
        raise ValueError("unknown entry format")
    _check_types(value)
    entry = Entry(**value)
    if entry.text != text:
        raise ValueError("the text is not in canonical form")
    return entry


def _check_types(value: Mapping[str, Any]) -> None:
    for name in ("seq", "version", "at"):
        if type(value[name]) is not int or not 0 <= value[name] < 2**53:
            raise ValueError(f"{name} must be a whole number")
    for name in ("match", "via", "kind", "prev"):
        if not isinstance(value[name], str):
            raise ValueError(f"{name} must be text")
    if value["seat"] not in ("white", "black", None):
        raise ValueError("seat must be white, black or null")
    if not isinstance(value["data"], dict):
        raise ValueError("data must be an object")
    nonce = value["nonce"]
    if nonce is not None and not (isinstance(nonce, str) and NONCE.fullmatch(nonce)):
        raise ValueError("a nonce is 32 lower-case hex digits")


def check_chain(entries: Iterable[Entry]) -> None:
    """Raises BrokenChain unless the entries are one match's, without a gap, each naming the hash before."""
    prev, match, version = GENESIS, None, 0
    for seq, entry in enumerate(entries, 1):
        if match not in (None, entry.match):
            raise BrokenChain(seq, "belongs to another match")
        if entry.seq != seq:
            raise BrokenChain(seq, f"is numbered {entry.seq}")
        if entry.prev != prev:
            raise BrokenChain(seq, "does not follow the entry before it")
        if entry.version not in (version, seq):
            raise BrokenChain(seq, f"has version {entry.version}")
        prev, match, version = entry.hash, entry.match, entry.version

"""The export `bgmail-match-1`: all that a stranger needs to verify a match, as JSON that is read strictly."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bgmail.formats.refusal import ImportRefused
from bgmail.ledger.entry import BrokenChain, Entry, check_chain, parse_entry

FORMAT = "bgmail-match-1"
MAX_NAME = 60

_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
"""Ids stand in addresses and file names."""
_FIELDS = {"format", "id", "white", "black", "length", "rules", "time", "result", "entries"}


@dataclass(frozen=True, slots=True)
class Export:
    """A match as exported: who played on what terms, how it ended, and its log.

    A name is None where nobody has that seat, `result` while the match is going on. What `result` says isn't
    judged here: replay the entries and compare.
    """

    white: str | None
    black: str | None
    result: Mapping[str, Any] | None
    entries: tuple[Entry, ...]

    @property
    def id(self) -> str:
        """The match's id."""
        return self.entries[0].match

    @property
    def terms(self) -> Mapping[str, Any]:
        """What the invitation says: `length`, `rules`, `time` and more."""
        return self.entries[0].data


def to_json(export: Export) -> dict[str, Any]:
    """The export as plain values, in the contract's order."""
    return {
        "format": FORMAT,
        "id": export.id,
        "white": export.white,
        "black": export.black,
        "length": export.terms["length"],
        "rules": export.terms["rules"],
        "time": export.terms["time"],
        "result": export.result,
        "entries": [{"text": entry.text, "hash": entry.hash} for entry in export.entries],
    }


def read_export(data: bytes | str) -> Export:
    """Read an export and verify its log.

    Each entry is in canonical form and has its hash, the hashes make one chain, and the terms beside the log
    are those of its invitation.

    Raises ImportRefused. Whether plays, dice and result are right is judged by a replay.
    """
    value = _parsed(data)
    _check_fields(value)
    export = Export(
        white=_name("white", value["white"]),
        black=_name("black", value["black"]),
        result=_object_or_none("result", value["result"]),
        entries=_entries(value["entries"]),
    )
    _check_terms(value, export)
    return export


def _parsed(data: bytes | str) -> Any:
    try:
        text = data.decode("utf-8-sig") if isinstance(data, bytes) else data.removeprefix("\ufeff")
        return json.loads(
            text, object_pairs_hook=_without_twins, parse_float=_no_float, parse_constant=_no_float
        )
    except RecursionError as error:
        raise ImportRefused("malformed", "the JSON is nested too deeply") from error
    except ValueError as error:
        raise ImportRefused("malformed", f"the file is not JSON: {error}") from error


def _without_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise ValueError("a key stands twice in one object")
    return value


def _no_float(text: str) -> Any:
    raise ValueError(f"{text} is no whole number")


def _check_fields(value: Any) -> None:
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        raise ImportRefused("format", f"the file is not in the format {FORMAT}")
    if missing := sorted(_FIELDS - set(value)):
        raise ImportRefused("malformed", f"{missing[0]} is missing")
    if unknown := sorted(set(value) - _FIELDS):
        raise ImportRefused("malformed", f"{unknown[0]!r} doesn't belong into it")


def _name(field: str, value: Any) -> str | None:
    if value is None:
        return None
    if not isinstance(value, str) or len(value) > MAX_NAME or not value.isprintable():
        raise ImportRefused("name", f"{field} is not a name of at most {MAX_NAME} printable characters")
    return value


def _object_or_none(field: str, value: Any) -> Mapping[str, Any] | None:
    if value is not None and not isinstance(value, dict):
        raise ImportRefused("malformed", f"{field} must be an object or null")
    return value


def _entries(value: Any) -> tuple[Entry, ...]:
    if not isinstance(value, list) or not value:
        raise ImportRefused("malformed", "there are no entries")
    entries = tuple(_entry(seq, each) for seq, each in enumerate(value, 1))
    try:
        check_chain(entries)
    except BrokenChain as error:
        raise ImportRefused("chain", str(error)) from error
    if entries[0].kind != "invite":
        raise ImportRefused("malformed", "entry 1 is no invitation")
    if not _ID.fullmatch(entries[0].match):
        raise ImportRefused("malformed", "an id is 1 to 64 letters, digits, _ and -")
    return entries


def _entry(seq: int, value: Any) -> Entry:
    if not isinstance(value, dict) or set(value) != {"text", "hash"} or not isinstance(value["text"], str):
        raise ImportRefused("malformed", f"entry {seq} is not a text and its hash")
    try:
        entry = parse_entry(value["text"])
    except RecursionError as error:
        raise ImportRefused("malformed", f"entry {seq}: nested too deeply") from error
    except ValueError as error:
        raise ImportRefused("malformed", f"entry {seq}: {error}") from error
    if value["hash"] != entry.hash:
        raise ImportRefused("chain", f"entry {seq} is not what was hashed")
    return entry


def _check_terms(value: Mapping[str, Any], export: Export) -> None:
    """What stands beside the log is what the log says, to the type."""
    said = {"id": export.id, **{field: export.terms.get(field) for field in ("length", "rules", "time")}}
    for field, true in said.items():
        if json.dumps(value[field], sort_keys=True) != json.dumps(true, sort_keys=True):
            raise ImportRefused("contradiction", f"{field} is not what the log says")

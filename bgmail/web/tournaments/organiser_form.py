"""What a form of the organisers' page says, as a command."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from bgmail.pairing.field import How
from bgmail.service.errors import Refused
from bgmail.service.tournaments.desk import Wish

Fields = Mapping[str, str]


def wish_of(fields: Fields) -> Wish:
    """The command of a form. Raises Refused for a number that isn't one."""
    name = fields.get("command", "")
    read = _DATA.get(name)
    data = read(fields) if read else {}
    return Wish(name, data, fields.get("reason", "").strip(), fields.get("key") or None)


def _seed(fields: Fields) -> dict[str, Any]:
    """By hand each entry has a box with its place, from 1, in the order in which they stood."""
    how = fields.get("how", "")
    if how != "hand":
        return {"how": how}
    boxes = [(name.removeprefix("seed-"), text) for name, text in fields.items() if name.startswith("seed-")]
    placed = [(_moved(_number(text), was), _number(entry)) for was, (entry, text) in enumerate(boxes, 1)]
    return {"how": how, "order": [entry for _, entry in sorted(placed)]}


def _moved(place: int, was: int) -> tuple[int, int, int]:
    """Sorts by place: of those with the same one, who moved up goes before who stood there, who moved down behind."""
    return place, (place > was) - (place < was), was


def _entry(fields: Fields) -> dict[str, Any]:
    return {"entry": _number(fields.get("entry", ""))}


def _replace(fields: Fields) -> dict[str, Any]:
    by = fields.get("by", "")
    return _entry(fields) | ({"by": _number(by)} if by else {})


def _decide(fields: Fields) -> dict[str, Any]:
    """The result is "<how>" or "<how> <number of the winner>"."""
    how, _, winner = fields.get("result", "").partition(" ")
    if how not in list(How):
        raise Refused("bad_result")
    data = {"pairing": fields.get("pairing", ""), "how": how, "winner": _number(winner) if winner else None}
    return data | ({"annul_later": True} if "annul_later" in fields else {})


def _extend(fields: Fields) -> dict[str, Any]:
    pairing = fields.get("pairing", "")
    return {"days": _number(fields.get("days", ""))} | ({"pairing": pairing} if pairing else {})


def _number(text: str) -> int:
    text = text.strip()
    if not (text.isascii() and text.isdecimal() and len(text) < 7):
        raise Refused("not_a_number", what=text[:20])
    return int(text)


_DATA: Mapping[str, Callable[[Fields], dict[str, Any]]] = {
    "seed": _seed,
    "pair": lambda fields: {"again": True} if "again" in fields else {},
    "bye": _entry,
    "withdraw": _entry,
    "exclude": _entry,
    "disqualify": _entry,
    "replace": _replace,
    "decide": _decide,
    "correct": _decide,
    "extend": _extend,
    "announce": lambda fields: {"text": fields.get("text", "").replace("\r\n", "\n").strip()},
    "add_organiser": lambda fields: {"handle": fields.get("handle", "").strip()},
    "remove_organiser": lambda fields: {"handle": fields.get("handle", "").strip()},
}
"""How the data of a command is read from its form; the others have none."""

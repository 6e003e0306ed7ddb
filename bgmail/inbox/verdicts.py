"""What our own receiving relay found out about who sent a mail (RFC 8601). Only the topmost verdict counts."""

from __future__ import annotations

import re
from collections.abc import Sequence

_RESULT = re.compile(r"^\s*([a-z0-9-]+)\s*(?:/\s*\d+\s*)?=\s*([a-z]+)", re.IGNORECASE)
_PROPERTY = re.compile(
    r"\b(header\.(?:from|d|i)|smtp\.(?:mailfrom|helo))\s*=\s*\"?([^\s;\"]+)", re.IGNORECASE
)


def vouched(relays: Sequence[str], authserv_id: str, sender: str) -> bool:
    """Whether the relay that calls itself `authserv_id` says that the domain of `sender` sent the mail.

    By DMARC where that was checked; else by a DKIM signature of that very domain, or by SPF for it.
    A verdict of anybody else, or below one of anybody else, is nothing: the sender may have written it.
    """
    domain = sender.rpartition("@")[2].lower()
    if not relays or not domain or not authserv_id:
        return False
    serv, *results = _plainly(relays[0]).split(";")
    if serv.casefold().split()[:1] != [authserv_id.casefold()]:
        return False
    found = [(_RESULT.match(result), _properties(result)) for result in results]
    said = [(match[1].lower(), match[2].lower(), properties) for match, properties in found if match]
    dmarc = [(result, properties) for method, result, properties in said if method == "dmarc"]
    if dmarc:
        return all(
            result == "pass" and properties.get("header.from") == domain for result, properties in dmarc
        )
    return any(
        result == "pass" and _aligned(method, properties, domain) for method, result, properties in said
    )


def _plainly(verdict: str) -> str:
    """A verdict without comments and quotation marks; "" where it isn't clear what belongs to them.

    Relays pass on what a sender made up, such as the address of the envelope: `"x@bank.example"@evil.example`.
    So no sign in quotation marks divides anything.
    """
    kept: list[str] = []
    depth, quotes, is_quoted = 0, 0, False
    for sign in verdict:
        if sign == "\\" or (sign == ")" and not depth and not is_quoted):
            return ""
        if is_quoted:
            is_quoted = sign != '"'
            kept.append(sign if sign.isalnum() or sign in "@.-+" else "_" if is_quoted else "")
        elif sign in "()":
            depth += 1 if sign == "(" else -1
            kept.append(" ")
            if not depth and quotes % 2:
                return ""
        elif depth:
            quotes += sign == '"'
        else:
            is_quoted = sign == '"'
            kept.append("" if is_quoted else sign)
    return "" if depth or is_quoted else "".join(kept)


def _properties(result: str) -> dict[str, str]:
    """What was checked; a name that is there twice says nothing."""
    found = [(name.lower(), value.lower().rstrip(".")) for name, value in _PROPERTY.findall(result)]
    names = [name for name, _ in found]
    return {name: value for name, value in found if names.count(name) == 1}


def _aligned(method: str, properties: dict[str, str], domain: str) -> bool:
    """Whether what was checked is the very domain that the mail says to come from."""
    if method == "dkim":
        return properties.get("header.d", properties.get("header.i", "").rpartition("@")[2]) == domain
    return method == "spf" and properties.get("smtp.mailfrom", "").rpartition("@")[2] == domain

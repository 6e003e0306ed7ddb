"""A draft made anew: once people can enter, what they confirm stays as it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from bgmail.service.errors import Refused
from bgmail.service.tournaments.creating import Draft
from bgmail.service.tournaments.desk import Desk, Wish
from bgmail.service.tournaments.views import State
from bgmail.timing import utc


def change(desk: Desk, author_id: int, wish: Wish) -> None:
    """Gives a draft the fields that `draft` names (those of `Draft.data`); the others stay, and all is judged as new.

    `version` is the head that was seen: nobody writes over what somebody else has changed meanwhile. The log keeps
    which fields changed, and the digests of the conditions before and after; not what stood there, since only those
    who command a draft have seen it. Raises Refused: not_a_draft, draft_changed, condition, and as `Draft.judged`.
    """
    if desk.tournament.state is not State.DRAFT:
        raise Refused("not_a_draft")
    if wish.data.get("version", desk.head) != desk.head:
        raise Refused("draft_changed")
    values = _wanted(Draft.of(desk.tournament), wish.data.get("draft")).judged(desk.now)
    changed = [name for name in _READERS if getattr(desk.row, name) != values[name]]
    if changed:
        desk.change(**values)
        told = {"changed": changed, "before": desk.tournament.digest, "digest": values["digest"]}
        desk.note(author_id, wish, kept=told)


def _wanted(draft: Draft, given: object) -> Draft:
    if not isinstance(given, Mapping) or not given:
        raise Refused("condition", field="draft")
    unknown = sorted(str(name) for name in given if name not in _READERS)
    if unknown:
        raise Refused("condition", field=unknown[0])
    return replace(draft, **{name: _READERS[name](name, value) for name, value in given.items()})


def _of(kind: type, name: str, value: object) -> object:
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise Refused("condition", field=name)
    return value


def _starts_at(name: str, value: object) -> datetime | None:
    if value is None:
        return None
    try:
        return utc(datetime.fromisoformat(str(value)))
    except (ValueError, OverflowError) as error:
        raise Refused(name) from error


_READERS: Mapping[str, Callable[[str, object], Any]] = {
    "name": lambda name, value: _of(str, name, value),
    "plan": lambda name, value: _of(Mapping, name, value),
    "conditions": lambda name, value: _of(Mapping, name, value),
    "places": lambda name, value: _of(int, name, value),
    "starts_at": _starts_at,
    "starts_full": lambda name, value: _of(bool, name, value),
}

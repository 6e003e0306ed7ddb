"""How somebody wants to be told of what: a mode for each kind and channel, quiet hours, and a daily digest."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from sqlalchemy import Connection

from bgmail.service.errors import Refused
from bgmail.service.notices import Kind
from bgmail.store import choices, people
from bgmail.store.engine import Store
from bgmail.timing import Quiet

MAIL, PUSH = "mail", "push"
DIGEST_AT = 8 * 60
"""When the digest comes for who never said: at eight in the morning."""
_TIME = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)")


class Mode(StrEnum):
    """When a notice is brought: at once, at once but only one while the person is away, in the digest, or not."""

    NOW = "now"
    ABSENCE = "absence"
    DIGEST = "digest"
    OFF = "off"


MODES: Mapping[str, tuple[Mode, ...]] = {MAIL: tuple(Mode), PUSH: (Mode.NOW, Mode.OFF)}
"""What may be chosen for a channel. Webhooks name their events themselves."""


@dataclass(frozen=True, slots=True)
class Choices:
    """All that a person chose; nothing chosen is everything at once, at any hour."""

    modes: Mapping[tuple[str, str], Mode] = field(default_factory=dict)
    quiet: Quiet | None = None
    digest_at: int = DIGEST_AT

    def mode(self, kind: Kind, channel: str) -> Mode:
        """How one kind is brought by one channel."""
        return self.modes.get((kind.value, channel), Mode.NOW)

    def kinds(self, channel: str, mode: Mode) -> list[str]:
        """The kinds that are brought by a channel in this mode, as it was chosen."""
        return [kind for (kind, where), chosen in self.modes.items() if (where, chosen) == (channel, mode)]


def read(connection: Connection, account_id: int) -> Choices:
    """A person's choices."""
    modes = {key: Mode(mode) for key, mode in choices.modes(connection, account_id).items()}
    row = choices.hours(connection, account_id)
    if row is None:
        return Choices(modes)
    quiet = None if row.quiet_from is None else Quiet(row.quiet_from, row.quiet_to)
    return Choices(modes, quiet, row.digest_at)


def of(store: Store, account_id: int) -> Choices:
    """A person's choices."""
    with store.read() as connection:
        return read(connection, account_id)


def choose(store: Store, account_id: int, wanted: Mapping[tuple[Kind, str], Mode]) -> None:
    """Keeps the modes of some kinds and channels, all or none of them. Raises Refused for one that a channel lacks."""
    for (_kind, channel), mode in wanted.items():
        if mode not in MODES.get(channel, ()):
            raise Refused("notice_mode", mode=mode.value)
    with store.write() as connection:
        if _is_gone(connection, account_id):
            return
        for (kind, channel), mode in wanted.items():
            kept = None if mode is Mode.NOW else mode.value
            choices.choose(connection, account_id, kind.value, channel, kept)


def mode_named(channel: str, word: str) -> Mode:
    """The mode of that name. Raises Refused where the channel has none such."""
    found = next((mode for mode in MODES[channel] if mode.value == word), None)
    if found is None:
        raise Refused("notice_mode", mode=word)
    return found


def set_hours(store: Store, account_id: int, quiet_from: str, quiet_to: str, digest_at: str) -> None:
    """Keeps quiet hours ("" and "" = none) and the time of the digest, written like 22:00 or 7:30.

    Raises Refused for what is no time, for one end without the other, and for two ends that are the same.
    """
    start, end, digest = minute_of(quiet_from), minute_of(quiet_to), minute_of(digest_at)
    if (start is None) != (end is None):
        raise Refused("quiet_half")
    if start is not None and start == end:
        raise Refused("quiet_same")
    with store.write() as connection:
        if not _is_gone(connection, account_id):
            choices.keep_hours(connection, account_id, start, end, DIGEST_AT if digest is None else digest)


def mute(store: Store, account_id: int, kind: Kind, *, muted: bool) -> None:
    """Switches the letters of one kind off, or on again at once."""
    choose(store, account_id, {(kind, MAIL): Mode.OFF if muted else Mode.NOW})


def minute_of(text: str) -> int | None:
    """The minute of the day that is written like 22:00 or 7:30; None where nothing is. Raises Refused("day_time")."""
    text = text.strip()
    if not text:
        return None
    found = _TIME.fullmatch(text)
    if found is None:
        raise Refused("day_time", text=text)
    return int(found[1]) * 60 + int(found[2])


def _is_gone(connection: Connection, account_id: int) -> bool:
    """A closed account chooses nothing any more."""
    row = people.by_id(connection, account_id)
    return row is None or row.closed_at is not None

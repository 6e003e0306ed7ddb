"""What becomes of every sentence of the rulebooks: played, told, of no use here, or still to come.

The rows lie beside the rule sets in `bgmail/rules/account`; each names a topic, and the topics have their sentence,
in our own words, in the files of this room. The rulebooks themselves are not here: a row knows a digest of its
sentence and the number of its words, so that a test can hold them side by side.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any

from bgmail.phrases.account.events import EVENTS
from bgmail.phrases.account.moving import MOVING
from bgmail.phrases.account.server import SERVER
from bgmail.phrases.account.stakes import STAKES
from bgmail.phrases.account.table import TABLE
from bgmail.phrases.anchors import Where
from bgmail.phrases.translate import lazy_gettext as _

FOLDER = Path(__file__).parents[2] / "rules" / "account"
BOOKS = ("federation", "five-point", "claim", "house")
"""The rulebooks, each called like the rule set that plays it."""
OWN_PAGE = "set"
"""How a row names the page of its own rule set."""

TOPICS: Mapping[str, Any] = {**MOVING, **STAKES, **SERVER, **EVENTS, **TABLE}


class Status(Enum):
    """What became of a sentence: it is played, it is told, it has no use here, or it is still to come."""

    PLAYABLE = "playable"
    SHOWN = "shown"
    NOT_APPLICABLE = "not_applicable"
    OPEN = "open"


STATUS: Mapping[Status, Any] = {
    Status.PLAYABLE: _("played"),
    Status.SHOWN: _("told"),
    Status.NOT_APPLICABLE: _("of no use here"),
    Status.OPEN: _("still to come"),
}


@dataclass(frozen=True, slots=True)
class Row:
    """A sentence or bullet of a rulebook. `where` is the page and anchor that show it, `field` the value of a
    `RuleSet` that plays it; `words` and `digest` are those of the sentence.
    """

    id: str
    topic: str
    status: Status
    where: str | None
    field: str | None
    words: int
    digest: str


@dataclass(frozen=True, slots=True)
class Ruling:
    """Sentences on one topic that follow each other, and what became of them.

    `where` is a page of the guide and a place on it; the page is `OWN_PAGE` on the rule set's own.
    """

    ids: tuple[str, ...]
    says: str
    status: Status
    where: Where | None


@cache
def account(book: str) -> tuple[Row, ...]:
    """All rows of a rulebook in its order; none for rules without a rulebook."""
    if book not in BOOKS:
        return ()
    rows = json.loads((FOLDER / f"{book}.json").read_text(encoding="utf-8"))["rows"]
    return tuple(
        Row(
            id=row["id"],
            topic=row["topic"],
            status=Status(row["status"]),
            where=row.get("where"),
            field=row.get("field"),
            words=row["words"],
            digest=row["digest"],
        )
        for row in rows
    )


def rulings(book: str) -> list[Ruling]:
    """The account of a rulebook for its readers, in the order of the book."""
    runs = groupby(account(book), key=lambda row: (row.topic, row.status, row.where))
    return [
        Ruling(
            ids=tuple(row.id for row in rows),
            says=topic(name),
            status=status,
            where=Where(*where.split("#")) if where else None,
        )
        for (name, status, where), rows in runs
    ]


def summary(book: str) -> list[tuple[str, int]]:
    """How many sentences were treated how: the word for it, and their number."""
    counted = Counter(row.status for row in account(book))
    return [(str(STATUS[status]), counted[status]) for status in Status if counted[status]]


def topic(name: str) -> str:
    """What is said about a topic. Raises KeyError."""
    return str(TOPICS[name])

"""Lists that come a page at a time: how much is asked for, and where the next page begins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bgmail.api import numbers
from bgmail.api.operations import Parameter

PAGE, MOST = 50, 100
CURSOR = Parameter("cursor", {"type": "string"}, "`cursor` of the page before")


@dataclass(frozen=True, slots=True)
class Page:
    """How many of a list somebody gets at a time: `usual` where they don't say, `most` at most."""

    usual: int = PAGE
    most: int = MOST

    @property
    def parameters(self) -> tuple[Parameter, Parameter]:
        """What is asked with."""
        schema = {"type": "integer", "minimum": 1, "maximum": self.most}
        return CURSOR, Parameter("limit", schema, f"At most; {self.usual} by default")

    def limit(self) -> int:
        """What is asked for. Raises Malformed."""
        return numbers.within("limit", self.usual, self.most, least=1)


USUAL = Page()


def after(found: Sequence[Any], limit: int, offset: int) -> str | None:
    """The cursor of what comes after so many of a list that is counted through; None where nothing does."""
    return str(offset + limit) if len(found) > limit else None

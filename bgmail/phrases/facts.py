"""What is said about one value of a rule set."""

from __future__ import annotations

from dataclasses import dataclass

from bgmail.phrases.anchors import Where


@dataclass(frozen=True, slots=True)
class Fact:
    """One way in which rule sets differ. `where` is the section of the guide that explains it."""

    field: str
    where: Where
    name: str
    says: str

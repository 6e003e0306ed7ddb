"""The 8-9-12 rule of thumb for doubling in a race, in whole pips."""

from __future__ import annotations

from dataclasses import dataclass

DOUBLE, REDOUBLE, TAKE = 8, 9, 12
"""Per cent of the leader's pip count."""


@dataclass(frozen=True, slots=True)
class Thumb:
    """What the rule says for a leader with `pips` to go, as pip counts of the other side.

    From `double` on the leader doubles, from `redouble` on with a cube of its own; up to `take` it is taken.
    """

    pips: int
    double: int
    redouble: int
    take: int

    @classmethod
    def of(cls, pips: int) -> Thumb:
        """The rule for a leader's pip count."""
        return cls(pips, _at_least(pips, DOUBLE), _at_least(pips, REDOUBLE), pips * (100 + TAKE) // 100)


def _at_least(pips: int, percent: int) -> int:
    """The smallest count that is behind by that much."""
    return -(-pips * (100 + percent) // 100)

"""Numbers of things in a terminal, which speaks English."""

from __future__ import annotations


def counted(number: int, one: str, many: str = "") -> str:
    """For example "1 match", "2 matches", "0 findings"; `many` is given where it isn't `one` with an s."""
    return f"{number} {one if number == 1 else many or f'{one}s'}"

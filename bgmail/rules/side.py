"""The two sides of a match, and what each side has of something."""

from __future__ import annotations

from enum import IntEnum


class Side(IntEnum):
    """A seat: WHITE invites and sits in the left column of match files. The number indexes pairs."""

    WHITE = 0
    BLACK = 1

    @property
    def other(self) -> Side:
        return Side.BLACK if self is Side.WHITE else Side.WHITE

    @property
    def word(self) -> str:
        """The side as the log and the API spell it: "white" or "black"."""
        return ("white", "black")[self]

    @classmethod
    def named(cls, word: str) -> Side:
        """The side of "white" or "black". Raises KeyError for anything else."""
        return {"white": cls.WHITE, "black": cls.BLACK}[word]


Pair = tuple[int, int]


def put(pair: Pair, side: Side, value: int) -> Pair:
    """The pair with `side`'s number replaced by `value`."""
    return (value, pair[1]) if side is Side.WHITE else (pair[0], value)

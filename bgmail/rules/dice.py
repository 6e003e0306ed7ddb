"""One roll of two dice: the numbers as they were drawn, and the numbers there are to play."""

from __future__ import annotations

from dataclasses import dataclass

FACES = range(1, 7)


class BadDice(ValueError):
    """A die that shows no number from 1 to 6."""


@dataclass(frozen=True, slots=True)
class Dice:
    """Two dice in the order in which they were drawn; raises `BadDice` unless both are whole numbers 1..6."""

    d1: int
    d2: int

    def __post_init__(self) -> None:
        for die in (self.d1, self.d2):
            if type(die) is not int or die not in FACES:
                raise BadDice(f"a die shows 1 to 6, not {die!r}")

    @property
    def high(self) -> int:
        """The larger number, or the number of a double."""
        return max(self.d1, self.d2)

    @property
    def low(self) -> int:
        """The smaller number, or the number of a double."""
        return min(self.d1, self.d2)

    @property
    def is_double(self) -> bool:
        """Whether both dice show the same number, which is then played four times."""
        return self.d1 == self.d2

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers to play, larger first: two of them, or the same one four times."""
        return (self.d1,) * 4 if self.is_double else (self.high, self.low)

    def __str__(self) -> str:
        return f"{self.high}-{self.low}"


ROLLS = tuple(Dice(high, low) for high in FACES for low in range(1, high + 1))
"""The 21 different rolls, each once, larger number first."""

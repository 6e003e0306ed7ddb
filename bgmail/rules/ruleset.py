"""Rule sets as data: what one match may do and what its results are worth. Nothing here acts.

`STANDARD` judges imports and the Python API; `PRESETS` are what people choose from when they invite.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum


class Resignation(Enum):
    """How a game may be given up: by an offer that can be refused, or at what the position is worth."""

    OFFER = "offer"
    POSITION = "position"


@dataclass(frozen=True, slots=True)
class RuleSet:
    """Everything in which one way of playing differs from another.

    `lengths` are the match lengths on offer (0 = a points session of N games). `triple` tells whether a
    backgammon counts three. `cube_limit` is the highest value the cube may show. `dead_cube_refused` forbids
    a double by a side whose win already ends the match at the present value. By `least_waste`, of the plays
    using all dice only those that waste the fewest pips are legal. `forced_plays` lets the server play what
    leaves no choice.
    """

    name: str
    lengths: frozenset[int]
    triple: bool = True
    cube: bool = True
    cube_limit: int = 64
    dead_cube_refused: bool = False
    crawford: bool = True
    resignation: Resignation = Resignation.OFFER
    least_waste: bool = False
    forced_plays: bool = True


MAX_LENGTH = 25
MAX_GAMES = 99

STANDARD = RuleSet(name="standard", lengths=frozenset(range(100)))
CLUB = replace(STANDARD, name="club", lengths=frozenset(range(MAX_LENGTH + 1)), dead_cube_refused=True)
FEDERATION = replace(
    STANDARD,
    name="federation",
    lengths=frozenset(range(1, 16, 2)),
    resignation=Resignation.POSITION,
)

PRESETS = {rules.name: rules for rules in (CLUB, FEDERATION)}
DEFAULT = CLUB

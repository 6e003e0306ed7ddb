"""Rule sets as data: what one match may do and what its results are worth. Nothing here acts.

`STANDARD` judges imports and the Python API; `PRESETS` are what people choose from when they invite. A rule set of
one's own is a value like them; `bgmail.rules.ruledata` writes and reads it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum


class Resignation(Enum):
    """How a game may be given up: by an offer that can be refused, or at what the position is worth."""

    OFFER = "offer"
    POSITION = "position"


class Timeout(Enum):
    """What a side loses whose time is over: the match, the game on the board, or that game as a gammon."""

    MATCH = "match"
    GAME = "game"
    GAMMON = "gammon"


@dataclass(frozen=True, slots=True)
class RuleSet:
    """Everything in which one way of playing differs from another.

    `lengths` are the match lengths on offer (0 = a points session of N games). `triple` tells whether a
    backgammon counts three. `cube_limit` is the highest value the cube may show. `dead_cube_refused` forbids
    a double by a side whose win already ends the match at the present value. By `least_waste`, of the plays
    using all dice only those that waste the fewest pips are legal. `forced_plays` lets the server play what
    leaves no choice. `most_wager` is the most points that the two may agree on as the wager of a single game
    (1 = there is no wager).

    Of time: `timeout` is what a lapse costs; where it is `claimed`, only once the opponent says so. The bank lasts
    the match or, by `bank_per_game`, is full again in each game. Live only: whoever is away for `inactivity` seconds
    of the own turn loses the game (0 = no such limit), and `given_back` times a match a side that was cut off and
    came back in time gets `given_back_percent` of the bank it used meanwhile. `time` names the time control that is
    offered first ("" = the usual one).
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
    most_wager: int = 1
    timeout: Timeout = Timeout.MATCH
    claimed: bool = False
    bank_per_game: bool = False
    inactivity: int = 0
    given_back: int = 0
    given_back_percent: int = 50
    time: str = ""

    def nearest_length(self, wanted: int) -> int:
        """`wanted`, or the match length on offer that is nearest to it: of two the shorter one."""
        return min(self.lengths - {0} or self.lengths, key=lambda length: (abs(length - wanted), length))


MAX_LENGTH = 25
MAX_GAMES = 99
MAX_CUBE = 64
MAX_WAGER = 100
CLAIM_DAYS = 14
"""What may be claimed and isn't happens by itself after so many days."""

STANDARD = RuleSet(name="standard", lengths=frozenset(range(100)))
CLUB = replace(STANDARD, name="club", lengths=frozenset(range(MAX_LENGTH + 1)), dead_cube_refused=True)
FEDERATION = replace(
    CLUB,
    name="federation",
    lengths=frozenset(range(1, 16, 2)),
    dead_cube_refused=False,
    resignation=Resignation.POSITION,
    given_back=3,
    time="live-delay",
)
FIVE_POINT = replace(CLUB, name="five-point", lengths=frozenset({5}), time="live-8-10")
CLAIM = replace(
    CLUB,
    name="claim",
    triple=False,
    cube=False,
    crawford=False,
    resignation=Resignation.POSITION,
    least_waste=True,
    timeout=Timeout.GAMMON,
    claimed=True,
    bank_per_game=True,
    time="live-11-90",
)
HOUSE = replace(CLUB, name="house", crawford=False, most_wager=MAX_WAGER)

PRESETS = {rules.name: rules for rules in (CLUB, FEDERATION, FIVE_POINT, CLAIM, HOUSE)}
DEFAULT = CLUB

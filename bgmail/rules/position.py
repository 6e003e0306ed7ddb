"""Where the checkers stand, seen by the side on roll: a frozen value with GNU Backgammon's Position ID.

Points are 24..1 in that side's own numbering, the bar is 25 and off is 0, so that a move always goes down.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from binascii import Error as BadBase64
from binascii import b2a_base64
from collections.abc import Sequence
from enum import Enum
from functools import lru_cache
from operator import itemgetter
from struct import Struct
from typing import Final

BAR: Final = 25
OFF: Final = 0
CHECKERS: Final = 15
LANES: Final = 26
LANE_BITS: Final = 8

EVERY_LANE: Final = int.from_bytes(b"\1" * LANES, "little")
EMPTY: Final = 64
_MOST = 63
_SIGNED = Struct(f"{LANES}b")
_PAIRS = Struct(f"<{LANES // 2}H")
_SIGN = 128 * EVERY_LANE
_ID_BITS = 80
_ID_LENGTH = 14


class Impossible(Enum):
    """Why a set of checkers is no position of a game."""

    FORMAT = "format"
    TOO_MANY_OWN = "too_many_own"
    TOO_MANY_OPPONENT = "too_many_opponent"
    SHARED_POINT = "shared_point"
    WRONG_SIDE_OF_BAR = "wrong_side_of_bar"
    BOTH_SHUT_OUT = "both_shut_out"
    BOTH_ALL_OFF = "both_all_off"


class BadPosition(ValueError):
    """A position that is malformed or can't arise; `reason` says which, `value` is the count or point."""

    def __init__(self, reason: Impossible, message: str, value: int | None = None) -> None:
        super().__init__(message)
        self.reason = reason
        self.value = value


class Position(int):
    """All checkers on the board and the bar; those off are what is missing from fifteen.

    The value is one whole number of 26 bytes, the lowest first: byte p holds 64 plus the number of own
    checkers on point p, or 64 minus the opponent's (byte 0 is the opponent's bar, byte 25 the own bar). So a
    move adds the same number wherever the other checkers stand. Make one by `from_board`, `from_id` or
    `mirrored`; two positions are equal when every checker stands on the same point.
    """

    __slots__ = ()

    @classmethod
    def from_board(cls, board: Sequence[int]) -> Position:
        """Make a position from 26 numbers: `[0]` minus the opponent's checkers on the bar, `[1]`..`[24]` the
        points (own > 0, opponent < 0), `[25]` the own bar. Raises `BadPosition` if that can't be.
        """
        _check_board(board)
        return cls(_pack(board))

    @classmethod
    def from_id(cls, position_id: str) -> Position:
        """Read a GNU Backgammon Position ID (14 characters); the side on roll is the one on roll in the ID.

        Raises `BadPosition` for anything that is no ID, or is the ID of an impossible position.
        """
        return _position_of_id(position_id)

    @classmethod
    def start(cls) -> Position:
        """The position in which every game starts, the same for both sides."""
        return START

    @property
    def board(self) -> tuple[int, ...]:
        """The 26 numbers that `from_board` takes."""
        return _SIGNED.unpack(((self + EMPTY * EVERY_LANE) ^ _SIGN).to_bytes(LANES, "little"))

    @property
    def id(self) -> str:
        """GNU Backgammon's Position ID, with the side on roll as the player on roll."""
        own, opponent = _side_bits(self)
        return _spelled(own + opponent)

    @property
    def opponent_id(self) -> str:
        """The Position ID of the same checkers as the opponent sees them: sooner than `mirrored().id`."""
        own, opponent = _side_bits(self)
        return _spelled(opponent + own)

    def mirrored(self) -> Position:
        """The same checkers as the opponent sees them."""
        negated = 2 * EMPTY * EVERY_LANE - self
        return Position(int.from_bytes(negated.to_bytes(LANES, "little"), "big"))

    def pip_count(self) -> int:
        """Pips the side on roll still needs to bear off all its checkers."""
        return sum(point * count for point, count in enumerate(self.board) if count > 0)

    def opponent_pip_count(self) -> int:
        """Pips the opponent still needs."""
        return self.mirrored().pip_count()

    @property
    def off(self) -> int:
        """Checkers that the side on roll has borne off."""
        return CHECKERS - sum([count for count in self.board if count > 0])

    @property
    def opponent_off(self) -> int:
        """Checkers that the opponent has borne off."""
        return CHECKERS + sum([count for count in self.board if count < 0])

    def __repr__(self) -> str:
        return f"Position.from_id({self.id!r})"

    __str__ = __repr__

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)


def _pack(board: Sequence[int]) -> int:
    return (int.from_bytes(_SIGNED.pack(*board), "little") ^ _SIGN) - EMPTY * EVERY_LANE


def _check_board(board: Sequence[int]) -> None:
    if len(board) != LANES or {int} != set(map(type, board)) or max(map(abs, board)) > _MOST:
        raise BadPosition(Impossible.FORMAT, "a board is 26 small whole numbers")
    if board[0] > 0 or board[BAR] < 0:
        raise BadPosition(Impossible.WRONG_SIDE_OF_BAR, "[0] is the opponent's bar, [25] the own bar")
    own = sum([count for count in board if count > 0])
    opponent = own - sum(board)
    if own > CHECKERS:
        raise BadPosition(Impossible.TOO_MANY_OWN, f"the side on roll has {own} checkers, not 15", own)
    if opponent > CHECKERS:
        message = f"the opponent has {opponent} checkers, not 15"
        raise BadPosition(Impossible.TOO_MANY_OPPONENT, message, opponent)
    if not own and not opponent:
        raise BadPosition(Impossible.BOTH_ALL_OFF, "both sides have borne off all their checkers")
    if _both_shut_out(board):
        raise BadPosition(Impossible.BOTH_SHUT_OUT, "both sides are on the bar against a closed board")


def _both_shut_out(board: Sequence[int]) -> bool:
    own_closed = board[0] < 0 and all(count >= 2 for count in board[1:7])
    return own_closed and board[BAR] > 0 and all(count <= -2 for count in board[19:25])


@lru_cache(maxsize=4096)
def _position_of_id(position_id: str) -> Position:
    return Position.from_board(_board_of_id(position_id))


def _board_of_id(position_id: str) -> list[int]:
    bits = _bits_of_id(position_id)
    opponent, own, left = _sides(bits)
    if left:
        raise BadPosition(Impossible.FORMAT, f"position ID {position_id!r} goes on after the last checker")
    for point in range(1, BAR):
        if own[point] and opponent[BAR - point]:
            message = f"both sides have checkers on the {point} point"
            raise BadPosition(Impossible.SHARED_POINT, message, point)
    return [own[point] - opponent[BAR - point] for point in range(LANES)]


def _bits_of_id(position_id: str) -> int:
    if len(position_id) != _ID_LENGTH:
        raise BadPosition(Impossible.FORMAT, f"a position ID has 14 characters, not {len(position_id)}")
    try:
        data = b64decode(position_id + "==", validate=True)
    except (BadBase64, ValueError):
        data = b""
    if b64encode(data).decode("ascii")[:_ID_LENGTH] != position_id:
        raise BadPosition(Impossible.FORMAT, f"position ID {position_id!r} is not base64")
    return int.from_bytes(data, "little")


def _sides(bits: int) -> tuple[list[int], list[int], int]:
    """The opponent's checkers and the own ones, indexed by point with 25 the bar, and the bits that are left.

    A checker is a 1, and a 0 ends each point.
    """
    runs = bin(bits | 1 << _ID_BITS)[:2:-1].split("0")
    counts = [len(run) for run in runs[: 2 * BAR]]
    counts += [0] * (2 * BAR - len(counts))
    return [0, *counts[:BAR]], [0, *counts[BAR:]], sum(len(run) for run in runs[2 * BAR :])


def _side_bits(position: int) -> tuple[str, str]:
    """What an ID says of the own checkers and of the opponent's, the last bit first."""
    pairs = itemgetter(*_PAIRS.unpack(position.to_bytes(LANES, "little")))
    own, opponent = "".join(pairs(_OWN_BITS)[::-1]), "".join(pairs(_OPPONENT_BITS))
    # Nobody's own checker is on lane 0, and no checker of the opponent's on lane 25: no bits of theirs.
    return own[:-1], opponent[:-1]


def _spelled(bits: str) -> str:
    """The ID whose bits, the last one first, are these."""
    data = int(bits, 2).to_bytes(_ID_BITS // 8, "little")
    return b2a_base64(data, newline=False)[:_ID_LENGTH].decode("ascii")


def _bits(checkers: int) -> str:
    """What an ID says of a point, the last bit first: as many ones as it has checkers of a side, behind a zero."""
    return "0" + "1" * max(0, checkers)


# By two neighbouring lanes at a time, the lower one in the lower byte.
_COUNTS = range(-CHECKERS, CHECKERS + 1)
_OWN_BITS = {
    EMPTY + low + 256 * (EMPTY + high): _bits(high) + _bits(low) for low in _COUNTS for high in _COUNTS
}
_OPPONENT_BITS = {
    EMPTY + low + 256 * (EMPTY + high): _bits(-low) + _bits(-high) for low in _COUNTS for high in _COUNTS
}


START: Final = Position.from_board(
    [0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0],
)
"""The opening position, 4HPwATDgc/ABMA."""

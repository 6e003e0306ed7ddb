"""The rules of moving once more, plain and slow: lists, one checker at a time, every order of the dice.

Shares no code with `bgmail`: a board is the 26 numbers of `Position.board`, a play a list of such boards.
"""

from __future__ import annotations

Board = tuple[int, ...]


def results(board: Board, d1: int, d2: int) -> set[Board]:
    """All boards that a legal play may lead to, seen by the side that moves; empty if nothing can be played."""
    if d1 == d2:
        orders = [[d1] * 4]
    else:
        orders = [[d1, d2], [d2, d1]]
    ends = [end for order in orders for end in _play_on(board, order, [])]
    most = max(len(used) for used, _ in ends)
    longest = [(used, end) for used, end in ends if len(used) == most and most > 0]
    if most == 1 and d1 != d2 and any(used == [max(d1, d2)] for used, _ in longest):
        longest = [(used, end) for used, end in longest if used == [max(d1, d2)]]
    return {end for _, end in longest}


def least_waste(board: Board, d1: int, d2: int) -> set[Board]:
    """The same where plays with all dice must waste as few pips as possible."""
    ends = results(board, d1, d2)
    both = {
        end for order in ([d1, d2], [d2, d1]) for used, end in _play_on(board, order, []) if len(used) == 2
    }
    if d1 == d2 or not both:
        return ends
    return {end for end in ends if _pips(end) == min(map(_pips, ends))}


def _play_on(board: Board, dice: list[int], used: list[int]) -> list[tuple[list[int], Board]]:
    ends = [(used, board)]
    if dice:
        for after in _one_move(board, dice[0]):
            ends += _play_on(after, dice[1:], [*used, dice[0]])
    return ends


def _one_move(board: Board, die: int) -> list[Board]:
    boards = []
    for point in range(25, 0, -1):
        if board[point] > 0 and _may_move(board, point, die):
            boards.append(_move(board, point, die))
    return boards


def _may_move(board: Board, point: int, die: int) -> bool:
    if board[25] > 0 and point != 25:
        return False
    if point > die:
        return board[point - die] >= -1
    if any(board[further] > 0 for further in range(7, 26)):
        return False
    return point == die or not any(board[higher] > 0 for higher in range(point + 1, 7))


def _move(board: Board, point: int, die: int) -> Board:
    after = list(board)
    after[point] -= 1
    landing = point - die
    if landing > 0 and after[landing] == -1:
        after[landing] = 1
        after[0] -= 1
    elif landing > 0:
        after[landing] += 1
    return tuple(after)


def _pips(board: Board) -> int:
    return sum(point * max(checkers, 0) for point, checkers in enumerate(board))

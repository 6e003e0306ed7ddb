"""Writes matches in the .mat form: fixed English words and ASCII digits in every language."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from bgmail.formats.recorded import Event, EventKind, GameEnd, RecordedGame, RecordedMatch
from bgmail.rules.side import Side

COLUMN = 37
"""Where the right column starts: a double with four hits fits into the left one."""
RESULT_INDENT = 6

_WORDS = {EventKind.TAKE: " Takes", EventKind.PASS: " Drops", EventKind.RESIGN: " Resigns"}


def write_mat(match: RecordedMatch, headers: Mapping[str, str] | None = None) -> str:
    """The text of a .mat file; `headers` become its first lines, such as `; [Site "..."]`.

    What isn't known is left out of `headers` by the caller. A play is written as it stands in its event; a
    dance is a roll with nothing after it, which the rules tell from a roll that nobody has played yet.
    """
    return "\n".join(_lines(match, headers or {})) + "\n"


def _lines(match: RecordedMatch, headers: Mapping[str, str]) -> Iterator[str]:
    for key, value in headers.items():
        yield f'; [{key} "{_plain(value).replace(chr(34), chr(39))}"]'
    if headers:
        yield ""
    yield f" {match.length} point match"
    for game in match.games:
        yield ""
        yield from _game(match, game)


def _game(match: RecordedMatch, game: RecordedGame) -> Iterator[str]:
    white, black = (
        f"{_name(name)} : {points}"
        for name, points in zip((match.white, match.black), game.score, strict=True)
    )
    yield f" Game {game.number}"
    yield f" {white:<{COLUMN - 2}} {black}"
    rows = _rows(game.events)
    last = game is match.games[-1] and match.complete and match.length > 0
    alone = _put_result(rows, game.end, last=last) if game.end else ""
    for number, (left, right) in enumerate(rows, 1):
        yield f"{number:3}) {left:<{COLUMN - 6}} {right}".rstrip()
    if alone:
        yield alone


def _rows(events: Iterable[Event]) -> list[tuple[str, str]]:
    """The two columns, filled in the order of play."""
    rows: list[tuple[str, str]] = []
    for event in events:
        if event.side is Side.WHITE:
            rows.append((_entry(event), ""))
        elif rows and not rows[-1][1]:
            rows[-1] = (rows[-1][0], _entry(event))
        else:
            rows.append(("", _entry(event)))
    return rows


def _put_result(rows: list[tuple[str, str]], end: GameEnd, *, last: bool) -> str:
    """Put the result beside the last entry if Black's column is free there; else return its own line.

    GNU Backgammon writes it so, and takes a result that follows a pass on its own line for another double.
    """
    points = "point" if end.points == 1 else "points"
    result = f"Wins {end.points} {points}{' and the match' if last else ''}"
    if end.winner is Side.WHITE:
        return " " * RESULT_INDENT + result
    if not rows or rows[-1][1]:
        return " " * COLUMN + result
    rows[-1] = (rows[-1][0], f" {result}")
    return ""


def _entry(event: Event) -> str:
    if event.kind is EventKind.DOUBLE:
        return " Doubles" if event.value is None else f" Doubles => {event.value}"
    if event.kind in _WORDS:
        return _WORDS[event.kind]
    if event.dice is None:
        raise ValueError(f"a play without dice in line {event.move}")
    return f"{event.dice.d1}{event.dice.d2}: {event.play or ''}".rstrip()


def _name(name: str) -> str:
    """A name that can't be taken for another part of the file."""
    return _plain("".join(sign for sign in name if sign not in ":;)"))


def _plain(text: str) -> str:
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())

"""Reads matches in the .mat form that servers and programs exchange, in all the ways they write it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from bgmail.formats.recorded import Event, EventKind, GameEnd, RecordedGame, RecordedMatch
from bgmail.formats.refusal import ImportRefused
from bgmail.rules.dice import BadDice, Dice
from bgmail.rules.side import Side

RIGHT_COLUMN_GAP = 10
"""A line's only entry is the right column's when at least so many blanks stand before it."""
RIGHT_RESULT_INDENT = 20
MAX_LENGTH = 99
MAX_LINE = 400

_LINE_END = re.compile(r"\r\n|\n|\r")
_ANY_CASE = re.IGNORECASE | re.ASCII
_LENGTH = re.compile(r"(\d{1,4}) point match\b.*", _ANY_CASE)
_GAME = re.compile(r"Game (\d{1,4})", _ANY_CASE)
_HEADING = re.compile(r"(?P<white>.*?) ?: ?(?P<w>\d{1,6})\s\s*(?P<black>.*?) ?: ?(?P<b>\d{1,6})", re.ASCII)
_ROW = re.compile(r"(\d{1,4})\)", re.ASCII)
_RESULT = re.compile(r"(?P<word>Wins|Losses|Loses) (?P<points>\d{1,6}) points?(?: and the match)?", _ANY_CASE)
_ENTRY = re.compile(r"\d\d:|Doubles|Takes|Drops|Passes|Resigns|Wins|Losses|Loses", _ANY_CASE)
_ROLL = re.compile(r"(\d)(\d):\s*(.*)", re.ASCII)
_DOUBLE = re.compile(r"Doubles(?:\s*=>\s*(\d{1,6}))?", _ANY_CASE)
_WORDS = {
    "takes": EventKind.TAKE,
    "drops": EventKind.PASS,
    "passes": EventKind.PASS,
    "resigns": EventKind.RESIGN,
}
_NO_PLAY = {"cannot move", "can't move", "no move"}


@dataclass(slots=True)
class _Game:
    """A game while it is read."""

    number: int
    score: tuple[int, int] | None = None
    events: list[Event] = field(default_factory=list)
    end: GameEnd | None = None
    move: int = 0

    def finished(self) -> RecordedGame:
        if self.score is None:
            raise ImportRefused("no_score", "the score before the game is missing", game=self.number, move=1)
        return RecordedGame(self.number, self.score, tuple(self.events), self.end)


def decode(data: bytes) -> str:
    """The text of a file: UTF-8, UTF-16 with its mark, else the code page that older programs wrote."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", errors="replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


def read_mat(data: bytes | str) -> RecordedMatch:
    """The match in a .mat file (also .txt). Raises ImportRefused where it isn't one.

    The left column is White. Whether the plays are legal and the results right is judged elsewhere.
    """
    return _Reader().read(decode(data) if isinstance(data, bytes) else data.removeprefix("\ufeff"))


class _Reader:
    def __init__(self) -> None:
        self.length: int | None = None
        self.names: tuple[str, str] | None = None
        self.games: list[_Game] = []
        self.line = 0

    def read(self, text: str) -> RecordedMatch:
        for number, line in enumerate(_LINE_END.split(text), 1):
            self.line = number
            if len(line) > MAX_LINE:
                raise self._fault("line_too_long", f"a line has more than {MAX_LINE} characters")
            stripped = line.strip()
            if stripped and not stripped.startswith(";"):
                self._take(line.expandtabs(), stripped.expandtabs())
        if self.length is None:
            raise self._fault("no_length", "no line like '7 point match'")
        if self.names is None:
            raise self._fault("no_games", "there is no game in it")
        return RecordedMatch(self.length, *self.names, tuple(game.finished() for game in self.games))

    def _take(self, line: str, stripped: str) -> None:
        if row := _ROW.match(stripped):
            self._row(int(row[1]), stripped[row.end() :])
        elif length := _LENGTH.fullmatch(stripped):
            self._match_length(int(length[1]))
        elif game := _GAME.fullmatch(stripped):
            self._new_game(int(game[1]))
        elif result := _RESULT.fullmatch(stripped):
            self._result(_column(line), result, alone=True)
        elif heading := _HEADING.fullmatch(stripped):
            self._heading(heading)
        else:
            raise self._fault("unknown_line", f"can't read {_shown(stripped)}")

    def _match_length(self, length: int) -> None:
        if self.length is not None:
            raise self._fault("second_match", "a second match begins here")
        if length > MAX_LENGTH:
            raise self._fault("length", f"a match to {length} points is too long")
        self.length = length

    def _new_game(self, number: int) -> None:
        if self.length is None:
            raise self._fault("no_length", "no line like '7 point match' before the first game")
        if self.games and self.games[-1].end is None:
            raise self._fault("game_without_result", "the game has no result, yet another one follows")
        if number != len(self.games) + 1:
            raise self._fault("game_number", f"game {number} follows game {len(self.games)}")
        self.games.append(_Game(number))

    def _heading(self, found: re.Match[str]) -> None:
        game = self._game()
        if game.score is not None:
            raise self._fault("second_heading", "the names and the score stand here twice")
        game.score = (int(found["w"]), int(found["b"]))
        if self.names is None:
            self.names = (found["white"].strip(), found["black"].strip())

    def _row(self, move: int, rest: str) -> None:
        game = self._game()
        before, game.move = game.move, move
        if move != before + 1:
            raise self._fault("move_number", f"it follows move {before}")
        for side, entry in self._entries(rest):
            if result := _RESULT.fullmatch(entry):
                self._result(side, result, alone=False)
            else:
                self._event(side, entry)

    def _entries(self, rest: str) -> Iterator[tuple[Side, str]]:
        """The one or two entries of a line with their columns."""
        starts = [found.start() for found in _ENTRY.finditer(rest)]
        before = rest[: starts[0]] if starts else rest
        if before.strip() or len(starts) > len(Side):
            raise self._fault("unknown_entry", f"can't read {_shown(rest.strip())}")
        alone_on_the_right = len(starts) == 1 and starts[0] >= RIGHT_COLUMN_GAP
        sides = (Side.BLACK,) if alone_on_the_right else tuple(Side)
        for side, start, end in zip(sides, starts, [*starts[1:], len(rest)], strict=False):
            yield side, rest[start:end].strip()

    def _event(self, side: Side, entry: str) -> None:
        game = self._game()
        if game.end is not None:
            raise self._fault("after_the_end", f"{_shown(entry)} stands after the game's result")
        game.events.append(self._event_of(side, game.move, entry))

    def _event_of(self, side: Side, move: int, entry: str) -> Event:
        if roll := _ROLL.fullmatch(entry):
            return Event(EventKind.PLAY, side, move, self._dice(roll[1], roll[2]), _play(roll[3]))
        if double := _DOUBLE.fullmatch(entry):
            return Event(EventKind.DOUBLE, side, move, value=int(double[1]) if double[1] else None)
        kind = _WORDS.get(entry.lower())
        if kind is None:
            raise self._fault("unknown_entry", f"can't read {_shown(entry)}")
        return Event(kind, side, move)

    def _dice(self, first: str, second: str) -> Dice:
        try:
            return Dice(int(first), int(second))
        except BadDice as error:
            raise self._fault("dice", f"{first}{second} is no roll") from error

    def _result(self, side: Side, found: re.Match[str], *, alone: bool) -> None:
        """A result; some write the loser's beside the winner's, and both have to agree."""
        game = self._game()
        winner = side if found["word"].lower() == "wins" else side.other
        end = GameEnd(winner, int(found["points"]), game.move, alone)
        if game.end is None:
            game.end = end
        elif (game.end.winner, game.end.points) != (end.winner, end.points):
            raise self._fault("second_result", "the game has two results that don't agree")

    def _game(self) -> _Game:
        if not self.games:
            raise self._fault("before_the_first_game", "this stands before the first game")
        return self.games[-1]

    def _fault(self, code: str, detail: str) -> ImportRefused:
        if not self.games:
            return ImportRefused(code, detail, line=self.line)
        game = self.games[-1]
        return ImportRefused(code, detail, game=game.number, move=max(game.move, 1), line=self.line)


def _column(line: str) -> Side:
    """The column of a result on a line of its own: the right one stands where right entries stand."""
    return Side.BLACK if len(line) - len(line.lstrip()) >= RIGHT_RESULT_INDENT else Side.WHITE


def _shown(text: str) -> str:
    return repr(text[:60])


def _play(text: str) -> str | None:
    text = text.strip()
    if not text or set(text) == {"?"}:
        return None
    return "" if text.lower() in _NO_PLAY else text

"""The ways in which servers and programs write the same match, for files of our own invention."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from bgmail.formats.recorded import Event, EventKind, GameEnd, RecordedGame, RecordedMatch
from bgmail.rules.action import Kind
from bgmail.rules.dice import Dice
from bgmail.rules.play import Play
from bgmail.rules.side import Side
from tests.formats.played import Step, recorded

Spelling = Callable[[Play], str]


def hops(play: Play) -> str:
    """One move a part, bar 25, off 0, hits starred."""
    return " ".join(f"{m.from_point}/{m.to_point}{'*' * m.hit}" for m in play.moves)


def bare_hops(play: Play) -> str:
    """The same without stars."""
    return hops(play).replace("*", "")


def joined(play: Play) -> str:
    """A checker's moves joined, equal ones counted, bar and off as words."""
    return str(play)


def bare_joined(play: Play) -> str:
    """The same without stars."""
    return str(play).replace("*", "")


def capitals(play: Play) -> str:
    """The same with capitals."""
    return str(play).replace("bar", "Bar").replace("off", "Off")


@dataclass(frozen=True)
class Dialect:
    """How one program writes; `dance` and `unplayed` follow the roll where there is nothing to play or nobody
    played it."""

    name: str
    spelling: Spelling
    dance: str = ""
    unplayed: str = ""
    colon: str = " : "
    column: int = 32
    points: str = "points"
    losses: bool = False
    resigns: bool = False
    numbered_result: bool = False
    swap_dice: bool = False
    trailing: str = ""
    line_end: str = "\n"
    bom: bool = False
    tags: tuple[str, ...] = ()


DIALECTS = (
    Dialect("jelly", hops, trailing=" "),
    Dialect(
        "planet",
        bare_hops,
        points="point",
        losses=True,
        tags=('; [Site "Planet"]', '; [Player 1 Elo "7,00/0"]'),
    ),
    Dialect("club", bare_joined, "Cannot Move", "????", column=40, points="point", numbered_result=True),
    Dialect(
        "live",
        capitals,
        "Cannot Move",
        points="point",
        column=37,
        line_end="\r\n",
        bom=True,
        trailing="     ",
    ),
    Dialect(
        "studio", joined, colon=": ", column=44, resigns=True, swap_dice=True, tags=('; [Jacoby "Off"]',)
    ),
)


def write(dialect: Dialect, steps: list[Step], white: str = "Alice", black: str = "Bob") -> bytes:
    """A match as the dialect writes it."""
    match = spelled(recorded(steps, white, black), steps, dialect)
    lines = [*dialect.tags, "", f"{match.length} point match", ""]
    for game in match.games:
        lines += _game(dialect, match, game)
    text = "".join(line.rstrip() + dialect.trailing + dialect.line_end for line in lines)
    return (b"\xef\xbb\xbf" if dialect.bom else b"") + text.encode()


def spelled(match: RecordedMatch, steps: list[Step], dialect: Dialect) -> RecordedMatch:
    """The match with its plays and dice spelled the dialect's way."""
    plays = iter([step.action.play for step in steps if step.action.kind is Kind.PLAY])
    return replace(
        match,
        games=tuple(
            replace(game, events=tuple(_respelled(event, plays, dialect) for event in game.events))
            for game in match.games
        ),
    )


def _respelled(event: Event, plays: Iterator[Play | None], dialect: Dialect) -> Event:
    if event.kind is not EventKind.PLAY or event.dice is None:
        return event
    high_first = event.dice if event.dice.d1 >= event.dice.d2 else Dice(event.dice.d2, event.dice.d1)
    dice = event.dice if dialect.swap_dice else high_first
    if event.play is None:
        return replace(event, dice=dice, play=dialect.unplayed)
    play = next(plays)
    return replace(event, dice=dice, play=dialect.spelling(play) if play else dialect.dance)


def _game(dialect: Dialect, match: RecordedMatch, game: RecordedGame) -> list[str]:
    width = dialect.column - 5
    white = f"{match.white}{dialect.colon}{game.score[0]}"
    black = f"{match.black}{dialect.colon}{game.score[1]}"
    rows: list[list[str]] = []
    for event in game.events:
        _put(rows, event.side, _entry(event))
    alone = ""
    if game.end:
        alone = _place_result(dialect, rows, game, game.end)
    lines = [f" Game {game.number}", f" {white:<{dialect.column - 1}}{black}"]
    lines += [f"{number:3}) {left:<{width}}{right}" for number, (left, right) in enumerate(rows, 1)]
    return [*lines, alone, ""] if alone else [*lines, ""]


def _put(rows: list[list[str]], side: Side, entry: str) -> None:
    if side is Side.BLACK and rows and not rows[-1][1]:
        rows[-1][1] = entry
    else:
        rows.append([entry, ""] if side is Side.WHITE else ["", entry])


def _entry(event: Event) -> str:
    if event.kind is EventKind.PLAY and event.dice:
        return f"{event.dice.d1}{event.dice.d2}: {event.play}"
    return {
        EventKind.DOUBLE: f" Doubles => {event.value}",
        EventKind.TAKE: " Takes",
        EventKind.PASS: " Drops",
    }[event.kind]


def _place_result(dialect: Dialect, rows: list[list[str]], game: RecordedGame, end: GameEnd) -> str:
    """Puts the result where the dialect has it; returns the line of its own, if any."""
    word = "point" if end.points == 1 else dialect.points
    given_up = game.events[-1].kind is EventKind.PLAY and not game.events[-1].play
    loser = end.winner.other
    if given_up and dialect.losses and game.events[-1].side is end.winner:
        _put(rows, loser, f" Losses {end.points} {word}")
    if given_up and dialect.resigns and game.events[-1].side is end.winner:
        _put(rows, loser, "Resigns")
    if dialect.numbered_result or (rows and not rows[-1][1] and end.winner is Side.BLACK):
        _put(rows, end.winner, f" Wins {end.points} {word}")
        return ""
    indent = 6 if end.winner is Side.WHITE else dialect.column + 2
    return f"{'':{indent}}Wins {end.points} {word}"

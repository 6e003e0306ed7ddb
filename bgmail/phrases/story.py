"""What happened in a match, line by line, from the entries of its log."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta

from bgmail.ledger.film import Told
from bgmail.ledger.replay import OF_THE_CLOCK
from bgmail.phrases import corrections, rests, vacations
from bgmail.phrases.orders import wish_note
from bgmail.phrases.times import lasting
from bgmail.phrases.translate import gettext, ngettext
from bgmail.phrases.words import Names, worth_name
from bgmail.rules.dice import Dice
from bgmail.rules.match import Match, Phase
from bgmail.rules.side import Side
from bgmail.timing.calendar import from_json

HIDDEN = frozenset({"commit", "reveal"})
BETWEEN = frozenset({"correction", "pause", "late"})
"""What may stand between a roll and its play."""
ROLLS = frozenset({"roll", "opening_roll"})
PAIRED = "tournament"
"""How the first entries of a match came in that a tournament began."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line: who ("" for the server), the dice ("" where none were rolled), what happened.

    `note` says how it came about where no person did it: "played for you". `seq` is the entry told last and
    `at` its instant, in microseconds.
    """

    who: str
    dice: str
    text: str
    note: str
    seq: int
    at: int


def story(entries: Iterable[Told], names: Names, after: int = 0, *, whole: bool = False) -> list[Line]:
    """The lines of what came after the entry `after`, a roll and its play in one.

    Entries up to `after` only lend their dice to a play that follows. Commitments and secrets are left out, and when
    a player's clock rests is told only where the story is to be `whole`.
    """
    lines: list[Line] = []
    rolled: Line | None = None
    for entry in entries:
        if entry.kind in HIDDEN or (not whole and entry.kind == "pause" and _is_rest(entry)):
            continue
        line = entry_line(entry, names)
        if rolled and entry.kind == "play":
            _take_back(lines, rolled)
            line = replace(line, dice=rolled.dice)
        if entry.kind not in BETWEEN:
            rolled = line if entry.kind in ROLLS and not _tie(entry) else None
        if entry.seq > after:
            lines.append(line)
    return lines


def without_open_roll(lines: list[Line], match: Match) -> list[Line]:
    """The story up to now without the roll that is still to be played: the heading and the board show it.

    Whatever was written down of the clocks after the roll has no line here.
    """
    waits = match.phase is Phase.PLAY and not match.opening and lines and lines[-1].dice == str(match.dice)
    return lines[:-1] if waits else lines


def sentence(line: Line) -> str:
    """A line as one sentence: "bob 3-1: 8/5 6/5, the only play"."""
    values = {"who": line.who, "dice": line.dice, "text": line.text, "note": line.note}
    if not line.who:
        return gettext("%(dice)s %(text)s", **values) if line.dice else line.text
    if not line.dice:
        noted = gettext("%(who)s %(text)s, %(note)s", **values) if line.note else ""
        return noted or gettext("%(who)s %(text)s", **values)
    if not line.note:
        return gettext("%(who)s %(dice)s: %(text)s", **values)
    return gettext("%(who)s %(dice)s: %(text)s, %(note)s", **values)


def _take_back(lines: list[Line], line: Line) -> None:
    """Takes one of the latest lines away, if it is there: its dice go to the play."""
    for nth in range(len(lines) - 1, max(-1, len(lines) - 4), -1):
        if lines[nth] is line:
            del lines[nth]
            return


def entry_line(entry: Told, names: Names) -> Line:
    """The line of one entry by itself, whatever its kind."""
    who = _side(entry)
    say = _SAY.get(entry.kind, _unknown)
    return Line(
        who="" if who is None else names.who(who),
        dice=str(Dice(*entry.data["dice"])) if entry.kind in ROLLS else "",
        text=say(entry.data, names, entry),
        note=_note(entry, who, names),
        seq=entry.seq,
        at=entry.at,
    )


def _is_rest(entry: Told) -> bool:
    return entry.data.get("why") in ("calendar", "vacation")


def _tie(entry: Told) -> bool:
    first, second = entry.data["dice"]
    return bool(entry.kind == "opening_roll" and first == second)


def _side(entry: Told) -> Side | None:
    """Whose line it is: the seat's, the starter's of an opening roll, the winner's of a game."""
    if entry.seat:
        return Side.named(entry.seat)
    if entry.kind == "opening_roll":
        first, second = entry.data["dice"]
        return None if first == second else Side.WHITE if first > second else Side.BLACK
    word = entry.data.get("side") or entry.data.get("winner")
    return Side.named(word) if word in ("white", "black") else None


def _note(entry: Told, who: Side | None, names: Names) -> str:
    if who is None:
        return ""
    if entry.via == "clock" and entry.kind not in OF_THE_CLOCK:
        return gettext("out of time")
    by = entry.data.get("by")
    if entry.via == "auto" and isinstance(by, str):
        return wish_note(entry.kind, by, yours=who is names.you)
    if entry.via != "auto" or entry.kind != "play" or not entry.data["play"]:
        return ""
    if who is names.you:
        return gettext("played for you")
    return gettext("the only play")


Say = Callable[[Mapping[str, object], Names, Told], str]


def _play(data: Mapping[str, object], _names: Names, _entry: Told) -> str:
    return str(data["play"]) if data["play"] else gettext("no legal play, passed")


def _opening(_data: Mapping[str, object], names: Names, entry: Told) -> str:
    side = _side(entry)
    if side is None:
        return gettext("opening roll: a tie, rolled again")
    return gettext("start the game") if side is names.you else gettext("starts the game")


def _double(data: Mapping[str, object], _names: Names, _entry: Told) -> str:
    return gettext("doubled to %(value)s", value=data["value"])


def _resign(data: Mapping[str, object], _names: Names, _entry: Told) -> str:
    return gettext("offered to resign %(game)s", game=worth_name(_number(data["value"])))


def _game_over(data: Mapping[str, object], _names: Names, _entry: Told) -> str:
    points = _number(data["points"])
    return ngettext(
        "won game %(game)s, %(num)s point", "won game %(game)s, %(num)s points", points, game=data["game"]
    )


def _match_over(data: Mapping[str, object], _names: Names, _entry: Told) -> str:
    return gettext("won the match") if data["winner"] else gettext("The match is over")


def _correction(data: Mapping[str, object], names: Names, _entry: Told) -> str:
    return corrections.logged(data, names)


def _commitment(data: Mapping[str, object], _names: Names, _entry: Told) -> str:
    return gettext(
        "The dice of game %(game)s are sealed: %(commitment)s",
        game=data["game"],
        commitment=data["commitment"],
    )


def _secret(data: Mapping[str, object], _names: Names, _entry: Told) -> str:
    return gettext("The secret of game %(game)s: %(secret)s", game=data["game"], secret=data["secret"])


def _pause(data: Mapping[str, object], names: Names, entry: Told) -> str:
    why = data.get("why")
    if why == "calendar":
        return gettext("chose when to rest: %(when)s", when=rests.calendar(from_json(data)))
    if why == "vacation":
        return vacations.logged(_number(data["from"]), _number(data["until"]), entry.at)
    if why == "gift":
        return _gift(data, names)
    if why == "connection":
        return gettext("got %(span)s back, lost while cut off", span=_seconds(data))
    if why == "untimed":
        return vacations.untimed(str(data.get("word")))
    return gettext("The clocks stood still")


def _gift(data: Mapping[str, object], names: Names) -> str:
    """A day from the opponent, or several from whoever runs the tournament."""
    by = data.get("by")
    if data.get("extension") and isinstance(by, int | str):
        author = names.author(by)
        if author is None:
            return gettext("got %(span)s more from an organiser", span=_seconds(data))
        return gettext("got %(span)s more from %(author)s", span=_seconds(data), author=author)
    return gettext("gave a day more")


def _seconds(data: Mapping[str, object]) -> str:
    return lasting(timedelta(seconds=_number(data["seconds"])))


def _unknown(_data: Mapping[str, object], _names: Names, entry: Told) -> str:
    return entry.kind.replace("_", " ")


def _number(value: object) -> int:
    return int(str(value))


def _fixed(sentence: Callable[[], str]) -> Say:
    return lambda _data, _names, _entry: sentence()


def _seated(sentence: Callable[[], str]) -> Say:
    """How somebody came to the board: a tournament asks nobody once more."""
    return lambda _data, _names, entry: (
        gettext("entered the tournament") if entry.via == PAIRED else sentence()
    )


_SAY: Mapping[str, Say] = {
    "invite": _seated(lambda: gettext("sent the invitation")),
    "accept": _seated(lambda: gettext("accepted")),
    "decline": _fixed(lambda: gettext("declined")),
    "cancel": _fixed(lambda: gettext("took the invitation back")),
    "expire": _fixed(lambda: gettext("The invitation expired")),
    "commit": _commitment,
    "reveal": _secret,
    "opening_roll": _opening,
    "roll": _fixed(lambda: gettext("rolled")),
    "play": _play,
    "double": _double,
    "take": _fixed(lambda: gettext("took")),
    "pass": _fixed(lambda: gettext("passed")),
    "resign": _resign,
    "accept_resignation": _fixed(lambda: gettext("accepted the resignation")),
    "decline_resignation": _fixed(lambda: gettext("declined the resignation, play goes on")),
    "resign_match": _fixed(lambda: gettext("resigned the match")),
    "late": _fixed(lambda: gettext("ran out of time, which may be claimed")),
    "claim_timeout": _fixed(lambda: gettext("claimed it: the time was over")),
    "inactivity": _fixed(lambda: gettext("stayed away for too long")),
    "timeout": _fixed(lambda: gettext("ran out of time")),
    "game_over": _game_over,
    "match_over": _match_over,
    "correction": _correction,
    "pause": _pause,
}

"""The lists of a person's matches: their lines, and in which order they come."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Protocol, TypeVar
from zoneinfo import ZoneInfo

from markupsafe import Markup

from bgmail import timing
from bgmail.board import mini
from bgmail.ledger.latest import Act, last_act
from bgmail.phrases import button, heading, match_result, span, stage
from bgmail.phrases.lately import act_line, own_line
from bgmail.phrases.people import called
from bgmail.phrases.rests import paused
from bgmail.phrases.times import last_play
from bgmail.phrases.translate import gettext as _
from bgmail.phrases.translate import lazy_gettext
from bgmail.phrases.words import Names
from bgmail.rules.match import Phase
from bgmail.rules.side import Side
from bgmail.service.accounts import Account
from bgmail.service.views import MatchView
from bgmail.web import boards
from bgmail.web.clockface import low_mark
from bgmail.web.picture import board_view, viewer_of

NEVER = datetime.max.replace(tzinfo=UTC)
DEFAULT = "deadline"
TABS = {
    "deadline": lazy_gettext("Deadline first"),
    "reply": lazy_gettext("Newest reply"),
    "bank": lazy_gettext("Least bank"),
}
"""The orders of the queue, as addresses name them, and as their tabs are called."""


class Dated(Protocol):
    """What the orders ask of a match."""

    @property
    def id(self) -> str: ...
    @property
    def clock(self) -> timing.Clock: ...
    @property
    def moved_at(self) -> datetime: ...
    @property
    def deadline_at(self) -> datetime | None: ...
    @property
    def running_pauses(self) -> timing.Pauses: ...


Listed = TypeVar("Listed", bound=Dated)


@dataclass(frozen=True, slots=True)
class TimeLeft:
    """What a row says about the clock: words, the share of turn and bank that is left, and whether it is low.

    `paused` says until when it stands still; "" where it runs. `behind` is the bank that follows on the time of the
    turn; "" where it runs already, or there is none.
    """

    words: str
    percent: int
    is_low: bool
    paused: str = ""
    behind: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """One match in a list. `says` is what the opponent did, or whom the match waits for; `own` what I did."""

    view: MatchView
    opponent: str
    board: Markup
    stage: str
    score: str
    says: str
    own: str
    button: str
    is_mine: bool
    left: TimeLeft | None
    moved: str


def order_named(word: str | None) -> str:
    """The order of that name; the usual one for a name that there isn't."""
    return word if word in TABS else DEFAULT


def ordered(views: Iterable[Listed], order: str, now: datetime) -> list[Listed]:
    """The matches in one of the orders of `TABS`; where it says nothing, the nearest deadline first."""
    by_deadline = sorted(views, key=_deadline)
    if order == "reply":
        return sorted(by_deadline, key=lambda view: view.moved_at, reverse=True)
    if order == "bank":
        return sorted(by_deadline, key=lambda view: _bank(view, now))
    return by_deadline


def _deadline(view: Dated) -> tuple[datetime, datetime, str]:
    return view.deadline_at or NEVER, view.moved_at, view.id


def _bank(view: Dated, now: datetime) -> timedelta:
    """The bank of the side whose time runs; without a clock nobody's is small."""
    clock = view.clock
    if clock.on is None or clock.control.untimed:
        return timedelta.max
    return timing.left(clock, now, view.running_pauses)[clock.on].bank or timedelta()


def row(view: MatchView, account: Account, now: datetime, acts: Iterable[Act] = ()) -> Row:
    """A match as its line in a list says it; `acts` are the newest of its log."""
    you = view.side_of(account.id)
    names = names_of(view, you)
    is_mine = you is not None and view.match.on_turn is you
    over = view.match.phase is Phase.OVER
    wanted = boards.chosen()
    board = mini.draw(board_view(view.match, you, None, wanted), wanted.theme, title=_("The board"))
    return Row(
        view=view,
        opponent=names.opponent,
        board=Markup(board),  # noqa: S704 - drawn by bgmail.board, which escapes its texts
        stage=stage(view.match),
        score=_score(view, viewer_of(you)),
        says=match_result(view.match, names) if over else _says(view, names, is_mine, acts),
        own=own_line(last_act(acts, you)) if you is not None and not is_mine and not over else "",
        button=button(view.match, you) if you is not None and not over else _("Look"),
        is_mine=is_mine,
        left=None if over else time_left(view, now, ZoneInfo(account.time_zone)),
        moved=last_play(view.moved_at, ZoneInfo(account.time_zone), now),
    )


def rows(
    views: Iterable[MatchView], account: Account, now: datetime, acts: Mapping[str, list[Act]]
) -> list[Row]:
    """The lines of several matches, with what was done in them lately."""
    return [row(view, account, now, acts.get(view.id, ())) for view in views]


def split(lines: Iterable[Row], wanted: Callable[[Row], bool]) -> tuple[list[Row], list[Row]]:
    """Those that are wanted, and the others, both in their order."""
    chosen: tuple[list[Row], list[Row]] = ([], [])
    for line in lines:
        chosen[not wanted(line)].append(line)
    return chosen


def next_deadline(mine: Iterable[Row]) -> Row | None:
    """The line whose time is over first."""
    return min((line for line in mine if line.left), key=lambda line: _deadline(line.view), default=None)


def names_of(view: MatchView, you: Side | None) -> Names:
    """How the two are called; an empty seat is "somebody"."""
    white, black = (called(one.handle) if one else _("somebody") for one in (view.white, view.black))
    return Names(white, black, you)


def time_left(view: MatchView, now: datetime, zone: ZoneInfo) -> TimeLeft | None:
    """What is left to the side on the clock; None where nobody can lose on time."""
    clock, pauses = view.clock, view.running_pauses
    if clock.on is None or clock.control.untimed:
        return None
    left, rest = timing.left(clock, now, pauses)[clock.on], timing.paused(clock, now, pauses)
    turn, bank = left.turn or timedelta(), left.bank or timedelta()
    whole = timedelta(seconds=clock.control.per_turn + max(clock.control.bank, int(bank.total_seconds())))
    words = span(turn) if turn else _("%(span)s of bank", span=span(bank))
    return TimeLeft(
        words,
        round(100 * min(1.0, (turn + bank) / whole)) if whole else 0,
        turn + bank < low_mark(view),
        paused(rest, zone, now) if rest else "",
        _("then %(span)s of bank", span=span(bank)) if turn and bank else "",
    )


def _says(view: MatchView, names: Names, is_mine: bool, acts: Iterable[Act]) -> str:
    """What the opponent did, where I am to answer it; else whom the match waits for."""
    done = last_act(acts, names.you.other) if is_mine and names.you is not None else None
    return (act_line(done, names) if done else "") or heading(view.match, names)


def _score(view: MatchView, viewer: Side) -> str:
    mine, theirs = view.match.score[viewer], view.match.score[viewer.other]
    return f"{mine}–{theirs}"

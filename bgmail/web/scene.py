"""Everything that the page of a match shows to one reader, made ready for its template."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from typing import Any
from zoneinfo import ZoneInfo

from markupsafe import Markup

from bgmail.board.view import BAR, BoardView, Whose
from bgmail.ledger.entry import Entry
from bgmail.ledger.latest import last_play
from bgmail.ledger.replies import habit
from bgmail.phrases import (
    Line,
    award_line,
    heading,
    outcome,
    story,
    subtitle,
    vacations,
    why_stuck,
    without_open_roll,
)
from bgmail.phrases.claims import claim_words
from bgmail.phrases.decisions import points_word
from bgmail.phrases.people import called
from bgmail.phrases.profiles import replying
from bgmail.phrases.ratings import gain, number, step, why_not
from bgmail.phrases.translate import gettext as _
from bgmail.phrases.words import Names, author_name
from bgmail.rules.action import Kind
from bgmail.rules.match import Match, Phase, legal
from bgmail.rules.options import options
from bgmail.rules.side import Side
from bgmail.service import mercy
from bgmail.service.board_preferences import DEFAULT, BoardPreference
from bgmail.service.ratings.reading import AtTable
from bgmail.service.tournaments import naming
from bgmail.service.views import MatchView
from bgmail.web.asks import Ask, asks
from bgmail.web.board_script import script_data
from bgmail.web.clockface import ClockFace, Moment, away, face, moments
from bgmail.web.picture import board_view, drawing, place_words, viewer_of
from bgmail.world import world

RECENT = 80
"""So many of the newest entries are looked at for the latest play and the news."""
BY_PERSON = frozenset({"page", "link", "api", "mail"})
SMALL = frozenset({"roll", "pause"})
"""What decides nothing about the board."""
FEW_PLAYS = 24
"""Up to so many plays are listed one by one, more are grouped."""


@dataclass(frozen=True, slots=True)
class Reader:
    """Who looks at a page: an account (None = nobody signed in), its zone, and how it wants boards."""

    account_id: int | None
    zone: ZoneInfo
    board: BoardPreference = DEFAULT


@dataclass(frozen=True, slots=True)
class Strip:
    """The line above or below the board: one player."""

    whose: Whose
    name: str
    is_bot: bool
    is_white: bool
    theme: str
    pips: int | None
    score: int
    clock: ClockFace | None
    linked: bool
    replies: str = ""
    rating: str = ""


@dataclass(frozen=True, slots=True)
class Scene:
    """One match as one reader sees it now."""

    view: MatchView
    you: Side | None
    names: Names
    title: str
    award: str
    sub: str
    hint: str
    strips: tuple[Strip, Strip]
    board: Markup
    options: tuple[str, ...]
    asks: dict[str, Ask]
    moments: list[Moment]
    away: list[str]
    news: list[Line]
    plays: list[tuple[str, list[str]]]
    data: dict[str, Any] | None
    wanted: BoardPreference
    now: datetime
    ratings: Sequence[str] = ()

    @property
    def mercy(self) -> list[str]:
        """What the reader may do for the opponent."""
        return mercy.options(self.view, self.you)

    @property
    def days_given(self) -> int:
        """How many days the reader gave the opponent in this turn."""
        return mercy.days_given(self.view, self.you.other) if self.you is not None else 0

    @property
    def match(self) -> Match:
        return self.view.match

    @property
    def is_mine(self) -> bool:
        """Whether the match waits for the reader."""
        return self.you is not None and self.match.on_turn is self.you

    @property
    def cost(self) -> str:
        """What taking and passing mean, where the reader has to answer a double."""
        value = self.match.stake
        return _(
            "%(name)s doubles. Take, and the game counts %(taken)s; pass, and you lose %(passed)s.",
            name=self.names.opponent,
            taken=points_word(value * 2),
            passed=points_word(value),
        )

    @property
    def claim(self) -> str:
        """What may be claimed, where the time of the side on turn is over; else ""."""
        return claim_words(self.match, self.names)

    @property
    def over(self) -> bool:
        return self.match.phase is Phase.OVER

    @property
    def millis(self) -> int:
        """The server's time as the page's script counts it."""
        return int(self.now.timestamp() * 1000)


def names_of(view: MatchView, you: Side | None) -> Names:
    """The two names, with a word for a seat that nobody has taken, and those of others that its log speaks of."""
    white, black = (view.person(side) for side in Side)
    nobody = (_("somebody"),) * 2 if view.match.phase is Phase.INVITED else (_("White"), _("Black"))
    return Names(
        called(white.handle) if white else nobody[0],
        called(black.handle) if black else nobody[1],
        you,
        cache(lambda author: author_name(naming.author(world().store, view, author))),
    )


def scene(
    view: MatchView, recent: Sequence[Entry], reader: Reader, now: datetime, *, only_look: bool = False
) -> Scene:
    """The whole page of a match; `recent` are the newest entries of its log.

    `only_look` is for pages on which nothing can be done, whoever looks.
    """
    view = view.at(now)
    you = view.side_of(reader.account_id)
    names = names_of(view, you)
    can = () if you is None or only_look else tuple(kind.value for kind in options(view.match, you))
    interactive, over = Kind.PLAY.value in can, view.match.phase is Phase.OVER
    shown = board_view(view.match, you, last_play(recent, view.match), reader.board)
    if interactive:
        shown = entering(shown, view.match)
    words = place_words(names.opponent)
    return Scene(
        view=view,
        you=you,
        names=names,
        title=outcome(view.match, names) if over else heading(view.match, names),
        award=award_line(view.match) if over else "",
        sub=subtitle(view.match, names),
        hint=why_stuck(view.match) if interactive else "",
        strips=_strips(view, names, shown, reader.board, recent, now),
        board=drawing(shown, words, board_title(names), interactive=interactive, theme=reader.board.theme),
        options=can,
        asks=asks(view.match, you, names),
        moments=moments(view, now, reader.zone),
        away=[*away(view, now, reader.zone), *on_vacation(view, names, reader.zone, now)],
        news=news(recent, names, view.match),
        plays=grouped([str(play) for play in legal(view.match)]) if interactive else [],
        data=script_data(view, you, shown, words, reader.board, now) if interactive else None,
        wanted=reader.board,
        now=now,
    )


def with_ratings(shown: Scene, told: AtTable) -> Scene:
    """The scene with the ratings beside the names; once it is over, with what the match did to them instead."""
    viewer = viewer_of(shown.you)
    above, below = (
        replace(strip, rating="" if shown.over or side not in told.before else number(told.before[side]))
        for strip, side in zip(shown.strips, (viewer.other, viewer), strict=True)
    )
    return replace(shown, strips=(above, below), ratings=_effects(shown, told))


def _effects(shown: Scene, told: AtTable) -> list[str]:
    """What the card beside the board says: of an invitation the inviter's rating, of a match its effect on both."""
    inviter = told.before.get(Side.WHITE)
    if shown.match.phase is Phase.INVITED and inviter:
        return [number(inviter)]
    if not shown.over or not shown.view.rated or shown.view.started_at is None:
        return []
    if not told.after:
        return [why_not(told.reason)]
    return [
        _(
            "Rating of %(name)s: %(step)s (%(gain)s)",
            name=shown.names.of(side),
            step=step(told.before[side].value, after),
            gain=gain(told.before[side].value, after),
        )
        for side, after in told.after.items()
    ]


def lay_out(shown: Scene, play: str | None) -> None:
    """Has the board's script lay out a play, which is not submitted by that."""
    if shown.data is not None and play:
        shown.data["laid"] = play


def entering(shown: BoardView, match: Match) -> BoardView:
    """Marks the checker on the bar, and the points on which it may enter."""
    if match.dice is None or not shown.points[BAR]:
        return shown
    points = {BAR - die for die in (match.dice.d1, match.dice.d2)}
    open_points = tuple(sorted(point for point in points if shown.points[point] > -2))
    return replace(shown, selected=BAR if open_points else None, targets=open_points)


def board_title(names: Names) -> str:
    """What the board is called, for a screen reader."""
    return _("Backgammon board: %(white)s against %(black)s", white=names.white, black=names.black)


def news(recent: Sequence[Entry], names: Names, match: Match) -> list[Line]:
    """What happened since the reader's own latest action; the roll on the board needs no line."""
    return without_open_roll(story(recent, names, since(recent, names.you)), match)


def since(recent: Sequence[Entry], you: Side | None) -> int:
    """The entry after which things are news: one's own latest decision; a spectator sees the last four rolls.

    Having rolled is no decision: what the opponent did before still explains the board.
    """
    if you is not None:
        for entry in reversed(recent):
            if entry.seat == you.word and entry.via in BY_PERSON and entry.kind not in SMALL:
                return entry.seq
    rolls = [entry.seq for entry in recent if entry.kind in ("roll", "opening_roll")]
    return rolls[-4] - 1 if len(rolls) >= 4 else 0


def grouped(plays: list[str]) -> list[tuple[str, list[str]]]:
    """The plays as a list, or under their first move where they are many."""
    if len(plays) <= FEW_PLAYS:
        return [("", sorted(plays, key=_by_points, reverse=True))]
    groups: dict[str, list[str]] = {}
    for play in sorted(plays, key=_by_points, reverse=True):
        groups.setdefault(play.split(" ")[0], []).append(play)
    return list(groups.items())


def _by_points(play: str) -> list[int]:
    """24/20 stands before 8/4, the bar before all."""
    stops = play.replace("bar", "25").replace("off", "0").replace("*", "").replace("(", "/").replace(")", "")
    return [int(stop) for stop in stops.replace(" ", "/").split("/")]


def _strips(
    view: MatchView,
    names: Names,
    shown: BoardView,
    wanted: BoardPreference,
    recent: Sequence[Entry],
    now: datetime,
) -> tuple[Strip, Strip]:
    above = _strip(view, "opponent", names, shown, wanted, now)
    below = _strip(view, "viewer", names, shown, wanted, now)
    viewer = viewer_of(names.you)
    return (
        replace(above, replies=_replies(view, viewer.other, names, recent)),
        replace(below, replies=_replies(view, viewer, names, recent)),
    )


def _replies(view: MatchView, side: Side, names: Names, recent: Sequence[Entry]) -> str:
    """How soon somebody else replies in a match that runs: of oneself one knows, and a machine needs no words."""
    person = view.person(side)
    if side is names.you or person is None or person.is_bot or view.match.on_turn is None:
        return ""
    return replying(habit(recent, side))


def _strip(
    view: MatchView, whose: Whose, names: Names, shown: BoardView, wanted: BoardPreference, now: datetime
) -> Strip:
    viewer = viewer_of(names.you)
    side = viewer if whose == "viewer" else viewer.other
    person = view.person(side)
    return Strip(
        whose=whose,
        name=names.of(side),
        is_bot=bool(person and person.is_bot),
        is_white=shown.is_white(whose),
        theme=wanted.theme,
        pips=shown.pips(whose) if wanted.pips else None,
        score=view.match.score[side],
        clock=face(view, side, now),
        linked=person is not None and person.id > 0,
    )


def on_vacation(view: MatchView, names: Names, zone: ZoneInfo, now: datetime) -> list[str]:
    """Who is on vacation, or goes on one, in a match that runs: where their clock runs now, its pause tells that."""
    if view.match.on_turn is None or view.clock.control.untimed:
        return []
    return [
        vacations.away(names.of(side), start, end, zone, now, sure=True) + "."
        for side in Side
        for start, end in view.rests.sides[side].vacation
        if now < end and side is not names.you and (view.clock.on != side or now < start)
    ]

"""A match as its letter shows it: the board, who stands how, what happened, what may be decided."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache

from sqlalchemy import Connection

from bgmail import timing
from bgmail.board import picture, text
from bgmail.board.staged import staged
from bgmail.ledger.entry import Entry, parse_entry
from bgmail.ledger.latest import last_play
from bgmail.notify.links import Links
from bgmail.notify.occasion import Occasion
from bgmail.phrases import (
    Line,
    Names,
    board_words,
    game_result,
    heading,
    story,
    subtitle,
    time_left,
    why_stuck,
    without_open_roll,
    zone_name,
)
from bgmail.phrases.answers import how_to_answer
from bgmail.phrases.decisions import decision, laid_out, stakes
from bgmail.phrases.formats import pairing_name
from bgmail.phrases.tasks import clock_moments
from bgmail.phrases.tournaments import full_name
from bgmail.phrases.words import author_name
from bgmail.rules.action import Kind
from bgmail.rules.match import Match, Phase
from bgmail.rules.options import options
from bgmail.rules.side import Side
from bgmail.service import sketches
from bgmail.service.tournaments import naming
from bgmail.service.tournaments.lists import pairing_of
from bgmail.service.views import MatchView
from bgmail.store import matches, notices

MOST_NEWS = 14
BEFORE = 4
"""Entries read from before the news: the roll of a play that is told first is among them."""
LINKED = (
    Kind.PLAY,
    Kind.ROLL,
    Kind.DOUBLE,
    Kind.TAKE,
    Kind.PASS,
    Kind.ACCEPT_RESIGNATION,
    Kind.DECLINE_RESIGNATION,
    Kind.CLAIM_TIMEOUT,
)
"""The decisions that a letter has a link for. Whoever wants to resign opens the match."""


@dataclass(frozen=True, slots=True)
class Strip:
    """What stands beside a name: pips, score and clock ("" where none runs)."""

    name: str
    mark: str
    pips: int
    score: int
    clock: str
    is_on: bool
    is_you: bool


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision and the link that proposes it. `is_main` where it is the only one, or the usual one."""

    label: str
    url: str
    is_main: bool


@dataclass(frozen=True, slots=True)
class Situation:
    """Everything that the templates of match letters are given, in words of the reader's language and zone.

    `moments` are (label, instant). `more` counts older lines of the story that are left out. `result` tells
    how the last game ended, where that is news. `commitment` is named by the first letter of a game. `reply_to` is the
    address to answer to (None where no mail is read, or nothing is to be decided), and `how` says how. `played_for`
    names the tournament and its round; "" outside of any.
    """

    names: Names
    heading: str
    subtitle: str
    strips: tuple[Strip, Strip]
    board: str
    alt: str
    png: bytes
    moments: tuple[tuple[str, str], ...]
    zone: str
    news: tuple[Line, ...]
    more: int
    decisions: tuple[Decision, ...]
    stakes: str
    stuck: str
    result: str
    commitment: str
    game: int
    url: str
    reply_to: str | None
    how: str
    played_for: str = ""

    @property
    def sentence(self) -> str:
        """The heading within running text: a question keeps its own mark."""
        return self.heading if self._asks else f"{self.heading}."

    def lead(self, about: str) -> str:
        """The heading with what it is about, for a subject."""
        return f"{self.heading} {about}" if self._asks else f"{self.heading}, {about}"

    @property
    def _asks(self) -> bool:
        return self.heading.endswith("?")


def observe(connection: Connection, occasion: Occasion, links: Links, now: datetime) -> Situation:
    """The match as it stands, for the reader of the letter."""
    view, seat = occasion.match, occasion.seat
    names = replace(
        occasion.names(), author=cache(lambda author: author_name(naming.author_in(connection, view, author)))
    )
    match = view.match
    since = _since(connection, occasion)
    entries = _entries(connection, view.id, since - BEFORE)
    lines = without_open_roll(story(entries, names, since), match)
    board, words = staged(match, seat, played=last_play(entries, match)), board_words(names)
    news = [entry for entry in entries if entry.seq > since]
    made_by = _hash_of(connection, view, entries)
    laid = sketches.find_now(connection, view, occasion.reader.id) if occasion.reader else ""
    decisions = _decisions(view, seat, links, made_by, laid)
    reply_to = links.answer(view, seat, made_by) if decisions else None
    return Situation(
        names=names,
        heading=heading(match, names),
        subtitle=subtitle(match, names),
        strips=_strips(view, names, seat, now),
        board=text.draw(board, words),
        alt=text.alt(board, words),
        png=picture.png(board),
        moments=tuple(clock_moments(match, view.clock, view.running_pauses, names, occasion.zone, now)),
        zone=zone_name(now, occasion.zone),
        news=tuple(lines[-MOST_NEWS:]),
        more=max(0, len(lines) - MOST_NEWS),
        decisions=decisions,
        stakes=stakes(match, names),
        stuck=why_stuck(match) if match.on_turn is seat else "",
        result=_result(match, names, news),
        commitment=_commitment(connection, occasion),
        game=match.game,
        url=links.match(view.id),
        reply_to=reply_to,
        how=how_to_answer(match, seat) if reply_to else "",
        played_for=_played_for(connection, view),
    )


def _played_for(connection: Connection, view: MatchView) -> str:
    found = pairing_of(connection, view.id) if view.tournament else None
    if found is None:
        return ""
    name = full_name(found.name, found.season, found.division)
    return f"{name}: {pairing_name(found.plan, found.key, found.round, found.size)}"


def _since(connection: Connection, occasion: Occasion) -> int:
    """Up to which entry the reader knows the match: the last visit, or what came before their last act."""
    reader, view = occasion.reader, occasion.match
    visited = notices.last_visit(connection, view.id, reader.id) if reader else 0
    acted = notices.own_last(connection, view.id, occasion.seat.word)
    return max(visited, acted - 1, 0)


def _entries(connection: Connection, match_id: str, after: int) -> list[Entry]:
    return [parse_entry(entry) for entry, _ in matches.texts(connection, match_id, max(0, after))]


def _hash_of(connection: Connection, view: MatchView, entries: list[Entry]) -> str:
    """The hash of the entry that made the version, which as a rule has just been read."""
    known = (entry.hash for entry in entries if entry.seq == view.version)
    return next(known, "") or matches.hash_at(connection, view.id, view.version) or ""


def _strips(view: MatchView, names: Names, seat: Side, now: datetime) -> tuple[Strip, Strip]:
    """The opponent's strip and the reader's, as they stand above and below the board."""
    return _strip(view, names, seat.other, seat, now), _strip(view, names, seat, seat, now)


def _strip(view: MatchView, names: Names, side: Side, seat: Side, now: datetime) -> Strip:
    match, is_on = view.match, view.clock.on == side
    over = match.phase is Phase.OVER
    left = timing.left(view.clock, now, view.running_pauses)[side]
    return Strip(
        name=names.of(side),
        mark=text.MINE if side is seat else text.THEIRS,
        pips=match.seen_by(side).pip_count(),
        score=match.score[side],
        clock="" if over or view.clock.control.untimed else time_left(left, running=is_on),
        is_on=is_on,
        is_you=side is seat,
    )


def _decisions(
    view: MatchView, seat: Side, links: Links, made_by: str, laid: str = ""
) -> tuple[Decision, ...]:
    """What may be decided; a play that the reader has laid out comes first. No other play is ever proposed."""
    kinds = [kind for kind in options(view.match, seat) if kind in LINKED]
    main = None if laid else Kind.ROLL if Kind.ROLL in kinds else kinds[0] if len(kinds) == 1 else None
    own = [Decision(laid_out(laid), links.reply(view, seat, made_by, Kind.PLAY.value, play=laid), True)]
    return (
        *(own if laid else ()),
        *(
            Decision(
                decision(kind, view.match),
                links.reply(view, seat, made_by, None if kind is Kind.PLAY else kind.value),
                kind is main,
            )
            for kind in kinds
        ),
    )


def _result(match: Match, names: Names, news: list[Entry]) -> str:
    ended = any(entry.kind == "game_over" for entry in news)
    return game_result(match.last_game, names) if ended and match.last_game else ""


def _commitment(connection: Connection, occasion: Occasion) -> str:
    """The commitment to the running game's dice, if no letter of this game has named it to this reader."""
    view, reader = occasion.match, occasion.reader
    if view.match.phase is Phase.OVER or reader is None:
        return ""
    opening = notices.opening(connection, view.id, view.match.game)
    if notices.letters_since(connection, view.id, reader.id, opening.at):
        return ""
    return opening.commitment

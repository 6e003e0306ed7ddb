"""The one door through which a match moves: page, link, API, mail, automation and clock all come in here.

Loaded, judged and applied outside the lock; then one short transaction that only the first of two can win.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from bgmail import timing
from bgmail.dice import Chance
from bgmail.ledger.entry import NONCE
from bgmail.rules.action import Action, ActionRefused, Kind
from bgmail.rules.match import Match, Phase, legal
from bgmail.rules.notation import PlayError, find_play
from bgmail.rules.side import Side
from bgmail.service import mercy, respites
from bgmail.service.clocks import called_at
from bgmail.service.draft import Draft
from bgmail.service.errors import Forbidden, KeyReused, NotFound, Refused, Stale
from bgmail.service.keys import check_key
from bgmail.service.notices import facts_of, machines_of, owe
from bgmail.service.orders import EMPTY, Book, read, settle
from bgmail.service.ratings.verdicts import to_rate
from bgmail.service.views import MatchView, cached, view_of
from bgmail.store import inbound, matches, ratings, tournaments
from bgmail.store.engine import Store
from bgmail.timing.outages import spans

ACTIONS = frozenset(
    {
        Kind.ROLL,
        Kind.DOUBLE,
        Kind.TAKE,
        Kind.PASS,
        Kind.PLAY,
        Kind.RESIGN,
        Kind.ACCEPT_RESIGNATION,
        Kind.DECLINE_RESIGNATION,
        Kind.RESIGN_MATCH,
        Kind.CLAIM_TIMEOUT,
        *mercy.ACTIONS,
    }
)
_compact = json.JSONEncoder(separators=(",", ":")).encode
MOST_TRIES = 20


@dataclass(frozen=True, slots=True)
class Request:
    """What somebody wants to do: `action` in the API's words, at the `version` they saw.

    `play` is a spelling of the play, `value` a resignation's. `nonce` (32 hex digits) joins the dice; None
    lets the server make one. `key` makes the request safe to repeat. `via` is the way it came in.
    """

    action: str
    version: int
    play: str | None = None
    value: int | None = None
    nonce: str | None = None
    key: str | None = None
    via: str = "api"

    @property
    def digest(self) -> str:
        """Tells two requests with one key apart: SHA-256 of what was asked for."""
        body = [self.action, self.version, self.play, self.value, self.nonce]
        return hashlib.sha256(_compact(body).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Outcome:
    """The match as it stands now; `applied_version` is the version right after the person's own action.

    `repeated` tells that the request had been carried out before, under the same key.
    """

    view: MatchView
    applied_version: int
    repeated: bool = False


Ask = Callable[[MatchView], tuple[Side, Request]]


def act(store: Store, match_id: str, side: Side, request: Request, now: datetime, chance: Chance) -> Outcome:
    """Carries out one action of the person who sits at `side`, and all that follows without a decision.

    Raises NotFound; Stale when the match moved on, or its time is over or about to be; KeyReused; Refused, with the
    code of the rules' own error. Nothing is changed then.
    """
    return act_on_sight(store, match_id, lambda _: (side, request), now, chance)


def act_on_sight(store: Store, match_id: str, ask: Ask, now: datetime, chance: Chance) -> Outcome:
    """As `act`, for callers who have to see the match before they know who wants what: `ask` may refuse by
    raising. So the match is loaded once."""
    for _ in range(MOST_TRIES):
        draft = load_draft(store, match_id, now, chance)
        side, request = ask(draft.view)
        _check(request)
        if overdue(draft.view, now):
            if awaits_mail(store, draft.view):
                raise Stale(draft.view)
            if not respites.hold(store, draft):
                draft.lapse()
            commit(store, draft, actor=None)
            draft = load_draft(store, match_id, now, chance)
        try:
            entry_version = _judge(draft, side, request)
        except (Stale, Refused):
            repeated = _repeated(store, draft.view, side, request)
            if repeated:
                return repeated
            raise
        try:
            view = commit(
                store,
                draft,
                actor=side,
                key=request.key,
                digest=request.digest if request.key else None,
                also=respites.end_by(store, draft, side, request.action),
            )
        except IntegrityError:
            repeated = _repeated(store, draft.view, side, request)
            if repeated is None:
                raise
            return repeated
        if view is not None:
            return Outcome(view, entry_version)
    raise Stale(load(store, match_id))


def overdue(view: MatchView, now: datetime) -> bool:
    """Whether the time of the side on turn is over, and the server has to say so or to act on it."""
    if view.match.on_turn is None or view.deadline_at is None:
        return False
    return now >= called_at(view.match, view.deadline_at)


def awaits_mail(store: Store, view: MatchView) -> bool:
    """Whether a mail for this match was accepted in time and isn't handled yet: until then nobody's time is over."""
    if view.deadline_at is None:
        return False
    with store.read() as connection:
        return inbound.waits(connection, view.id, view.deadline_at)


def load(store: Store, match_id: str) -> MatchView:
    """The match as it stands. Raises NotFound."""
    with store.read() as connection:
        row = matches.view(connection, match_id)
    if row is None:
        raise NotFound("no_match")
    return view_of(row)


def load_draft(store: Store, match_id: str, now: datetime, chance: Chance) -> Draft:
    """The match with what dice need. Raises NotFound."""
    with store.read() as connection:
        found = matches.view_with_secrets(connection, match_id)
    if found is None:
        raise NotFound("no_match")
    return draft_of(store, found, now, chance)


def draft_of(store: Store, found: matches.Found, now: datetime, chance: Chance) -> Draft:
    """The draft of a match that has been read.

    Nonces are read when dice are drawn: if there were new ones by then, the head has moved and nothing is written.
    """
    row, secrets = found

    def so_far() -> str:
        with store.read() as connection:
            return matches.nonces(connection, row["id"])

    def is_guarded(game: int) -> bool:
        with store.read() as connection:
            return matches.is_guarded(connection, row["id"], game)

    view = view_of(row)
    return Draft(view, so_far, secrets, chance, now, is_guarded, _book(store, view, now))


def _book(store: Store, view: MatchView, now: datetime) -> Book:
    """What the two people ordered: looked up only where they did."""
    if not view.has_orders:
        return EMPTY
    with store.read() as connection:
        return read(connection, view, now)


@dataclass(frozen=True, slots=True)
class Finished:
    """A draft in the form in which it is written, with the notices that it owes: made before the lock is taken."""

    draft: Draft
    view: MatchView
    values: dict[str, Any]
    facts: list[dict[str, Any]]

    @classmethod
    def of(cls, draft: Draft, actor: Side | None) -> Finished:
        """`actor` is the side whose person acted; None for the clock."""
        view = moved(draft)
        return cls(draft, view, row_values(view), facts_of(draft, view, actor))

    @property
    def tournament(self) -> str | None:
        """The tournament that has to hear of it: one whose match ended."""
        return self.view.tournament if self.view.match.phase is Phase.OVER else None

    def advance(self, connection: Connection) -> bool:
        """Moves the match's row on; False when somebody was faster, or an outage has been noted: then nothing else may
        be written."""
        before, known = self.draft.view, len(self.draft.view.outages)
        return matches.advance(connection, before.id, before.head, self.values, before.ordered, known)


def commit(
    store: Store,
    draft: Draft,
    *,
    actor: Side | None,
    key: str | None = None,
    digest: str | None = None,
    also: Callable[[Any], None] | None = None,
) -> MatchView | None:
    """Writes a draft and the notices it owes in one transaction; None when somebody was faster.

    `also` may add statements of the caller's own to the transaction, before the log is written.
    """
    finished = Finished.of(draft, actor)
    with store.write() as connection:
        if not finished.advance(connection):
            return None
        if also:
            also(connection)
        write(connection, [finished], key, digest)
    return finished.view


def write(
    connection: Connection, steps: Sequence[Finished], key: str | None = None, digest: str | None = None
) -> None:
    """Writes what belongs to rows that were moved on just now: logs, secrets of dice and notices.

    `key` and `digest` belong to the first entry of the first of them.
    """
    drafts = [step.draft for step in steps]
    matches.log(connection, [entry for draft in drafts for entry in draft.entries], key, digest)
    matches.keep_secrets(connection, [kept for draft in drafts for kept in draft.kept])
    matches.drop_secrets(connection, [(draft.view.id, game) for draft in drafts for game in draft.published])
    machines = [one for step in steps for one in machines_of(step.view)]
    owe(connection, [fact for step in steps for fact in step.facts], machines)
    ratings.owe(connection, [noted for step in steps for noted in to_rate(step.view)])
    for step in steps:
        draft = step.draft
        if draft.book is not EMPTY:
            settle(connection, draft.book, draft.plans, step.view, frozenset(draft.obeyed))
    if ended := {step.tournament for step in steps if step.tournament}:
        tournaments.wake(connection, ended, steps[0].draft.now)


def moved(draft: Draft) -> MatchView:
    """The view after a draft."""
    before, match, clock, now = draft.view, draft.match, draft.clock, draft.now
    over = match.phase is Phase.OVER
    pauses = draft.rests.running(clock.on, spans(before.outages))
    end = timing.deadline(clock, pauses)
    return replace(
        before,
        match=match,
        clock=clock,
        version=draft.version,
        head=draft.head,
        head_hash=draft.head_hash,
        rolls=draft.rolls,
        moved_at=before.moved_at if draft.is_silent else now,
        started_at=before.started_at or (now if match.game else None),
        finished_at=(before.finished_at or now) if over else None,
        rests=draft.rests,
        deadline_at=end,
        due_at=end and _first_look(match, clock, pauses, end, now),
    )


def next_look(view: MatchView, now: datetime) -> datetime | None:
    """When the sweep has to look at a running match next: the first reminder still to come, or the end of the time."""
    end = timing.deadline(view.clock, view.running_pauses)
    return end and _first_look(view.match, view.clock, view.running_pauses, end, now)


def _first_look(
    match: Match, clock: timing.Clock, pauses: timing.Pauses, end: datetime, now: datetime
) -> datetime:
    planned = timing.reminders(clock, pauses)
    return min([called_at(match, end), *(reminder.at for reminder in planned if reminder.at > now)])


def row_values(view: MatchView) -> dict[str, Any]:
    """The columns of the match's row that a step changes."""
    return {
        "version": view.version,
        "head": view.head,
        "head_hash": view.head_hash,
        "rolls": view.rolls,
        "moved_at": view.moved_at,
        "started_at": view.started_at,
        "finished_at": view.finished_at,
        "deadline_at": view.deadline_at,
        "due_at": view.due_at,
        **cached(view.match, view.clock, view.rests),
    }


def seat(view: MatchView, account_id: int) -> Side:
    """The side of an account. Raises Forbidden for somebody who doesn't sit in the match."""
    side = view.side_of(account_id)
    if side is None:
        raise Forbidden("not_your_match")
    return side


def _check(request: Request) -> None:
    if request.action not in ACTIONS:
        raise Refused("unknown_action", action=request.action)
    check_nonce(request.nonce)
    check_key(request.key)


def check_nonce(nonce: str | None) -> None:
    """Raises Refused unless the nonce is 32 lower-case hex digits, or missing."""
    if nonce is not None and not NONCE.fullmatch(nonce):
        raise Refused("bad_nonce")


def _judge(draft: Draft, side: Side, request: Request) -> int:
    """Applies the request to the draft; the version that its own entry made."""
    view = draft.view
    if request.version != view.version:
        raise Stale(view)
    if request.action in mercy.ACTIONS:
        return mercy.judge(draft, side, request.action, request.via)
    try:
        entry = draft.act(action_for(view.match, side, request), request.via, request.nonce)
    except ActionRefused as error:
        raise Refused(error.code, **error.values) from error
    except PlayError as error:
        raise Refused(error.code, reason=str(error)) from error
    draft.automate()
    return entry.version


def action_for(match: Match, side: Side, request: Request) -> Action:
    """The action that a request means in a match. Raises PlayError for a play that isn't one of the legal ones."""
    kind = Kind(request.action)
    if kind is not Kind.PLAY or match.dice is None or match.on_turn is not side:
        return Action(kind, side, value=request.value)
    text = request.play or ""
    exact = next((play for play in legal(match) if str(play) == text), None)
    play = exact or find_play(match.position, match.dice, text, match.rules)
    return Action(kind, side, play=play)


def _repeated(store: Store, view: MatchView, side: Side, request: Request) -> Outcome | None:
    """What became of a request with the same key, if there was one. Raises KeyReused for another request's key."""
    if request.key is None:
        return None
    with store.read() as connection:
        found = matches.by_key(connection, view.id, side.word, request.key)
    if found is None:
        return None
    version, _, digest = found
    if digest != request.digest:
        raise KeyReused("key_reused")
    return Outcome(load(store, view.id), version, repeated=True)

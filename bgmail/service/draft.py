"""A match being moved on: entries are added one at a time, and match, clock and version follow.

Nothing is written here; `bgmail.service.turns` commits a finished draft in one guarded transaction.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from bgmail import timing
from bgmail.dice import NO_PERSON, Chance, commitment
from bgmail.ledger.entry import Entry
from bgmail.ledger.replay import OF_THE_CLOCK, SILENT, game_over_data, match_over_data, played_id
from bgmail.rules.action import Action, ActionRefused, Kind
from bgmail.rules.match import Match, Phase, apply
from bgmail.rules.score import Ending
from bgmail.rules.side import Side
from bgmail.service.automation import MOST_STEPS, NO_PLANS, Step, advanced, next_step, step_word, stuck
from bgmail.service.clocks import begins_turn, clock_after
from bgmail.service.orders import EMPTY, Book
from bgmail.service.pausing import after_pause, calendar_data
from bgmail.service.retellings import KNOWN
from bgmail.service.views import MatchView
from bgmail.timing.outages import last_noted, spans

KEEPS_VERSION = SILENT | {"game_over", "match_over"}
NOTHING_SAID: Mapping[str, Any] = {}
ROLLED_IN = {Kind.ROLL: Phase.ROLL_OR_DOUBLE, Kind.OPENING_ROLL: Phase.OPENING}
"""Where a roll is allowed: elsewhere no die is drawn, and there may be no secret to draw it from."""
PAIRED = "tournament"
"""How the two come into a match that a tournament begins."""
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Nonce:
    """Somebody's part of the dice, 32 hex digits; `made_here`: the server made it for them."""

    text: str
    made_here: bool = False


class Draft:
    """The view it starts from, and everything that has happened since.

    `so_far` tells the nonces of the log so far: it is asked only for dice. `secrets` are the unpublished ones by
    game. `published` are the games whose secrets the draft reveals, `made` the secrets that it commits to.
    `is_guarded` tells whether a person acted since a game was committed to: it is asked only where a game opens
    without a person.
    `book` has what the two people ordered; `plans` is what is left of that, and `obeyed` what was followed.
    """

    def __init__(
        self,
        view: MatchView,
        so_far: Callable[[], str],
        secrets: Mapping[int, bytes],
        chance: Chance,
        now: datetime,
        is_guarded: Callable[[int], bool] = lambda _: False,
        book: Book = EMPTY,
    ) -> None:
        self.view = view
        self.match: Match = view.match
        self.clock: timing.Clock = view.clock
        self.rests: timing.Rests = view.rests
        self.version, self.head, self.head_hash = view.version, view.head, view.head_hash
        self.rolls = view.rolls
        self._so_far, self._nonces, self._was_guarded = so_far, "", is_guarded
        self.secrets = dict(secrets)
        self.chance = chance
        self.now = now
        self.entries: list[Entry] = []
        self.book, self.plans = book, book.plans
        self.obeyed: set[tuple[Side, str]] = set()
        self.made: dict[int, bytes] = {}
        self.published: list[int] = []

    @property
    def kept(self) -> list[tuple[str, int, bytes]]:
        """The new secrets that stay hidden, as (match, game, secret)."""
        made = self.made.items()
        return [(self.view.id, game, secret) for game, secret in made if game not in self.published]

    @property
    def is_silent(self) -> bool:
        """Whether only clocks were paused: nobody played, so nothing moved."""
        return bool(self.entries) and all(entry.kind == "pause" for entry in self.entries)

    def invite(self, data: Mapping[str, Any], via: str, nonce: str | None) -> None:
        """The first entry of a match, and the commitment to its first game's dice."""
        self._add("invite", data, Side.WHITE.word, via, nonce or self.chance.nonce(), made_here=nonce is None)
        self._commit_to(1)

    def pair(self, data: Mapping[str, Any], secret: bytes, white: Nonce, black: Nonce) -> None:
        """The first entries of a match that a tournament begins: nobody is asked, and `secret`, the first game's, was
        committed to before the two entered with these nonces."""
        self._add("invite", data, Side.WHITE.word, PAIRED, white.text, made_here=white.made_here)
        self._commit_to(1, secret)
        self._apply(Action(Kind.ACCEPT, Side.BLACK), PAIRED, black.text, black.made_here)
        self.automate()

    def act(self, action: Action, via: str, nonce: str | None = None) -> Entry:
        """A person's action, or one in a person's place by "clock" or "server", which has no nonce."""
        person = via not in NO_PERSON
        made_here = person and nonce is None
        if made_here:
            nonce = self.chance.nonce()
        return self._apply(action, via, nonce if person else None, made_here)

    def lapse(self) -> None:
        """What happens when the time of the side on turn is over: by the rules it may have to be claimed first; then
        an offer counts as passed or accepted, and a game or the match is lost. The clock's word, not the player's."""
        if self.match.rules.claimed and not self.match.late:
            self.act(Action(Kind.LATE, self.match.on_turn), "clock")
        else:
            self._give_up(Kind.TIMEOUT)

    def correct(self, winner: Side | None, ending: Ending, said: Mapping[str, Any]) -> Entry:
        """Whoever runs the event ends the match, or gives it another result; `said` has the reason and the author."""
        action = Action(Kind.CORRECTION, None, winner=winner, ending=ending)
        result = {"winner": winner.word if winner is not None else None, "ending": ending.value}
        return self._apply(action, "server", None, False, {**said, **result})

    def leave(self) -> None:
        """The side on turn stayed away for longer than the rules allow: it loses the game."""
        self._give_up(Kind.INACTIVITY)

    def _give_up(self, why: Kind) -> None:
        side = self.match.on_turn
        if side is not None and stuck(self.match):
            self._pass_time(side)
            return
        kind = {
            Phase.TAKE_OR_PASS: Kind.PASS,
            Phase.ANSWER_RESIGNATION: Kind.ACCEPT_RESIGNATION,
        }.get(self.match.phase, why)
        self.act(Action(kind, side), "clock")
        self.automate()

    def _pass_time(self, side: Side) -> None:
        """Who can only roll in vain or pass doesn't lose by having been asked: it is done for them."""
        if self.match.phase is Phase.ROLL_OR_DOUBLE:
            self._apply(Action(Kind.ROLL, side), "auto", None, False)
        self._apply(Action(Kind.PLAY, side), "auto", None, False)
        self.automate()

    def automate(self) -> None:
        """Goes on for as long as nothing is left to decide."""
        for _ in range(MOST_STEPS):
            if not self._by_itself():
                return

    def _by_itself(self) -> bool:
        """Does the next thing that needs nobody; False when a person has to come. One has to where that fails: a fault
        here must not undo the play before it."""
        try:
            step = next_step(self.match, self.plans)
        except Exception:
            log.exception("match %s: what needs nobody could not be told", self.view.id)
            return False
        if step is None:
            return False
        if step.action.kind is Kind.OPENING_ROLL:
            self._open_game()
            return True
        return self._obey(step)

    def _obey(self, step: Step) -> bool:
        """Does what needs nobody now, if the rules take it; a wish that was obeyed is named in the log."""
        try:
            self._apply(step.action, "auto", None, False, {"by": step.by} if step.by else NOTHING_SAID)
        except ActionRefused:  # nothing has been changed by then
            log.exception("match %s: the rules refuse an automatic step", self.view.id)
            return False
        if step.by and step.action.side is not None:
            self.obeyed.add((step.action.side, step.by))
        return True

    def _open_game(self) -> None:
        if self.match.game + 1 not in self.secrets:
            self._commit_to(self.match.game + 1)
        while self.match.phase is Phase.OPENING:
            self._apply(Action(Kind.OPENING_ROLL, None), "server", None, False)

    def _commit_to(self, game: int, secret: bytes | None = None) -> None:
        secret = self.chance.secret() if secret is None else secret
        self.secrets[game] = self.made[game] = secret
        self._add("commit", {"game": game, "commitment": commitment(secret)})

    def _apply(
        self,
        action: Action,
        via: str,
        nonce: str | None,
        made_here: bool,
        also: Mapping[str, Any] = NOTHING_SAID,
    ) -> Entry:
        before = self.match
        if ROLLED_IN.get(action.kind) is before.phase:
            action = self._drawn(action, nonce or "")
        after = apply(before, action)
        self.match = after
        pauses = self.rests.running(self.clock.on, spans(self.view.outages))
        self.clock = clock_after(self.clock, action.kind, before, after, self.now, via, pauses)
        data = self._data(before, after, action)
        if self.plans is not NO_PLANS:
            self._goes_on(before, action, data, automatic=via == "auto")
        entry = self._add(
            action.kind.value,
            {**data, **also, **self._known()},
            _seat(action),
            via,
            nonce,
            made_here,
            silent=_keeps_clock(before, action),
        )
        if begins_turn(action.kind, self.clock):
            self._begin_turn(after.turn)
        if after.last_game is not before.last_game:
            self._end_game()
        if after.phase is Phase.OVER and before.phase is not Phase.OVER:
            self._end_match()
        return entry

    def _known(self) -> Mapping[str, Any]:
        """What a log that is read again can't know of the outages that this was judged with: one that was noted after
        the instant from which it counts, but before it is written, is nobody's time either."""
        noted = last_noted(self.view.outages)
        return (
            {KNOWN: timing.to_microseconds(noted)} if noted is not None and noted > self.now else NOTHING_SAID
        )

    def pause(self, data: Mapping[str, Any], seat: str | None = None, via: str = "server") -> Entry:
        """Adds a `pause` entry and what follows from it; the version stays. `bgmail.service.pausing` knows the data."""
        self.clock, self.rests = after_pause(self.clock, self.rests, data)
        return self._add("pause", data, seat, via)

    def _begin_turn(self, side: Side) -> None:
        """From here on the calendar counts that the account has now, for the whole turn."""
        self.rests = self.rests.from_turn(self.now)
        person = self.view.person(side)
        if person is None or self.rests.allowed == timing.NOTHING_ALLOWED:
            return
        calendar = self.rests.calendar_of(person.calendar)
        if calendar != self.rests.sides[side].calendar:
            self.pause(calendar_data(side, calendar))

    def _goes_on(self, before: Match, action: Action, data: Mapping[str, Any], *, automatic: bool) -> None:
        """What was ordered and prepared, after one more action."""
        dice = str(action.dice) if action.dice else ""
        word = step_word(action.kind, dice, data.get("position_id", ""))
        self.plans = advanced(self.plans, word, before, self.match, automatic=automatic)

    def _drawn(self, action: Action, nonce: str) -> Action:
        """The action with its dice, to which all nonces belong, its own too."""
        game, nonces = self.match.game, self._so_far() + self._nonces + nonce
        dice = self.chance.draw(self.secrets[game], self.view.id, game, self.rolls + 1, nonces)
        return replace(action, dice=dice)

    def _data(self, before: Match, after: Match, action: Action) -> dict[str, Any]:
        if action.dice:
            self.rolls += 1
            dice = [action.dice.d1, action.dice.d2]
            told = {"game": before.game, "roll": self.rolls, "dice": dice}
            return {**told, "unguarded": True} if self._is_unguarded(action) else told
        if action.kind is Kind.PLAY:
            return {"play": str(action.play) if action.play else "", "position_id": played_id(before, action)}
        if action.kind is Kind.DOUBLE:
            return {"value": before.cube.value * 2}
        if action.kind is Kind.RESIGN:
            value = (
                after.offer.value
                if after.offer
                else after.last_game.worth
                if after.last_game
                else action.value
            )
            return {"value": value}
        if action.kind in OF_THE_CLOCK and action.side is not None:
            return {"side": action.side.word}
        return {}

    def _is_unguarded(self, action: Action) -> bool:
        """Whether a game opens without a person since its commitment: the game before was lost by the clock, and
        nobody had acted in it, or not since the log was restored.
        """
        game = self.match.game
        if action.kind is not Kind.OPENING_ROLL or any(entry.nonce for entry in self._since_commitment(game)):
            return False
        return game in self.made or not self._was_guarded(game)

    def _since_commitment(self, game: int) -> Sequence[Entry]:
        """The draft's own entries from the commitment of a game on: all of them where the game has one from before."""
        for place, entry in enumerate(self.entries):
            if entry.kind == "commit" and entry.data["game"] == game:
                return self.entries[place:]
        return self.entries

    def _end_game(self) -> None:
        last = self.match.last_game
        if last is None:
            return
        self._add("game_over", game_over_data(self.match))
        self._reveal(last.game)
        self.rolls = 0

    def _end_match(self) -> None:
        self._add("match_over", match_over_data(self.match))
        for game in sorted(self.secrets):
            self._reveal(game)

    def _reveal(self, game: int) -> None:
        secret = self.secrets.pop(game, None)
        if secret is not None:
            self.published.append(game)
            self._add("reveal", {"game": game, "secret": secret.hex()})

    def _add(
        self,
        kind: str,
        data: Mapping[str, Any],
        seat: str | None = None,
        via: str = "server",
        nonce: str | None = None,
        made_here: bool = False,
        silent: bool = False,
    ) -> Entry:
        if made_here:
            data = {**data, "server_nonce": True}
        seq = self.head + 1
        entry = Entry(
            match=self.view.id,
            seq=seq,
            version=self.version if silent or kind in KEEPS_VERSION else seq,
            at=timing.to_microseconds(self.now),
            seat=seat,
            via=via,
            kind=kind,
            data=data,
            nonce=nonce,
            prev=self.head_hash,
        )
        self.entries.append(entry)
        self.head, self.version, self.head_hash = seq, entry.version, entry.hash
        if nonce:
            self._nonces += nonce
        return entry


def _seat(action: Action) -> str | None:
    """The clock's verdict on a side is the server's, not the side's."""
    return None if action.side is None or action.kind in OF_THE_CLOCK else action.side.word


def _keeps_clock(before: Match, action: Action) -> bool:
    """Off turn, an offer to resign and its refusal change nothing for the side on turn but its options; nor does it
    that its time is over, as long as nobody has claimed that."""
    if action.kind is Kind.LATE:
        return True
    if action.kind is Kind.RESIGN:
        return action.side is not before.turn and before.rules.resignation.value == "offer"
    return action.kind is Kind.DECLINE_RESIGNATION and before.phase is not Phase.ANSWER_RESIGNATION

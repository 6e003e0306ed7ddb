"""What happened in a match since its reader was here, line by line and picture by picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bgmail.ledger.film import Frame, Told, film
from bgmail.phrases import story, without_open_roll
from bgmail.phrases.story import Line
from bgmail.rules.match import Phase
from bgmail.rules.side import Side
from bgmail.service import films
from bgmail.service.views import MatchView
from bgmail.web.frames import Step, film_data, steps
from bgmail.web.reader import reader
from bgmail.web.scene import BY_PERSON, RECENT, names_of
from bgmail.world import world

HERE = frozenset({"page", "link"})
"""The ways of acting on which one sees the board."""
MOST = 60
"""So many of the newest lines are news; what is older stands in the replay of the match."""
ROLLS = frozenset({"roll", "opening_roll"})
MARGIN = 12
"""So many entries before the news are looked at for the position that they begin with."""


@dataclass(frozen=True, slots=True)
class Reel:
    """The news: all lines, those of them that can be gone through, and from which entry on they are.

    `film` is for the page's script, None where there is nothing to show. `fresh` says that the reader opens the
    page for the first time since.
    """

    lines: list[Line]
    steps: list[Step]
    after: int
    cut: bool
    film: dict[str, Any] | None
    fresh: bool

    def shown(self, line: Line) -> int | None:
        """Which step a line is, counted from 0; None for one without a picture."""
        return next((nth for nth, step in enumerate(self.steps) if step.line.seq == line.seq), None)


def newsreel(view: MatchView) -> Reel:
    """The news of a match for whoever asks for the page."""
    who, store = reader().account_id, world().store
    you = view.side_of(who)
    seen = films.seen(store, view.id, who) if who is not None and you is not None else None
    back = view.head - RECENT if seen is None else min(view.head - RECENT, seen)
    entries = films.told(store, view.id, max(0, back - MARGIN))
    return _reel(view, entries, max(0, back - MARGIN), left_off(entries, you, seen), you, seen)


def _reel(
    view: MatchView, entries: Sequence[Told], whole_after: int, after: int, you: Side | None, seen: int | None
) -> Reel:
    names, frames = names_of(view, you), film(entries, whole_after)
    begin = max(after, known_from(frames))
    lines = without_open_roll(story(entries, names, begin), view.match)
    told = {line.seq for line in lines[-MOST:]}
    shown = [step for step in steps(entries, frames, names, after) if step.line.seq in told]
    if all(step.frame.kind in ROLLS for step in shown):
        shown = []  # the dice lie on the board already
    fresh = bool(shown) and you is not None and (seen is None or seen < shown[-1].line.seq)
    data = film_data(shown, names, _before(frames, shown)) if shown else None
    if data and view.match.phase is Phase.PLAY and view.match.turn is you:
        del data["geometry"]  # the board that the reader plays on brings the same
    return Reel(lines[-MOST:], shown, after, begin > after or len(lines) > MOST, data, fresh)


def known_from(frames: Sequence[Frame]) -> int:
    """The entry from which on the position is known, and with it what each play began with and its dice.

    0 where it is known from the start; where it never is, the last entry.
    """
    known = next((nth for nth, frame in enumerate(frames) if frame.position_id), len(frames) - 1)
    return frames[known].seq if known > 0 else 0


def left_off(entries: Sequence[Told], you: Side | None, seen: int | None) -> int:
    """The entry after which things are news to a reader who has seen the page up to `seen` (None = never).

    Usually that is one's own latest decision: what came after it explains the board, however often one looks.
    Where that was sent by mail or by a program, all since the last look is news. Having rolled is no decision.
    A spectator, and who never acted, sees the last four rolls.
    """
    own = [entry for entry in entries if you is not None and entry.seat == you.word and _decided(entry)]
    if not own:
        rolls = [entry.seq for entry in entries if entry.kind in ROLLS]
        return rolls[-4] - 1 if len(rolls) >= 4 else 0
    latest = own[-1].seq
    here = max((entry.seq for entry in own if entry.via in HERE), default=0)
    return latest if seen is None else min(latest, max(seen, here))


def _decided(entry: Told) -> bool:
    return entry.via in BY_PERSON and entry.kind != "roll"


def _before(frames: Sequence[Frame], shown: Sequence[Step]) -> Frame | None:
    """The last frame before the first of the steps."""
    return next((frame for frame in reversed(frames) if frame.seq < shown[0].line.seq), None)

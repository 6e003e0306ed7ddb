"""The demo's tournaments, which Dana organises: a cup in its second round, and a Swiss that is open to entries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial

from bgmail.demo.events import Pace, advance, begun, play_on
from bgmail.dice import Chance
from bgmail.rules.match import Phase
from bgmail.service.tournaments import forecast, views
from bgmail.service.tournaments.commands import command
from bgmail.service.tournaments.creating import Draft, create
from bgmail.service.tournaments.desk import Wish
from bgmail.service.tournaments.entering import Entering, enter
from bgmail.service.tournaments.views import Pairing, State, Tournament
from bgmail.service.views import MatchView
from bgmail.store.engine import Store

CUP = Draft(
    "Club cup",
    {
        "stages": [{"format": "double_elimination"}]
    },  # whoever loses once plays on: so Alice does, whatever the dice
    {"length": 3, "time": "three-days", "text": "Who has lost twice is out. Be kind, and be on time."},
    places=8,
)
SWISS = Draft(
    "Open Swiss",
    {"stages": [{"format": "swiss", "rounds": 4}], "tie_breaks": ["median_buchholz", "head_to_head"]},
    {"length": 7, "text": "Four rounds for everybody, whether they win or lose. Newcomers are welcome."},
    places=16,
)
CREATED, FIRST_ROUND, SECOND_ROUND = timedelta(days=21), timedelta(days=18), timedelta(days=3)
"""So long ago entries to the cup began, it started, and its second round did."""
BEGINNING, MIDDLE = 12, 24
"""So many entries has the log of a match that has just begun, and of one that has got somewhere."""


def first_round(store: Store, dana: int, players: Sequence[int], now: datetime, chance: Chance) -> None:
    """Holds the cup up to the end of its first round."""
    cup = _opened(store, dana, CUP, now - CREATED, chance)
    if cup.state is State.OPEN:
        _enter(store, cup, players, now - CREATED, chance)
        command(store, cup.id, dana, Wish("start", {}), now - FIRST_ROUND, chance)
    advance(store, now - FIRST_ROUND, chance)
    end = now - SECOND_ROUND
    for number, (_, match_id) in enumerate(_of_round(store, cup, first=True)):
        pace = Pace(timedelta(hours=1 + number % 3), end - timedelta(hours=1 + number))
        play_on(store, match_id, pace, chance)


def has_begun(store: Store, dana: int) -> bool:
    """Whether there is the cup: what came before it has been played then."""
    return _of_dana(store, dana, CUP) is not None


def has_second_round(store: Store, dana: int) -> bool:
    """Whether matches of the second round have begun."""
    cup = _of_dana(store, dana, CUP)
    return cup is not None and bool(_of_round(store, cup, first=False))


def second_round(store: Store, dana: int, alice: int, now: datetime, chance: Chance) -> None:
    """Begins the second round of both brackets: one match is over, one waits for Alice, others have got somewhere."""
    begins, end = now - SECOND_ROUND, now - timedelta(hours=2)
    advance(store, begins, chance)
    cup = _opened(store, dana, CUP, begins, chance)
    words = "The second round has begun. Good luck, everybody!"
    command(store, cup.id, dana, Wish("announce", {"text": words}, key="second-round"), begins, chance)
    meetings = _of_round(store, cup, first=False)
    own = next(match_id for pairing, match_id in meetings if _plays(pairing, alice))
    others = [match_id for _, match_id in meetings if match_id != own]
    play_on(store, own, Pace(timedelta(hours=10), end), chance, stops=partial(_waits_for, alice))
    play_on(store, others[0], Pace(timedelta(hours=1), end), chance)
    for match_id in others[1:]:
        play_on(store, match_id, Pace(timedelta(hours=6), end), chance, stops=_has_got_somewhere)
    advance(store, end, chance)
    forecast.step(store, now)


def invite_all(store: Store, dana: int, players: Sequence[int], now: datetime, chance: Chance) -> None:
    """Opens a Swiss that some have entered."""
    starts_at = (now + timedelta(days=10)).replace(hour=18, minute=0, second=0, microsecond=0)
    swiss = _opened(store, dana, replace(SWISS, starts_at=starts_at), now - SECOND_ROUND, chance)
    _enter(store, swiss, players, now - SECOND_ROUND, chance)


def _opened(store: Store, dana: int, draft: Draft, now: datetime, chance: Chance) -> Tournament:
    """Dana's tournament of that name, made and opened where there is none yet."""
    found = _of_dana(store, dana, draft) or create(store, dana, draft, now, chance)
    if found.state is State.DRAFT:
        return command(store, found.id, dana, Wish("open", {}), now, chance)
    return found


def _of_dana(store: Store, dana: int, draft: Draft) -> Tournament | None:
    mine = views.listed(store, State, account_id=dana)
    return next((one for one in mine if one.name == draft.name), None)


def _enter(
    store: Store, tournament: Tournament, players: Sequence[int], since: datetime, chance: Chance
) -> None:
    for number, player in enumerate(players):
        wish = Entering(tournament.digest, fair_play=True)
        enter(store, tournament.id, player, wish, since + timedelta(hours=7 * number), chance)


def _of_round(store: Store, cup: Tournament, *, first: bool) -> list[tuple[Pairing, str]]:
    """The pairings of the first round with their matches, or those that followed from them."""
    return [one for one in begun(store, cup.id) if one[0].key.startswith("w1.") is first]


def _plays(pairing: Pairing, account_id: int) -> bool:
    return account_id in (pairing.first.account_id, pairing.second.account_id if pairing.second else None)


def _waits_for(account_id: int, view: MatchView) -> bool:
    side = view.match.on_turn
    person = view.person(side) if side is not None else None
    is_theirs = person is not None and person.id == account_id
    return view.head > BEGINNING and view.match.phase is Phase.PLAY and is_theirs


def _has_got_somewhere(view: MatchView) -> bool:
    return view.head > MIDDLE

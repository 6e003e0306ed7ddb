"""The house: a machine of this server that anybody can play at any time, unrated. The scheduler moves it.

A match against it is an invitation of the house, so that its dice are committed to before a person acts. It claims
nobody's time: where a lapse has to be claimed, a late play stands until the claim happens by itself after 14 days.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from functools import partial

from bgmail.dice import Chance
from bgmail.engine.best import best_name, best_player
from bgmail.engine.player import NothingToDecide, Player, decide
from bgmail.phrases.translate import gettext
from bgmail.rules.match import Phase
from bgmail.rules.side import Side
from bgmail.service import accounts, admission, allowances, invitations, machines, turns
from bgmail.service.accounts import Account
from bgmail.service.allowances import HOUR, Limit
from bgmail.service.errors import NotFound, Refused, Stale
from bgmail.service.keys import check_key
from bgmail.service.names import handle_key
from bgmail.service.terms import Handle, Terms, same_terms
from bgmail.service.turns import Request
from bgmail.service.views import MatchView
from bgmail.store.engine import Store

NAMES = ("House", "House-player", "House-machine")
"""Its handle; the later ones are for a site where a person went by the first before it was reserved."""
VIA = "house"
"""How its actions came in, in the log: by this server's own machine, and by no person."""
CHALLENGES = Limit("house/account", 60, HOUR)
log = logging.getLogger(__name__)

Act = Callable[[Store, str, int, datetime, Chance], str]
"""One step in one match: it says what was done."""


def account(store: Store, now: datetime) -> Account:
    """The house's account, made when it is first needed. Nobody can sign in as it."""
    return machines.make(store, NAMES, now)


def engine() -> str:
    """The name of the machine that plays as the house here: "sage" or "plain"."""
    return best_name()


def is_house(store: Store, handle: str) -> bool:
    """Whether that handle means the house, also before it exists."""
    house = machines.find(store, NAMES)
    return handle_key(handle) == handle_key(house.handle if house else NAMES[0])


def challenge(
    store: Store,
    account_id: int,
    terms: Terms,
    now: datetime,
    chance: Chance,
    *,
    nonce: str | None = None,
    key: str | None = None,
    via: str = "page",
) -> MatchView:
    """Begins a match against the house: its invitation, accepted at once for the person with the person's `nonce`.

    Never rated. With `key` a second press of the same button finds the same match. Raises Refused (terms, nonce,
    key, the limit of one's own matches) and TooOften.
    """
    turns.check_nonce(nonce)
    check_key(key)
    person = accounts.by_id(store, account_id)
    allowances.take(store, [(CHALLENGES, str(account_id))], now)
    try:
        offered = invitations.invite(
            store,
            account(store, now).id,
            replace(terms, rated=False),
            Handle(person.handle),
            "",
            now,
            chance,
            key=f"{account_id}:{key}" if key else None,
            via=VIA,
        )
    except Refused:
        admission.require_room(store, account_id)  # told to the person whose limit it is
        raise
    if offered.match.phase is not Phase.INVITED:
        return offered
    try:
        return invitations.accept(store, offered.id, account_id, now, chance, nonce=nonce, via=via)
    except Refused:
        _let_go(store, offered, account_id, now, chance)
        raise


def _let_go(store: Store, offered: MatchView, account_id: int, now: datetime, chance: Chance) -> None:
    """Nothing waits of an offer that the person could not take, and the same button may be pressed again later.

    It ends as declined: of an offer that is taken back the person would be told by a letter.
    """
    with suppress(Refused, Stale):  # it was answered meanwhile
        invitations.decline(store, offered.id, account_id, now, chance, via=VIA)
        invitations.forget_key(store, offered.id)


def again(view: MatchView) -> Terms:
    """The terms of a match, unrated, to offer them again."""
    return same_terms(view.match, view.clock.control, view.rests.allowed, rated=False)


def step(store: Store, now: datetime, chance: Chance, player: Player | None = None) -> str | None:
    """The house's next action in the match that has waited longest for it, or its answer to an invitation.

    Says what was done ("play <id>", ...); None = nobody waits. A match that fails rests alone. `player` is the
    best that is installed unless another is given.
    """
    house = machines.find(store, NAMES)
    if house is None:
        return None
    match_id = machines.on_turn(store, house.id, now)
    act: Act = partial(_play_on, player=player)
    if match_id is None:
        match_id, act = machines.offered(store, house.id, now), _invite_back
    if match_id is None:
        return None
    head = 0
    try:
        head = turns.load(store, match_id).head
        return f"{act(store, match_id, house.id, now, chance)} {match_id}"
    except (Stale, NothingToDecide):
        return _passed_by(store, match_id, head, now)
    except Exception:
        log.exception("the house failed in match %s, which is put off", match_id)
        machines.put_off(store, match_id, now)
        return f"failed {match_id}"


def _play_on(
    store: Store, match_id: str, house_id: int, now: datetime, chance: Chance, player: Player | None
) -> str:
    def ask(view: MatchView) -> tuple[Side, Request]:
        side = turns.seat(view, house_id)
        decision = decide(player or best_player(), view.match, side)
        done.append(decision.action)
        nonce = machines.nonce(store, view)
        return side, Request(decision.action, view.version, play=decision.play, nonce=nonce, via=VIA)

    done: list[str] = []
    turns.act_on_sight(store, match_id, ask, now, chance)
    return done[-1]


def _invite_back(store: Store, match_id: str, house_id: int, now: datetime, chance: Chance) -> str:
    """Declines, and offers the same terms unrated: the dice must be committed to before the person says yes."""
    view = invitations.decline(store, match_id, house_id, now, chance, via=VIA)
    if view.white is None:
        raise NotFound("no_match")
    message = gettext(
        "With the house it is the house that invites, so that the dice are sealed before you accept."
    )
    to = Handle(view.white.handle)
    invitations.invite(store, house_id, again(view), to, message, now, chance, via=VIA, answers=match_id)
    return "invite back"


def _passed_by(store: Store, match_id: str, head: int, now: datetime) -> str:
    """Somebody was faster; a match in which nothing happened rests, so that it can't be looked at for ever."""
    if turns.load(store, match_id).head == head:
        machines.put_off(store, match_id, now)
    return f"moved {match_id}"

"""Demo people: Alice plays Bob and others, Dana organises, Stella is staff. Their addresses exist nowhere."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from bgmail.demo import league, matches, tournaments
from bgmail.notify.planning import plan_all
from bgmail.service import accounts, choices
from bgmail.service.accounts import Account
from bgmail.service.choices import Mode
from bgmail.service.errors import NotFound
from bgmail.service.notices import Kind
from bgmail.store.engine import Store
from bgmail.world import World

NAMES = ("alice", "bob", "dana", "stella")
OTHERS = ("emil", "frida", "gustav", "hanna", "igor", "jutta")
"""They fill the tournaments; nobody signs in as them, and they want no letters."""


def settle(here: World, now: datetime) -> list[Account]:
    """Makes the demo people, their matches and tournaments in an empty database, or what is missing where that was
    interrupted; the people of `NAMES`, in their order."""
    store, chance, before = here.store, here.chance, now - timedelta(days=90)
    people = [_person(store, name, before) for name in NAMES]
    alice, bob, dana, stella = (person.id for person in people)
    others = [_person(store, name, before).id for name in OTHERS]
    if not tournaments.has_second_round(store, dana):
        _live_through(here, dana, [alice, bob, *others], now)
        for person in people:
            _wants_letters(store, person.id, wanted=True)
    tournaments.second_round(store, dana, alice, now, chance)
    tournaments.invite_all(store, dana, [bob, *others[:4]], now, chance)
    matches.fill(store, alice, bob, dana, now, chance)
    accounts.set_staff(store, stella, is_staff=True)  # the last step: see `is_unfinished`
    return people


def _live_through(here: World, dana: int, players: Sequence[int], now: datetime) -> None:
    """What happened before the first look: nobody gets letters about it today."""
    for person in (dana, *players):
        _wants_letters(here.store, person, wanted=False)
    if not tournaments.has_begun(here.store, dana):
        league.play(here.store, dana, players[:6], now, here.chance)
    tournaments.first_round(here.store, dana, players, now, here.chance)
    plan_all(here, now)


def _wants_letters(store: Store, account_id: int, *, wanted: bool) -> None:
    mode = Mode.NOW if wanted else Mode.OFF
    choices.choose(store, account_id, {(kind, choices.MAIL): mode for kind in Kind})


def is_unfinished(store: Store) -> bool:
    """Whether `settle` began here and didn't come to its end."""
    alice, stella = _known(store, NAMES[0]), _known(store, NAMES[-1])
    return alice is not None and alice.email == _address(NAMES[0]) and not (stella and stella.is_staff)


def _person(store: Store, name: str, now: datetime) -> Account:
    return _known(store, name) or accounts.create(store, name, _address(name), None, now)


def _known(store: Store, name: str) -> Account | None:
    try:
        return accounts.by_handle(store, name)
    except NotFound:
        return None


def _address(name: str) -> str:
    return f"{name}@demo.example"

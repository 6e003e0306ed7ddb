"""Demo people: Alice plays Bob, Dana organises, Stella is staff. Their addresses exist nowhere."""

from __future__ import annotations

from datetime import datetime, timedelta

from bgmail.demo.matches import fill
from bgmail.dice import Chance
from bgmail.service import accounts
from bgmail.service.accounts import Account
from bgmail.store.engine import Store

NAMES = ("alice", "bob", "dana", "stella")


def settle(store: Store, now: datetime, chance: Chance) -> list[Account]:
    """Makes the demo people and their matches in an empty database; the people, Alice first."""
    before = now - timedelta(days=90)
    people = [accounts.create(store, name, f"{name}@demo.example", None, before) for name in NAMES]
    alice, bob, dana, stella = (person.id for person in people)
    accounts.set_staff(store, stella, is_staff=True)
    fill(store, alice, bob, dana, now, chance)
    return people

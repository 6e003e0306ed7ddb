"""Tournaments for tests: people by the dozen, entries, and matches that end on the spot."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from bgmail.dice import FairChance
from bgmail.rules.match import Phase
from bgmail.rules.side import Side
from bgmail.service import accounts, turns
from bgmail.service.tournaments import advancing, views
from bgmail.service.tournaments.commands import command
from bgmail.service.tournaments.creating import Draft, create
from bgmail.service.tournaments.desk import Wish
from bgmail.service.tournaments.entering import Entering, enter
from bgmail.service.tournaments.views import Pairing, Tournament
from bgmail.service.turns import Request
from bgmail.store.engine import Store

ROUND_ROBIN = {"stages": [{"format": "round_robin"}], "tie_breaks": ["head_to_head"]}
ONE_POINT = {"length": 1}


class Club:
    """Dana organises, and people play whose names end in their number."""

    def __init__(self, store: Store, now: datetime) -> None:
        self.store, self.now, self.chance = store, now, FairChance()
        self.dana = accounts.create(store, "dana", "dana@play.example", None, now).id
        self.people: dict[str, int] = {}

    def person(self, name: str, **more: Any) -> int:
        if name not in self.people:
            self.people[name] = accounts.create(
                self.store, name, f"{name}@play.example", None, self.now, **more
            ).id
        return self.people[name]

    def create(
        self, plan: Mapping[str, Any] = ROUND_ROBIN, conditions: Mapping[str, Any] = ONE_POINT, **more: Any
    ) -> Tournament:
        draft = Draft(more.pop("name", "Autumn"), plan, conditions, **more)
        return create(self.store, self.dana, draft, self.now, self.chance)

    def open(self, *words: Any, **more: Any) -> Tournament:
        return self.say(self.create(*words, **more), "open")

    def say(self, tournament: Tournament, name: str, who: int | None = None, **data: Any) -> Tournament:
        wish = Wish(name, data, data.pop("reason", ""), data.pop("key", None))
        return command(self.store, tournament.id, who or self.dana, wish, self.now, self.chance)

    def enter(self, tournament: Tournament, *names: str) -> Tournament:
        for name in names:
            wish = Entering(tournament.digest, fair_play=True)
            enter(self.store, tournament.id, self.person(name), wish, self.now, self.chance)
        return self.load(tournament)

    def begin(self, number: int, *words: Any, **more: Any) -> Tournament:
        """Opened, entered by so many, started, and as far as the job goes by itself."""
        tournament = self.open(*words, **more)
        self.enter(tournament, *[f"player{place}" for place in range(1, number + 1)])
        self.say(tournament, "start")
        self.job()
        return self.load(tournament)

    def job(self) -> list[str]:
        done: list[str] = []
        while said := advancing.step(self.store, self.now, self.chance):
            done += said
            assert len(done) < 1000, done
        return [one.rsplit(" ", 1)[0] for one in done]

    def load(self, tournament: Tournament) -> Tournament:
        return views.load(self.store, tournament.id, self.dana)

    def pairings(self, tournament: Tournament) -> dict[str, Pairing]:
        return {pairing.key: pairing for pairing in views.pairings(self.store, tournament.id)}

    def resign(self, match_id: str, side: Side) -> None:
        """One side gives the match up."""
        view = turns.load(self.store, match_id)
        assert view.match.phase is not Phase.OVER
        turns.act(self.store, match_id, side, Request("resign_match", view.version), self.now, self.chance)

    def wins(self, pairing: Pairing, name: str) -> None:
        """The match of a pairing ends by resignation."""
        assert pairing.match_id is not None
        loser = Side.BLACK if pairing.first.handle == name else Side.WHITE
        self.resign(pairing.match_id, loser)

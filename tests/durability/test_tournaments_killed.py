"""Three tournaments played to the end by programs, at a server that is killed again and again meanwhile."""

from __future__ import annotations

import http.client
import json
import random
import time
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from bgmail.service import accounts, logins
from bgmail.service.audits import Tally, audit
from bgmail.store.engine import Store
from bgmail.store.schema import ensure_schema
from tests.fixtures.servers import Server, StartServer

PEOPLE, KILLS, PATIENCE = 64, 3, 60.0
DOUBLE = {"stages": [{"format": "double_elimination"}]}
GROUPS = {
    "stages": [
        {"format": "round_robin", "groups": 3, "advance": 2},
        {"format": "knockout", "third_place": True},
    ],
    "tie_breaks": ["head_to_head", "sonneborn_berger"],
}
SWISS = {"stages": [{"format": "swiss_elimination", "losses": 2}], "tie_breaks": ["buchholz"]}
CHAMPION = 10**6


@dataclass(slots=True)
class Programs:
    """Everybody, by the name of their token. Requests are sent until they are answered."""

    server: Server
    tokens: dict[str, str]

    def ask(self, who: str, method: str, path: str, **body: Any) -> dict[str, Any]:
        """What the API answers; 409 is an answer as well: somebody was quicker."""
        until = time.monotonic() + PATIENCE
        while True:
            try:
                status, answer = self._once(who, method, path, body)
            except (OSError, http.client.HTTPException, ValueError):
                assert time.monotonic() < until, self.server.log
                time.sleep(0.05)
                continue
            assert status in (200, 201, 409), (path, answer)
            return answer

    def _once(self, who: str, method: str, path: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=20)
        try:
            headers = {"Authorization": f"Bearer {self.tokens[who]}", "Content-Type": "application/json"}
            connection.request(method, f"/api/v1{path}", json.dumps(body) if body else None, headers)
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read())
        finally:
            connection.close()

    def opened(self, name: str, plan: dict[str, Any], entrants: int) -> str:
        """A tournament with so many entries, started; its address."""
        draft = {"name": name, "plan": plan, "conditions": {"length": 1}, "key": name}
        made = self.ask("dana", "POST", "/tournaments", **draft)
        address = f"/tournaments/{made['id']}"
        self.ask("dana", "POST", f"{address}/commands", command="open")
        for number in range(1, entrants + 1):
            self.ask(f"p{number}", "POST", f"{address}/enter", conditions=made["digest"], fair_play=True)
        self.ask("dana", "POST", f"{address}/commands", command="seed", how="order")
        self.ask("dana", "POST", f"{address}/commands", command="start")
        return address

    def play(self, address: str, chance: random.Random) -> bool:
        """Everybody whose match runs ends it; whether the tournament is over."""
        for pairing in self.ask("dana", "GET", f"{address}/pairings")["pairings"]:
            if pairing["how"] is None and pairing["match"] is not None:
                loser = pairing[chance.choice(("white", "black"))]["handle"]
                state = self.ask(loser, "GET", f"/matches/{pairing['match']}")
                if state["result"] is None:
                    wish = {"action": "resign_match", "version": state["version"], "key": pairing["match"]}
                    self.ask(loser, "POST", f"/matches/{pairing['match']}/actions", **wish)
        return bool(self.ask("dana", "GET", address)["state"] == "over")


@pytest.fixture
def tokens(tmp_path: Path) -> dict[str, str]:
    """Dana and 64 others in the server's folder, each with a token; made before the server starts."""
    folder = tmp_path / "instance"
    folder.mkdir()
    store, now = Store(f"sqlite:///{folder / 'bgmail.db'}"), datetime.now(UTC)
    ensure_schema(store)
    made = {}
    for name in ("dana", *(f"p{number}" for number in range(1, PEOPLE + 1))):
        person = accounts.create(store, name, f"{name}@play.example", None, now)
        made[name] = logins.create_token(store, person.id, "test", now)
    store.close()
    return made


@pytest.mark.slow
@pytest.mark.long
def test_tournaments_go_on_where_they_were_when_the_server_is_killed(
    start_server: StartServer, tokens: dict[str, str]
) -> None:
    chance = random.Random(64)
    server = start_server("dev", "--port", "0", "--no-demo")
    programs = Programs(server, tokens)
    running = {
        programs.opened("Double elimination", DOUBLE, 64),
        programs.opened("Groups and knockout", GROUPS, 12),
        programs.opened("Swiss with elimination", SWISS, 40),
    }
    double, groups, swiss = addresses = sorted(
        running, key=lambda one: programs.ask("dana", "GET", one)["name"]
    )
    kills, until = 0, time.monotonic() + 4 * PATIENCE
    while running:
        assert time.monotonic() < until, server.log
        running -= {address for address in sorted(running) if programs.play(address, chance)}
        if kills < KILLS:
            time.sleep(chance.uniform(0.0, 0.5))  # a random point of whatever the job does now
            server.kill()
            server.again()
            kills += 1
        time.sleep(0.2)
    pairings = {one: programs.ask("dana", "GET", f"{one}/pairings")["pairings"] for one in addresses}
    standings = {one: programs.ask("dana", "GET", f"{one}/standings")["standings"] for one in addresses}
    server.end()
    check_double(pairings[double], standings[double])
    check_groups(pairings[groups], standings[groups])
    check_swiss(pairings[swiss], standings[swiss])
    store = Store(f"sqlite:///{server.folder / 'bgmail.db'}")
    assert list(audit(store, Tally())) == []
    store.close()


def defeats(pairings: list[dict[str, Any]]) -> list[tuple[int, int]]:
    """Who lost in which round, the first round first."""
    lost = [
        (pairing["round"], side["entry"])
        for pairing in pairings
        for side in (pairing["white"], pairing["black"])
        if side is not None and pairing["winner"] != side["entry"]
    ]
    return [(entry, number) for number, entry in sorted(lost)]


def ranks(reached: dict[int, Any]) -> dict[int, int]:
    """Who came further than how many."""
    return {entry: 1 + sum(other > far for other in reached.values()) for entry, far in reached.items()}


def check_double(pairings: list[dict[str, Any]], lines: list[dict[str, Any]]) -> None:
    """Everybody but the winner has lost twice, and stands by the round of the second time."""
    lost = defeats(pairings)
    times = Counter(entry for entry, _ in lost)
    assert len(pairings) == 126 + any(pairing["pairing"] == "f2" for pairing in pairings)
    assert Counter(times.values()) in (Counter({2: 63}), Counter({2: 63, 1: 1}))
    reached = {entry: number for entry, number in lost if times[entry] == 2}
    [winner] = {line["entry"] for line in lines} - set(reached)
    assert {line["entry"]: line["rank"] for line in lines} == ranks(reached | {winner: CHAMPION})


def check_groups(pairings: list[dict[str, Any]], lines: list[dict[str, Any]]) -> None:
    """Six of twelve went on, two of each group, and they had won at least as often as those who stayed."""
    first = [pairing for pairing in pairings if ":" not in pairing["pairing"]]
    second = [pairing for pairing in pairings if ":" in pairing["pairing"]]
    assert len(first) == 18
    wins = Counter(pairing["winner"] for pairing in first)
    met: dict[int, set[int]] = {}
    for pairing in first:
        for one, other in (("white", "black"), ("black", "white")):
            met.setdefault(pairing[one]["entry"], set()).add(pairing[other]["entry"])
    on = {side["entry"] for pairing in second for side in (pairing["white"], pairing["black"]) if side}
    for entry, others in met.items():
        group = others | {entry}
        assert len(group) == 4
        assert len(group & on) == 2
        assert min(wins[one] for one in group & on) >= max(wins[one] for one in group - on)
    tree = [pairing for pairing in second if pairing["pairing"] != "2:t1"]
    [third] = [pairing["winner"] for pairing in second if pairing["pairing"] == "2:t1"]
    reached = {entry: number * 2 for entry, number in defeats(tree)}
    [winner] = on - set(reached)
    reached[third] += 1
    reached[winner] = CHAMPION
    order = [reached[line["entry"]] for line in lines[:6]]
    assert order == sorted(order, reverse=True), "tie-breaks part those of one round, and nobody else"
    assert [line["rank"] for line in lines] == [1, 2, 3, 4, 5, 6, 7, 7, 7, 10, 10, 10]


def check_swiss(pairings: list[dict[str, Any]], lines: list[dict[str, Any]]) -> None:
    """One is left; the others stand by the round of their second defeat, then by wins."""
    lost = defeats(pairings)
    times = Counter(entry for entry, _ in lost)
    wins = Counter(pairing["winner"] for pairing in pairings)
    assert sorted(times.values())[-39:] == [2] * 39
    reached = {entry: (number, wins[entry]) for entry, number in lost if times[entry] == 2}
    [winner] = {line["entry"] for line in lines} - set(reached)
    assert lines[0]["entry"] == winner
    order = [reached[line["entry"]] for line in lines[1:]]
    assert order == sorted(order, reverse=True)

"""Programs that organise and play tournaments through the JSON API, and never give up."""

from __future__ import annotations

import hashlib
import http.client
import json
import secrets
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

PATIENCE = 120.0
PLAYED_OUT = 24
"""One match in so many is played to its end, the others are resigned by whoever is to lose them."""


@dataclass(slots=True)
class Programs:
    """One program for each person: `tokens` by handle. Who is to lose a match follows from its id alone."""

    port: int
    tokens: dict[str, str]
    retried: int = 0
    requests: int = 0
    connection: http.client.HTTPConnection | None = None
    done: set[str] = field(default_factory=set)

    def ask(self, who: str, method: str, path: str, body: Any = None) -> tuple[int, dict[str, Any]]:
        """Asks until there is an answer: what acts is sent with a key, or is safe to repeat."""
        until = time.monotonic() + PATIENCE
        while True:
            try:
                return self._once(who, method, path, body)
            except (OSError, http.client.HTTPException, ValueError):
                self.close()
                assert time.monotonic() < until, "the server did not come back"
                self.retried += 1
                time.sleep(0.05)

    def _once(self, who: str, method: str, path: str, body: Any) -> tuple[int, dict[str, Any]]:
        if self.connection is None:
            self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        headers = {"Authorization": f"Bearer {self.tokens[who]}", "Content-Type": "application/json"}
        self.connection.request(method, f"/api/v1{path}", None if body is None else json.dumps(body), headers)
        answer = self.connection.getresponse()
        self.requests += 1
        return answer.status, json.loads(answer.read())

    def get(self, who: str, path: str) -> dict[str, Any]:
        """An answer that must be good."""
        status, body = self.ask(who, "GET", path)
        assert status == 200, body
        return body

    def post(self, who: str, path: str, **body: Any) -> dict[str, Any]:
        """The same for something done."""
        status, answer = self.ask(who, "POST", path, body)
        assert status in (200, 201), answer
        return answer

    def play(self, match_id: str) -> None:
        """Ends a match: the one who is to lose resigns it, or both play it out."""
        state = self.get("dana", f"/matches/{match_id}")
        if _drawn(match_id) % PLAYED_OUT == 0:
            self._play_out(state)
        elif state["phase"] != "over":
            loser = "white" if _drawn(match_id) % 2 else "black"
            self._act(state, loser, {"action": "resign_match"})

    def _play_out(self, state: dict[str, Any]) -> None:
        while state["phase"] != "over":
            state = self._act(state, state["on_turn"], _choice(state))

    def _act(self, state: dict[str, Any], side: str, wish: dict[str, Any]) -> dict[str, Any]:
        body = {"version": state["version"], "key": secrets.token_hex(8), **wish}
        path = f"/matches/{state['id']}/actions"
        status, answer = self.ask(state[side]["handle"], "POST", path, body)
        if status == 409:
            return dict(answer["state"])
        assert status == 200, answer
        return answer

    def open_ones(self, tournament_id: str) -> Iterator[str]:
        """The matches of a tournament that nobody has ended yet."""
        for pairing in self.get("dana", f"/tournaments/{tournament_id}/pairings")["pairings"]:
            match_id = pairing["match"]
            if match_id and pairing["how"] is None and match_id not in self.done:
                self.done.add(match_id)
                yield match_id

    def close(self) -> None:
        if self.connection is not None:
            self.connection.close()
            self.connection = None


def _choice(state: dict[str, Any]) -> dict[str, Any]:
    if state["phase"] == "play":
        return {"action": "play", "play": state["legal"][0]["play"]}
    return {"action": "take" if state["phase"] == "take_or_pass" else "roll"}


def _drawn(match_id: str) -> int:
    return int(hashlib.sha256(match_id.encode()).hexdigest()[:12], 16)

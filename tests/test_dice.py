"""The checker of dice: what a forger, or an operator who cheats, might write into a log must not pass."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import pytest

from bgmail.dice import commitment, draw, verify
from bgmail.ledger.entry import GENESIS, Entry

SECRET, NEXT = bytes(range(32)), bytes(range(32, 64))
ALICE, BOB = "a" * 32, "b" * 32


@dataclass(frozen=True)
class Told:
    """An entry before it has a number and a place in the chain."""

    kind: str
    data: Mapping[str, Any]
    nonce: str | None = None
    seat: str | None = None
    via: str = "server"


def log(*told: Told) -> list[Entry]:
    entries: list[Entry] = []
    prev = GENESIS
    for seq, each in enumerate(told, 1):
        entry = Entry("m", seq, seq, 0, each.seat, each.via, each.kind, each.data, each.nonce, prev)
        prev = entry.hash
        entries.append(entry)
    return entries


def rolled(number: int, nonces: str) -> Told:
    dice = draw(SECRET, "m", 1, number, nonces)
    return Told("roll", {"game": 1, "roll": number, "dice": [dice.d1, dice.d2]})


INVITE = Told("invite", {}, ALICE, "white", "api")
COMMIT = Told("commit", {"game": 1, "commitment": commitment(SECRET)})
ACCEPT = Told("accept", {}, BOB, "black", "api")
COMMIT_NEXT = Told("commit", {"game": 2, "commitment": commitment(NEXT)})
ROLL = rolled(1, ALICE + BOB)
GAME_OVER = Told("game_over", {"game": 1, "winner": "white", "points": 1, "ending": "pass"})
REVEAL = Told("reveal", {"game": 1, "secret": SECRET.hex()})
MATCH_OVER = Told("match_over", {"winner": "white", "ending": "pass"})
REVEAL_NEXT = Told("reveal", {"game": 2, "secret": NEXT.hex()})
WHOLE = (INVITE, COMMIT, ACCEPT, COMMIT_NEXT, ROLL, GAME_OVER, REVEAL, MATCH_OVER, REVEAL_NEXT)
RESTORED = (
    *(INVITE, COMMIT, ACCEPT, REVEAL, Told("commit", {"game": 1, "commitment": commitment(NEXT)})),
    *(Told("play", {}, BOB, "black", "api"), Told("reveal", {"game": 1, "secret": NEXT.hex()})),
)
"""The secret is published as void, and the game sealed anew."""
CHOSEN = Told("correction", {"reason": "?"}, "c" * 32)
FORGED = {
    "a nonce that no person gave": (*WHOLE[:4], CHOSEN, rolled(1, ALICE + BOB + "c" * 32), *WHOLE[5:]),
    "another die": (*WHOLE[:4], replace(ROLL, data={**ROLL.data, "dice": [6, 6]}), *WHOLE[5:]),
    "a later roll's dice": (*WHOLE[:4], rolled(2, ALICE + BOB), *WHOLE[5:]),
    "another secret": (*WHOLE[:6], replace(REVEAL, data={"game": 1, "secret": NEXT.hex()}), *WHOLE[7:]),
    "a secret kept back": WHOLE[:6],
    "an unused secret kept back": WHOLE[:-1],
    "a commitment after the last nonce": (INVITE, ACCEPT, COMMIT, rolled(1, ALICE + BOB), *WHOLE[5:7]),
    "no commitment": (INVITE, ACCEPT, ROLL),
}
"""Logs with dice that prove nothing, though every hash is right."""


def faults(*told: Told) -> str:
    return "; ".join(verify(log(*told)).faults)


def test_a_log_as_it_should_be_has_no_fault() -> None:
    verdict = verify(log(*WHOLE))
    assert (verdict.faults, verdict.rolls) == ([], 1)


def test_a_restored_log_has_no_fault() -> None:
    verdict = verify(log(*RESTORED))
    assert (verdict.faults, verdict.renewed) == ([], [1])


@pytest.mark.parametrize("told", FORGED.values(), ids=FORGED)
def test_a_forged_log_has_a_fault_however_well_it_is_hashed(told: tuple[Told, ...]) -> None:
    assert verify(log(*told)).faults


@pytest.mark.parametrize("via", ["server", "auto", "clock"])
def test_a_nonce_that_no_person_gave_cannot_steer_a_roll(via: str) -> None:
    """An operator could try nonces until the dice please: only entries of people may carry one."""
    chosen = Told("correction", {"reason": "?"}, "c" * 32, None, via)
    forged = (*WHOLE[:4], chosen, rolled(1, ALICE + BOB + "c" * 32), *WHOLE[5:])
    assert faults(*forged) == "entry 5: it is no person's and carries a nonce"


def test_a_game_that_is_over_must_have_its_secret_published() -> None:
    """Otherwise any dice would pass as those of a game that is still sealed."""
    lied = replace(ROLL, data={**ROLL.data, "dice": [6, 6]})
    assert faults(INVITE, COMMIT, ACCEPT, COMMIT_NEXT, lied, GAME_OVER) == "the secret of game 1 is missing"


def test_unused_secrets_are_published_when_the_match_is_over() -> None:
    assert faults(*WHOLE[:-1]) == "the secret of game 2 is missing"


def test_a_game_that_goes_on_keeps_its_secret() -> None:
    verdict = verify(log(*WHOLE[:5]))
    assert (verdict.faults, verdict.open_games) == ([], [1])


@pytest.mark.parametrize(
    "change",
    [
        {"secret": None},
        {"secret": "zz"},
        {"secret": 5},
        {"secret": SECRET.hex().upper()},
        {"secret": " ".join(SECRET.hex())},
        {"game": [1]},
    ],
    ids=str,
)
def test_a_secret_that_cannot_be_read_is_a_fault_and_no_crash(change: dict[str, Any]) -> None:
    broken = replace(REVEAL, data={**REVEAL.data, **change})
    assert "entry 7: " in faults(*WHOLE[:6], broken, *WHOLE[7:])


@pytest.mark.parametrize("missing", ["game", "roll", "dice"])
def test_a_roll_that_says_too_little_is_a_fault(missing: str) -> None:
    data = {name: value for name, value in ROLL.data.items() if name != missing}
    assert "entry 5: " in faults(*WHOLE[:4], replace(ROLL, data=data), *WHOLE[5:])


def test_a_commitment_made_after_the_last_nonce_is_a_fault() -> None:
    late = (INVITE, ACCEPT, COMMIT, ROLL)
    assert faults(*late) == "entry 4: nobody acted between the commitment of game 1 and its first roll"

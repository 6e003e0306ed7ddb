"""What a signature promises: one purpose, no forging, old keys still read."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from bgmail.tokens import BadToken, ExpiredToken, MatchClaim, Purpose, Signer

NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)
CLAIM = MatchClaim(match="k7Qm2xLd", side=1, version=12, hash_prefix="9f8e7d6c5b4a")


class Clock:
    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        return self.now


def test_a_token_says_what_was_signed() -> None:
    signer = Signer("key")
    payload = {"account": 7, "next": "/match/x"}
    assert signer.read(Purpose.VERIFY, signer.sign(Purpose.VERIFY, payload)) == payload


@pytest.mark.parametrize("other", [purpose for purpose in Purpose if purpose is not Purpose.RESET])
def test_a_token_for_one_purpose_is_nothing_to_another(other: Purpose) -> None:
    signer = Signer("key")
    with pytest.raises(BadToken):
        signer.read(other, signer.sign(Purpose.RESET, 7))


def test_links_survive_a_new_key_while_the_old_one_is_kept() -> None:
    old, new = Signer("old").sign(Purpose.REPLY, 1), Signer("new", previous=("old",))
    assert new.read(Purpose.REPLY, old) == 1
    assert Signer("new").read(Purpose.REPLY, new.sign(Purpose.REPLY, 2)) == 2
    with pytest.raises(BadToken):
        Signer("new").read(Purpose.REPLY, old)


def test_an_address_says_what_was_signed_and_fits_into_a_local_part() -> None:
    signer, claim = Signer("key"), MatchClaim("k7qm2xldw9pa", 1, 812, "9f8e7d6c5b4a")
    token = signer.sign_address(claim)
    assert token is not None
    assert len(f"play+{token}") <= 64
    assert re.fullmatch(r"[a-z2-7]+", token)
    assert signer.read_address(token) == signer.read_address(token.upper()) == claim


def test_addresses_survive_a_new_key_while_the_old_one_is_kept() -> None:
    claim = MatchClaim("k7qm2xldw9pa", 0, 1, "9f8e7d6c5b4a")
    token = Signer("old").sign_address(claim) or ""
    assert Signer("new", previous=("older", "old")).read_address(token) == claim
    with pytest.raises(BadToken):
        Signer("new").read_address(token)


def test_a_changed_sign_anywhere_makes_an_address_worthless() -> None:
    signer = Signer("key")
    token = signer.sign_address(MatchClaim("k7qm2xldw9pa", 1, 812, "9f8e7d6c5b4a")) or ""
    for at in range(len(token) - 1):  # the very last one carries spare bits of base32
        with pytest.raises(BadToken):
            signer.read_address(token[:at] + ("a" if token[at] != "a" else "b") + token[at + 1 :])
    for other in ("", "a", token[:-8], token + "aaaaaaaa", "ä" * 58, signer.sign_claim(CLAIM), "=" * 58):
        with pytest.raises(BadToken):
            signer.read_address(other)


@pytest.mark.parametrize("claim", [replace(CLAIM, match="x" * 13), replace(CLAIM, version=2**23)])
def test_a_match_that_an_address_has_no_room_for_has_none(claim: MatchClaim) -> None:
    assert Signer("key").sign_address(claim) is None


def test_of_several_previous_keys_every_one_still_reads() -> None:
    newest = Signer("d", previous=("c", "b", "a"))
    for key in "abcd":
        assert newest.read(Purpose.RESET, Signer(key).sign(Purpose.RESET, key)) == key


def test_a_changed_character_anywhere_makes_a_token_worthless() -> None:
    signer = Signer("key")
    token = signer.sign_claim(CLAIM)
    for at in range(len(token) - 1):  # the very last one carries spare bits of base64
        other = "A" if token[at] != "A" else "B"
        with pytest.raises(BadToken):
            signer.read_claim(token[:at] + other + token[at + 1 :])


@pytest.mark.parametrize("token", ["", ".", "a.b.c", "💥", "\x00", "é" * 50, "A" * 100_000, "=.=.="])
def test_anything_else_is_a_bad_token_and_no_crash(token: str) -> None:
    with pytest.raises(BadToken):
        Signer("key").read(Purpose.REPLY, token)


def test_a_token_expires_after_its_age_and_says_what_it_was() -> None:
    clock = Clock()
    signer = Signer("key", clock=clock)
    token = signer.sign(Purpose.SIGN_IN, 7)
    hour = timedelta(hours=1)
    clock.now = NOON + hour + timedelta(seconds=50)
    assert signer.read(Purpose.SIGN_IN, token, max_age=hour) == 7
    clock.now += timedelta(seconds=30)
    with pytest.raises(ExpiredToken) as caught:
        signer.read(Purpose.SIGN_IN, token, max_age=hour)
    assert caught.value.payload == 7


def test_a_clock_that_steps_back_refuses_no_token() -> None:
    clock = Clock()
    signer = Signer("key", clock=clock)
    token = signer.sign(Purpose.SIGN_IN, 7)
    clock.now = NOON - timedelta(hours=3)
    assert signer.read(Purpose.SIGN_IN, token, max_age=timedelta(minutes=15)) == 7


@pytest.mark.parametrize(
    "claim",
    [
        CLAIM,
        MatchClaim("m", 0, 3, "ab", action="take"),
        MatchClaim("m", 0, 3, "ab", "play", None, "13/7*/5 bar/22"),
    ],
)
def test_a_claim_survives_its_link(claim: MatchClaim) -> None:
    signer = Signer("key")
    assert signer.read_claim(signer.sign_claim(claim)) == claim


def test_a_claim_is_short_and_needs_no_escaping_in_an_address() -> None:
    token = Signer("key").sign_claim(CLAIM)
    assert len(token) < 110
    assert token.replace("-", "").replace("_", "").replace(".", "").isalnum()


@pytest.mark.parametrize(
    "payload", [None, 7, "text", [], [1, 2, 3], list("12345678"), {"match": "m"}, ["m", 5, 1, "a"]]
)
def test_a_signed_payload_that_is_no_claim_is_a_bad_token(payload: object) -> None:
    signer = Signer("key")
    with pytest.raises(BadToken):
        signer.read_claim(signer.sign(Purpose.REPLY, payload))


@pytest.mark.parametrize("number", [0, 1, 2**31 - 1, 2**40 - 1])
def test_a_number_survives_its_address_in_any_case_and_after_a_change_of_keys(number: int) -> None:
    token = Signer("old key").sign_number(number)
    assert len(f"bounce+{token}") <= 64
    assert token.isalnum()
    assert token == token.lower()
    assert Signer("new key", ["old key"]).read_number(token.upper()) == number


@pytest.mark.parametrize("token", ["", "a", "é", "aaaaaaaa", "a" * 32, Signer("other").sign_number(7)])
def test_an_address_that_was_not_signed_here_is_a_bad_token(token: str) -> None:
    with pytest.raises(BadToken):
        Signer("key").read_number(token)

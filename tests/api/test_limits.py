"""How often somebody may ask."""

from __future__ import annotations

from flask import Flask

from bgmail.api.limits import Buckets
from tests.api.conftest import Program, check_refused


class Seconds:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_bucket_is_emptied_by_a_burst_and_fills_again() -> None:
    seconds = Seconds()
    buckets = Buckets(rate=100, burst=3, clock=seconds)
    assert [buckets.take("alice") for _ in range(4)] == [0, 0, 0, 1]
    seconds.now = 0.01
    assert [buckets.take("alice"), buckets.take("alice")] == [0, 1]


def test_everybody_has_a_bucket_of_their_own() -> None:
    buckets = Buckets(rate=1, burst=1, clock=Seconds())
    assert [buckets.take("alice"), buckets.take("alice"), buckets.take("bob")] == [0, 1, 0]


def test_a_hundred_requests_a_second_are_never_too_many() -> None:
    seconds = Seconds()
    buckets = Buckets(clock=seconds)
    for request in range(3000):
        seconds.now = request / 100
        assert buckets.take("alice") == 0


def test_too_many_requests_are_told_when_to_come_back(app: Flask, alice: Program) -> None:
    app.extensions["bgmail.api.buckets"] = Buckets(rate=0.25, burst=1, clock=Seconds())
    assert alice.get("/me").status_code == 200
    answer = alice.get("/me")
    check_refused(answer, 429, "too_many")
    assert answer.headers["Retry-After"] == "4"

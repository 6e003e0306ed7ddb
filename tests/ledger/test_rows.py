"""What a row keeps of a match says all of it: a process that wrote it goes on with what it wrote, unread."""

from __future__ import annotations

import random
from datetime import timedelta

import orjson
import pytest

from bgmail.rules.snapshot import from_data
from bgmail.service.draft import Draft
from bgmail.service.views import cached, clock_of
from bgmail.timing import USUAL, Calendar, Rests, clock
from bgmail.timing import rests as all_rests
from bgmail.timing.rests import AWAKE, Rest
from tests.ledger.matchplay import START, invited, play_out
from tests.ledger.test_random_matches import terms_of

AWAY = (START + timedelta(days=3), START + timedelta(days=5, microseconds=1))
RESTS = Rests(USUAL, (Rest(Calendar("Europe/Berlin", frozenset({5, 6})), (AWAY,)), AWAKE))


def check(draft: Draft) -> None:
    kept = cached(draft.match, draft.clock, draft.rests)
    assert from_data(orjson.loads(kept["state"])) == draft.match
    time = orjson.loads(kept["clock"])
    read = clock.from_json(time), all_rests.from_json(time.get("rests"))
    assert read == (draft.clock, draft.rests) == clock_of(kept["clock"])


@pytest.mark.parametrize("seed", range(8))
def test_a_row_is_read_as_it_was_meant_after_every_step(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    go_on, steps = Draft.automate, []

    def looked_at(draft: Draft) -> None:
        check(draft)
        go_on(draft)
        check(draft)
        steps.append(draft.head)

    draft = invited(**terms_of(seed))  # type: ignore[arg-type]
    draft.rests = RESTS
    monkeypatch.setattr(Draft, "automate", looked_at)
    play_out(draft, random.Random(seed), lapsing=seed % 2 * 0.02)
    assert len(steps) > 1

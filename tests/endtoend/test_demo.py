"""The demo still shows what it is for after the scheduler has looked at it, whatever its dice were."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from bgmail.demo.people import settle
from bgmail.factory import create_app
from bgmail.rules.match import Phase
from bgmail.rules.position import BAR
from bgmail.rules.score import Crawford
from bgmail.rules.side import Side
from bgmail.scheduler import run_pass
from bgmail.service import accounts, matches
from bgmail.settings import from_environment

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("time", ["first", "second"])
def test_alice_finds_all_five_situations_waiting_for_her(tmp_path: Path, time: str) -> None:
    app = create_app(from_environment({}, tmp_path))
    here = app.extensions["bgmail"]
    now = here.now()
    settle(here.store, now, here.chance)
    with app.app_context():
        run_pass(here.at(now))
    alice = accounts.by_handle(here.store, "alice")
    waiting = matches.mine(here.store, alice.id, "my_turn", limit=50)
    here.store.close()
    assert len(waiting) == 5, f"the {time} demo"
    assert any(view.match.phase is Phase.TAKE_OR_PASS for view in waiting)
    assert any(view.match.seen_by(Side.WHITE).board[BAR] for view in waiting)
    assert any(all(view.match.seen_by(side).off for side in Side) for view in waiting)
    assert any(view.match.crawford is Crawford.ACTIVE for view in waiting)
    left = sorted(view.deadline_at - now for view in waiting if view.deadline_at)
    assert timedelta(minutes=50) < left[0] < timedelta(minutes=65)
    assert left[1] > timedelta(days=1)

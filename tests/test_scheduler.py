"""The scheduler: late jobs run once, times never stand still, one pass does everything that is due."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event
from zoneinfo import ZoneInfo

import pytest
from apscheduler.schedulers.base import BaseScheduler
from apscheduler.triggers.interval import IntervalTrigger
from flask import Flask

from bgmail import scheduler
from bgmail.factory import create_app
from bgmail.rules.match import Phase
from bgmail.scheduler import JOBS, Job, run_pass, start_background
from bgmail.service.errors import StorageTrouble
from bgmail.service.outages import alive
from bgmail.service.pulses import last_beat
from bgmail.service.turns import load
from bgmail.settings import from_environment
from bgmail.world import World
from tests.service.matchmaking import begin

NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Flask]:
    made = create_app(from_environment({}, tmp_path), clock=lambda: NOW)
    yield made
    made.extensions["bgmail"].store.close()


@pytest.fixture
def running(app: Flask) -> Iterator[BaseScheduler]:
    started = start_background(app)
    yield started
    started.shutdown(wait=True)


def test_a_late_job_runs_however_late_and_only_once(running: BaseScheduler) -> None:
    """APScheduler's own grace of a second dropped late jobs in silence."""
    jobs = running.get_jobs()
    assert {job.id for job in jobs} == {*(job.name for job in JOBS), "heartbeat"}
    for job in jobs:
        assert job.misfire_grace_time is None
        assert job.coalesce
        assert job.max_instances == 1


@pytest.mark.parametrize(
    ("zone", "start"),
    [("Europe/London", "2024-10-26T22:00Z"), ("Europe/Helsinki", "2017-10-29T01:45Z")],
    ids=["before the hour that comes twice", "in its second pass"],
)
def test_the_next_times_never_stand_still_where_an_hour_comes_twice(
    running: BaseScheduler, zone: str, start: str
) -> None:
    """At the repeated hour the next run time of others never moved forward."""
    here = datetime.fromisoformat(start).astimezone(ZoneInfo(zone))
    usual = [job.trigger for job in running.get_jobs()]
    for trigger in (*usual, *(IntervalTrigger(hours=hours, timezone="UTC") for hours in (1, 2))):
        assert isinstance(trigger, IntervalTrigger)
        assert str(trigger.timezone) == "UTC"
        previous, times = None, []
        now = here
        for _ in range(50):
            previous = trigger.get_next_fire_time(previous, now)
            now = previous
            times.append(previous.timestamp())
        assert times == sorted(set(times))


def test_the_app_factory_starts_no_thread() -> None:
    tree = ast.parse(inspect.getsource(inspect.getmodule(create_app)))  # type: ignore[arg-type]
    assert "scheduler" not in {
        name.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for name in node.names
    }


def test_what_is_under_way_when_it_is_asked_to_end_is_finished_and_nothing_else_begun(app: Flask) -> None:
    leaving, steps = Event(), []

    def step(_: World, now: datetime) -> list[str]:
        steps.append(now)
        if len(steps) == 3:
            leaving.set()
        return ["something"]

    scheduler._run(app, Job("busy", 1, step), leaving)
    assert steps == [NOW] * 3


def test_a_database_that_refuses_to_work_is_told_in_a_line_and_the_job_comes_again(
    app: Flask, caplog: pytest.LogCaptureFixture
) -> None:
    full, tries = StorageTrouble("INSERT", {}, Exception("database or disk is full")), []

    def step(_: World, now: datetime) -> list[str]:
        tries.append(now)
        if len(tries) == 1:
            raise full
        return []

    for _ in range(2):
        scheduler._run(app, Job("sweep", 1, step), Event())
    assert tries == [NOW] * 2
    (told,) = caplog.records
    assert told.message == "sweep has to wait, the database refuses to work: database or disk is full"
    assert told.exc_info is None


def world_of(app: Flask, now: datetime) -> World:
    world: World = app.extensions["bgmail"]
    return world.at(now)


def test_one_pass_leaves_nothing_that_is_due_and_the_heartbeat_alone(app: Flask) -> None:
    world = world_of(app, NOW)
    view, _ = begin(world.store, NOW, (3, 1))
    late = world_of(app, NOW + timedelta(days=5))
    with app.app_context():
        done = run_pass(late)
        assert any(line.startswith("sweep: timeout") for line in done)
        assert run_pass(late) == []
    assert load(world.store, view.id).match.phase is Phase.OVER
    assert last_beat(world.store, "scheduler") is None


def test_the_heartbeat_is_one_row_that_moves(app: Flask) -> None:
    store = world_of(app, NOW).store
    alive(store, NOW)
    alive(store, NOW + timedelta(minutes=1))
    alive(store, NOW)  # a clock that stepped back takes nothing back
    assert last_beat(store, "scheduler") == NOW + timedelta(minutes=1)


def test_a_job_gives_way_after_a_bounded_number_of_rows() -> None:
    assert 0 < scheduler.MOST_AT_ONCE <= 1000

"""When to wake up: fixed jobs that each look for due rows, in any number of processes at once.

Nothing is scheduled a match. Jobs claim what they work on in the database, so a second scheduler does no harm.
"""

from __future__ import annotations

import logging
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from threading import Event

from apscheduler.schedulers.background import BackgroundScheduler
from apscheduler.schedulers.base import BaseScheduler
from flask import Flask

from bgmail import house
from bgmail.inbox.handling import handle_one
from bgmail.notify.digests import gather_one
from bgmail.notify.errands import deliver_some
from bgmail.notify.hooks.crew import crew
from bgmail.notify.push.hands import push_some
from bgmail.service import attendance, departures, inbound, logins, outages, standstills
from bgmail.service.deadlines import sweep_some
from bgmail.service.errors import StorageTrouble
from bgmail.service.ratings.chain import rate_some
from bgmail.service.tournaments import advancing, forecast, seasons
from bgmail.world import World, world

MOST_AT_ONCE = 500
"""Rows that one run of a job handles before it gives way: the rest waits for the next run, a moment later."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Job:
    """One thing to look for. `step` handles one row, or some, and says what it did; [] means that nothing was due."""

    name: str
    every_seconds: int
    step: Callable[[World, datetime], list[str]]


def read_mail(world: World, now: datetime) -> list[str]:
    """One mail that somebody answered with."""
    return _said(handle_one(world, now))


def sweep(world: World, now: datetime) -> list[str]:
    """Matches whose reminder, deadline or expiry is due."""
    return sweep_some(world.store, now, world.chance)


def renew(world: World, now: datetime) -> list[str]:
    """Stored deadlines of some matches, after an outage."""
    return _said(outages.renew_some(world.store, now))


def leave(world: World, now: datetime) -> list[str]:
    """Live games whose side on turn has stayed away for too long."""
    return attendance.leave_some(world.store, now, world.chance)


def hold_still(world: World, now: datetime) -> list[str]:
    """One vacation that logs have to be told of, or that is over."""
    return _said(standstills.step(world.store, now, world.chance))


def rate(world: World, now: datetime) -> list[str]:
    """Some matches that ended, in the order in which they did."""
    return rate_some(world.store, now)


def gather(world: World, now: datetime) -> list[str]:
    """One person's daily digest."""
    return _said(gather_one(world.store, now))


def deliver(world: World, now: datetime) -> list[str]:
    """Plans what is newly owed, and sends some letters."""
    return deliver_some(world, now)


def call_webhooks(world: World, now: datetime) -> list[str]:  # noqa: ARG001  # calls take time: it asks anew
    """Every webhook call that is due, many at a time."""
    return crew().work(world)


def push(world: World, now: datetime) -> list[str]:
    """Some pushes to browsers."""
    return push_some(world, now)


def play_house(world: World, now: datetime) -> list[str]:
    """One action of the house in a match that waits for it."""
    return _said(house.step(world.store, now, world.chance))


def depart(world: World, now: datetime) -> list[str]:
    """One person who has left while their matches and offers still go on."""
    return _said(departures.step(world.store, now, world.chance))


def run_tournaments(world: World, now: datetime) -> list[str]:
    """The next thing to be done in one tournament: results, pairings, matches that begin."""
    return advancing.step(world.store, now, world.chance)


def foresee(world: World, now: datetime) -> list[str]:
    """When one tournament will be over, from its players' usual pace."""
    return forecast.step(world.store, now)


def go_on(world: World, now: datetime) -> list[str]:
    """The next season of one league, or the next of its knockouts that are always open."""
    return seasons.step(world.store, now, world.chance)


def tidy(world: World, now: datetime) -> list[str]:
    """Forgets what is only kept until it expires: old sessions, spent links, limits, mails of the past."""
    gone = logins.forget_past(world.store, now) + inbound.forget_past(world.store, now)
    gone += attendance.forget_past(world.store)
    return [f"tidied {gone}"] if gone else []


def _said(what: str | None) -> list[str]:
    return [] if what is None else [what]


JOBS = (
    Job("inbox", 1, read_mail),
    Job("vacations", 5, hold_still),
    Job("sweep", 1, sweep),
    Job("renew", 10, renew),
    Job("leave", 5, leave),
    Job("house", 2, play_house),
    Job("ratings", 2, rate),
    Job("gather", 30, gather),
    Job("deliver", 2, deliver),
    Job("push", 2, push),
    Job("webhooks", 2, call_webhooks),
    Job("tournaments", 2, run_tournaments),
    Job("forecasts", 300, foresee),
    Job("series", 10, go_on),
    Job("depart", 60, depart),
    Job("tidy", 3600, tidy),
)
HEARTBEAT_SECONDS = 30


def run_pass(world: World) -> list[str]:
    """Runs every job until nothing is due, as if now were the world's now; what was done, in order.

    The heartbeat is left alone. A job may make work for another, so the round is repeated until it is idle.
    """
    now = world.now()
    done: list[str] = []
    while True:
        before = len(done)
        for job in JOBS:
            while what := job.step(world, now):
                done.extend(f"{job.name}: {one}" for one in what)
        if len(done) == before:
            return done


def start_background(app: Flask) -> BackgroundScheduler:
    """A scheduler in a thread of this process, for development."""
    _beat(app)
    scheduler = BackgroundScheduler(**options())
    _add_jobs(scheduler, app, Event())
    scheduler.start()
    return scheduler


def run_forever(app: Flask) -> None:
    """The scheduler as a process of its own.

    When it is asked to end, what is under way is finished and noted; asked again, it ends at once.
    """
    _beat(app)
    scheduler, leaving, asked = BackgroundScheduler(**options()), Event(), Event()
    _add_jobs(scheduler, app, leaving)

    def leave(*_: object) -> None:  # raising here would be lost wherever APScheduler catches whatever comes
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        asked.set()

    signal.signal(signal.SIGTERM, leave)
    scheduler.start()
    log.info("the scheduler runs")
    try:
        asked.wait()
    finally:
        leaving.set()
        scheduler.shutdown()


def options() -> dict[str, object]:
    """A job that is late runs once, however late: APScheduler's own grace of a second would drop it in silence."""
    return {
        "timezone": "UTC",
        "job_defaults": {"coalesce": True, "max_instances": 1, "misfire_grace_time": None},
    }


def _add_jobs(scheduler: BaseScheduler, app: Flask, leaving: Event) -> None:
    for job in JOBS:
        scheduler.add_job(_run, "interval", seconds=job.every_seconds, args=(app, job, leaving), id=job.name)
    scheduler.add_job(_beat, "interval", seconds=HEARTBEAT_SECONDS, args=(app,), id="heartbeat")


@contextmanager
def _telling_trouble(what: str) -> Iterator[None]:
    """A disk that is full or a server that is gone is told in a line: every job meets it, every second or two."""
    try:
        yield
    except StorageTrouble as trouble:
        log.error("%s has to wait, the database refuses to work: %s", what, trouble.orig)


def _run(app: Flask, job: Job, leaving: Event) -> None:
    with app.app_context(), _telling_trouble(job.name):
        here = world()
        outages.note_silence(here.store, here.now())  # the machine may have slept: nobody's time went by
        for _ in range(MOST_AT_ONCE):
            if leaving.is_set() or not job.step(here, here.now()):
                return


def _beat(app: Flask) -> None:
    with app.app_context(), _telling_trouble("heartbeat"):
        here = world()
        outages.alive(here.store, here.now())

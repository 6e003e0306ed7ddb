"""`doctor`: is everything there that a running installation needs?"""

from __future__ import annotations

import shutil
import smtplib
import ssl
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

import click
from sqlalchemy import func, select
from sqlalchemy.exc import SQLAlchemyError

from bgmail.cli import names
from bgmail.cli.counts import counted
from bgmail.service.operations import overview
from bgmail.service.outages import DOWN, MAIL, RESTORED, latest
from bgmail.service.pulses import last_beat
from bgmail.service.ratings.check import state_of
from bgmail.service.restores import count_held, newest_instant
from bgmail.settings import Settings
from bgmail.store import schema
from bgmail.store.matches import table
from bgmail.store.notices import READY
from bgmail.store.tables import NoticeRow
from bgmail.world import World, world

SILENT = timedelta(minutes=2)
LATE = timedelta(minutes=15)
LATELY = timedelta(days=1)
AWAY = {DOWN: "the service was down", MAIL: "the mail server didn't answer", RESTORED: "a restore lost"}
LEAST_FREE = 0.1
SMTP_SECONDS = 10.0
_notice = table(NoticeRow)


@dataclass(frozen=True, slots=True)
class Reading:
    """One thing that was looked at. `level` is "ok", "warn" or "bad"."""

    level: str
    what: str
    text: str


Check = Callable[[World], Iterator[Reading]]


@click.command()
def doctor() -> None:
    """Look at settings, database, schema, clock, scheduler, mail and disk. Exit code 1 if something is bad."""
    readings = list(examined(world()))
    for reading in readings:
        click.echo(f"{reading.level:<5}{reading.what:<10}{reading.text}")
    if any(reading.level == "bad" for reading in readings):
        raise SystemExit(1)


def examined(here: World, ask: names.Lookup = names.lookup) -> Iterator[Reading]:
    """All readings, in order; what needs the database is left out when it can't be read."""
    yield from _settings(here)
    yield from _disk(here)
    yield from _mail_server(here.settings)
    if here.settings.production:
        yield from (Reading(level, "names", text) for level, text in names.examined(here.settings, ask))
    try:
        current, newest = schema.revision(here.store), schema.newest()
    except (SQLAlchemyError, OSError) as error:
        yield Reading("bad", "database", f"can't be read: {error}")
        return
    if current != newest:
        yield Reading(
            "bad", "schema", f"{current or 'empty'}, needed is {newest}: run flask --app app db upgrade"
        )
        return
    yield Reading("ok", "schema", newest)
    for check in (_clock, _scheduler, _outages, _letters, _backlog, _ratings):
        yield from check(here)


def _settings(here: World) -> Iterator[Reading]:
    settings = here.settings
    kind = "production" if settings.production else "development: BGMAIL_SECRET_KEY is not set"
    yield Reading("ok", "settings", f"{kind}; links begin with {settings.base_url}")
    engine = "SQLite" if here.store.is_sqlite else "PostgreSQL"
    yield Reading("ok", "database", f"{engine} {here.store.path or ''}".rstrip())
    if settings.time_travel:
        yield Reading("warn", "settings", "BGMAIL_ALLOW_TIME_TRAVEL is on: tick --at can make deadlines pass")


def _disk(here: World) -> Iterator[Reading]:
    folder: Path = here.store.path.parent if here.store.path else here.settings.instance
    usage = shutil.disk_usage(folder)
    share = usage.free / usage.total
    text = f"{usage.free // 2**20} MB free ({share:.0%}) at {folder}"
    yield Reading("ok" if share >= LEAST_FREE else "bad", "disk", text)


def _mail_server(settings: Settings) -> Iterator[Reading]:
    if settings.mail_server is None:
        yield Reading(
            "bad" if settings.production else "warn", "mail", "MAIL_SERVER is not set: letters stay queued"
        )
        return
    where = f"{settings.mail_server}:{settings.mail_port}"
    try:
        _greet(settings)
    except (OSError, smtplib.SMTPException) as error:
        yield Reading("bad", "mail", f"{where} can't be used: {error}")
    else:
        yield Reading("ok", "mail", f"{where} answers")


def _greet(settings: Settings) -> None:
    """Says hello, and signs in where a user name is set."""
    context = ssl.create_default_context()
    server = settings.mail_server or ""
    kind = (
        smtplib.SMTP_SSL(server, settings.mail_port, timeout=SMTP_SECONDS, context=context)
        if settings.mail_use_ssl
        else smtplib.SMTP(server, settings.mail_port, timeout=SMTP_SECONDS)
    )
    with kind as connection:
        if settings.mail_use_tls:
            connection.starttls(context=context)
        connection.ehlo()
        if settings.mail_username:
            connection.login(settings.mail_username, settings.mail_password or "")


def _clock(here: World) -> Iterator[Reading]:
    now, newest = here.now(), newest_instant(here.store)
    if newest is not None and newest > now:
        yield Reading(
            "bad",
            "clock",
            f"shows {now:%Y-%m-%d %H:%M:%S} UTC, but the log goes on to {newest:%Y-%m-%d %H:%M:%S}",
        )
    else:
        yield Reading("ok", "clock", f"{now:%Y-%m-%d %H:%M:%S} UTC")


def _scheduler(here: World) -> Iterator[Reading]:
    beat, now = last_beat(here.store), here.now()
    if beat is None:
        yield Reading(
            "bad", "scheduler", "has never run: deadlines and letters wait for flask --app app scheduler"
        )
    elif now - beat > SILENT:
        yield Reading("bad", "scheduler", f"was last alive {_ago(now - beat)} ago")
    else:
        yield Reading("ok", "scheduler", f"alive {_ago(now - beat)} ago")


def _outages(here: World) -> Iterator[Reading]:
    for outage in latest(here.store, 1):
        span = f"{outage.start:%Y-%m-%d %H:%M} to {outage.end:%Y-%m-%d %H:%M} UTC"
        recent = here.now() - outage.end < LATELY
        yield Reading(
            "warn" if recent else "ok", "outage", f"{AWAY[outage.why]} {span}: it counts for nobody"
        )


def _letters(here: World) -> Iterator[Reading]:
    now = here.now()
    query = select(func.count(), func.min(_notice.c.due_at)).where(
        _notice.c.state == READY, _notice.c.due_at <= now
    )
    with here.store.read() as connection:
        waiting, oldest = connection.execute(query).one()
    late: datetime | None = oldest
    overdue = late is not None and now - late > LATE
    text = f"{waiting} due" + (f", the oldest for {_ago(now - late)}" if late else "")
    yield Reading("bad" if overdue else "ok", "letters", text)
    held = count_held(here.store)
    if held:
        yield Reading(
            "warn", "letters", f"{held} are held since a restore: flask --app app letters send-held"
        )


def _backlog(here: World) -> Iterator[Reading]:
    now, found = here.now(), overview(here.store, here.now())
    waiting = {**found.channels, "inbox": found.inbound} if found.inbound.waiting else found.channels
    for name, backlog in waiting.items():
        due = backlog.due or backlog.oldest
        late = due is not None and now - due > LATE
        age = f", the oldest for {_ago(now - backlog.oldest)}" if backlog.oldest else ""
        yield Reading("bad" if late else "ok", "backlog", f"{name}: {backlog.waiting} waiting{age}")


def _ratings(here: World) -> Iterator[Reading]:
    found = state_of(here.store)
    if found.forgotten:
        yield Reading("bad", "ratings", "finished matches were forgotten: flask --app app rating recompute")
    if found.failed:
        yield Reading("bad", "ratings", f"can't be rated: {', '.join(found.failed)}")
    late = found.since is not None and here.now() - found.since > LATE
    age = f", the oldest for {_ago(here.now() - found.since)}" if found.since else ""
    yield Reading(
        "warn" if late else "ok", "ratings", f"{counted(found.waiting, 'match', 'matches')} to be rated{age}"
    )


def _ago(span: timedelta) -> str:
    seconds = max(0, int(span.total_seconds()))
    for size, unit in ((86400, "d"), (3600, "h"), (60, "min")):
        if seconds >= size:
            return f"{seconds // size} {unit}"
    return f"{seconds} s"

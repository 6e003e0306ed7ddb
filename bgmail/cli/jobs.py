"""`tick`: one pass of every job."""

from __future__ import annotations

from datetime import UTC, datetime

import click

from bgmail.cli.beside import beside
from bgmail.notify.mail import hang_up
from bgmail.scheduler import run_pass
from bgmail.service import outages
from bgmail.world import World, world

EARLIEST, LATEST = datetime(1970, 1, 1, tzinfo=UTC), datetime(2200, 1, 1, tzinfo=UTC)
"""What the log can hold, with room behind it for deadlines."""


@click.command()
@click.option(
    "--at",
    "instant",
    metavar="ISO8601",
    help="As if now were this instant (needs BGMAIL_ALLOW_TIME_TRAVEL=1).",
)
def tick(instant: str | None) -> None:
    """Run every job once, until nothing is due, and print what was done."""
    here = beside(world())
    if instant is None:
        outages.note_silence(here.store, here.now())
    try:
        done = run_pass(here if instant is None else _travelled(here, instant))
    finally:
        hang_up()
    for what in done:
        click.echo(what)
    if not done:
        click.echo("nothing was due")


def _travelled(here: World, text: str) -> World:
    if not here.settings.time_travel:
        raise click.ClickException(
            "--at needs BGMAIL_ALLOW_TIME_TRAVEL=1: it makes deadlines pass for everybody."
        )
    try:
        instant = datetime.fromisoformat(text)
    except ValueError:
        raise click.UsageError(f"--at must be a time like 2026-05-28T12:00:00Z, not {text!r}.") from None
    if instant.tzinfo is None:
        raise click.UsageError("--at must say its zone: end it with Z for UTC, or an offset like +02:00.")
    try:
        at = instant.astimezone(UTC)
    except OverflowError:
        at = LATEST
    if not EARLIEST <= at < LATEST:
        raise click.UsageError(f"--at must lie between {EARLIEST.year} and {LATEST.year}, not {text!r}.")
    return here.at(at)

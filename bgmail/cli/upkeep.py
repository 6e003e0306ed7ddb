"""`audit`, `backup`, `restore`, `letters` and `db`: what an operator does to keep the matches safe."""

from __future__ import annotations

from pathlib import Path

import click

from bgmail.cli.counts import counted
from bgmail.service import backups, bounces, restores
from bgmail.service.audits import Tally
from bgmail.service.audits import audit as audit_all
from bgmail.store import schema
from bgmail.world import world


@click.command()
def audit() -> None:
    """Replay every match from its log and compare: chain, dice, secrets, state, clock; and the ratings from all.

    Prints a line a finding, and exits with 1 if there is any. Changes nothing; the service may run.
    """
    tally = Tally()
    findings = 0
    for finding in audit_all(world().store, tally):
        findings += 1
        click.echo(f"match {finding.match_id}: {finding.text}" if finding.match_id else finding.text)
    matches, entries = counted(tally.matches, "match", "matches"), counted(tally.entries, "entry", "entries")
    rolls, found = counted(tally.rolls, "roll"), counted(findings, "finding")
    click.echo(f"{matches}, {entries}, {rolls} checked: {found}")
    if findings:
        raise SystemExit(1)


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
def backup(file: Path) -> None:
    """Copy the database to FILE, whole and checked, while the service runs."""
    size = backups.backup(world().store, file)
    click.echo(f"{file}: {size} bytes, checked")


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--letters",
    type=click.Choice(["hold", "send"]),
    default="hold",
    show_default=True,
    help="What becomes of letters that were waiting when the backup was made.",
)
def restore(file: Path, letters: str) -> None:
    """Put a backup back in place of the database. The service must be stopped.

    Running matches get new secrets for their dice, and the time since the backup counts for nobody. What was
    there is kept beside the database, named .before-restore.
    """
    here = world()
    done = backups.restore(here.store, file, here.now(), here.chance, hold_letters=letters == "hold")
    going_on = "1 match goes on" if done.matches == 1 else f"{done.matches} matches go on"
    click.echo(f"restored {file}: {going_on}, with new secrets for the dice")
    if done.newest:
        instant = f"{done.newest:%Y-%m-%d %H:%M:%S} UTC"
        click.echo(f"the backup knows of nothing after {instant}: time since then is credited")
    if done.letters_held:
        held = counted(done.letters_held, "letter")
        click.echo(f"held because the backup doesn't know whether they were sent: {held}")
        click.echo("to send them all the same: flask --app app letters send-held")


@click.group()
def letters() -> None:
    """Letters that wait for the operator."""


@letters.command("send-held")
def send_held() -> None:
    """Let the letters go out that a restore has held back."""
    here = world()
    sent = counted(restores.send_held(here.store, here.now()), "letter")
    click.echo(f"to be sent, as far as they still hold true: {sent}")


@letters.command("try-again")
@click.argument("address", required=False)
@click.option(
    "--all", "everybody", is_flag=True, help="Every address: after your relay had refused everybody."
)
def try_again(address: str | None, everybody: bool) -> None:
    """Write to an ADDRESS again that letters came back from."""
    here = world()
    if everybody == (address is not None):
        raise click.UsageError("Name one address, or --all.")
    if address is None:
        again = counted(bounces.start_all(here.store, here.now()), "address", "addresses")
        click.echo(f"written to again: {again}")
    elif bounces.start(here.store, address, here.now()):
        click.echo(f"{address} is written to again")
    else:
        raise click.ClickException(f"No letters have come back from {address}.")


@click.group()
def db() -> None:
    """The database's schema."""


@db.command()
def upgrade() -> None:
    """Bring the schema to this version, with the data in place. Make a backup first."""
    before, after = schema.upgrade(world().store)
    click.echo(
        f"schema {after}: nothing to do" if before == after else f"schema {before or 'empty'} -> {after}"
    )

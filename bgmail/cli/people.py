"""`user add` and `token create`: accounts and tokens on the operator's word."""

from __future__ import annotations

import click

from bgmail.service import accounts, departures, logins
from bgmail.world import world


@click.group()
def user() -> None:
    """People and machines that play here."""


@user.command()
@click.argument("handle")
@click.argument("email")
@click.option("--password", help="Their password; without one they sign in by a mailed link.")
@click.option("--bot", is_flag=True, help="A machine: marked as one, and sent no letters.")
def add(handle: str, email: str, password: str | None, bot: bool) -> None:
    """Add HANDLE, whose address EMAIL counts as verified."""
    here = world()
    account = accounts.create(here.store, handle, email, password, here.now(), is_bot=bot)
    click.echo(f"added {account.handle}")


@user.command()
@click.argument("handle")
def ban(handle: str) -> None:
    """Shut HANDLE out: no session, token or link works any more, and running matches are resigned."""
    here = world()
    account = accounts.by_handle(here.store, handle)
    resigned = departures.ban(here.store, account.id, here.now(), here.chance)
    click.echo(f"banned {account.handle}, matches resigned: {resigned}")


@user.command()
@click.argument("handle")
def unban(handle: str) -> None:
    """Let HANDLE in again. Results stay as they are."""
    here = world()
    account = accounts.by_handle(here.store, handle)
    accounts.unban(here.store, account.id)
    click.echo(f"unbanned {account.handle}")


@user.command()
@click.argument("handle")
@click.option("--off", is_flag=True, help="No more.")
def staff(handle: str, off: bool) -> None:
    """Let HANDLE see the page /operator."""
    here = world()
    account = accounts.by_handle(here.store, handle)
    accounts.set_staff(here.store, account.id, is_staff=not off)
    click.echo(f"{account.handle} is {'no longer ' if off else ''}staff")


@click.group()
def token() -> None:
    """Personal tokens for programs."""


@token.command()
@click.argument("handle")
@click.option("--name", default="command line", show_default=True, help="What the token is for.")
def create(handle: str, name: str) -> None:
    """Print a new token of HANDLE: it is shown this once."""
    here = world()
    account = accounts.by_handle(here.store, handle)
    click.echo(logins.create_token(here.store, account.id, name, here.now()))

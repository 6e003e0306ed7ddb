"""`dev`: one process for development, with web, scheduler, SMTP sink and its mailbox. Needs no setting."""

from __future__ import annotations

import logging
import socket
from contextlib import suppress
from functools import partial

import click
from flask import Flask
from sqlalchemy import func, select
from werkzeug.serving import make_server

from bgmail.cli import make_app
from bgmail.cli.beside import HOST, record_ports
from bgmail.demo.people import NAMES, is_unfinished, settle
from bgmail.devmail import Sink
from bgmail.inbox.accepting import NotForUs, accept
from bgmail.notify.links import sign_in_url
from bgmail.scheduler import start_background
from bgmail.service import accounts
from bgmail.service.errors import NotFound
from bgmail.settings import DEVELOPMENT_RELAY, Settings
from bgmail.store.matches import table
from bgmail.store.tables import AccountRow
from bgmail.world import World, world

FIRST_PORT = 5000
PORTS_TRIED = 50


@click.command()
@click.option("--port", type=click.IntRange(0, 65535), help="The port to try first (0 = any free one).")
@click.option(
    "--demo/--no-demo", default=True, show_default=True, help="Demo people and matches in a new database."
)
def dev(port: int | None, demo: bool) -> None:
    """Run everything in one process for development: pages, scheduler, and a mailbox for all letters."""
    present = world().settings
    if present.production:
        raise click.ClickException(
            "BGMAIL_SECRET_KEY is set, so this is production: run a WSGI server and `scheduler`."
        )
    if demo:
        _fill(world())  # before the scheduler, which would call time on matches that are played in the past
    listener = free_port(FIRST_PORT if port is None else port)
    sink = Sink.start(present.instance / "mail")
    settings = _settings(present, listener.getsockname()[1], sink.port)
    app = make_app(settings)
    sink.hand_over(partial(_take_answer, app))
    server = make_server(HOST, listener.getsockname()[1], app, threaded=True, fd=listener.fileno())
    logging.getLogger("apscheduler").setLevel(logging.ERROR)  # a run that is still busy is no news here
    scheduler = start_background(app)
    ports = record_ports(settings, sink.port)
    try:
        with app.app_context():
            _welcome(world(), demo=demo)
        server.serve_forever()
    except KeyboardInterrupt:
        click.echo("\nGood-bye.")
    finally:
        ports.unlink(missing_ok=True)
        scheduler.shutdown(wait=False)
        sink.stop()


def _take_answer(app: Flask, sender: str, recipients: list[str], raw: bytes) -> None:
    """A letter in the mailbox that is an answer to one of ours: taken as if our relay vouched for whoever wrote it."""
    here: World = app.extensions["bgmail"]
    domain = sender.rpartition("@")[2]
    verdict = f"Authentication-Results: {DEVELOPMENT_RELAY}; dmarc=pass header.from={domain}\r\n"
    with suppress(NotForUs):
        accept(here, verdict.encode("ascii", "replace") + raw, recipients, here.now(), sender)


def free_port(first: int) -> socket.socket:
    """A socket listening on the first free port from `first` on. Raises ClickException if many are taken."""
    for port in range(first, min(first + PORTS_TRIED, 65536)) if first else [0]:
        found = socket.socket()
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            found.bind((HOST, port))
            found.listen(128)
        except OSError:
            found.close()
        else:
            return found
    raise click.ClickException(f"The ports from {first} on are all taken: choose another with --port.")


def _settings(present: Settings, port: int, smtp_port: int) -> Settings:
    return present.for_development(port, HOST, smtp_port)


def _fill(here: World) -> None:
    if _is_empty(here) or is_unfinished(here.store):
        click.echo("Playing the demo's matches and tournaments ...")
        settle(here, here.now())


def _welcome(here: World, *, demo: bool) -> None:
    click.echo(f"\nbgmail runs at {here.settings.base_url}   (Ctrl-C ends it)")
    click.echo(f"Its letters are at {here.settings.base_url}/dev/mail\n")
    if demo:
        click.echo(
            "Alice has matches waiting, most of them with Bob; Dana organises tournaments; Stella is staff."
        )
    for name in NAMES if demo else ():
        try:
            account = accounts.by_handle(here.store, name)
        except NotFound:
            continue
        click.echo(f"sign in as {name:<7} {sign_in_url(here, account)}")
    click.echo("")


def _is_empty(here: World) -> bool:
    with here.store.read() as connection:
        return not connection.scalar(select(func.count()).select_from(table(AccountRow)))

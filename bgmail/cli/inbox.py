"""`inbox`: takes in the mail by which people answer, and handles it."""

from __future__ import annotations

import logging
import signal
import sys
from threading import Event

import click
from flask import Flask, current_app

from bgmail.inbox.accepting import LARGEST, NotForUs, accept, recipients_in
from bgmail.inbox.door import Door
from bgmail.inbox.handling import handle_one
from bgmail.service.errors import StorageTrouble
from bgmail.world import World, world

NO_USER, BAD_DATA, TRY_AGAIN = 67, 65, 75
"""How a pipe tells its mail server what happened (sysexits.h)."""
LOOK_SECONDS = 5.0

log = logging.getLogger(__name__)


@click.command()
@click.option("--stdin", is_flag=True, help="Take one mail from standard input, for mail servers with pipes.")
@click.option(
    "--recipient",
    "recipients",
    multiple=True,
    metavar="ADDRESS",
    help="With --stdin: where the mail was sent to; else its headers tell.",
)
def inbox(stdin: bool, recipients: tuple[str, ...]) -> None:
    """Take in answers by mail, by LMTP or SMTP at BGMAIL_INBOUND_LISTEN, and carry them out."""
    here = world()
    if here.settings.inbound_domain is None:
        raise click.ClickException("BGMAIL_INBOUND_DOMAIN is not set: no letter says where to answer to.")
    if stdin:
        _take_one(here, sys.stdin.buffer.read(LARGEST + 1), recipients)
    else:
        app = current_app._get_current_object()  # type: ignore[attr-defined]
        serve(app, Event())


def serve(app: Flask, end: Event) -> None:
    """Takes mail and handles it until `end`, or a signal that asks to end."""
    taken = Event()
    doors = [Door(app, place, taken.set) for place in app.extensions["bgmail"].settings.inbound_listen]

    def leave(*_: object) -> None:
        end.set()
        taken.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, leave)
    for door in doors:
        door.open()
        click.echo(f"mail is taken at {door.place}")
    try:
        while not end.is_set():
            taken.wait(LOOK_SECONDS)
            taken.clear()
            _handle_all(app, end)
    finally:
        for door in doors:
            door.close()


def _handle_all(app: Flask, end: Event) -> None:
    here: World = app.extensions["bgmail"]
    with app.app_context():
        while not end.is_set() and (what := handle_one(here, here.now())) is not None:
            log.info("%s", what)


def _take_one(here: World, raw: bytes, recipients: tuple[str, ...]) -> None:
    if len(raw) > LARGEST:
        _leave("The mail is too large.", BAD_DATA)
    try:
        accept(here, raw, recipients or recipients_in(raw), here.now())
    except NotForUs:
        _leave("No address of ours is among the recipients.", NO_USER)
    except StorageTrouble as trouble:
        _leave(f"The mail could not be kept: {trouble.orig}", TRY_AGAIN)


def _leave(why: str, code: int) -> None:
    click.echo(why, err=True)
    raise SystemExit(code)

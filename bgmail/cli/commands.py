"""All commands, made ready once for every app of the process."""

from __future__ import annotations

from bgmail.cli.dev import dev
from bgmail.cli.doctor import doctor
from bgmail.cli.files import import_, verify_dice
from bgmail.cli.frame import framed
from bgmail.cli.inbox import inbox
from bgmail.cli.jobs import tick
from bgmail.cli.matches import match
from bgmail.cli.people import token, user
from bgmail.cli.ratings import rating
from bgmail.cli.scheduler import scheduler
from bgmail.cli.tournaments import tournament
from bgmail.cli.upkeep import audit, backup, db, letters, restore

_USUAL = (
    dev,
    scheduler,
    user,
    token,
    match,
    import_,
    inbox,
    tick,
    verify_dice,
    audit,
    letters,
    rating,
    tournament,
)
_ON_ANY_SCHEMA = (db, doctor, backup, restore)

COMMANDS = (
    *(framed(command) for command in _USUAL),
    *(framed(command, any_schema=True) for command in _ON_ANY_SCHEMA),
)

"""What every command shares: an app context, a present schema, and refusals as one sentence on stderr."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import click
from flask.cli import with_appcontext
from sqlalchemy.exc import DatabaseError

from bgmail import phrases
from bgmail.formats.refusal import ImportRefused
from bgmail.service.backups import NoBackup
from bgmail.service.errors import ServiceError, StorageTrouble
from bgmail.store.backup import BadCopy
from bgmail.store.presence import InUse
from bgmail.store.schema import OldSchema, ensure_schema
from bgmail.world import world

TOLD = (OldSchema, NoBackup, BadCopy, InUse, ImportRefused, OSError)
"""What may go wrong without being a fault of ours: the message says it all."""


def framed(command: click.Command, *, any_schema: bool = False) -> click.Command:
    """The command as the app runs it. `any_schema` commands work on databases of other versions too."""
    if isinstance(command, click.Group):
        for inner in command.commands.values():
            framed(inner, any_schema=any_schema)
    elif command.callback is not None:
        command.callback = with_appcontext(_told(command.callback, any_schema))
    return command


def _told(callback: Callable[..., Any], any_schema: bool) -> Callable[..., Any]:
    @wraps(callback)
    def run(*arguments: Any, **options: Any) -> Any:
        try:
            if not any_schema:
                ensure_schema(world().store)
            return callback(*arguments, **options)
        except ServiceError as error:
            raise click.ClickException(phrases.refusal(error)) from error
        except TOLD as error:
            raise click.ClickException(str(error)) from error
        except DatabaseError as error:
            if not isinstance(error, StorageTrouble) and type(error) is not DatabaseError:
                raise  # a fault of ours: its story is wanted
            raise click.ClickException(f"The database can't be used: {error.orig}") from error

    return run

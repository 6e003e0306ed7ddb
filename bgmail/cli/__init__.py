"""The commands of `flask --app app`; every one of them has --help.

They are imported when a command is asked for: a web worker needs none of what they need.
"""

from __future__ import annotations

from collections.abc import Callable

import click
from flask import Flask, current_app
from flask.cli import AppGroup

from bgmail.settings import Settings


class Commands(AppGroup):
    """The app's commands, found on demand."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All names, in order."""
        return sorted(_found())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a name; None when there is none."""
        return _found().get(cmd_name)


MakeApp = Callable[..., Flask]
_MAKER = "bgmail.make_app"


def register(app: Flask, make_app: MakeApp) -> None:
    """Adds the commands to an app. `make_app` makes another one with other settings, which `dev` needs."""
    app.cli = Commands(app.name)
    app.extensions[_MAKER] = make_app


def make_app(settings: Settings) -> Flask:
    """An app like the current one with other settings."""
    make: MakeApp = current_app.extensions[_MAKER]
    return make(settings)


def _found() -> dict[str, click.Command]:
    from bgmail.cli.commands import COMMANDS

    return {command.name or "": command for command in COMMANDS}

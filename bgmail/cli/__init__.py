"""The commands of `flask --app app`; every one of them has --help.

They are imported when a command is asked for: a web worker needs none of what they need.
"""

from __future__ import annotations

import click
from flask import Flask
from flask.cli import AppGroup


class Commands(AppGroup):
    """The app's commands, found on demand."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All names, in order."""
        return sorted(_found())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a name; None when there is none."""
        return _found().get(cmd_name)


def register(app: Flask) -> None:
    """Adds the commands to an app."""
    app.cli = Commands(app.name)


def _found() -> dict[str, click.Command]:
    from bgmail.cli.commands import COMMANDS

    return {command.name or "": command for command in COMMANDS}

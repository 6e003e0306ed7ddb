"""The commands of `flask --app app`; every one of them has --help."""

from __future__ import annotations

from flask import Flask


def register(app: Flask) -> None:
    """Adds the commands to an app."""
    from bgmail.cli.commands import COMMANDS  # here: `dev` makes apps itself

    for command in COMMANDS:
        app.cli.add_command(command)

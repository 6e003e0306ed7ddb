"""`scheduler`: the jobs as a process of their own."""

from __future__ import annotations

import click
from flask import current_app

from bgmail.scheduler import run_forever


@click.command()
def scheduler() -> None:
    """Run the jobs for ever: deadlines, reminders, letters."""
    app = current_app._get_current_object()  # type: ignore[attr-defined]
    run_forever(app)

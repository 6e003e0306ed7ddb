"""`rating`: what an operator does about ratings."""

from __future__ import annotations

import click

from bgmail.cli.counts import counted
from bgmail.service.ratings.chain import recompute
from bgmail.world import world


@click.group()
def rating() -> None:
    """Ratings, which the scheduler makes from finished matches."""


@rating.command("recompute")
def recompute_all() -> None:
    """Make all ratings anew from the finished matches, from the first one on.

    The numbers are the same as before, unless something was wrong with them: then the line says so. The service
    may run; a second time changes nothing.
    """
    here = world()
    matches, changed = recompute(here.store, here.now())
    click.echo(f"{counted(matches, 'match', 'matches')}, {changed} with another effect than before")

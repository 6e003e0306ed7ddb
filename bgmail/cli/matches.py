"""`match`: invite, look, export."""

from __future__ import annotations

import json

import click

from bgmail.cli.shown import shown
from bgmail.service import accounts, exports, invitations, matches
from bgmail.service.states import state
from bgmail.service.terms import Handle, Terms
from bgmail.world import world


@click.group()
def match() -> None:
    """Matches: make an invitation, look at one, export one."""


@match.command()
@click.argument("white")
@click.argument("black")
@click.option("--length", type=click.IntRange(0), required=True, help="Points to win; 0 goes with --games.")
@click.option("--games", type=click.IntRange(0), default=0, help="Games of a points session (--length 0).")
@click.option("--rules", default="club", show_default=True, help="The rule set.")
@click.option(
    "--wager", type=click.IntRange(1), default=1, help="What a single game counts, by rules with a wager."
)
@click.option("--time", "control", default="move-a-day", show_default=True, help="The time control's name.")
@click.option("--rated/--unrated", default=True, show_default=True, help="Whether it counts for the rating.")
def create(
    white: str, black: str, length: int, games: int, rules: str, wager: int, control: str, rated: bool
) -> None:
    """Invite BLACK to a match in the name of WHITE; prints its id."""
    here = world()
    inviter = accounts.by_handle(here.store, white)
    terms = Terms(length=length, games=games, rules=rules, time=control, rated=rated, wager=wager)
    view = invitations.invite(
        here.store, inviter.id, terms, Handle(black), "", here.now(), here.chance, via="cli"
    )
    click.echo(view.id)


@match.command()
@click.argument("match_id", metavar="ID")
@click.option("--json", "as_json", is_flag=True, help="The state as the API answers it.")
def show(match_id: str, as_json: bool) -> None:
    """Show a match as it stands."""
    here = world()
    now = here.now()
    view = matches.load(here.store, match_id)
    if as_json:
        click.echo(json.dumps(state(view, None, now), indent=2))
    else:
        click.echo(shown(view, *exports.player_names(here.store, match_id), now))


@match.command()
@click.argument("match_id", metavar="ID")
@click.option("--format", "form", type=click.Choice(["json", "mat"]), default="json", show_default=True)
def export(match_id: str, form: str) -> None:
    """Print a match as a file: JSON with the proof of its dice, or .mat for other programs."""
    store = world().store
    if form == "mat":
        click.echo(exports.export_mat(store, match_id), nl=False)
    else:
        click.echo(json.dumps(exports.export_json(store, match_id), ensure_ascii=False, indent=1))

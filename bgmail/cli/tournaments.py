"""`tournament`: make one, look at one, export one."""

from __future__ import annotations

import json

import click

from bgmail.cli.counts import counted
from bgmail.service import accounts
from bgmail.service.tournaments import creating, exports, states, views
from bgmail.world import world


@click.group()
def tournament() -> None:
    """Tournaments: make a draft, look at one, export one."""


@tournament.command()
@click.argument("organiser")
@click.argument("name")
@click.option(
    "--format", "form", default="round_robin", show_default=True, help="The format of its one stage."
)
@click.option("--plan", default="", help="All stages and tie-breaks, as JSON; in place of --format.")
@click.option("--length", type=click.IntRange(1), required=True, help="Points to win.")
@click.option("--conditions", default="{}", help="Further conditions, as JSON.")
@click.option("--places", type=click.IntRange(0), default=0, help="At most so many entries; 0 = any number.")
def create(
    organiser: str, name: str, form: str, plan: str, length: int, conditions: str, places: int
) -> None:
    """Make a draft called NAME that ORGANISER organises; prints its id."""
    here = world()
    who = accounts.by_handle(here.store, organiser)
    stages = _object(plan, "--plan") if plan else {"stages": [{"format": form}]}
    terms = {"length": length, **_object(conditions, "--conditions")}
    draft = creating.Draft(name, stages, terms, places)
    click.echo(creating.create(here.store, who.id, draft, here.now(), here.chance).id)


@tournament.command()
@click.argument("tournament_id", metavar="ID")
@click.option("--json", "as_json", is_flag=True, help="As the API answers it.")
def show(tournament_id: str, as_json: bool) -> None:
    """Show a tournament with its standings."""
    store = world().store
    one = views.find(store, tournament_id)
    if as_json:
        click.echo(json.dumps(states.tournament(one, views.organisers(store, one.id)), indent=2))
        return
    click.echo(f"{one.name} ({one.state}), {counted(one.entered, 'entry', 'entries')}, {one.waiting} waiting")
    for line in views.standings(store, one.id).lines:
        rank = line.rank if line.listed else "-"
        click.echo(f"{rank:>4}  {line.entrant.handle:<20} {line.wins} won, {line.losses} lost")


@tournament.command()
@click.argument("tournament_id", metavar="ID")
@click.option("--format", "form", type=click.Choice(["json", "csv"]), default="json", show_default=True)
@click.option("--table", type=click.Choice(exports.TABLES), default="standings", help="Which table, as CSV.")
def export(tournament_id: str, form: str, table: str) -> None:
    """Print a tournament as a file: JSON with everything, or one of its tables as CSV."""
    store = world().store
    one = views.find(store, tournament_id)
    if form == "csv":
        click.echo(exports.table_of(store, one, table), nl=False)
    else:
        click.echo(json.dumps(exports.exported(store, one), ensure_ascii=False, indent=1))


def _object(text: str, option: str) -> dict[str, object]:
    try:
        value = json.loads(text)
    except ValueError as error:
        raise click.BadParameter(f"that is not JSON: {error}", param_hint=option) from error
    if not isinstance(value, dict):
        raise click.BadParameter("that is no JSON object", param_hint=option)
    return value

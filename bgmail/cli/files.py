"""`import` and `verify-dice`: matches that come in files, and the proof of their dice."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import click

from bgmail import dice
from bgmail.cli.counts import counted
from bgmail.formats.refusal import ImportRefused
from bgmail.service import exports, imports
from bgmail.store.engine import Store
from bgmail.world import world


@click.command("import")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
def import_(files: tuple[str, ...]) -> None:
    """Take in matches from files: .mat, .txt or the JSON of an export.

    Prints a line a file: accepted or refused, the path, and where a file breaks the rules. Exit code 1 if
    any was refused; the others are in.
    """
    here = world()
    refused = 0
    for path in files:
        reason = _take_in(here.store, path)
        refused += reason is not None
        shown = _on_one_line(path)
        click.echo(f"accepted\t{shown}" if reason is None else f"refused\t{shown}\t{reason}")
    if refused:
        raise SystemExit(1)


def _on_one_line(path: str) -> str:
    """The path as typed, but for signs that would break the line: a tab is written \\t, a line end \\n."""
    return "".join(sign.encode("unicode_escape").decode() if ord(sign) < 32 else sign for sign in path)


def _take_in(store: Store, path: str) -> str | None:
    """Why a file is refused, in one line; None when its match is in."""
    try:
        imports.import_file(store, path, Path(path).read_bytes(), world().now())
    except ImportRefused as error:
        return " ".join(str(error).split())
    except OSError as error:
        return error.strerror or str(error)
    return None


@click.command("verify-dice")
@click.argument("source", metavar="FILE|ID")
def verify_dice(source: str) -> None:
    """Check the dice of an exported match, or of a match here by its id.

    Exit code 0: every published roll is the one that was committed to. 1: some roll or secret is not, or
    there is nothing to check it by.
    """
    path = Path(source)
    data = path.read_bytes() if path.is_file() else _exported(world().store, source)
    verdict = dice.verify(imports.read_entries(data))
    for fault in verdict.faults:
        click.echo(fault, err=True)
    if verdict.faults:
        raise click.ClickException("The dice of this match are NOT as committed to.")
    if verdict.foreign:
        raise click.ClickException(
            "The dice of this match come from elsewhere: there is nothing to check them by."
        )
    click.echo(
        f"The dice are as committed to: {counted(verdict.rolls, 'roll')} in {counted(verdict.games, 'game')}."
    )
    _mention(
        verdict.open_games, "is not over: its secret is published when it ends, and its rolls checked then"
    )
    _mention(
        verdict.unguarded, "began without an action of a player after its commitment (lost by the clock)"
    )
    _mention(verdict.renewed, "got a new secret while it ran: the match was restored from a backup")


def _exported(store: Store, match_id: str) -> bytes:
    return json.dumps(exports.export_json(store, match_id)).encode()


def _mention(games: Iterable[int], text: str) -> None:
    for game in games:
        click.echo(f"Game {game} {text}.")

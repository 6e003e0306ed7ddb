"""Lists of match files with what each of them holds: our samples, and the collection beside the project."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).parents[2]
SAMPLES = PROJECT / "tests/data/matches"
SHARED = PROJECT.parent / "shared/data"


@dataclass(frozen=True)
class Listed:
    """A match file and what the list says of it."""

    path: Path
    length: int
    games: int
    rolls: int
    complete: bool
    final_score: tuple[int, int] | None
    illegal: tuple[tuple[int, str], ...]
    unplayed: tuple[tuple[int, str], ...]


def listed_matches() -> list[Listed]:
    """Our samples always, and the whole collection where it is there."""
    found = _read(SAMPLES / "matches.json", SAMPLES)
    if (SHARED / "matches.json").exists():
        found += _read(SHARED / "matches.json", SHARED / "matches")
    return found


def _read(index: Path, folder: Path) -> list[Listed]:
    return [_listed(entry, folder) for entry in json.loads(index.read_text(encoding="utf-8"))]


def _listed(entry: dict[str, Any], folder: Path) -> Listed:
    score = entry["final_score"]
    findings = [(game, kind, text) for game, kind, text in entry["findings"]]
    return Listed(
        path=folder / entry["file"],
        length=entry["length"],
        games=entry["games"],
        rolls=entry["rolls"],
        complete=entry["complete"],
        final_score=(score[0], score[1]) if score else None,
        illegal=tuple((game, text) for game, kind, text in findings if kind == "illegal"),
        unplayed=tuple((game, text) for game, kind, text in findings if kind != "illegal"),
    )

"""Makes `docs/visits.svg`, the plot of visits a game, from games that it plays for ten minutes on a quiet machine:

python -m tests.bench.visits_report [GAMES]
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from html import escape
from pathlib import Path

from bgmail.engine.best import best_name
from tests.bench.visits import (
    FIRST_SEED,
    WAYS,
    Game,
    cube_at_hand,
    forced,
    mean,
    ours,
    play,
    saved,
)

GAMES = 2000
TARGET = Path(__file__).parents[2] / "docs" / "visits.svg"
REPLIES = (1, 3, 6)
WIDTH, LABELS, ROW, TOP = 760, 268, 34, 58
SCALE = (WIDTH - LABELS - 150) / 60
"""Pixels of one visit."""
OWN, OTHERS = "#1f6f54", "#9aa5a0"


def rows(games: Sequence[Game]) -> list[tuple[str, float, float, bool]]:
    """For each way its name, the visits a game, the per cent saved, and whether it can be had here."""
    found = []
    for name, auto in WAYS.items():
        found.append((name, mean(games, auto), saved(games, auto), auto in (ours, forced)))
    for replies in REPLIES:
        name = (
            f"Ours, and {replies} prepared replies a visit"
            if replies > 1
            else "Ours, and 1 prepared reply a visit"
        )
        found.append((name, mean(games, ours, replies), saved(games, ours, replies), True))
    return found


def drawn(found: Sequence[tuple[str, float, float, bool]], games: int, player: str) -> str:
    """The plot, which needs no script and no font of its own."""
    height = TOP + ROW * len(found) + 40
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        'role="img" aria-labelledby="t" font-family="system-ui,sans-serif" font-size="14" fill="#1c2421">',
        '<title id="t">How often a game needs a person</title>',
        f'<rect width="{WIDTH}" height="{height}" rx="12" fill="#fbfaf6"/>',
        '<text x="20" y="32" font-size="17" font-weight="650">How often a game needs a person: visits a game</text>',
    ]
    for nth, (name, visits, per_cent, here) in enumerate(found):
        y = TOP + ROW * nth
        long = visits * SCALE
        label = f"{visits:.1f}" + (f" \N{EN DASH} {per_cent:.1f} % saved" if per_cent else "")
        parts += [
            f'<text x="{LABELS - 12}" y="{y + 16}" text-anchor="end">{escape(name)}</text>',
            f'<rect x="{LABELS}" y="{y}" width="{long:.1f}" height="22" rx="4" fill="{OWN if here else OTHERS}"/>',
            f'<text x="{LABELS + long + 8:.1f}" y="{y + 16}">{label}</text>',
        ]
    said = f"{games} games, {player} on both sides, no cube turned. Green can be had here."
    parts.append(f'<text x="20" y="{height - 16}" font-size="12" fill="#5b6661">{said}</text></svg>')
    return "\n".join(parts) + "\n"


def write(games: Sequence[Game]) -> None:
    """Writes the plot, and says the figures."""
    found = rows(games)
    player = {"sage": "Open Sage"}.get(best_name(), best_name())
    TARGET.write_text(drawn(found, len(games), player))
    for name, visits, per_cent, _here in found:
        sys.stdout.write(f"{name}\t{visits:.2f}\t{per_cent:.1f}\n")
    sys.stdout.write(f"With the cube at hand and no order to roll\t{mean(games, cube_at_hand):.2f}\t")
    sys.stdout.write(f"{saved(games, cube_at_hand):.1f}\n")


def main(words: list[str]) -> None:
    """Play the games, and draw what they cost."""
    count = int(words[0]) if words else GAMES
    write([play(seed) for seed in range(FIRST_SEED, FIRST_SEED + count)])


if __name__ == "__main__":
    main(sys.argv[1:])

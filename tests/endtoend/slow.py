"""Standings computed once more from the pairings alone, as plainly as the rules say it.

Byes count as wins. What a lot decides is not computed: there the order has only to be one that is possible.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

NEVER = 10**6


@dataclass(slots=True)
class Record:
    """What one entry did: wins, and the rounds of its losses in order."""

    wins: int = 0
    lost: list[int] = field(default_factory=list)

    def out(self, losses: int) -> int:
        """The round in which so many losses were together; NEVER while they aren't."""
        return self.lost[losses - 1] if len(self.lost) >= losses else NEVER


def check(plan: dict[str, Any], players: int, pairings: list[Any], standings: list[Any]) -> None:
    """Raises AssertionError where the standings are not what the pairings come to."""
    assert sorted(line["entry"] for line in standings) == list(range(1, players + 1))
    assert all(one["how"] in ("played", "bye") for one in pairings)
    first, *later = plan["stages"]
    if first["format"] == "round_robin":
        _groups(first, later[0], pairings, {line["entry"]: line for line in standings})
    else:
        _eliminated(2, records(pairings), standings)
    if first["format"] == "double_elimination":
        assert len([one for one in pairings if one["black"]]) in (2 * players - 2, 2 * players - 1)


def two(one: Any) -> list[int]:
    """The entries of a pairing."""
    return [side["entry"] for side in (one["white"], one["black"]) if side]


def records(pairings: Iterable[Any]) -> dict[int, Record]:
    """What everybody did in these."""
    found: dict[int, Record] = defaultdict(Record)
    for one in sorted(pairings, key=lambda one: one["round"]):
        for number in two(one):
            if number == one["winner"]:
                found[number].wins += 1
            else:
                found[number].lost.append(one["round"])
    return found


def _eliminated(losses: int, done: dict[int, Record], standings: list[Any]) -> None:
    """One is left, and the others stand by the round in which they were out."""
    outs = {number: record.out(losses) for number, record in done.items()}
    assert sum(out == NEVER for out in outs.values()) == 1
    for line in standings:
        record, out = done[line["entry"]], outs[line["entry"]]
        assert (line["wins"], line["losses"]) == (record.wins, len(record.lost)), line
        assert line["out_in"] == (None if out == NEVER else out), line
        ahead = sum(other > out for other in outs.values())
        level = sum(other == out for other in outs.values())
        assert ahead < line["rank"] <= ahead + level, line
    by_rank = sorted(standings, key=lambda line: line["rank"])
    order = [(outs[line["entry"]], line["wins"]) for line in by_rank]
    if any(value["name"] == "wins" for line in standings for value in line["values"]):
        assert order == sorted(order, reverse=True)


def _groups(stage: Any, final: Any, pairings: list[Any], lines: dict[int, Any]) -> None:
    """The best of each group went on, and of them whoever won last is first."""
    earlier = [one for one in pairings if ":" not in one["pairing"]]
    later = [one for one in pairings if ":" in one["pairing"]]
    done, groups = records(earlier), _together(earlier)
    assert len(groups) == stage["groups"]
    through = {number for one in later for number in two(one)}
    for group in groups:
        size = len(group)
        assert len([one for one in earlier if set(two(one)) <= group]) == size * (size - 1) // 2
        best, others = group & through, group - through
        assert len(best) == stage["advance"]
        assert min(done[one].wins for one in best) >= max(done[one].wins for one in others)
        for number in others:
            assert (lines[number]["wins"], lines[number]["losses"]) == (
                done[number].wins,
                len(done[number].lost),
            )
            assert lines[number]["rank"] > len(through)
    last = max(one["round"] for one in later)
    ends = [one for one in later if one["round"] == last]
    assert len(ends) == 1 + bool(final.get("third_place"))
    finals = [one for one in ends if all(not records(later)[number].lost[:-1] for number in two(one))]
    (deciding,) = [one for one in finals if not records(later)[one["winner"]].lost]
    assert lines[deciding["winner"]]["rank"] == 1
    assert sorted(lines[number]["rank"] for number in two(deciding)) == [1, 2]
    for third in (one for one in ends if one is not deciding):
        assert lines[third["winner"]]["rank"] == 3


def _together(pairings: list[Any]) -> list[set[int]]:
    """The groups: who met whom, directly or by others."""
    groups: list[set[int]] = []
    for one in pairings:
        met = set(two(one))
        for group in [each for each in groups if each & met]:
            met |= group
            groups.remove(group)
        groups.append(met)
    return groups

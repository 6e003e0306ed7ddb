"""What the guide says of tournaments: taken from the formats, the tie-breaks and the words of their own pages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from bgmail.pairing.plan import Plan, Stage
from bgmail.pairing.tiebreaks import TIE_BREAKS
from bgmail.phrases.formats import leaving_says, stage_name, stage_says
from bgmail.phrases.tie_breaks import criterion_name, criterion_says

EXAMPLES: dict[str, dict[str, Any]] = {
    "round_robin": {"groups": 2},
    "swiss": {"rounds": 7},
    "swiss_elimination": {"losses": 3},
    "knockout": {"third_place": True},
    "double_elimination": {"extra_match": True},
    "reentry": {"reentries": 1},
}
"""The formats in the order of the guide, with options as an organiser may choose them."""


@dataclass(frozen=True, slots=True)
class Format:
    """A format in the guide: its place on the page, its name, and what a tournament says of it."""

    id: str
    name: str
    says: list[str]


def facts() -> dict[str, Any]:
    """The values of the guide's page."""
    return {
        "formats": {name: _format(_plan(name).stages[0]) for name in EXAMPLES},
        "tie_breaks": [(name, criterion_name(name), criterion_says(name)) for name in TIE_BREAKS],
        "round_robin_leaving": leaving_says(_plan("round_robin"))[0],
    }


def _plan(name: str) -> Plan:
    return Plan.from_data({"stages": [{"format": name, **EXAMPLES[name]}]})


def _format(stage: Stage) -> Format:
    return Format(stage.format.replace("_", "-"), stage_name(stage), stage_says(stage))

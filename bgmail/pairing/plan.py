"""What an organiser chooses: the stages of a tournament with their options, and the order of tie-breaks."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import comb
from typing import Any

from bgmail.pairing.elimination import DoubleElimination, Knockout, ReEntry
from bgmail.pairing.field import Format
from bgmail.pairing.roundrobin import RoundRobin
from bgmail.pairing.stages import Stages
from bgmail.pairing.swiss import Swiss, SwissElimination
from bgmail.pairing.tiebreaks import TIE_BREAKS

MOST_STAGES = 4
MOST_ENTRIES = 1024
MOST_PAIRINGS = 20_000
"""A round robin gives all its pairings at once: two hundred in one group have 19,900."""


class BadPlan(ValueError):
    """A plan that can't be played. `code` says why, `field` where ("stages.0.rounds"), `values` what was wrong.

    Codes: malformed (`wanted`: object, list, text, number or flag), unknown (`name`), missing, out_of_range (`least`,
    `most`), not_here (an option that makes no sense in this place), twice (`name`).
    """

    def __init__(self, code: str, field: str, **values: str | int) -> None:
        super().__init__(f"{field}: {code}")
        self.code = code
        self.field = field
        self.values = values


@dataclass(frozen=True, slots=True)
class Option:
    """A whole number from `least` to `most`, or yes and no (`flag`); `default` None = it has to be given."""

    least: int = 0
    most: int = 1
    default: int | None = None
    flag: bool = False


Options = Mapping[str, int]
"""By name; a flag is 0 or 1."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A format that a plan may name: its options, and how the strategy is made of them and the tie-breaks."""

    options: Mapping[str, Option]
    build: Callable[[Options, tuple[str, ...]], Format]


ADVANCE = Option(1, MOST_ENTRIES)
"""How many go on to the next stage: of each group, or of all where there are none."""

KINDS: dict[str, Kind] = {
    "round_robin": Kind(
        {"meetings": Option(1, 4, default=1), "groups": Option(1, MOST_ENTRIES // 2, default=1)},
        lambda options, tie_breaks: RoundRobin(options["meetings"], options["groups"], tie_breaks),
    ),
    "swiss": Kind(
        {"rounds": Option(1, 30)}, lambda options, tie_breaks: Swiss(options["rounds"], tie_breaks)
    ),
    "swiss_elimination": Kind(
        {"losses": Option(1, 10)}, lambda options, tie_breaks: SwissElimination(options["losses"], tie_breaks)
    ),
    "knockout": Kind(
        {"third_place": Option(flag=True, default=0)},
        lambda options, tie_breaks: Knockout(tie_breaks, bool(options["third_place"])),
    ),
    "double_elimination": Kind(
        {"extra_match": Option(flag=True, default=1)},
        lambda options, tie_breaks: DoubleElimination(tie_breaks, bool(options["extra_match"])),
    ),
    "reentry": Kind(
        {"reentries": Option(1, 10, default=1)},
        lambda options, tie_breaks: ReEntry(tie_breaks, options["reentries"]),
    ),
}


@dataclass(frozen=True, slots=True)
class Stage:
    """One format of a plan with all its options, sorted by name; `advance` None in the last."""

    format: str
    options: tuple[tuple[str, int], ...] = ()
    advance: int | None = None

    def option(self, name: str) -> int:
        """The value of an option. Raises KeyError for one that the format doesn't have."""
        return dict(self.options)[name]

    @property
    def most_entries(self) -> int:
        """How many can play in it."""
        if self.format != "round_robin":
            return MOST_ENTRIES
        return _most_in_groups(self.option("groups"), self.option("meetings"))

    @property
    def groups(self) -> int:
        """How many groups there are, of each of which some go on."""
        return self.option("groups") if self.format == "round_robin" else 1

    def strategy(self, tie_breaks: tuple[str, ...]) -> Format:
        """The format itself."""
        return KINDS[self.format].build(dict(self.options), tie_breaks)


@dataclass(frozen=True, slots=True)
class Plan:
    """The stages of a tournament, first to last, and the tie-breaks in order (without wins, always first, and the lot,
    always last)."""

    stages: tuple[Stage, ...]
    tie_breaks: tuple[str, ...] = ()

    @classmethod
    def from_data(cls, data: object) -> Plan:
        """The plan written as JSON data; options left out get their defaults. Raises BadPlan."""
        given = _object(data, "plan")
        for name in given:
            if name not in {"stages", "tie_breaks"}:
                raise BadPlan("unknown", "plan", name=name)
        listed = _list(given.get("stages", ()), "stages")
        if not 1 <= len(listed) <= MOST_STAGES:
            raise BadPlan("out_of_range", "stages", least=1, most=MOST_STAGES)
        stages = tuple(_stage(one, number, len(listed)) for number, one in enumerate(listed))
        _check_what_goes_on(stages)
        return cls(stages, _tie_breaks(given.get("tie_breaks", ())))

    @property
    def most_entries(self) -> int:
        """How many can enter."""
        return self.stages[0].most_entries

    def data(self) -> dict[str, Any]:
        """JSON data with every option written out: `from_data` gives the same plan back."""
        return {"stages": [_written(stage) for stage in self.stages], "tie_breaks": list(self.tie_breaks)}

    def format(self) -> Format:
        """The strategy: that of the only stage, or all of them as `Stages`."""
        formats = tuple(stage.strategy(self.tie_breaks) for stage in self.stages)
        if len(formats) == 1:
            return formats[0]
        return Stages(formats, tuple(stage.advance for stage in self.stages if stage.advance is not None))


def _most_in_groups(groups: int, meetings: int) -> int:
    """The largest field of a round robin whose pairings are no more than `MOST_PAIRINGS`."""

    def pairings(entries: int) -> int:
        size, larger = divmod(entries, groups)
        return meetings * (larger * comb(size + 1, 2) + (groups - larger) * comb(size, 2))

    return bisect_right(range(MOST_ENTRIES + 1), MOST_PAIRINGS, key=pairings) - 1


def _check_what_goes_on(stages: Sequence[Stage]) -> None:
    """Raises BadPlan where more go on to a stage than can play in it."""
    for number, (before, after) in enumerate(pairwise(stages)):
        most = after.most_entries // before.groups
        if before.advance is not None and before.advance > most:
            raise BadPlan("out_of_range", f"stages.{number}.advance", least=1, most=most)


def _written(stage: Stage) -> dict[str, Any]:
    known = KINDS[stage.format].options
    written: dict[str, Any] = {"format": stage.format}
    written |= {name: bool(value) if known[name].flag else value for name, value in stage.options}
    return written if stage.advance is None else written | {"advance": stage.advance}


def _stage(data: object, number: int, stages: int) -> Stage:
    field, is_last = f"stages.{number}", number == stages - 1
    given = dict(_object(data, field))
    name = given.pop("format", None)
    if not isinstance(name, str):
        raise BadPlan("missing" if name is None else "malformed", f"{field}.format", wanted="text")
    if name not in KINDS:
        raise BadPlan("unknown", f"{field}.format", name=name)
    if name == "reentry" and number:
        raise BadPlan("not_here", f"{field}.format")
    advance = given.pop("advance", None)
    if is_last and advance is not None:
        raise BadPlan("not_here", f"{field}.advance")
    known = KINDS[name].options
    for other in given:
        if other not in known:
            raise BadPlan("unknown", field, name=other)
    options = {name: _value(given.get(name), option, f"{field}.{name}") for name, option in known.items()}
    return Stage(
        name,
        tuple(sorted(options.items())),
        None if is_last else _value(advance, ADVANCE, f"{field}.advance"),
    )


def _value(value: object, option: Option, field: str) -> int:
    if value is None:
        if option.default is None:
            raise BadPlan("missing", field)
        return option.default
    if option.flag:
        if type(value) is not bool:
            raise BadPlan("malformed", field, wanted="flag")
        return int(value)
    if type(value) is not int:
        raise BadPlan("malformed", field, wanted="number")
    if not option.least <= value <= option.most:
        raise BadPlan("out_of_range", field, least=option.least, most=option.most)
    return value


def _tie_breaks(data: object) -> tuple[str, ...]:
    chosen: list[str] = []
    for number, name in enumerate(_list(data, "tie_breaks")):
        field = f"tie_breaks.{number}"
        if not isinstance(name, str):
            raise BadPlan("malformed", field, wanted="text")
        if name not in TIE_BREAKS:
            raise BadPlan("unknown", field, name=name)
        if name in chosen:
            raise BadPlan("twice", field, name=name)
        chosen.append(name)
    return tuple(chosen)


def _object(data: object, field: str) -> Mapping[str, Any]:
    if not isinstance(data, Mapping) or not all(isinstance(name, str) for name in data):
        raise BadPlan("malformed", field, wanted="object")
    return data


def _list(data: object, field: str) -> list[Any] | tuple[Any, ...]:
    if not isinstance(data, list | tuple):
        raise BadPlan("malformed", field, wanted="list")
    return data

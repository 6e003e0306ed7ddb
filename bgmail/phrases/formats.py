"""Formats of tournaments in words: what is played, what a round is called, and what becomes of those who leave."""

from __future__ import annotations

from bgmail.pairing.bracket import Bracket, Fixture, Kind, Part, Source
from bgmail.pairing.elimination import Elimination
from bgmail.pairing.plan import Plan, Stage
from bgmail.pairing.progress import fixture_of
from bgmail.phrases.translate import gettext, ngettext

ROUND_ROBIN, SWISS = "round_robin", ("swiss", "swiss_elimination")


def plan_name(plan: Plan) -> str:
    """A plan in a few words: "knockout", "round robin, then knockout"."""
    names = [stage_name(stage) for stage in plan.stages]
    whole = names[0]
    for name in names[1:]:
        whole = gettext("%(first)s, then %(next)s", first=whole, next=name)
    return whole


def stage_name(stage: Stage) -> str:
    """The format of one stage: "double elimination"."""
    names = {
        "round_robin": gettext("round robin"),
        "swiss": gettext("Swiss system"),
        "swiss_elimination": gettext("Swiss system with elimination"),
        "knockout": gettext("knockout"),
        "double_elimination": gettext("double elimination"),
        "reentry": gettext("knockout with re-entry"),
    }
    return names[stage.format]


def stage_says(stage: Stage) -> list[str]:
    """What a stage's options mean, a sentence each."""
    says = _ROUNDS[stage.format](stage)
    if stage.advance is not None:
        says.append(_advance(stage))
    return says


def leaving_says(plan: Plan) -> list[str]:
    """What becomes of those who withdraw, are excluded or are disqualified, a sentence each."""
    formats = {stage.format for stage in plan.stages}
    says = []
    if ROUND_ROBIN in formats:
        says.append(
            gettext(
                "Who leaves a round robin with fewer than half of the matches played is left out of its standings, and "
                "those results count for nobody; with half or more they stand, and what is unplayed is lost."
            )
        )
    if formats - {ROUND_ROBIN}:
        says.append(
            gettext(
                "Who leaves is out; the results before stand. The opponent wins without play, and where both have "
                "left, the next one passes."
            )
        )
    says.append(
        gettext(
            "Who is disqualified is not listed, and no defeat against them counts. A bracket is not played again: "
            "those behind move up."
        )
    )
    return says


def _round_robin(stage: Stage) -> list[str]:
    meetings, groups = stage.option("meetings"), stage.option("groups")
    says = [ngettext("Everybody meets everybody.", "Everybody meets everybody %(num)s times.", meetings)]
    if groups > 1:
        says.append(ngettext("In one group.", "In %(num)s groups.", groups))
    return says


def _swiss(stage: Stage) -> list[str]:
    return [
        ngettext("%(num)s round.", "%(num)s rounds.", stage.option("rounds")),
        gettext("Each round pairs people with as many wins; nobody meets twice."),
    ]


def _swiss_elimination(stage: Stage) -> list[str]:
    return [
        ngettext("Who has lost once is out.", "Who has lost %(num)s times is out.", stage.option("losses")),
        gettext("Each round pairs people with as many wins."),
    ]


def _knockout(stage: Stage) -> list[str]:
    says = [gettext("Who loses is out.")]
    if stage.option("third_place"):
        says.append(gettext("Those who lose the semi-finals play for the third place."))
    return says


def _double_elimination(stage: Stage) -> list[str]:
    says = [gettext("Who loses goes on in the losers’ bracket; who loses twice is out.")]
    if stage.option("extra_match"):
        says.append(
            gettext("If the unbeaten player loses the final, both have one loss, and a second final decides.")
        )
    else:
        says.append(gettext("There is one final: it decides, even against a player who was unbeaten before."))
    return says


def _reentry(stage: Stage) -> list[str]:
    return [
        gettext("Who loses is out."),
        ngettext(
            "Who loses a match of the first round takes a place that is still vacant there, at most once.",
            "Who loses a match of the first round takes a place that is still vacant there, at most %(num)s times.",
            stage.option("reentries"),
        ),
    ]


_ROUNDS = {
    "round_robin": _round_robin,
    "swiss": _swiss,
    "swiss_elimination": _swiss_elimination,
    "knockout": _knockout,
    "double_elimination": _double_elimination,
    "reentry": _reentry,
}


def _advance(stage: Stage) -> str:
    if stage.format == ROUND_ROBIN and stage.option("groups") > 1:
        return ngettext(
            "The first of each group goes on.", "The first %(num)s of each group go on.", stage.advance or 0
        )
    return ngettext("The first goes on.", "The first %(num)s go on.", stage.advance or 0)


def round_name(number: int) -> str:
    """A round of a format without a bracket: "Round 3"."""
    return gettext("Round %(number)s", number=number)


def pairing_name(plan: Plan, key: str, number: int, size: int) -> str:
    """What a pairing's round is called: "Semi-finals, match 2", "Round 3". `number` is that of the round, `size`
    how many entries its stage has (0 = unknown); a bracket of the next power of two has the same names."""
    place = _place(plan, key, size)
    return fixture_name(*place) if place else round_name(number)


def round_title(plan: Plan, key: str, number: int, size: int) -> str:
    """What the round of a pairing is called, without the pairing itself: "Semi-finals", "Round 3". As
    `pairing_name`."""
    place = _place(plan, key, size)
    return column_name(place[0], place[1].part, place[1].column) if place else round_name(number)


def _place(plan: Plan, key: str, size: int) -> tuple[Bracket, Fixture] | None:
    """Where a pairing stands in the bracket of its stage; None where there is none, or its size isn't known."""
    stage, colon, inner = key.rpartition(":")
    format_ = plan.stages[int(stage) - 1 if colon else 0].strategy(())
    if not isinstance(format_, Elimination) or not size:
        return None
    bracket = format_.bracket(size)
    fixture = bracket.by_key.get(fixture_of(inner))
    return (bracket, fixture) if fixture else None


def group_name(number: int) -> str:
    """One of several groups: "Group 2"."""
    return gettext("Group %(number)s", number=number)


def column_name(bracket: Bracket, part: Part, column: int) -> str:
    """A column of a bracket: "Semi-finals", "Losers’ round 3"."""
    if part is Part.THIRD:
        return gettext("Match for the third place")
    if part is Part.FINAL:
        return gettext("Final") if column == 1 else gettext("Second final")
    last = bracket.last(part)
    if not bracket.last(Part.FINAL):
        names = {
            last: gettext("Final"),
            last - 1: gettext("Semi-finals"),
            last - 2: gettext("Quarter-finals"),
        }
        return names.get(column) or round_name(column)
    if part is Part.WINNERS:
        return (
            gettext("Winners’ final")
            if column == last > 1
            else gettext("Winners’ round %(number)s", number=column)
        )
    return gettext("Losers’ final") if column == last else gettext("Losers’ round %(number)s", number=column)


def fixture_name(bracket: Bracket, fixture: Fixture) -> str:
    """One meeting of a bracket: "Semi-final 2", "Losers’ round 3, match 1", "Final"."""
    column = column_name(bracket, fixture.part, fixture.column)
    if bracket.columns[fixture.part, fixture.column] == 1:
        return column
    return gettext("%(round)s, match %(number)s", round=column, number=fixture.number)


def source_name(bracket: Bracket, source: Source) -> str:
    """Who is expected where nobody is known yet: "Winner of Semi-finals, match 1"."""
    if source.kind is Kind.VACANT:
        return gettext("vacant")
    if source.kind is Kind.BYE:
        return gettext("bye")
    if source.kind is Kind.SEED:
        return gettext("Seed %(number)s", number=source.seed)
    named = fixture_name(bracket, bracket.by_key[source.key])
    if source.kind is Kind.WINNER:
        return gettext("Winner of: %(match)s", match=named)
    return gettext("Loser of: %(match)s", match=named)

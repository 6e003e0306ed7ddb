"""A rule set in words: a fact for each of its values, so that a new rule set describes itself."""

from __future__ import annotations

from collections.abc import Collection
from itertools import pairwise

from bgmail.phrases.anchors import Where
from bgmail.phrases.facts import Fact
from bgmail.phrases.lapses import lapse_facts, time_fact
from bgmail.phrases.translate import gettext
from bgmail.phrases.words import all_of
from bgmail.rules.ruleset import MAX_GAMES, Resignation, RuleSet

FEW = 3


def rule_facts(rules: RuleSet) -> tuple[Fact, ...]:
    """All there is to say about a rule set, the most telling first."""
    cube = (_limit(rules), _dead_cube(rules), _crawford(rules)) if rules.cube else ()
    return (
        _lengths(rules),
        time_fact(rules),
        _worth(rules),
        _wager(rules),
        _cube(rules),
        *cube,
        _resignation(rules),
        *lapse_facts(rules),
        _waste(rules),
        _forced(rules),
    )


def differences(rules: RuleSet, other: RuleSet) -> tuple[Fact, ...]:
    """The facts of `rules` that `other` doesn't share."""
    known = {(fact.field, fact.says) for fact in rule_facts(other)}
    return tuple(fact for fact in rule_facts(rules) if (fact.field, fact.says) not in known)


def lengths_line(lengths: Collection[int]) -> str:
    """The match lengths on offer, and points sessions if they are: "any length from 1 to 25 points"."""
    points = sorted(length for length in lengths if length)
    parts = [_points(points)] if points else []
    if 0 in lengths:
        parts.append(gettext("points sessions of 1 to %(most)s games", most=MAX_GAMES))
    return all_of(parts)


def _points(points: list[int]) -> str:
    steps = {after - before for before, after in pairwise(points)}
    if len(points) > FEW and steps == {1}:
        return gettext("matches of %(least)s to %(most)s points", least=points[0], most=points[-1])
    if len(points) > FEW and steps == {2} and points[0] % 2:
        return gettext(
            "matches of odd lengths from %(least)s to %(most)s points", least=points[0], most=points[-1]
        )
    return gettext("matches of %(lengths)s points", lengths=all_of([str(length) for length in points]))


def _lengths(rules: RuleSet) -> Fact:
    return Fact(
        "lengths", Where("rules", "match"), gettext("Lengths"), _sentence(lengths_line(rules.lengths))
    )


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}."


def _worth(rules: RuleSet) -> Fact:
    says = (
        gettext("A single game counts one, a gammon two, a backgammon three.")
        if rules.triple
        else gettext("A single game counts one, a gammon two. A backgammon counts as a gammon.")
    )
    return Fact("triple", Where("rules", "gammon"), gettext("What a game is worth"), says)


def _wager(rules: RuleSet) -> Fact:
    says = (
        gettext(
            "The two agree on a wager of 1 to %(most)s points a game. Gammon, backgammon and cube multiply it.",
            most=rules.most_wager,
        )
        if rules.most_wager > 1
        else gettext("There is none: a game begins at one point.")
    )
    return Fact("most_wager", Where("rules", "wager"), gettext("Wager"), says)


def _cube(rules: RuleSet) -> Fact:
    says = (
        gettext("There is a doubling cube, in matches of more than one point.")
        if rules.cube
        else gettext("There is no doubling cube.")
    )
    return Fact("cube", Where("rules", "cube"), gettext("Doubling cube"), says)


def _limit(rules: RuleSet) -> Fact:
    limit = rules.cube_limit
    return Fact(
        "cube_limit",
        Where("rules", "cube"),
        gettext("Cube limit"),
        gettext("The cube goes up to %(limit)s.", limit=limit),
    )


def _dead_cube(rules: RuleSet) -> Fact:
    says = (
        gettext("Whoever wins the match with this game as it is may not double.")
        if rules.dead_cube_refused
        else gettext("Doubling is allowed even where it can’t bring the doubler anything.")
    )
    return Fact("dead_cube_refused", Where("rules", "dead-cube"), gettext("Dead cube"), says)


def _crawford(rules: RuleSet) -> Fact:
    says = (
        gettext(
            "In matches there is one game without the cube: the first in which somebody needs a single point."
        )
        if rules.crawford
        else gettext("There is no game without the cube.")
    )
    return Fact("crawford", Where("rules", "crawford"), gettext("Crawford game"), says)


def _resignation(rules: RuleSet) -> Fact:
    ways = {
        Resignation.OFFER: gettext(
            "You offer a single game, a gammon or a backgammon; your opponent accepts, or declines and you play on."
        ),
        Resignation.POSITION: gettext(
            "You lose at once what the game would cost if it ended now; you see how much before you confirm."
        ),
    }
    return Fact(
        "resignation", Where("rules", "resigning"), gettext("Resigning a game"), ways[rules.resignation]
    )


def _waste(rules: RuleSet) -> Fact:
    says = (
        gettext("Of the plays that use all dice, one that wastes the fewest pips must be made.")
        if rules.least_waste
        else gettext("Pips may be wasted in bearing off.")
    )
    return Fact("least_waste", Where("rules", "least-waste"), gettext("Wasted pips"), says)


def _forced(rules: RuleSet) -> Fact:
    says = (
        gettext("The server plays a roll for you where only one play is legal.")
        if rules.forced_plays
        else gettext("You play every roll yourself, also where only one play is legal.")
    )
    return Fact("forced_plays", Where("help", "played-for-you"), gettext("Forced plays"), says)

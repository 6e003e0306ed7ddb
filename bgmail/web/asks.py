"""The questions asked before something that can't be taken back: double, take, pass, resign, accept."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from bgmail.phrases.decisions import points_word, score_after
from bgmail.phrases.translate import gettext as _
from bgmail.phrases.words import Names, worth_name
from bgmail.rules.action import Kind
from bgmail.rules.match import Match
from bgmail.rules.options import options, resignation_choices
from bgmail.rules.ruleset import Resignation
from bgmail.rules.side import Side


@dataclass(frozen=True, slots=True)
class Choice:
    """A value to choose between, with what it means."""

    value: int
    label: str
    detail: str


@dataclass(frozen=True, slots=True)
class Ask:
    """One question. `tick` is the sentence that has to be ticked where no dialog asks."""

    action: str
    title: str
    text: str
    button: str
    cancel: str
    tick: str
    choices: tuple[Choice, ...] = ()


def asks(match: Match, you: Side | None, names: Names) -> dict[str, Ask]:
    """The questions that belong to what `you` may do now, by action."""
    if you is None:
        return {}
    found = [kind for kind in options(match, you) if kind in _ASK]
    return {kind.value: _ASK[kind](match, you, names) for kind in found}


def _double(match: Match, you: Side, names: Names) -> Ask:
    value = match.cube.value * 2
    return Ask(
        Kind.DOUBLE.value,
        _("Double to %(value)s?", value=value),
        _(
            "%(name)s may take, and own the cube at %(value)s, or pass and lose %(points)s.",
            name=names.of(you.other),
            value=value,
            points=points_word(match.stake),
        ),
        _("Double to %(value)s", value=value),
        _("Not now"),
        _("Yes, I double to %(value)s.", value=value),
    )


def _take(match: Match, _you: Side, _names: Names) -> Ask:
    value = match.cube.value * 2
    return Ask(
        Kind.TAKE.value,
        _("Take the cube at %(value)s?", value=value),
        _(
            "The game goes on for %(points)s, a gammon for %(gammon)s, and only you may redouble.",
            points=points_word(value),
            gammon=value * 2,
        ),
        _("Take"),
        _("Think again"),
        _("Yes, I take at %(value)s.", value=value),
    )


def _pass(match: Match, you: Side, names: Names) -> Ask:
    points = match.stake
    lost = _("%(name)s wins this game: %(points)s.", name=names.of(you.other), points=points_word(points))
    return Ask(
        Kind.PASS.value,
        _("Pass and lose %(points)s?", points=points_word(points)),
        f"{lost} {score_after(match, you.other, points, names)}",
        _("Pass"),
        _("Think again"),
        _("Yes, I pass and lose this game."),
    )


def _resign(match: Match, you: Side, names: Names) -> Ask:
    by_offer = match.rules.resignation is Resignation.OFFER
    choices = tuple(_worth(match, value) for value in resignation_choices(match, you))
    text = (
        _("%(name)s may accept, or decline and play on. You can offer once a turn.", name=names.of(you.other))
        if by_offer
        else _("The game ends at once, for what it would cost you if it ended now.")
    )
    return Ask(
        Kind.RESIGN.value,
        _("Resign this game?"),
        text,
        _("Offer to resign") if by_offer else _("Resign the game"),
        _("Play on"),
        _("Yes, I want to resign this game."),
        choices,
    )


def _worth(match: Match, value: int) -> Choice:
    points = value * match.stake
    name = worth_name(value)
    return Choice(value, name[:1].upper() + name[1:], points_word(points))


def _resign_match(_match: Match, you: Side, names: Names) -> Ask:
    return Ask(
        Kind.RESIGN_MATCH.value,
        _("Resign the whole match?"),
        _("%(name)s wins the match at once. This can't be taken back.", name=names.of(you.other)),
        _("Resign the match"),
        _("Play on"),
        _("Yes, I resign the whole match."),
    )


def _accept(match: Match, you: Side, names: Names) -> Ask:
    value = match.offer.value if match.offer else 1
    points = value * match.stake
    won = _("You win %(what)s: %(points)s.", what=worth_name(value), points=points_word(points))
    return Ask(
        Kind.ACCEPT_RESIGNATION.value,
        _("Accept the resignation?"),
        f"{won} {score_after(match, you, points, names)}",
        _("Accept"),
        _("Think again"),
        _("Yes, I accept: the game ends."),
    )


_ASK: Mapping[Kind, Callable[[Match, Side, Names], Ask]] = {
    Kind.DOUBLE: _double,
    Kind.TAKE: _take,
    Kind.PASS: _pass,
    Kind.RESIGN: _resign,
    Kind.RESIGN_MATCH: _resign_match,
    Kind.ACCEPT_RESIGNATION: _accept,
}
MUST_ASK = frozenset(kind.value for kind in _ASK)
"""Actions that a page never carries out by one press."""

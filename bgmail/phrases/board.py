"""Words for the board: around the drawing in characters, for screen readers, and why a checker can't move."""

from __future__ import annotations

from bgmail.board.labels import key_of
from bgmail.board.text import Words
from bgmail.board.view import POINTS, BoardView, Whose
from bgmail.phrases.translate import gettext
from bgmail.phrases.words import Names, all_of, any_of
from bgmail.rules.match import Match, Phase
from bgmail.rules.position import BAR, Position

SIDES: tuple[Whose, Whose] = ("viewer", "opponent")


def board_words(names: Names) -> Words:
    """The words around a board in characters, and of a picture's alternative text."""
    mine = names.of(names.you) if names.you is not None else names.white
    return Words(
        you=mine,
        opponent=names.opponent,
        side="{name} ({mark})   " + gettext("pips {pips}   off {off}"),
        side_bar="   " + gettext("bar {bar}"),
        light=gettext("light"),
        dark=gettext("dark"),
        point=gettext("{point} point {count}"),
        bar=gettext("bar {count}"),
        off=gettext("off {count}"),
        your_numbers=gettext("your numbers"),
        cube_centred=gettext("The cube is centred."),
        cube_viewer=gettext("The cube is yours, at {value}."),
        cube_opponent=gettext("The cube is your opponent's, at {value}."),
        no_cube=gettext("There is no cube in this game."),
        offered_viewer=gettext("You are doubled to {value}: take or pass."),
        offered_opponent=gettext("You doubled to {value}."),
        dice_viewer=gettext("Your dice: {one}-{two}."),
        dice_opponent=gettext("Your opponent's dice: {one}-{two}."),
    )


def place_names(view: BoardView, names: Names) -> dict[str, str]:
    """A sentence for every place, for screen readers, keyed as `bgmail.board.labels` wants them."""
    found = {}
    for point in POINTS:
        holder = view.holder(point)
        held = _held(abs(view.points[point]), holder, names) if holder else gettext("empty")
        found[str(point)] = gettext("%(point)s point: %(held)s", point=point, held=held)
    for whose in SIDES:
        bar, off = (_held(count, whose, names) for count in (view.bar(whose), view.off(whose)))
        found[key_of("bar", whose)] = gettext("Bar: %(held)s", held=bar)
        found[key_of("off", whose)] = gettext("Off: %(held)s", held=off)
    return found


def _held(count: int, whose: Whose, names: Names) -> str:
    number = str(count) if count else gettext("none")
    if names.you is None:
        name = names.white if whose == "viewer" else names.black
        return gettext("%(number)s of %(name)s", number=number, name=name)
    if whose == "viewer":
        return gettext("%(number)s of yours", number=number)
    return gettext("%(number)s of %(name)s", number=number, name=names.opponent)


def why_stuck(match: Match) -> str:
    """Why the side to play can't do what it might wish; "" when there is nothing to explain.

    On the bar it says which dice are blocked and which enter.
    """
    if match.phase is not Phase.PLAY or match.dice is None or not match.position.board[BAR]:
        return ""
    dice = sorted({match.dice.d1, match.dice.d2}, reverse=True)
    shut = [die for die in dice if _blocked(match.position, die)]
    entering = [die for die in dice if die not in shut]
    if not entering:
        return gettext("You are on the bar and can't enter: %(blocked)s.", blocked=_blocks(shut))
    free = any_of([gettext("the %(die)s", die=die) for die in entering])
    if not shut:
        return gettext("You are on the bar: enter with %(dice)s first.", dice=free)
    return gettext("You are on the bar: %(blocked)s, enter with %(dice)s.", blocked=_blocks(shut), dice=free)


def _blocked(position: Position, die: int) -> bool:
    return position.board[BAR - die] <= -2


def _blocks(dice: list[int]) -> str:
    return all_of(
        [gettext("the %(die)s is blocked (%(point)s point)", die=die, point=BAR - die) for die in dice]
    )

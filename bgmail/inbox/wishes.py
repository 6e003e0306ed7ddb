"""What the commands of a mail mean in a match as it stands: one wish that can be carried out, or why there is none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bgmail.inbox.reading import Command, Doubt, Reading
from bgmail.rules.action import Action, ActionRefused, Kind
from bgmail.rules.match import Match, apply
from bgmail.rules.notation import AmbiguousPlay, PlayError, find_play
from bgmail.rules.options import options, resignation_choices, resignation_values
from bgmail.rules.side import Side

SURE = frozenset({"resign_match"})
"""What is never done on a mail's word alone."""


@dataclass(frozen=True, slots=True)
class Wish:
    """One action in the API's words; a play is spelled as the rules spell it."""

    action: str
    play: str | None = None
    value: int | None = None

    def plain(self) -> list[Any]:
        """As JSON, for the letter that asks to confirm it."""
        return [self.action, self.play, self.value]


@dataclass(frozen=True, slots=True)
class Understood:
    """What a mail means: the `wishes` that its first command may mean, and `trouble`, a code, unless it is just one.

    `said` is the line it is about. `values` are what the sentence for the trouble needs beyond it.
    """

    wishes: tuple[Wish, ...] = ()
    trouble: str = ""
    said: str = ""
    values: Mapping[str, Any] = field(default_factory=dict)


def understand(match: Match, side: Side, reading: Reading) -> Understood:
    """What `side` wants by its mail, with all the doubts of the reader and of the rules."""
    if not reading.commands:
        return Understood(trouble=str(reading.doubt or Doubt.NO_COMMAND))
    if reading.doubt is Doubt.CONTRARY:
        return _contrary(match, side, reading.commands)
    found = meant(match, side, reading.commands[0])
    if reading.doubt and not found.trouble:
        return Understood(found.wishes, str(reading.doubt), found.said)
    return found


def meant(match: Match, side: Side, command: Command) -> Understood:
    """What one command means now."""
    possible = [action for action in command.actions if action in options(match, side)]
    if len(possible) != 1:
        return _not_now(match, side, command)
    action = possible[0]
    if action == Kind.PLAY:
        return _play(match, command)
    if action == Kind.RESIGN:
        return _resignation(match, side, command)
    wishes = (Wish(action),)
    return Understood(wishes, "sure" if action in SURE else "", command.text)


def _play(match: Match, command: Command) -> Understood:
    text, dice = command.play or "", match.dice
    if dice is None:
        return Understood(trouble="not_now", said=command.text)
    if command.dice and sorted(command.dice) != sorted((dice.d1, dice.d2)):
        return Understood(trouble="other_dice", said=command.text, values={"dice": str(dice)})
    try:
        play = find_play(match.position, dice, text, match.rules)
    except AmbiguousPlay as error:
        plays = tuple(Wish("play", str(one)) for one in error.candidates)
        return Understood(plays, "play", command.text, {"play": text})
    except PlayError:
        return Understood(trouble="play", said=command.text, values={"play": text})
    return Understood((Wish("play", str(play)),), said=command.text)


def _resignation(match: Match, side: Side, command: Command) -> Understood:
    """Who says no more than "resign" means a single game, where that is enough."""
    value = command.value or 1
    if value in resignation_values(match, side):
        return Understood((Wish("resign", value=value),), said=command.text)
    choices = resignation_choices(match, side)
    offers = tuple(Wish("resign", value=one) for one in choices)
    return Understood(offers, "refused", command.text, {"code": "resign_value", "allowed": list(choices)})


def _not_now(match: Match, side: Side, command: Command) -> Understood:
    """Why the command can't be carried out now, in the words of the rules where they have some."""
    if len(command.actions) == 1 and command.actions != ("play",):
        try:
            apply(match, Action(Kind(command.actions[0]), side, value=command.value or 1))
        except ActionRefused as error:
            if error.code != "wrong_phase":  # the board in the letter says more
                values = {"code": error.code, **error.values}
                return Understood(trouble="refused", said=command.text, values=values)
    return Understood(trouble="not_now", said=command.text)


def _contrary(match: Match, side: Side, commands: Sequence[Command]) -> Understood:
    """Several commands: each that could be carried out may be meant, and so may one play on several lines."""
    said = " / ".join(command.text for command in commands)
    if all(command.play for command in commands):
        whole = Command(said, ("play",), play=" ".join(command.play or "" for command in commands))
        wishes = meant(match, side, whole).wishes
    else:
        found = (meant(match, side, command) for command in commands)
        wishes = tuple(wish for one in found for wish in one.wishes)
    return Understood(wishes, str(Doubt.CONTRARY), said)

"""What a side did last, in a few words for a list: "played 4-1: bar/21 24/23", "doubled to 4"."""

from __future__ import annotations

from bgmail.ledger.latest import Act
from bgmail.phrases.translate import gettext
from bgmail.phrases.words import Names, worth_name
from bgmail.rules.dice import Dice


def act_line(act: Act, names: Names) -> str:
    """What the opponent did; "" for what needs no word."""
    if act.kind == "opening_roll":
        return _opening(act, names)
    if act.kind == "play":
        return _played(act)
    if act.kind == "double":
        return gettext("doubled to %(value)s", value=act.data["value"])
    if act.kind == "resign":
        return gettext("offered to resign %(game)s", game=worth_name(int(act.data["value"])))
    return {
        "take": gettext("took the cube"),
        "decline_resignation": gettext("declined the resignation"),
    }.get(act.kind, "")


def told_line(act: Act, names: Names) -> str:
    """The same where it stands alone, with the name of whose act it is: "bob: played 4-1: bar/21 24/23"."""
    line = act_line(act, names)
    return line if not line or act.kind == "opening_roll" else f"{names.opponent}: {line}"


def own_line(act: Act | None) -> str:
    """What I played last myself; "" where it was no play."""
    if act is None or act.kind != "play" or not act.data["play"]:
        return ""
    return gettext("you played %(dice)s: %(play)s", dice=_dice(act), play=act.data["play"])


def _played(act: Act) -> str:
    if not act.data["play"]:
        return gettext("had no legal play with %(dice)s", dice=_dice(act))
    return gettext("played %(dice)s: %(play)s", dice=_dice(act), play=act.data["play"])


def _opening(act: Act, names: Names) -> str:
    if act.side is names.you:
        return gettext("opening: you won it with %(dice)s", dice=_dice(act))
    return gettext("opening: %(name)s won it with %(dice)s", name=names.opponent, dice=_dice(act))


def _dice(act: Act) -> str:
    return str(Dice(*act.dice)) if act.dice else ""

"""The JSON of standing orders and prepared replies as types, as `bgmail.api.models` has that of matches."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import ConfigDict, Field, StringConstraints

from bgmail.api.models import PRINTABLE, Body, Reply, SideName, Version

Word = Annotated[
    str,
    StringConstraints(max_length=120, pattern=PRINTABLE),
    Field(description='"roll 6-1", "play 13/7 8/7", "double", "take" or "pass"'),
]
Wish = Annotated[bool | None, Field(description="null = as for all matches, or as it is by default")]
Turns = Annotated[int, Field(ge=0, le=100)]


class OrdersForAll(Body):
    """What is to be done for you in all matches; what is left out or null is as by default. A name that nobody knows is
    refused: the order that was meant would be taken for one that was left out, and ended."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    auto_roll: bool | None = Field(None, description="Roll for me instead of asking whether I double")
    bear_off: bool | None = Field(
        None,
        description="Without contact, bear off by a play that no other is likelier than to be off within n rolls, "
        "for every n; never while I can still lose a gammon",
    )
    shut_out: bool | None = Field(
        None, description="Roll for me while I can't enter (the default); false = ask whether I double"
    )
    most_a_day: Turns | None = Field(
        None, description="After so many turns played for me in a match on one day, ask; 0 = any number"
    )


class OrdersForMatch(OrdersForAll):
    """What is to be done for you in one match. Your opponent learns of it when it is done, and not before."""

    answer: Literal["take", "pass"] | None = Field(
        None, description="To the next double, until your own next roll"
    )
    double_on_dance: bool | None = Field(
        None,
        description="Double as soon as the opponent has no legal play; until you doubled, or the game ends",
    )


class ShownOrders(Reply):
    """Orders for all matches as they stand."""

    auto_roll: Wish
    bear_off: Wish
    shut_out: Wish
    most_a_day: int | None


class ShownMatchOrders(ShownOrders):
    """Orders for one match as they stand."""

    answer: Literal["take", "pass"] | None
    double_on_dance: bool


class Prepare(Body):
    """A reply for when exactly these steps have happened from the match as it stands, dances and only plays aside."""

    version: Version
    when: Annotated[list[Word], Field(max_length=16, description="What has to happen first, by both sides")]
    then: Word = Field(description='What you do then; "roll" without dice')


class PreparedStep(Reply):
    """One step: who, and what, as `when` takes it. A dance is a play without a play."""

    side: SideName
    step: str


class PreparedReply(Reply):
    """A reply that is kept ready."""

    id: int
    when: list[PreparedStep]
    then: str


class PreparedReplies(Reply):
    """Your prepared replies in a match as it stands; `version` is what they are bound to."""

    version: int
    replies: list[PreparedReply]

"""What a request to the API may hold, as types: requests are judged by them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Discriminator, Field, StringConstraints, Tag

from bgmail.api.models import PRINTABLE, ActionName, Body, Key, Nonce, Seconds, Version


class Durations(Body):
    """A time control of one's own, in seconds; what is left out is 0, `per_answer` as `per_turn`, `cap`
    none.
    """

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)
    per_turn: Seconds = 0
    per_answer: Seconds | None = None
    bank: Seconds = 0
    increment: Seconds = 0
    cap: Seconds | None = None


def _kind_of_time(value: Any) -> str:
    """What a time control is judged as, so that a refusal speaks of what was meant."""
    return "durations" if isinstance(value, dict | Durations) else "name"


Time = Annotated[
    Annotated[str, StringConstraints(max_length=40), Tag("name")] | Annotated[Durations, Tag("durations")],
    Discriminator(_kind_of_time),
]


class RuleValues(Body):
    """Rules of one's own; what is left out is as in `club`. Lengths in points, 0 = sessions; spans in seconds."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)
    name: Annotated[str, StringConstraints(min_length=1, max_length=40, pattern=PRINTABLE)]
    lengths: (
        Annotated[list[Annotated[int, Field(ge=0, le=25)]], Field(min_length=1, max_length=26)] | None
    ) = None
    triple: bool | None = Field(None, description="Whether a backgammon counts three")
    cube: bool | None = None
    cube_limit: Literal[2, 4, 8, 16, 32, 64] | None = None
    dead_cube_refused: bool | None = None
    crawford: bool | None = None
    resignation: Literal["offer", "position"] | None = None
    least_waste: bool | None = None
    forced_plays: bool | None = None
    most_wager: Annotated[int, Field(ge=1, le=100)] | None = None
    timeout: Literal["match", "game", "gammon"] | None = Field(None, description="What a lapse costs")
    claimed: bool | None = Field(None, description="Whether a timeout has to be claimed by the opponent")
    bank_per_game: bool | None = None
    inactivity: Annotated[int, Field(ge=0, le=7200)] | None = None
    given_back: Annotated[int, Field(ge=0, le=20)] | None = None
    given_back_percent: Annotated[int, Field(ge=1, le=100)] | None = None
    time: Annotated[str, StringConstraints(max_length=40)] | None = None


def _kind_of_rules(value: Any) -> str:
    return "values" if isinstance(value, dict | RuleValues) else "name"


Rules = Annotated[
    Annotated[str, StringConstraints(max_length=40), Tag("name")] | Annotated[RuleValues, Tag("values")],
    Discriminator(_kind_of_rules),
]


class PausesWanted(Body):
    """Which pauses a new match allows; what is left out is as usual. In live pace, and without a clock, none is."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)
    weekends: bool = Field(
        True, description="Two days of the week that each player chose, in the player's zone"
    )
    nights: bool = Field(False, description="The hours of the night that each player chose")
    vacation: bool = True


class NewMatch(Body):
    """An invitation; who sends it plays White."""

    opponent: Annotated[
        str,
        StringConstraints(min_length=1, max_length=254, pattern=PRINTABLE),
        Field(description="A handle, or an e-mail address of somebody who need not have an account"),
    ]
    length: Annotated[
        int, Field(ge=0, le=99, description="Points to win; 0 = a points session of `games` games")
    ]
    games: Annotated[int, Field(ge=0, le=99)] | None = None
    rules: Rules | None = Field(
        None, description="club (default), federation, five-point, claim, house, or rules of one's own"
    )
    wager: Annotated[int, Field(ge=1, le=100)] | None = Field(
        None, description="What a single game counts, where the rules have a wager; default 1"
    )
    time: Time | None = Field(
        None, description="move-a-day (default), another preset's name, or an object of the five durations"
    )
    pauses: PausesWanted | None = Field(None, description="Default: weekends and vacation, no nights")
    rated: bool | None = Field(None, description="Default true; an untimed match is never rated")
    nonce: Nonce | None = None
    key: Key | None = None


class Answer(Body):
    """The answer to an invitation."""

    version: Version | None = None
    nonce: Nonce | None = None


class Act(Body):
    """One action in a match."""

    version: Version
    action: ActionName
    play: Annotated[str, StringConstraints(max_length=200)] | None = Field(
        None, description='The play in the usual notation, "13/7* 6/5"; only for `play`'
    )
    value: Annotated[int, Field(ge=1, le=3)] | None = Field(
        None, description="Of `resign`: 1 single, 2 gammon, 3 backgammon"
    )
    nonce: Nonce | None = None
    key: Key | None = None


InstantWanted = Annotated[
    str,
    StringConstraints(max_length=40),
    Field(description="RFC 3339, with its offset", json_schema_extra={"format": "date-time"}),
]


class NewVacation(Body):
    """A vacation: without `from` from now on, without `until` open-ended."""

    from_: InstantWanted | None = Field(None, alias="from")
    until: InstantWanted | None = None
    ends_with_play: bool = Field(False, description="Your next play in a match that it holds ends it")
    key: Key | None = None


class VacationChange(Body):
    """Another end of a vacation; null = open-ended."""

    until: InstantWanted | None


class SwitchedOn(Body):
    """Something that is on or off."""

    on: bool

"""The JSON of the API as types: what an answer is made of, and what requests have in common with it.

The OpenAPI document is made from these classes and those of `bgmail.api.wishes`, and the tests hold every answer
against them.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

MOST = 2**53 - 1  # the largest whole number that every JSON reader keeps exact
PRINTABLE = r"^[^\x00-\x1f\x7f-\x9f\u2028\u2029]*$"

Version = Annotated[
    int, Field(ge=0, le=MOST, description="The version of the match that the client has seen")
]
Nonce = Annotated[
    str,
    StringConstraints(pattern=r"^[0-9a-f]{32}$"),
    Field(description="32 lower-case hex digits drawn at random by the client: its part of the dice to come"),
]
Key = Annotated[
    str,
    StringConstraints(min_length=1, max_length=100, pattern=PRINTABLE),
    Field(description="Makes a repeated request harmless: the same key with the same body acts once"),
]
ActionName = Literal[
    "roll",
    "double",
    "take",
    "pass",
    "play",
    "resign",
    "accept_resignation",
    "decline_resignation",
    "resign_match",
    "claim_timeout",
    "give_day",
    "offer_untimed",
    "accept_untimed",
    "decline_untimed",
]
SideName = Literal["white", "black"]
Seconds = Annotated[int, Field(ge=0, le=MOST)]
Instant = Annotated[str, Field(description="RFC 3339, UTC", json_schema_extra={"format": "date-time"})]


class Body(BaseModel):
    """What a client sends: types are never guessed, fields that nobody knows are ignored."""

    model_config = ConfigDict(strict=True, extra="ignore", frozen=True)


class Reply(BaseModel):
    """What the server sends."""

    model_config = ConfigDict(strict=True, extra="forbid")


class Player(Reply):
    """Who sits on a side."""

    handle: str


class Score(Reply):
    """Points of both sides."""

    white: int
    black: int


class CubeState(Reply):
    """The doubling cube; no owner = centred."""

    value: int
    owner: SideName | None


class LegalPlay(Reply):
    """One legal play; `position_id` as the opponent sees the position after it."""

    play: str
    position_id: str


class SideClock(Reply):
    """What a side has left, in seconds; null where no clock runs."""

    bank: int | None
    turn_left: int | None


class Paused(Reply):
    """Why the running clock of a side stands still now, and until when."""

    side: SideName
    why: Literal["weekend", "night", "vacation", "outage"]
    until: Instant


class Clocks(Reply):
    """Both clocks and the control they follow, in seconds; `paused` while the running one stands still."""

    white: SideClock
    black: SideClock
    per_turn: int
    increment: int
    cap: int | None
    paused: Paused | None


class PausesAllowed(Reply):
    """The kinds of pause that a match allows."""

    weekends: bool
    nights: bool
    vacation: bool


class OpenOffer(Reply):
    """A game given up for `value` times the cube, not answered yet."""

    side: SideName
    value: int


class Result(Reply):
    """How a match ended; `score` as played, `awarded` what the winner still needed."""

    winner: SideName | None
    ending: Literal[
        "bear_off", "pass", "resigned", "timeout", "forfeit", "declined", "cancelled", "expired", "annulled"
    ]
    score: Score
    awarded: Score | None


class State(Reply):
    """A match as it stands now."""

    id: str
    version: int
    phase: Literal["invited", "roll_or_double", "play", "take_or_pass", "answer_resignation", "over"]
    on_turn: SideName | None
    you: SideName | None
    white: Player | None
    black: Player | None
    length: int
    games: int
    rules: str
    rule_set: dict[str, Any] | None = Field(
        description="All values of rules of one's own; null where `rules` names known ones"
    )
    wager: int
    rated: bool
    tournament: str | None = Field(description="The id of the tournament that it belongs to")
    pauses: PausesAllowed
    game: int
    score: Score
    crawford: Literal["none", "pending", "active", "over"]
    cube: CubeState
    untimed_offer: SideName | None = Field(description="Who offers to play on without a clock")
    offer: OpenOffer | None
    dice: Annotated[list[int], Field(min_length=2, max_length=2)] | None
    position_id: str
    gnubg_match_id: str | None
    xgid: str | None
    legal: list[LegalPlay]
    options: list[str]
    clocks: Clocks
    deadline: Instant | None
    now: Instant
    result: Result | None


class Acted(State):
    """A match right after the client's action and what the server did by itself behind it."""

    applied_version: int = Field(description="The version right after the client's own action")


class Me(Reply):
    """Whom a token or session belongs to."""

    handle: str
    bot: bool
    time_zone: str


class MatchList(Reply):
    """One page of matches; `cursor` asks for the next one, null = no more."""

    matches: list[State]
    cursor: str | None


class DaysLeft(Reply):
    """What is left of a calendar year's vacation."""

    year: int
    seconds: int


class Vacation(Reply):
    """A vacation; `id` null for one that is only looked at."""

    model_config = ConfigDict(strict=True, extra="forbid", populate_by_name=True)
    id: int | None
    from_: Instant = Field(alias="from")
    until: Instant = Field(description="Where it ends, at the latest")
    open_ended: bool
    automatic: bool = Field(description="It began by itself")
    ends_with_play: bool
    state: Literal["planned", "running", "over"]


class Holidays(Reply):
    """Your vacations and what is left of your days, this year and the next."""

    left: list[DaysLeft]
    automatic: bool = Field(description="Whether one begins by itself when your time runs out")
    vacations: list[Vacation]


class HeldMatch(Reply):
    """What a vacation does to a running match of yours: `deadline` as it is with it, `deadline_without` without it."""

    id: str
    held: bool
    why_not: Literal["untimed", "live", "forbidden"] | None
    deadline_without: Instant | None
    deadline: Instant | None


class TakenVacation(Reply):
    """A vacation with what it does to your running matches; of one that is over none are listed."""

    vacation: Vacation
    matches: list[HeldMatch]


class LogEntry(Reply):
    """One entry of the log: its parts, and the canonical text whose SHA-256 is `hash`."""

    seq: int
    version: int
    at: Instant
    seat: SideName | None
    via: str
    kind: str
    data: dict[str, Any]
    nonce: str | None
    text: str
    hash: str


class Log(Reply):
    """The log of a match, or its part after an entry."""

    id: str
    entries: list[LogEntry]


class ExportedEntry(Reply):
    """An entry as hashed."""

    text: str
    hash: str


class Export(Reply):
    """All that a stranger needs to verify a match."""

    format: Literal["bgmail-match-1"]
    id: str
    white: str | None
    black: str | None
    length: int
    rules: str | dict[str, Any]
    time: dict[str, Any]
    result: Result | None
    entries: list[ExportedEntry]


class Problem(BaseModel):
    """RFC 9457 problem details; `reason` is a word for programs, `state` the match as it stands (409), `guide`
    the page of this site that explains a refusal to people."""

    type: str
    title: str
    status: int
    detail: str
    reason: str | None = None
    state: State | None = None
    guide: str | None = None

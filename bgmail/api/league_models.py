"""The JSON of leagues as types: what requests hold, and what answers are made of."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints

from bgmail.api.models import PRINTABLE, Body, Instant, Key, Reply
from bgmail.api.tournament_models import Digest, StandingsLine, StateName

Kind = Literal["league", "standing"]


class NewLeague(Body):
    """A league, or a knockout of which there is always one to enter. It goes on by itself."""

    kind: Kind = "league"
    name: Annotated[str, StringConstraints(min_length=1, max_length=60, pattern=PRINTABLE)]
    conditions: dict[str, Any] = Field(
        description="`length` and, as in an invitation, rules, time, rated, wager, pauses; at_once, machines, text"
    )
    size: Annotated[int, Field(ge=2, le=1024, description="Players in a division, or in each knockout")] = 8
    moves: Annotated[
        int, Field(ge=0, le=15, description="How many go up and down between two divisions of a league")
    ] = 2
    least: Annotated[int, Field(ge=2, le=1024, description="Members that a season of a league needs")] = 4
    key: Key | None = None


class JoinLeague(Body):
    """The `digest` of the conditions that were read, and the promise to play without help."""

    conditions: Digest
    fair_play: bool


class YouInLeague(Reply):
    """What somebody has to do with a league: `member` plays the next season."""

    member: bool
    organises: bool


class LeagueState(Reply):
    """A league as it stands. `digest` is what a member confirms: plan and conditions. `season` counts those that have
    begun."""

    id: int
    kind: Kind
    name: str
    plan: dict[str, Any]
    conditions: dict[str, Any]
    digest: str
    size: int
    moves: int
    least: int
    season: int
    members: int
    creator: str
    created_at: Instant
    ended_at: Instant | None = Field(description="Since then no other season begins")
    you: YouInLeague | None


class LeagueList(Reply):
    """One page of leagues, those that go on first; `cursor` asks for the next one, null = no more."""

    leagues: list[LeagueState]
    cursor: str | None


class LeagueMember(Reply):
    """Somebody who plays the next season; `played` is the last one they were in, 0 = none yet."""

    handle: str
    joined_at: Instant
    played: int


class LeagueMembers(Reply):
    """One page of members, in the order in which they joined."""

    members: list[LeagueMember]
    cursor: str | None


class HeldTournament(Reply):
    """A tournament of a league: a division of a season (1 is the highest), or one knockout (division 0)."""

    tournament: str
    name: str
    state: StateName
    season: int
    division: int
    started_at: Instant | None


class LeagueSeasons(Reply):
    """One page of its tournaments, the latest season first."""

    tournaments: list[HeldTournament]
    cursor: str | None


class LeagueLine(StandingsLine):
    """One line of a division."""

    moves: Literal["up", "down"] | None = Field(description="Where it would go if the season ended now")


class Division(HeldTournament):
    """A division with its standings, the best first."""

    standings: list[LeagueLine]


class LeagueStandings(Reply):
    """The season that runs, or ran last, the highest division first; a series of knockouts has none."""

    season: int
    divisions: list[Division]

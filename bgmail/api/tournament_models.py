"""The JSON of tournaments as types: what requests hold, and what answers are made of."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints

from bgmail.api.models import PRINTABLE, Body, Instant, Key, Nonce, Reply
from bgmail.api.wishes import InstantWanted

Number = Annotated[int, Field(ge=1, le=2**31 - 1, description="The number of an entry")]
Digest = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
StateName = Literal["draft", "open", "running", "over", "cancelled"]
EntryStateName = Literal["waiting", "left", "barred", "in", "withdrawn", "excluded", "disqualified"]


class NewTournament(Body):
    """A tournament to organise: a draft at first, which players don't see."""

    name: Annotated[str, StringConstraints(min_length=1, max_length=80, pattern=PRINTABLE)]
    plan: dict[str, Any] = Field(
        description='{"stages": [{"format": "knockout", ...}], "tie_breaks": [...]}: the formats are round_robin, '
        "swiss, swiss_elimination, knockout, double_elimination and reentry"
    )
    conditions: dict[str, Any] = Field(
        description="`length` and, as in an invitation, rules, time, rated, wager, pauses; at_once, round_days, late, "
        "machines, substitutes, seeding, rounds, text"
    )
    places: Annotated[
        int,
        Field(ge=0, le=1024, description="0 = as many as the format holds; others go onto the waiting list"),
    ] = 0
    starts_at: InstantWanted | None = None
    starts_full: bool = Field(False, description="Whether it starts as soon as every place is taken")
    key: Key | None = None


class ChangedTournament(Body):
    """What a draft is to be from now on; what is left out stays as it is. `conditions` and `plan` are given whole."""

    name: Annotated[str, StringConstraints(min_length=1, max_length=80, pattern=PRINTABLE)] | None = None
    plan: dict[str, Any] | None = None
    conditions: dict[str, Any] | None = None
    places: Annotated[int, Field(ge=0, le=1024)] | None = None
    starts_at: InstantWanted | None = Field(
        None, description="null = on command, or when all places are taken"
    )
    starts_full: bool | None = None


class Enter(Body):
    """An entry: the `digest` of the conditions that were read, and the promise to play without help."""

    conditions: Digest
    fair_play: bool
    nonce: Nonce | None = None


class Commanded(Body):
    """A command of an organiser, with what it needs beside its name."""

    command: Annotated[str, StringConstraints(max_length=40)]
    reason: Annotated[str, StringConstraints(max_length=500)] = ""
    key: Key | None = None
    entry: Number | None = None
    by: Number | None = Field(None, description="`replace`: who waits and takes the place; default the first")
    pairing: Annotated[str, StringConstraints(max_length=40)] | None = None
    winner: Number | None = Field(None, description="`decide`, `correct`: the winner's entry, null = nobody")
    how: Annotated[str, StringConstraints(max_length=20)] | None = Field(
        None, description="`decide`, `correct`: played, forfeit, annulled; `seed`: rating, order, lot, hand"
    )
    annul_later: bool | None = Field(
        None,
        description="`decide`, `correct`: matches that followed from the result are annulled, and made anew",
    )
    order: Annotated[list[Number], Field(max_length=1024)] | None = Field(
        None, description="`seed` by hand: all entries, the best first"
    )
    days: Annotated[int, Field(ge=1, le=30)] | None = Field(None, description="`extend`")
    text: Annotated[str, StringConstraints(max_length=2000)] | None = Field(None, description="`announce`")
    handle: Annotated[str, StringConstraints(max_length=40)] | None = Field(
        None, description="`add_organiser`, `remove_organiser`"
    )
    draft: ChangedTournament | None = Field(None, description="`change`: only while it is a draft")
    version: Annotated[int, Field(ge=0, le=2**31 - 1)] | None = Field(
        None, description="`change`: the version that was read; refused where something was done since"
    )
    again: bool | None = Field(None, description="`pair`: draw the round once more that has not begun")


class You(Reply):
    """What somebody has to do with a tournament."""

    entry: int | None
    state: EntryStateName | None
    organises: bool


class League(Reply):
    """The place of a tournament in its series."""

    series: int
    season: int
    division: int


class TournamentState(Reply):
    """A tournament as it stands. `digest` is what an entry confirms: plan and conditions."""

    id: str
    name: str
    state: StateName
    version: int
    plan: dict[str, Any]
    conditions: dict[str, Any]
    digest: str
    unsupported: list[Literal["mail"]] = Field(description="Ways of playing that leave too little time here")
    places: int
    entered: int
    waiting: int
    starts_at: Instant | None
    starts_full: bool
    commitment: str = Field(description="SHA-256 of the secret from which ids and first dice follow")
    secret: str | None = Field(description="That secret, once all is over")
    lot: str | None
    creator: str
    organisers: list[str]
    created_at: Instant
    opened_at: Instant | None
    started_at: Instant | None
    finished_at: Instant | None
    league: League | None
    you: You | None


class TournamentList(Reply):
    """One page of tournaments, the newest first; `cursor` asks for the next one, null = no more."""

    tournaments: list[TournamentState]
    cursor: str | None


class TournamentEntry(Reply):
    """One entry; `seed` null before the start, unless it was set."""

    entry: int
    handle: str
    bot: bool
    state: EntryStateName
    seed: int | None
    rating: int
    entered_at: Instant


class EntryList(Reply):
    """All entries, in the order in which they came."""

    entries: list[TournamentEntry]


class Paired(Reply):
    """One of a pairing."""

    entry: int
    handle: str


class TournamentPairing(Reply):
    """Two who meet, or one with a bye (`black` null). `how` null while it isn't over."""

    pairing: str
    round: int
    white: Paired
    black: Paired | None
    match: str | None
    winner: int | None
    how: Literal["played", "forfeit", "bye", "annulled"] | None
    mark: str | None = Field(description='"1-0", "0-1"; "+/-", "-/+", "-/-" without play; "bye", "annulled"')
    decided: bool
    on_turn: int | None
    begun_at: Instant | None
    ended_at: Instant | None
    until: Instant | None
    deadline: Instant | None


class PairingList(Reply):
    """All pairings, in the order in which they were made."""

    pairings: list[TournamentPairing]


class Criterion(Reply):
    """One value that was compared."""

    name: str
    value: float


class StandingsLine(Reply):
    """One line; `decided_by` is the criterion that parted it from the line above."""

    rank: int
    entry: int
    handle: str
    state: EntryStateName
    wins: int
    losses: int
    played: int
    values: list[Criterion]
    decided_by: str | None
    out_in: int | None
    listed: bool


class TournamentStandings(Reply):
    """The standings, the best first."""

    version: int
    standings: list[StandingsLine]


class ExportedPlayer(Reply):
    """One entry, called by its number."""

    number: int
    player: str
    machine: bool
    state: EntryStateName
    seed: int | None
    rating: float
    group: int


class ExportedPairing(Reply):
    """One pairing; `white`, `black` and `winner` are numbers of entries."""

    key: str
    round: int
    white: int
    black: int | None
    match: str | None
    winner: int | None
    how: Literal["played", "forfeit", "bye", "annulled"] | None
    decided: bool
    fixed: bool


class ExportedLine(Reply):
    """One line of the standings with the values of its criteria."""

    rank: int | None
    number: int
    wins: int
    losses: int
    played: int
    criteria: list[Criterion]
    decided_by: str
    out_in: int | None


class TournamentExport(Reply):
    """All that a stranger needs to compute the standings anew."""

    format: Literal["bgmail-tournament-1"]
    id: str
    name: str
    state: StateName
    plan: dict[str, Any]
    conditions: dict[str, Any]
    digest: str
    commitment: str
    secret: str | None
    lot: str
    started_at: Instant | None
    finished_at: Instant | None
    players: list[ExportedPlayer]
    pairings: list[ExportedPairing]
    standings: list[ExportedLine]


class LogLine(Reply):
    """What happened, and who said so (null = the server)."""

    seq: int
    at: Instant
    author: str | None
    command: str
    reason: str
    data: dict[str, Any]


class TournamentLog(Reply):
    """The log, or its part after an entry."""

    log: list[LogLine]

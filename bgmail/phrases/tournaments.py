"""Words about tournaments: why a wish is not taken, and what letters and events tell of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bgmail.phrases.translate import gettext, lazy_gettext, ngettext

TOURNAMENTS: Mapping[str, Any] = {
    "no_tournament": lazy_gettext("There is no such tournament."),
    "no_series": lazy_gettext("There is no such league."),
    "no_league": lazy_gettext("Nobody joins that: enter the tournament of it that is open."),
    "series_over": lazy_gettext("That league begins no other season."),
    "series_size": lazy_gettext("The number of players must be from 2 to %(most)s."),
    "series_moves": lazy_gettext(
        "At most %(most)s people can go up and down between divisions of that size."
    ),
    "series_least": lazy_gettext("The members that a season needs must be from 2 to %(most)s."),
    "series_clock": lazy_gettext(
        "A league needs a clock, or rounds with a date after which matches are lost: without either a season may "
        "never end."
    ),
    "too_many_series": lazy_gettext("You run %(most)s leagues already: end one first."),
    "tournament_state": lazy_gettext("That can't be done in this tournament as it stands now."),
    "tournament_name": lazy_gettext("A tournament needs a name of at most %(most)s plain characters."),
    "condition": lazy_gettext("Nobody can play on those conditions: %(field)s is not as it must be."),
    "plan": lazy_gettext("Nobody can play by that format: %(field)s is not as it must be."),
    "not_a_draft": lazy_gettext(
        "A tournament can be changed only while it is a draft: whoever enters confirms its conditions."
    ),
    "draft_changed": lazy_gettext(
        "Somebody has changed the tournament since you read it. Look at it once more; nothing was written over."
    ),
    "places": lazy_gettext(
        "Places are a number from 2 to %(most)s, or none for as many as come; who starts when all are taken needs one."
    ),
    "starts_at": lazy_gettext("The start must lie in the future, and within two years."),
    "machine_organiser": lazy_gettext("Machines may play in tournaments; a person has to organise them."),
    "unverified_organiser": lazy_gettext("Confirm your address before you organise a tournament."),
    "unverified_entry": lazy_gettext("Confirm your address before you enter a tournament."),
    "too_many_tournaments": lazy_gettext(
        "You organise %(most)s tournaments already that are not over: finish or cancel one first."
    ),
    "reason": lazy_gettext("A reason has at most %(most)s plain characters."),
    "not_organiser": lazy_gettext("Only its organisers may do that in a tournament."),
    "unknown_command": lazy_gettext("There is no command called %(command)s. There are: %(known)s."),
    "conditions_changed": lazy_gettext(
        "Read the conditions of this tournament and confirm them: those that you confirmed are not its own."
    ),
    "fair_play": lazy_gettext("Who enters promises to play without help from programs and from others."),
    "no_machines": lazy_gettext("Machines may not enter this tournament."),
    "excluded": lazy_gettext(
        "You have left this tournament, or were taken out of it, and can't enter it again."
    ),
    "nothing_left": lazy_gettext(
        "You have nothing left to play in this tournament that you could withdraw from."
    ),
    "not_entered": lazy_gettext("You have not entered this tournament."),
    "too_few_entries": lazy_gettext(
        "A tournament starts with at least %(least)s entries and at most %(most)s."
    ),
    "reason_needed": lazy_gettext("Say why: the reason is kept with what you decide."),
    "no_entry": lazy_gettext("There is no such entry, or it stands in a way that doesn't fit."),
    "no_pairing": lazy_gettext("There is no such pairing of two."),
    "has_result": lazy_gettext("That pairing has a result: it can be corrected."),
    "no_result": lazy_gettext("That pairing has no result yet that could be corrected: it can be decided."),
    "made_anew": lazy_gettext(
        "That pairing was annulled and made anew: the new one can be decided or corrected."
    ),
    "not_anew_yet": lazy_gettext(
        "That pairing was annulled: it is made anew as soon as it is certain who belongs there."
    ),
    "bad_result": lazy_gettext(
        "A result is played with a winner, a forfeit with one or none, or annulled with none."
    ),
    "followed": lazy_gettext(
        "A match that followed from that result has begun: it can only be changed if that one is annulled too."
    ),
    "followed_on": lazy_gettext("That result stays: what followed from it can't be made anew any more."),
    "hand_rounds": lazy_gettext("In this tournament the rounds are drawn and begun by themselves."),
    "round_drawn": lazy_gettext("A round is drawn that has not begun: begin it, or draw it again."),
    "nothing_to_pair": lazy_gettext("Nothing can be drawn now: a round goes on, or all is played."),
    "bye_here": lazy_gettext("Byes can be given only where rounds are drawn by the Swiss system."),
    "bye_even": lazy_gettext(
        "An even number plays in this round and everybody has an opponent: a bye would leave another one without."
    ),
    "has_bye": lazy_gettext("That entry has the bye of this round already."),
    "nobody_waits": lazy_gettext("Nobody is on the waiting list."),
    "has_played": lazy_gettext("That entry has played already, so nobody can take its place."),
    "no_such_organiser": lazy_gettext("There is nobody of that name who could organise."),
    "too_many_organisers": lazy_gettext("A tournament has at most %(most)s organisers."),
    "last_organiser": lazy_gettext("Somebody has to organise: add another one first."),
    "days": lazy_gettext("Days are a whole number from 1 to %(most)s."),
    "no_match_runs": lazy_gettext("No match runs there that could get more time."),
    "announcement": lazy_gettext("What you announce has at least one and at most %(most)s plain characters."),
    "matches_run": lazy_gettext("Matches still run: decide them first, or cancel the tournament."),
    "results_come": lazy_gettext("Results are just coming in: try again in a moment."),
    "seeding": lazy_gettext("Seeds go by rating, order or lot, or by hand: then each entry is named once."),
}


TitleAndLines = tuple[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Said:
    """What is told of a tournament: its id and name, a title, and the lines under it."""

    tournament: str
    name: str
    title: str
    lines: tuple[str, ...]


def full_name(name: str, season: int, division: int) -> str:
    """What a tournament is called: a division of a league by its season and number, which its `name` ends with
    ("Winter league 3/1"); any other by its name."""
    kept = f" {season}/{division}"
    if not division or not name.endswith(kept):
        return name
    league = name.removesuffix(kept)
    return gettext(
        "%(league)s, season %(season)s, division %(division)s",
        league=league,
        season=season,
        division=division,
    )


def entered(name: str, *, runs: bool) -> TitleAndLines:
    """Somebody moved up from the waiting list."""
    begins = (
        gettext("It runs already: your matches begin as soon as your opponents are free.") if runs else ""
    )
    return gettext("You have a place in %(name)s", name=name), (
        gettext("Somebody left, and you were the next on the waiting list."),
        begins,
    )


def bye(name: str, round_: str) -> TitleAndLines:
    """A win without an opponent."""
    return gettext("%(name)s, %(round)s: a bye", name=name, round=round_), (
        gettext("There is no opponent for you in this round: you win it without playing."),
    )


def drawn(name: str, round_: str, opponent: str) -> TitleAndLines:
    """Who is met in a round that has not begun."""
    title = gettext("%(name)s, %(round)s: you meet %(opponent)s", name=name, opponent=opponent, round=round_)
    return title, (gettext("The match begins when the organiser lets the round begin."),)


def over(name: str, place: int | None, number: int, winner: str, *, mine: bool) -> TitleAndLines:
    """The end, with the reader's place (None = not in the standings). `mine`: the reader is the winner."""
    if place is None:
        title = gettext("%(name)s is over", name=name)
    else:
        title = gettext(
            "%(name)s is over: place %(place)s of %(number)s", name=name, place=place, number=number
        )
    won = gettext("%(name)s has won it.", name=winner) if winner else ""
    if mine:
        won = gettext("You have won it: congratulations!")
    return title, (won, gettext("All results and the standings are on its page."))


def announced(name: str, author: str, text: str) -> TitleAndLines:
    """What an organiser says to everybody."""
    title = gettext("%(name)s: a word from %(author)s", name=name, author=author)
    return title, tuple(line.strip() for line in text.splitlines())


def cancelled(name: str, author: str, reason: str) -> TitleAndLines:
    """It was called off."""
    return gettext("%(name)s is cancelled", name=name), (
        gettext("%(author)s says: %(reason)s", author=author, reason=reason),
        gettext("Matches that were still running are annulled; what was played to its end stays."),
    )


def late(name: str, round_: str, running: int) -> TitleAndLines:
    """To its organisers: matches run though the date of their round has passed."""
    return gettext("%(name)s, %(round)s: matches still run", name=name, round=round_), (
        ngettext(
            "The date of the round has passed, and %(num)s match still runs.",
            "The date of the round has passed, and %(num)s matches still run.",
            running,
        ),
        gettext("You can wait, give more days, or decide."),
    )


def not_started(name: str) -> TitleAndLines:
    """To its organisers: it couldn't start by itself."""
    return gettext("%(name)s could not start", name=name), (
        gettext(
            "It was to start by itself, but too few have entered. It stays open: start it when you like."
        ),
    )


def means(name: str, format_: str, *, won: bool, out: bool) -> str:
    """What the end of a match means in its tournament, as far as its format says it at once. `out`: who lost this match
    plays no other."""
    if won and format_ == "knockout":
        return gettext("You are through in %(name)s.", name=name)
    if won and format_ in ("round_robin", "swiss"):
        return gettext("That is one more win in %(name)s.", name=name)
    if out and not won:
        return gettext("That was your last match in %(name)s.", name=name)
    return gettext("What it means in %(name)s is on the tournament’s page.", name=name)

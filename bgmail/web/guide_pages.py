"""Rules, help, strategy and glossary. What they state as a fact is computed from the code that acts on it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from flask import Blueprint, abort, render_template

from bgmail import house, timing
from bgmail.phrases import lasting, rules_name, span, time_control
from bgmail.phrases import vacations as vacation_words
from bgmail.phrases.account import STATUS, rulings, summary
from bgmail.phrases.comparison import comparison
from bgmail.phrases.glossary import GROUPS
from bgmail.phrases.machines import plays_by
from bgmail.phrases.rule_sets import HANDS, INTRODUCTIONS, NOT_PLAYED, filled
from bgmail.phrases.rulebook import differences, lengths_line, rule_facts
from bgmail.phrases.translate import gettext as _
from bgmail.rules import Position
from bgmail.rules.chances import ALL_ROLLS, off_at_once, shots
from bgmail.rules.options import cube_in_play
from bgmail.rules.position import BAR, CHECKERS
from bgmail.rules.ruleset import DEFAULT, MAX_GAMES, PRESETS, RuleSet
from bgmail.rules.score import crawford_at_start, crawford_of_next_game, worth
from bgmail.rules.state import new_match
from bgmail.service import entrance, invitations, logins, matches, mercy, proofs, ties
from bgmail.service.terms import MOST_MESSAGE
from bgmail.timing import DEFAULT as DEFAULT_TIME
from bgmail.timing import DEFAULT_CHOICE, TimeControl
from bgmail.timing.balance import YEARLY
from bgmail.web import guide_boards, guide_ratings, guide_tournaments, guide_webhooks
from bgmail.web.guide_race import DOUBLE, REDOUBLE, TAKE, Thumb
from bgmail.web.guide_studies import DRAWN, LOSERS, OPENINGS, RACE

blueprint = Blueprint("guide", __name__)

LENGTH = 7
"""The match that examples speak of, and the one that is proposed to people who invite."""
CRAWFORD_SCORES = ((4, 3), (6, 3), (6, 5))
EXAMPLE_WAGER = 5
RACES = (60, 80, 100, 120)
DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Values:
    """What each kind of game counts at each value of the cube."""

    cubes: tuple[int, ...]
    rows: tuple[tuple[str, tuple[int, ...]], ...]


@dataclass(frozen=True, slots=True)
class Time:
    """A time control on offer: `own` is the time of a turn by itself, `whole` that with a full bank."""

    name: str
    words: str
    own: str
    whole: str
    is_live: bool


@blueprint.get("/rules/")
def rules() -> str:
    """How backgammon is played here, and which rule sets there are."""
    return render_template(
        "guide/rules.html",
        here="rules",
        examples=guide_boards.examples(),
        endings=guide_boards.endings(),
        start=start(),
        sets=[(name, rules_name(name), lengths_line(one.lengths)) for name, one in PRESETS.items()],
        values=values(DEFAULT),
        limits={rules_name(name): one.cube_limit for name, one in PRESETS.items() if one.cube},
        crawford=crawford(DEFAULT),
        wasting=[rules_name(name) for name, one in PRESETS.items() if one.least_waste],
        dead=[rules_name(name) for name, one in PRESETS.items() if one.cube and one.dead_cube_refused],
        ways=[(rules_name(name), said(one, "resignation")) for name, one in PRESETS.items()],
        lapses=[
            (rules_name(name), said(one, "timeout"), said(one, "claimed")) for name, one in PRESETS.items()
        ],
        wagers={rules_name(name): one.most_wager for name, one in PRESETS.items() if one.most_wager > 1},
        compared=comparison(PRESETS.values(), DEFAULT),
        not_played=NOT_PLAYED,
        most_games=MAX_GAMES,
        length=LENGTH,
    )


@blueprint.get("/rules/<name>")
def rule_set(name: str) -> str:
    """One rule set: its facts, where it differs, the start, the values and the time controls."""
    chosen = PRESETS.get(name)
    if chosen is None:
        abort(404, _("There are no such rules here."))
    return render_template(
        "guide/rule_set.html",
        here="rules",
        name=name,
        title=_title(name),
        facts=rule_facts(chosen),
        differences=differences(chosen, DEFAULT),
        default=rules_name(DEFAULT.name),
        is_default=chosen is DEFAULT,
        length=LENGTH,
        start=start(),
        values=values(chosen),
        times=times(),
        proposed=chosen.time or DEFAULT_TIME,
        wager=EXAMPLE_WAGER if chosen.most_wager >= EXAMPLE_WAGER else 0,
        introduction=INTRODUCTIONS.get(name, ""),
        filled=filled(name),
        hands=HANDS if name == "house" else (),
        not_played=NOT_PLAYED,
        others=[(other, _title(other)) for other in PRESETS if other != name],
        rulings=rulings(name),
        summary=summary(name),
        status_words=STATUS,
    )


@blueprint.get("/help", endpoint="help")
def help_page() -> str:
    """How this site works, and how to reach whoever runs it."""
    control = timing.resolve(DEFAULT_TIME, LENGTH)
    return render_template(
        "guide/help.html",
        here="help",
        times=times(),
        time=_time(DEFAULT_TIME, control, spelled=True),
        reminders=DEFAULT_CHOICE,
        reminder_spans=[lasting(timedelta(seconds=seconds)) for seconds in DEFAULT_CHOICE.left],
        offer_days=invitations.LIFETIME // DAY,
        proof_days=proofs.PROOF_LIFETIME // DAY,
        session_days=logins.IDLE // DAY,
        link_span=lasting(entrance.LINK_LIFETIME),
        most_message=MOST_MESSAGE,
        most_chat=matches.MOST_CHAT,
        most_tokens=logins.MOST_TOKENS,
        most_ties=ties.MOST,
        vacation_days=vacation_words.days(YEARLY),
        most_days=mercy.MOST_DAYS,
        keys=board_keys(),
        hooks=guide_webhooks.facts(),
        ratings=guide_ratings.facts(),
        house=plays_by(house.engine()),
        length=LENGTH,
    )


@blueprint.get("/help/tournaments")
def tournaments() -> str:
    """What the words of a tournament's conditions mean: formats, standings, and what becomes of those who leave."""
    return render_template("guide/tournaments.html", here="tournament_help", **guide_tournaments.facts())


@blueprint.get("/strategy")
def strategy() -> str:
    """A short guide to playing well."""
    pips, behind = RACE.pip_count(), RACE.opponent_pip_count()
    return render_template(
        "guide/strategy.html",
        here="strategy",
        openings=[(str(dice), play) for dice, play in OPENINGS.items()],
        drawn=[guide_boards.opening(dice) for dice in list(OPENINGS)[:DRAWN]],
        race=guide_boards.board("race", RACE, cube=1),
        pips=pips,
        behind=behind,
        thumb=Thumb.of(pips),
        thumbs=[Thumb.of(count) for count in RACES],
        percent=(DOUBLE, REDOUBLE, TAKE),
        shots=[(distance, shots(distance)) for distance in range(1, BAR)],
        leaves=[[off_at_once(high, low) for low in range(1, high + 1)] for high in range(1, 7)],
        pairs=(off_at_once(5, 2), off_at_once(4, 3)),
        rolls=ALL_ROLLS,
        length=LENGTH,
    )


@blueprint.get("/glossary")
def glossary() -> str:
    """All words with a meaning of their own."""
    return render_template("guide/glossary.html", here="glossary", groups=GROUPS)


def _title(name: str) -> str:
    """A rule set's name as a heading begins with it."""
    called = rules_name(name)
    return called[:1].upper() + called[1:]


def said(chosen: RuleSet, field: str) -> str:
    """What a rule set says about one of its values."""
    return next(fact.says for fact in rule_facts(chosen) if fact.field == field)


def start() -> dict[str, Any]:
    """The position in which games start: drawn, counted by point, and its pips."""
    position = Position.start()
    return {
        "board": guide_boards.board("start", position, cube=1),
        "points": [(count, point) for point, count in reversed(list(enumerate(position.board))) if count > 0],
        "pips": position.pip_count(),
        "checkers": CHECKERS,
    }


def values(chosen: RuleSet) -> Values:
    """What games are worth under a rule set, at every value that its cube can show."""
    cubes = [1]
    while chosen.cube and cubes[-1] * 2 <= chosen.cube_limit:
        cubes.append(cubes[-1] * 2)
    names = {"single": _("Single game"), "gammon": _("Gammon"), "backgammon": _("Backgammon")}
    rows = [
        (names[kind], tuple(worth(loser, chosen) * cube for cube in cubes)) for kind, loser in LOSERS.items()
    ]
    return Values(tuple(cubes), tuple(rows))


def crawford(chosen: RuleSet) -> list[tuple[str, bool]]:
    """Scores of a match as it goes on, and whether the game that follows has a cube."""
    now, found = crawford_at_start(chosen, LENGTH), []
    for score in CRAWFORD_SCORES:
        now = crawford_of_next_game(now, score, LENGTH)
        game = replace(new_match(chosen, LENGTH), score=score, crawford=now)
        found.append((f"{score[0]}–{score[1]}", cube_in_play(game)))
    return found


def times() -> list[Time]:
    """All time controls on offer, as a match of the usual length has them."""
    return [_time(name, timing.resolve(name, LENGTH)) for name in timing.PRESETS]


def _time(name: str, control: TimeControl, *, spelled: bool = False) -> Time:
    told = lasting if spelled else span
    return Time(
        name=name,
        words=time_control(control, spelled=spelled),
        own=told(timedelta(seconds=control.per_turn)) if control.per_turn else "",
        whole="" if control.untimed else told(timedelta(seconds=control.per_turn + control.bank)),
        is_live=control.pace == "live",
    )


def board_keys() -> list[tuple[tuple[str, ...], str]]:
    """The keys of the board, as the browser names them, and what they do."""
    return [
        (("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"), _("from place to place on the board")),
        (("Enter",), _("on a place: choose this checker, or put the chosen one here; else: submit the play")),
        (("Escape",), _("let the chosen checker go")),
        (("U", "Backspace"), _("take the last move back")),
        (("S",), _("play the other die first")),
    ]

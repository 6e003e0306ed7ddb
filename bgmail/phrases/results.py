"""How a game or a match ended, and the score, for either of the two and for spectators."""

from __future__ import annotations

from bgmail.phrases.translate import gettext, ngettext
from bgmail.phrases.words import Names, worth_name
from bgmail.rules.match import GameResult, Match
from bgmail.rules.score import SINGLE, Ending
from bgmail.rules.side import Side


def score_line(match: Match, names: Names) -> str:
    """The score with both names, the reader's first: "you 4, bob 2"."""
    first = names.you if names.you is not None else Side.WHITE
    parts = [f"{names.who(side)} {match.score[side]}" for side in (first, first.other)]
    return ", ".join(parts)


def game_result(last: GameResult, names: Names) -> str:
    """How a game ended: "You won game 3: bob passed, 2 points." """
    won = _winner(last.winner, names, last.game)
    why = _why(last, names)
    points = ngettext("%(num)s point", "%(num)s points", last.points)
    return f"{won}: {why}, {points}." if why else f"{won}: {points}."


def _winner(side: Side, names: Names, game: int) -> str:
    if side is names.you:
        return gettext("You won game %(game)s", game=game)
    return gettext("%(name)s won game %(game)s", name=names.of(side), game=game)


def _why(last: GameResult, names: Names) -> str:
    loser = last.winner.other
    if last.ending is Ending.PASS:
        return (
            gettext("you passed") if loser is names.you else gettext("%(name)s passed", name=names.of(loser))
        )
    if last.ending is Ending.RESIGNED:
        what = worth_name(last.worth)
        if loser is names.you:
            return gettext("you resigned %(what)s", what=what)
        return gettext("%(name)s resigned %(what)s", name=names.of(loser), what=what)
    worth = worth_name(last.worth) if last.worth != SINGLE else ""
    if last.ending is not Ending.TIMEOUT:
        return worth
    late = (
        gettext("your time ran out")
        if loser is names.you
        else gettext("%(name)s ran out of time", name=names.of(loser))
    )
    return f"{late}, {worth}" if worth else late


def match_result(match: Match, names: Names) -> str:
    """How the match ended, with the score as played and what was awarded unplayed."""
    return " ".join(part for part in (outcome(match, names), award_line(match)) if part)


def outcome(match: Match, names: Names) -> str:
    """How the match ended, and the score, the winner's first: "bob ran out of time. You won the match, 4–2."."""
    result = match.result
    if result is None:
        raise ValueError("the match is not over")
    if result.ending in _NO_MATCH:
        return str(_NO_MATCH[result.ending]())
    if result.winner is None and result.ending is Ending.FORFEIT:
        return gettext("Both players forfeited the match.")
    if result.winner is None:
        return gettext("The match ended level, %(score)s.", score=_numbers(match, names))
    return f"{_how(match, result.winner.other, names)}{_match_winner(result.winner, match, names)}"


def award_line(match: Match) -> str:
    """What the winner was given unplayed; "" where the match was played out, or has no length."""
    result = match.result
    if result is None or result.winner is None or result.awarded is None:
        return ""
    return ngettext(
        "The score stays as played; the missing point is awarded.",
        "The score stays as played; the %(num)s missing points are awarded.",
        result.awarded[result.winner],
    )


def _how(match: Match, loser: Side, names: Names) -> str:
    """What the loser did where the match wasn't played out."""
    result, last = match.result, match.last_game
    if result and result.ending is Ending.FORFEIT:
        return f"{_forfeited(loser, names)} "
    if result and result.ending is Ending.TIMEOUT:
        late = last.winner.other if last and _game_ended(match) else loser
        return f"{_out_of_time(late, names)} "
    gave_up = result and result.ending is Ending.RESIGNED and not _game_ended(match)
    return f"{_resigned(loser, names)} " if gave_up else ""


def _game_ended(match: Match) -> bool:
    """Whether the running game was finished, and the match with it."""
    return match.last_game is not None and match.last_game.game == match.game


_NO_MATCH = {
    Ending.DECLINED: lambda: gettext("The invitation was declined."),
    Ending.CANCELLED: lambda: gettext("The invitation was taken back."),
    Ending.EXPIRED: lambda: gettext("The invitation expired unanswered."),
    Ending.ANNULLED: lambda: gettext("The match was annulled and counts for nobody."),
}


def _match_winner(winner: Side, match: Match, names: Names) -> str:
    score = f"{match.score[winner]}–{match.score[winner.other]}"
    if winner is names.you:
        return gettext("You won the match, %(score)s.", score=score)
    return gettext("%(name)s won the match, %(score)s.", name=names.of(winner), score=score)


def _numbers(match: Match, names: Names) -> str:
    side = names.you if names.you is not None else Side.WHITE
    return f"{match.score[side]}–{match.score[side.other]}"


def _out_of_time(loser: Side, names: Names) -> str:
    if loser is names.you:
        return gettext("Your time ran out.")
    return gettext("%(name)s ran out of time.", name=names.of(loser))


def _forfeited(loser: Side, names: Names) -> str:
    if loser is names.you:
        return gettext("You forfeited the match.")
    return gettext("%(name)s forfeited the match.", name=names.of(loser))


def _resigned(loser: Side, names: Names) -> str:
    if loser is names.you:
        return gettext("You resigned the match.")
    return gettext("%(name)s resigned the match.", name=names.of(loser))

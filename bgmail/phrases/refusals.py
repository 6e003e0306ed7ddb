"""Why something was not done, as one sentence: for pages, API problems and mails alike.

Every code that the rules and the services raise has its sentence here; a test reads the code to see to that.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bgmail.phrases.orders import ORDERS
from bgmail.phrases.own_rules import wrong
from bgmail.phrases.people import PEOPLE, too_often
from bgmail.phrases.tournaments import TOURNAMENTS
from bgmail.phrases.translate import gettext, lazy_gettext
from bgmail.phrases.vacations import VACATIONS, too_long
from bgmail.phrases.webhooks import WEBHOOKS
from bgmail.phrases.words import any_of, place, quoted, worth_name
from bgmail.rules.notation import AmbiguousPlay, IllegalPlay, MalformedPlay, PlayError
from bgmail.rules.ruledata import BadRuleSet
from bgmail.timing import BadTimeControl

GENERAL: Mapping[str, Any] = {
    # the state of a match
    "stale": lazy_gettext(
        "The match has moved on since you looked. Nothing was changed: here is how it stands."
    ),
    "match_over": lazy_gettext("This match is over."),
    "wrong_phase": lazy_gettext("That can't be done at this point of the game."),
    "not_your_turn": lazy_gettext("It isn't your turn."),
    "no_side": lazy_gettext("Nobody can be seen to do that."),
    "no_dice": lazy_gettext("There is no roll to play."),
    "illegal_play": lazy_gettext("%(play)s is not a legal play with %(dice)s."),
    "no_offer": lazy_gettext("There is no offer to answer."),
    # the cube
    "no_cube": lazy_gettext("There is no cube in this match."),
    "crawford_game": lazy_gettext("This is the Crawford game: nobody may double."),
    "cube_not_yours": lazy_gettext("The cube is your opponent's: only its owner may redouble."),
    "cube_at_limit": lazy_gettext("The cube has reached its limit."),
    "dead_cube": lazy_gettext("The cube already wins you the match: doubling could only help your opponent."),
    # giving up
    "resign_not_now": lazy_gettext(
        "You can't offer to resign now. One offer a turn, and none while an answer is open."
    ),
    # making a match
    "length": lazy_gettext("These rules have no match of length %(length)s."),
    "games": lazy_gettext(
        "A points session (length 0) needs a number of games, and a match to points has none."
    ),
    "own_invitation": lazy_gettext("You can't play both sides: somebody else has to accept your invitation."),
    "rules": lazy_gettext("There is no rule set called “%(rules)s”. There are: %(known)s."),
    "rule_set": lazy_gettext("Nobody can play by those rules: %(field)s is not as it must be."),
    "wager": lazy_gettext("A wager is a whole number of points from 1 to %(most)s."),
    "no_wager": lazy_gettext("By these rules games are played without a wager."),
    "time": lazy_gettext("That time control can't be played: %(reason)s"),
    "message": lazy_gettext("A message has at most %(most)s plain characters."),
    "not_a_number": lazy_gettext("That is no whole number: %(what)s."),
    "no_opponent": lazy_gettext("Say whom you invite: a handle, an address, or anyone in the lobby."),
    "yourself": lazy_gettext("You can't invite yourself."),
    "not_invited": lazy_gettext("This invitation is for somebody else."),
    "not_your_invitation": lazy_gettext("Only whoever sent this invitation can take it back."),
    "invitation_over": lazy_gettext("This invitation is over: it was answered, taken back, or it expired."),
    "match_runs": lazy_gettext("The match still runs: a rematch can be offered when it is over."),
    "no_account": lazy_gettext("There is no such account."),
    "no_match_chosen": lazy_gettext("Tick the matches that you want to resign."),
    "too_many_matches": lazy_gettext("At most %(most)s matches can be resigned at once."),
    # chat and lists
    "chat_empty": lazy_gettext("There is nothing to say yet: write something first."),
    "chat": lazy_gettext("A line of chat has at most %(most)s plain characters."),
    "no_sketch": lazy_gettext("Only a legal play of your own turn can be laid out."),
    "note": lazy_gettext("A note has at most %(most)s plain characters."),
    "note_on_oneself": lazy_gettext("Notes are about other people."),
    "no_such_choice": lazy_gettext("There is no such choice: %(choice)s."),
    "unknown_pace": lazy_gettext("There are no ratings of the kind “%(pace)s”: correspondence or live."),
    "unknown_list": lazy_gettext("There is no list called “%(which)s”: my_turn, running or finished."),
    "bad_correction": lazy_gettext("A match can't be given that result."),
    # requests
    "no_match": lazy_gettext("There is no such match."),
    "not_your_match": lazy_gettext("You don't sit in this match."),
    "unknown_action": lazy_gettext("There is no action called %(action)s."),
    "claim_timeout": lazy_gettext(
        "There is nothing to claim: your opponent’s time isn’t over, or the server itself calls it by these rules."
    ),
    "bad_nonce": lazy_gettext("A nonce is 32 lower-case hex digits."),
    "bad_key": lazy_gettext("An idempotency key is a printable text of at most %(most)s characters."),
    "key_reused": lazy_gettext("This key was used for another request. Take a new key for a new request."),
}

MALFORMED: Mapping[str, Any] = {
    "empty": lazy_gettext("Write a play first, like 13/7 8/7."),
    "too_long": lazy_gettext("That is too long for a play. Write it like 13/7 8/7."),
    "unreadable": lazy_gettext("“%(part)s” can't be read. Write a play like 13/7 8/7, bar/22 or 6/off(2)."),
    "no_such_point": lazy_gettext(
        "There is no such point as in “%(part)s”: points go from 24 to 1, then off."
    ),
    "too_many": lazy_gettext("A roll moves at most four checkers."),
}

ILLEGAL: Mapping[str, Any] = {
    "no_checker": lazy_gettext("You have no checker on the %(where)s."),
    "bar_first": lazy_gettext("Your checker on the bar must enter first."),
    "blocked": lazy_gettext("The %(where)s is blocked."),
    "straggler": lazy_gettext("You can't bear off yet: a checker of yours is still on the %(where)s."),
    "higher_checker": lazy_gettext(
        "The %(die)s can't take off a lower checker while one is on the %(where)s."
    ),
    "backwards": lazy_gettext("Checkers move from higher to lower points."),
    "not_these_dice": lazy_gettext("No die of %(dice)s fits that."),
    "no_hit": lazy_gettext("There is no blot to hit on the %(where)s."),
    "no_legal_play": lazy_gettext("No checker of yours can move with %(dice)s."),
    "use_both_dice": lazy_gettext("You can use both dice, so you must."),
    "use_more_dice": lazy_gettext("You can move %(count)s times, so you must."),
    "use_larger_die": lazy_gettext("Only one of the dice can be used, and it must be the %(die)s."),
    "wastes_pips": lazy_gettext("By these rules a play that wastes fewer pips must be made."),
}

TIME: Mapping[str, Any] = {
    "unknown": lazy_gettext("There is no such time control."),
    "type": lazy_gettext("A time control is a name, or durations in whole seconds."),
    "negative": lazy_gettext("A duration can't be negative (%(field)s)."),
    "too_long": lazy_gettext("That duration is too long (%(field)s)."),
    "untimed": lazy_gettext("An untimed match has no durations."),
    "no_time": lazy_gettext("With no time for a turn and no bank there is no time to play (%(field)s)."),
    "cap": lazy_gettext("The cap of a bank can't be less than one increment."),
    "points": lazy_gettext("This time control needs a match length or a number of games."),
    "missing": lazy_gettext("A duration is missing (%(field)s)."),
}


_SAYINGS = (GENERAL, PEOPLE, WEBHOOKS, VACATIONS, ORDERS, TOURNAMENTS)


def refusal(error: Exception) -> str:
    """The sentence for an error of the rules, of timing or of a service.

    A service's error that wraps one of the inner rooms speaks with that one's evidence.
    """
    for found in (error, error.__cause__):
        if isinstance(found, PlayError | BadTimeControl | BadRuleSet):
            return _evidence(found)
    code, values = getattr(error, "code", ""), getattr(error, "values", {})
    if code == "resign_value":
        return _resign_value(tuple(values["allowed"]))
    if code == "too_often":
        return too_often(values["seconds"])
    if code == "vacation_too_long":
        return too_long(values["until"], values["zone"])
    sentence = next((sayings[code] for sayings in _SAYINGS if code in sayings), None)
    return (
        _fill(sentence, values) if sentence else gettext("That isn't possible (%(code)s).", code=code or "?")
    )


def _evidence(error: PlayError | BadTimeControl | BadRuleSet) -> str:
    if isinstance(error, BadTimeControl):
        return _fill(TIME[error.code], {"field": error.field})
    return wrong(error) if isinstance(error, BadRuleSet) else _play(error)


def _play(error: PlayError) -> str:
    if isinstance(error, MalformedPlay):
        return _fill(MALFORMED[error.code], {"part": error.part})
    if isinstance(error, AmbiguousPlay):
        return _ambiguous([str(play) for play in error.candidates])
    if isinstance(error, IllegalPlay):
        where = place(error.point) if error.point is not None else ""
        evidence = {"where": where, "die": error.die, "count": error.count, "dice": str(error.dice)}
        return _fill(ILLEGAL[error.code], evidence)
    raise TypeError(f"a play error without a sentence: {error!r}")


def _ambiguous(plays: list[str]) -> str:
    return gettext(
        "That can mean two things: %(plays)s. Say which way.", plays=any_of([quoted(play) for play in plays])
    )


def _resign_value(allowed: tuple[int, ...]) -> str:
    choice = any_of([worth_name(value) for value in allowed])
    return gettext("That offer isn't possible here. You may resign: %(choice)s.", choice=choice)


def _fill(sentence: Any, values: Mapping[str, object]) -> str:
    return str(sentence) % values

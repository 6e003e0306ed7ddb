"""What a match is offered on: length, rule set, time control, rated or not, and to whom."""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bgmail import timing
from bgmail.rules.action import ActionRefused
from bgmail.rules.match import Match, new_match
from bgmail.rules.ruledata import KNOWN, BadRuleSet, meant, told
from bgmail.rules.ruleset import MAX_GAMES, PRESETS, RuleSet
from bgmail.service.errors import Refused
from bgmail.service.names import handle_key
from bgmail.timing import control as controls
from bgmail.timing.rests import allowed_to_json

MOST_MESSAGE = 500


@dataclass(frozen=True, slots=True)
class Terms:
    """What is offered. `length` 0 goes with `games`; `rules` is a known rule set's name or the values of another.

    `wager` is what a single game counts; `time` is a preset's name or the five durations. `pauses` are those that the
    match allows, where its pace lets it.
    """

    length: int
    games: int = 0
    rules: str | Mapping[str, Any] = "club"
    time: str | Mapping[str, Any] = "move-a-day"
    rated: bool = True
    wager: int = 1
    pauses: timing.Allowed = timing.USUAL

    def judged(self) -> tuple[Match, timing.TimeControl]:
        """The invited match and its clock's control. Raises Refused for terms that nobody can play on."""
        rules = self.rule_set()
        if not 0 <= self.games <= MAX_GAMES:
            raise Refused("games", length=self.length, games=self.games)
        try:
            match = new_match(rules, self.length, self.games, self.wager)
            return match, timing.resolve(self.time, self.length or self.games)
        except ActionRefused as error:
            raise Refused(error.code, **error.values) from error
        except timing.BadTimeControl as error:
            raise Refused("time", reason=str(error)) from error

    def offered(self) -> tuple[Match, timing.TimeControl]:
        """As `judged`, for terms that are new: nobody's own rules may look like known ones either."""
        match, control = self.judged()
        _refuse_look_alike(match.rules)
        return match, control

    def rule_set(self) -> RuleSet:
        """The rules to play by. Raises Refused for some that there aren't, or that nobody can play by."""
        if isinstance(self.rules, str) and self.rules not in PRESETS:
            raise Refused("rules", rules=self.rules, known=", ".join(PRESETS))
        try:
            rules = meant(self.rules)
        except BadRuleSet as error:
            raise Refused("rule_set", field=error.field) from error
        if rules.time and rules.time not in timing.PRESETS:
            raise Refused("rule_set", field="time") from BadRuleSet(
                "choice", "time", known=", ".join(timing.PRESETS)
            )
        return rules


@dataclass(frozen=True, slots=True)
class Handle:
    """To somebody who is here."""

    name: str


@dataclass(frozen=True, slots=True)
class Email:
    """To an address, which is normalised already."""

    address: str


@dataclass(frozen=True, slots=True)
class Open:
    """To anyone, in the lobby."""


To = Handle | Email | Open


def _refuse_look_alike(rules: RuleSet) -> None:
    """Raises Refused for rules of one's own whose name can't be told from that of known ones."""
    if KNOWN.get(rules.name) != rules and _look(rules.name) in _KNOWN_LOOKS:
        raise Refused("rule_set", field="name") from BadRuleSet("taken", "name", name=rules.name)


def _look(name: str) -> str:
    """What a name looks like, however its words are joined."""
    return handle_key("".join(sign for sign in name if unicodedata.category(sign) not in _JOINTS))


_JOINTS = ("Zs", "Pd", "Pc")
_KNOWN_LOOKS = frozenset(map(_look, KNOWN))


def control_json(control: timing.TimeControl) -> dict[str, Any]:
    """A time control as the log carries it."""
    return dict(controls.to_json(control))


def wish_for(control: timing.TimeControl) -> str | dict[str, Any]:
    """The words with which the same time control is asked for again."""
    if control.name:
        return control.name
    return {key: value for key, value in control_json(control).items() if key not in ("untimed", "name")}


def same_terms(match: Match, control: timing.TimeControl, pauses: timing.Allowed, *, rated: bool) -> Terms:
    """The terms of a match, to offer them again."""
    rules, time = told(match.rules), wish_for(control)
    return Terms(match.length, match.games, rules, time, rated, match.wager, pauses)


def has_controls(text: str) -> bool:
    """Whether a text of people holds control characters, other than those that part lines and words."""
    return any(unicodedata.category(sign) in ("Cc", "Cs") and sign not in "\r\n\t" for sign in text)


def check_message(message: str) -> None:
    """Raises Refused for a message that is too long or has control characters."""
    if len(message) > MOST_MESSAGE or has_controls(message):
        raise Refused("message", most=MOST_MESSAGE)


def digest_of(terms: Terms, to: To, message: str, nonce: str | None) -> str:
    """Tells two offers with one idempotency key apart."""
    time = terms.time if isinstance(terms.time, str) else dict(terms.time)
    rules = terms.rules if isinstance(terms.rules, str) else dict(terms.rules)
    body = [terms.length, terms.games, rules, time, terms.rated, repr(to), message, nonce]
    if terms.wager != 1:
        body.append(terms.wager)
    if terms.pauses != timing.USUAL:
        body.append(allowed_to_json(terms.pauses))
    return hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()

"""The form of a league, or of a knockout of which there is always one to enter."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from bgmail.service.errors import Refused
from bgmail.service.tournaments.series import MOST_DIVISION, MOST_FIELD, Founding, Kind
from bgmail.web.tournaments import match_fields

TEXTS: Mapping[str, str] = {
    **match_fields.TEXTS,
    "kind": "league",
    "name": "",
    "size": "8",
    "moves": "2",
    "least": "4",
    "key": "",
}
LIMITS: Mapping[str, tuple[int, int]] = {
    **match_fields.LIMITS,
    "size": (2, MOST_FIELD),
    "moves": (0, (MOST_DIVISION - 1) // 2),
    "least": (2, MOST_FIELD),
}
MOST_DIGITS = 4


class Form(match_fields.Form):
    """What the form holds, as it was typed."""

    __slots__ = ()
    usual, usual_length = TEXTS, 7

    def wish(self) -> Founding:
        """What it asks for. Raises Refused where a number isn't one."""
        kind = Kind.STANDING if self.texts["kind"] == Kind.STANDING else Kind.LEAGUE
        conditions = {
            **self.length_and_rules(self._number),
            "time": self.texts["time"],
            "at_once": self._number("at_once"),
            "wager": self._number("wager") if self.texts["wager"] else 1,
            "rated": self.flags["rated"],
            "pauses": {name: self.flags[name] for name in match_fields.PAUSES},
        }
        wish = Founding(kind, self.texts["name"], conditions, size=self._number("size"))
        if kind is Kind.STANDING:
            return wish
        return replace(wish, moves=self._number("moves"), least=self._number("least"))

    def _number(self, name: str) -> int:
        text = self.texts[name]
        if not (text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS):
            raise Refused("not_a_number", what=text)
        return int(text)

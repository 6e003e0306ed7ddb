"""The form of a tournament that is made or changed: a template, a name, and everything else as usual unless somebody
says otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from bgmail.pairing.plan import MOST_ENTRIES
from bgmail.phrases.translate import gettext as _
from bgmail.rules.ruledata import meant
from bgmail.rules.ruleset import PRESETS
from bgmail.service.errors import Refused
from bgmail.service.tournaments.conditions import MOST_ROUND_DAYS
from bgmail.service.tournaments.creating import Draft
from bgmail.web.tournaments import match_fields

TEMPLATES = (
    "knockout",
    "double_elimination",
    "round_robin",
    "groups",
    "swiss",
    "swiss_elimination",
    "league",
)
KEPT = "kept"
"""The choice of a format, rules or time that a draft has and this form has no words for: it stays as it is."""
DEFAULTS: Mapping[str, str] = {
    **match_fields.TEXTS,
    "name": "",
    "template": "knockout",
    "places": "8",
    "start": "command",
    "starts_at": "",
    "groups": "2",
    "advance": "2",
    "meetings": "1",
    "swiss_rounds": "5",
    "losses": "3",
    "seeding": "rating",
    "rounds": "auto",
    "round_days": "0",
    "late": "wait",
    "text": "",
    "key": "",
}
FLAGS: Mapping[str, bool] = {
    **match_fields.FLAGS,
    "third_place": False,
    "extra_match": True,
    "substitutes": True,
    "machines": False,
}
TIE_BREAKS: Mapping[str, tuple[str, ...]] = {
    "round_robin": ("head_to_head", "sonneborn_berger"),
    "league": ("head_to_head", "sonneborn_berger"),
    "groups": ("head_to_head", "sonneborn_berger"),
    "swiss": ("median_buchholz", "buchholz", "head_to_head"),
    "swiss_elimination": ("buchholz", "head_to_head"),
}
LIMITS: Mapping[str, tuple[int, int]] = {
    **match_fields.LIMITS,
    "places": (0, MOST_ENTRIES),
    "groups": (1, MOST_ENTRIES // 2),
    "advance": (1, MOST_ENTRIES),
    "meetings": (1, 4),
    "swiss_rounds": (1, 30),
    "losses": (1, 10),
    "round_days": (0, MOST_ROUND_DAYS),
}


def template_name(template: str) -> tuple[str, str]:
    """What a template is called, and what it is good for."""
    return {
        "knockout": (_("Knockout"), _("Who loses is out.")),
        "double_elimination": (_("Double elimination"), _("Who loses twice is out.")),
        "round_robin": (_("Round robin"), _("Everybody plays everybody else.")),
        "groups": (_("Groups, then knockout"), _("The first of each group go on.")),
        "swiss": (_("Swiss system"), _("Some rounds; each pairs people with as many wins.")),
        "swiss_elimination": (_("Swiss system with elimination"), _("Who has lost so many times is out.")),
        "league": (_("League division"), _("Everybody meets everybody; some matches at a time.")),
    }[template]


class Form(match_fields.Form):
    """What the form holds, as it was typed."""

    __slots__ = ()
    usual, ticks, usual_length = DEFAULTS, FLAGS, 5

    def draft(self, zone: ZoneInfo, kept: Draft | None = None) -> Draft:
        """What is asked for; `kept` is the draft as it was that is changed. Raises Refused where a number isn't one, or
        a date can't be read."""
        start = self.texts["start"]
        keeps_plan = kept is not None and self.texts["template"] == KEPT
        return Draft(
            name=self.texts["name"],
            plan=kept.plan if kept is not None and keeps_plan else self.plan(),
            conditions=self._conditions(kept.conditions if kept is not None else {}),
            places=self.number("places"),
            starts_at=_instant(self.texts["starts_at"], zone) if start in ("date", "both") else None,
            starts_full=start in ("full", "both"),
        )

    def plan(self) -> dict[str, Any]:
        """The plan as data."""
        template = self.texts["template"]
        if template not in TEMPLATES:
            raise Refused("plan", field="format")
        return {"stages": self._stages(template), "tie_breaks": list(TIE_BREAKS.get(template, ()))}

    def _stages(self, template: str) -> list[dict[str, Any]]:
        knockout = {"format": "knockout", "third_place": self.flags["third_place"]}
        if template == "knockout":
            return [knockout]
        if template == "double_elimination":
            return [{"format": template, "extra_match": self.flags["extra_match"]}]
        if template == "swiss":
            return [{"format": template, "rounds": self.number("swiss_rounds")}]
        if template == "swiss_elimination":
            return [{"format": template, "losses": self.number("losses")}]
        robin: dict[str, Any] = {"format": "round_robin", "meetings": self.number("meetings")}
        if template == "groups":
            advance = self.number("advance")
            return [robin | {"groups": self.number("groups"), "advance": advance}, knockout]
        return [robin]

    def _conditions(self, kept: Mapping[str, Any]) -> dict[str, Any]:
        at_once = self.number("at_once")
        if self.texts["template"] == "league" and not at_once:
            at_once = LEAGUE_AT_ONCE
        chosen = {"time": self.texts["time"]} if self.texts["time"] != KEPT else {}
        known = {**PRESETS, KEPT: meant(kept["rules"])} if kept else PRESETS
        return {
            **kept,
            **chosen,
            **self.length_and_rules(self.number, known),
            **{name: self.texts[name] for name in ("seeding", "rounds", "late", "text")},
            **{name: self.flags[name] for name in ("rated", "substitutes", "machines")},
            "wager": self.number("wager") if self.texts["wager"] else 1,
            "pauses": {name: self.flags[name] for name in match_fields.PAUSES},
            "at_once": at_once,
            "round_days": self.number("round_days"),
        }

    def number(self, name: str) -> int:
        """A number as typed. Raises Refused("condition") for another text."""
        text = self.texts[name] or DEFAULTS[name]
        least, most = LIMITS[name]
        if not (text.isascii() and text.isdecimal() and len(text) < 6 and least <= int(text) <= most):
            raise Refused("condition", field=name)
        return int(text)


LEAGUE_AT_ONCE = 3
"""So many matches of a division at a time, where nobody says otherwise."""


def _instant(text: str, zone: ZoneInfo) -> datetime:
    """A day and time of day as a browser sends it, in the reader's zone."""
    try:
        return datetime.fromisoformat(text).replace(tzinfo=zone).astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise Refused("starts_at") from error

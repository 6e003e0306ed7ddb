"""The conditions of a tournament as they stand on its page: everything that whoever enters agrees to."""

from __future__ import annotations

from dataclasses import dataclass

from flask import url_for

from bgmail.phrases import match_terms, rules_name, time_control
from bgmail.phrases.rests import kinds
from bgmail.phrases.translate import gettext as _
from bgmail.phrases.translate import ngettext
from bgmail.rules.ruleset import PRESETS
from bgmail.service.tournaments.conditions import Conditions, Late, Rounds, Seeding
from bgmail.service.tournaments.series import Series
from bgmail.service.tournaments.views import Tournament


@dataclass(frozen=True, slots=True)
class Term:
    """One condition: its name, what it says, and where it is explained."""

    name: str
    says: str
    href: str = ""


def match_conditions(tournament: Tournament | Series) -> list[Term]:
    """What every match of it is played on."""
    terms = tournament.conditions
    match, control = terms.judged()
    rules = match.rules
    known = PRESETS.get(rules.name) == rules
    rated = _("rated") if terms.rated else _("unrated")
    return [
        Term(_("Match"), f"{match_terms(match)}, {rated}"),
        Term(
            _("Rules"),
            rules_name(rules.name),
            url_for("guide.rule_set", name=rules.name) if known else "",
        ),
        Term(_("Time"), time_control(control, spelled=True), url_for("guide.help", _anchor="clocks")),
        Term(_("Clocks rest"), kinds(terms.pauses) or _("never: there is no pause and no vacation")),
        Term(_("How to play"), _routes(terms)),
    ]


def run_conditions(tournament: Tournament) -> list[Term]:
    """How it is run."""
    terms = tournament.conditions
    return [
        Term(_("Places"), _places(tournament)),
        Term(_("Seeds"), _SEEDS[terms.seeding]()),
        Term(_("At the same time"), _at_once(terms)),
        Term(_("Rounds"), _rounds(terms)),
        Term(_("Who leaves early"), _substitutes(terms)),
        Term(_("Machines"), _machines(terms)),
    ]


def season_conditions(found: Series) -> list[Term]:
    """How a league or a series of knockouts is run, beside what its format says."""
    terms = found.conditions
    run = [Term(_("At the same time"), _at_once(terms))]
    if terms.round_days:
        run.append(Term(_("Rounds"), _rounds(terms)))
    if not found.is_league:
        run.append(Term(_("Seeds"), _SEEDS[terms.seeding]()))
    if terms.substitutes or not found.is_league:
        run.append(Term(_("Who leaves early"), _substitutes(terms)))
    return [*run, Term(_("Machines"), _machines(terms))]


def _machines(terms: Conditions) -> str:
    return _("may enter; they are marked") if terms.machines else _("may not enter")


def _places(tournament: Tournament) -> str:
    if tournament.places:
        return str(tournament.places)
    return _("as many as come, at most %(most)s", most=tournament.most)


def _routes(terms: Conditions) -> str:
    missing = terms.unsupported()
    if "mail" in missing:
        return _("In the browser and by the API. Not by mail: these clocks leave no time for letters.")
    return _("In the browser, by mail and by the API.")


def _at_once(terms: Conditions) -> str:
    if not terms.at_once:
        return _("as many matches as are due; your own limit is respected")
    return ngettext(
        "at most %(num)s match of it; your own limit is respected",
        "at most %(num)s matches of it; your own limit is respected",
        terms.at_once,
    )


def _rounds(terms: Conditions) -> str:
    if terms.rounds is Rounds.HAND:
        begins = _("An organiser draws each round and says when it begins.")
    else:
        begins = _("A match begins as soon as both players are free.")
    if not terms.round_days:
        return begins
    if terms.late is Late.FORFEIT:
        late = ngettext(
            "A round takes at most %(num)s day; who is on turn then loses the match.",
            "A round takes at most %(num)s days; who is on turn then loses the match.",
            terms.round_days,
        )
    else:
        late = ngettext(
            "A round takes %(num)s day; a match that takes longer goes on, and the organisers are told.",
            "A round takes %(num)s days; a match that takes longer goes on, and the organisers are told.",
            terms.round_days,
        )
    return f"{begins} {late}"


def _substitutes(terms: Conditions) -> str:
    if terms.substitutes:
        return _("Somebody from the waiting list takes the place of who leaves before a first match.")
    return _("Nobody takes the place of who leaves.")


_SEEDS = {
    Seeding.RATING: lambda: _("by rating"),
    Seeding.ORDER: lambda: _("in the order of entry"),
    Seeding.LOT: lambda: _("by lot"),
}

"""What organisers do, in words: what was done, and the lines of a tournament's log."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from bgmail.phrases.people import called
from bgmail.phrases.translate import gettext, lazy_gettext, ngettext

People = Mapping[int, str]
"""Names by the numbers of entries."""

DONE: Mapping[str, Any] = {
    "change": lazy_gettext("The draft is changed."),
    "open": lazy_gettext("It is open: people can enter."),
    "seed": lazy_gettext("The seeds are set."),
    "start": lazy_gettext("It has started: the first pairings come at once."),
    "pair": lazy_gettext("The round is drawn, and everybody sees it. It begins when you say so."),
    "begin": lazy_gettext("The round begins."),
    "bye": lazy_gettext("The bye is given."),
    "decide": lazy_gettext("The result is decided."),
    "correct": lazy_gettext("The result is corrected."),
    "replace": lazy_gettext("The place has gone to somebody from the waiting list."),
    "withdraw": lazy_gettext("The entry is withdrawn."),
    "exclude": lazy_gettext("The entry is excluded."),
    "disqualify": lazy_gettext("The entry is disqualified."),
    "extend": lazy_gettext("There is more time."),
    "announce": lazy_gettext("It is announced."),
    "add_organiser": lazy_gettext("There is one more organiser."),
    "remove_organiser": lazy_gettext("There is one organiser less."),
    "close": lazy_gettext("The tournament is closed."),
    "cancel": lazy_gettext("The tournament is cancelled."),
}


def done(command: str) -> str:
    """That a command was carried out."""
    return str(DONE.get(command, gettext("Done.")))


def log_line(command: str, data: Mapping[str, Any], people: People, author: str | None = None) -> str:
    """One entry of the log as the end of a sentence that begins with its author: "started it". `people` had these
    numbers when it was done."""
    if command in _PLAIN:
        return str(_PLAIN[command])
    if command in _OWN and author is not None and author == _entry(data, people):
        said = str(_OWN[command])
    else:
        told = _TOLD.get(command)
        said = told(data, people) if told else command
    if command != "replace" and "substitute" in data:
        return gettext("%(said)s; %(name)s has the place now", said=said, name=_called(data, "substitute"))
    return said


_PLAIN: Mapping[str, Any] = {
    "create": lazy_gettext("made it"),
    "change": lazy_gettext("changed the draft"),
    "open": lazy_gettext("opened it to enter"),
    "start": lazy_gettext("started it"),
    "not_started": lazy_gettext("did not start it: too few had entered"),
    "begin": lazy_gettext("let the round begin"),
    "close": lazy_gettext("closed it"),
    "cancel": lazy_gettext("cancelled it"),
}

_OWN: Mapping[str, Any] = {
    "enter": lazy_gettext("entered"),
    "leave": lazy_gettext("left"),
    "withdraw": lazy_gettext("left"),
}
"""What somebody does for themselves."""


def _entry(data: Mapping[str, Any], people: People) -> str:
    return people.get(data.get("entry", 0), "?")


def _called(data: Mapping[str, Any], name: str) -> str:
    return called(data.get(name, "?"))


def _seed(data: Mapping[str, Any], _people: People) -> str:
    return {
        "rating": gettext("seeded by rating"),
        "order": gettext("seeded in the order of entry"),
        "lot": gettext("seeded by lot"),
    }.get(data.get("how", ""), gettext("seeded by hand"))


def _advance(data: Mapping[str, Any], _people: People) -> str:
    results, paired = len(data.get("results", ())), len(data.get("paired", ()))
    said = []
    if results:
        said.append(ngettext("wrote down %(num)s result", "wrote down %(num)s results", results))
    if paired:
        said.append(ngettext("made %(num)s pairing", "made %(num)s pairings", paired))
    return ", ".join(said) or gettext("went on")


def _drew(data: Mapping[str, Any], _people: People) -> str:
    return ngettext("drew %(num)s pairing", "drew %(num)s pairings", len(data.get("paired", ())))


def _decided(data: Mapping[str, Any], people: People) -> str:
    said, later = _result(data, people), len(data.get("annulled", ()))
    if not later:
        return said
    also = ngettext("annulled %(num)s match that followed", "annulled %(num)s matches that followed", later)
    return f"{said}, {also}"


def _result(data: Mapping[str, Any], people: People) -> str:
    winner = people.get(data.get("winner") or 0)
    if data.get("how") == "annulled":
        return gettext("annulled a result (%(key)s)", key=data.get("pairing", ""))
    if winner is None:
        return gettext("decided a match as lost by both (%(key)s)", key=data.get("pairing", ""))
    return gettext("decided a match for %(name)s (%(key)s)", name=winner, key=data.get("pairing", ""))


def _extended(data: Mapping[str, Any], _people: People) -> str:
    days = ngettext("gave %(num)s day more", "gave %(num)s days more", data.get("days", 1))
    matches = ngettext("in %(num)s match", "in %(num)s matches", len(data.get("matches", ())))
    return gettext("%(days)s %(matches)s", days=days, matches=matches)


def _replaced(data: Mapping[str, Any], people: People) -> str:
    return gettext(
        "gave the place of %(one)s to %(other)s",
        one=_called(data, "instead_of") if "instead_of" in data else _entry(data, people),
        other=_called(data, "substitute"),
    )


_TOLD: Mapping[str, Callable[[Mapping[str, Any], People], str]] = {
    "seed": _seed,
    "advance": _advance,
    "pair": _drew,
    "enter": lambda data, people: gettext("entered %(name)s", name=_entry(data, people)),
    "leave": lambda data, people: gettext("took %(name)s off the list", name=_entry(data, people)),
    "moved_up": lambda data, people: gettext(
        "moved %(name)s up from the waiting list", name=_entry(data, people)
    ),
    "withdraw": lambda data, people: gettext("withdrew %(name)s", name=_entry(data, people)),
    "exclude": lambda data, people: gettext("excluded %(name)s", name=_entry(data, people)),
    "disqualify": lambda data, people: gettext("disqualified %(name)s", name=_entry(data, people)),
    "bye": lambda data, people: gettext("gave %(name)s a bye", name=_entry(data, people)),
    "decide": _decided,
    "correct": _decided,
    "replace": _replaced,
    "extend": _extended,
    "announce": lambda data, _people: gettext("announced: %(text)s", text=data.get("text", "")),
    "add_organiser": lambda data, _people: gettext(
        "made %(name)s an organiser", name=_called(data, "handle")
    ),
    "remove_organiser": lambda data, _people: gettext(
        "took %(name)s from the organisers", name=_called(data, "handle")
    ),
}

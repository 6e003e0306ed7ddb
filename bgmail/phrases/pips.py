"""Pip counts in words, beside the graph that shows them."""

from __future__ import annotations

from collections.abc import Sequence

from bgmail.phrases.translate import gettext
from bgmail.phrases.words import Names
from bgmail.rules.side import Side


def pip_course(white: Sequence[int], black: Sequence[int], names: Names) -> str:
    """How the pip counts of a game went, for those who can't see the graph."""
    return gettext(
        "%(white)s from %(white_first)s to %(white_last)s pips, %(black)s from %(black_first)s to %(black_last)s. "
        "%(lead)s",
        white=names.who(Side.WHITE),
        white_first=white[0],
        white_last=white[-1],
        black=names.who(Side.BLACK),
        black_first=black[0],
        black_last=black[-1],
        lead=_leads(white, black, names),
    )


def _leads(white: Sequence[int], black: Sequence[int], names: Names) -> str:
    """The biggest leads of either side."""
    ahead = [theirs - ours for ours, theirs in zip(white, black, strict=True)]
    leads = ((Side.WHITE, max(ahead)), (Side.BLACK, -min(ahead)))
    said = [
        gettext("The biggest lead of %(name)s was %(pips)s.", name=names.of(side), pips=pips)
        for side, pips in leads
        if pips > 0
    ]
    return " ".join(said) or gettext("Neither was ever ahead.")

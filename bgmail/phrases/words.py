"""Small words that several sentences share: lists, points of the board, what a game is worth, who did it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from bgmail.phrases.people import called
from bgmail.phrases.translate import gettext
from bgmail.rules.position import BAR, OFF
from bgmail.rules.side import Side


def author_name(author: int | str) -> str | None:
    """What somebody is called who decided something; None where only an account is known."""
    return None if isinstance(author, int) else called(author)


@dataclass(frozen=True, slots=True)
class Names:
    """How the two sides are called in a text, and which of them is the reader (None = a spectator).

    `author` names whoever decided something in the match, of whom its log has the account (older ones the handle); None
    where that can't be told.
    """

    white: str
    black: str
    you: Side | None = None
    author: Callable[[int | str], str | None] = field(default=author_name, compare=False)

    def of(self, side: Side) -> str:
        """The handle, also for the reader."""
        return self.white if side is Side.WHITE else self.black

    def who(self, side: Side) -> str:
        """ "you" for the reader, else the handle."""
        return gettext("you") if side is self.you else self.of(side)

    @property
    def opponent(self) -> str:
        """The handle of the reader's opponent; Black's for a spectator."""
        return self.of(self.you.other if self.you is not None else Side.BLACK)


def any_of(items: Sequence[str]) -> str:
    """ "a", "a or b", "a, b or c"."""
    if len(items) < 2:
        return "".join(items)
    return gettext("%(some)s or %(last)s", some=", ".join(items[:-1]), last=items[-1])


def all_of(items: Sequence[str]) -> str:
    """ "a", "a and b", "a, b and c"."""
    if len(items) < 2:
        return "".join(items)
    return gettext("%(some)s and %(last)s", some=", ".join(items[:-1]), last=items[-1])


def quoted(text: str) -> str:
    """The text in quotation marks."""
    return gettext("“%(text)s”", text=text)


def place(point: int) -> str:
    """A place of the board after an article: "20 point", "bar", "tray"."""
    if point == BAR:
        return gettext("bar")
    if point == OFF:
        return gettext("tray")
    return gettext("%(point)s point", point=point)


def worth_name(value: int) -> str:
    """What a game is given up or won for: "a single game", "a gammon", "a backgammon"."""
    return (gettext("a single game"), gettext("a gammon"), gettext("a backgammon"))[value - 1]

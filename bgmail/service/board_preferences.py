"""How somebody wants boards: colours, where home is, what is shown, what a click does, what is asked first."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Self

from bgmail.board.themes import AUTO, THEMES
from bgmail.service.errors import Refused
from bgmail.store import board_preferences
from bgmail.store.engine import Store

CHOICES: dict[str, tuple[str, ...]] = {
    "theme": (AUTO, *THEMES),
    "checkers": ("dealt", "light", "dark"),
    "upright": ("phone", "always", "never"),
    "click": ("mouse", "touch", "choose"),
}
"""The values of every choice that is more than yes or no."""
CORNERS = {
    "top-left": (True, True),
    "top-right": (False, True),
    "bottom-left": (True, False),
    "bottom-right": (False, False),
}
"""Where a home board can be, with what that means: `home_left`, `home_top`."""


@dataclass(frozen=True, slots=True)
class BoardPreference:
    """All choices of a person about boards; the defaults are for who never chose.

    `theme` is a board's or "auto" (by day and by night). `checkers`: in which colour my own are drawn, "dealt"
    by seat. `home_left` and `home_top` say in which corner my home board is. `upright` turns the board on its
    side: on a narrow "phone" held upright, "always" or "never". `click` on a checker plays the first die with a
    "mouse", with "touch" too, or never: one has to "choose" where to. `ask_...`: whether a question comes first.
    """

    theme: str = AUTO
    checkers: str = "dealt"
    home_left: bool = False
    home_top: bool = False
    upright: str = "phone"
    numbers: bool = True
    pips: bool = True
    motion: bool = True
    click: str = "mouse"
    ask_double: bool = True
    ask_take: bool = True
    ask_pass: bool = True

    def __post_init__(self) -> None:
        for name, values in CHOICES.items():
            if getattr(self, name) not in values:
                raise Refused("no_such_choice", choice=str(getattr(self, name))[:40])

    @classmethod
    def of(cls, row: Any) -> Self | None:
        """The choice in a row that was joined to an account; None where its owner never chose."""
        if row.board_id is None:
            return None
        return cls(**{one.name: getattr(row, one.name) for one in fields(cls)})

    @property
    def home(self) -> str:
        """The corner that my home board is in, one of `CORNERS`."""
        return next(name for name, where in CORNERS.items() if where == (self.home_left, self.home_top))

    @property
    def across(self) -> str:
        """The corner beside it, on the other side."""
        return replace(self, home_left=not self.home_left).home

    def asks(self, action: str) -> bool:
        """Whether a question comes before an action that can't be taken back; what isn't a choice always asks."""
        return bool(getattr(self, f"ask_{action}", True))


DEFAULT = BoardPreference()


def keep(store: Store, account_id: int, preference: BoardPreference) -> None:
    """Remembers the choice of an account in place of the one before."""
    with store.write() as connection:
        board_preferences.keep(connection, account_id, asdict(preference))

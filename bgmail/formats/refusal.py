"""Why a file is not taken: where it is wrong, and what is wrong there."""

from __future__ import annotations


class ImportRefused(ValueError):
    """A file that can't be read or doesn't follow the rules; nothing of it is taken.

    `code` says why in a word, `detail` with what. `game` and `move` are numbered as in the file, `line`
    counts its lines from 1; None where it isn't known.
    """

    def __init__(
        self,
        code: str,
        detail: str = "",
        *,
        game: int | None = None,
        move: int | None = None,
        line: int | None = None,
    ) -> None:
        self.code = code
        self.detail = detail
        self.game = game
        self.move = move
        self.line = line
        super().__init__(f"{self.where}: {self.reason}" if self.where else self.reason)

    @property
    def where(self) -> str:
        """The place as "game 2, move 8"; the line where no game has begun; "" for the file as a whole."""
        if self.game is not None:
            return f"game {self.game}" if self.move is None else f"game {self.game}, move {self.move}"
        return "" if self.line is None else f"line {self.line}"

    @property
    def reason(self) -> str:
        """What is wrong, in English."""
        return self.detail or self.code.replace("_", " ")

"""Which machine plays here: Open Sage where it is installed, else our own plain player."""

from __future__ import annotations

from functools import cache

from bgmail.engine import sage
from bgmail.engine.plain import PlainPlayer
from bgmail.engine.player import Player


@cache
def best_player() -> Player:
    """The strongest player that this installation has, loaded once a process."""
    return sage.load() if sage.installed() else PlainPlayer()


def best_name() -> str:
    """The name of `best_player`, without loading it."""
    return sage.SagePlayer.name if sage.installed() else PlainPlayer.name

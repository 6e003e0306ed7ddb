"""The pages of tournaments. Each file adds its views to the blueprint of `frame`."""

from bgmail.web.tournaments import (
    bracket_pages,
    creating_pages,
    cross_tables,
    elsewhere,
    entry_pages,
    files,
    lists,
    organiser_pages,
    overview,
    round_pages,
    standings,
)
from bgmail.web.tournaments.frame import blueprint

__all__ = [
    "blueprint",
    "bracket_pages",
    "creating_pages",
    "cross_tables",
    "elsewhere",
    "entry_pages",
    "files",
    "lists",
    "organiser_pages",
    "overview",
    "round_pages",
    "standings",
]

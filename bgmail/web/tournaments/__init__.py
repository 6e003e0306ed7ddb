"""The pages of tournaments. Each file adds its views to the blueprint of `frame`."""

from bgmail.web.tournaments import bracket_pages, elsewhere, entry_pages, lists, overview, round_pages
from bgmail.web.tournaments.frame import blueprint

__all__ = ["blueprint", "bracket_pages", "elsewhere", "entry_pages", "lists", "overview", "round_pages"]

"""Every sentence for people, in English for the translators. Other rooms give codes and values.

A noun a file: refusals, the story that a log tells, results, tasks (what to do now), terms, time, the board.
"""

from bgmail.phrases.board import board_words, place_names, why_stuck
from bgmail.phrases.refusals import refusal
from bgmail.phrases.rests import allowed as rests_allowed
from bgmail.phrases.results import award_line, game_result, match_result, outcome, score_line
from bgmail.phrases.story import Line, entry_line, story, without_open_roll
from bgmail.phrases.tasks import button, heading, waiting_for
from bgmail.phrases.terms import match_terms, rules_name, stage, subtitle, time_control
from bgmail.phrases.times import instant, lasting, moment, span, time_left, zone_name
from bgmail.phrases.words import Names

__all__ = [
    "Line",
    "Names",
    "award_line",
    "board_words",
    "button",
    "entry_line",
    "game_result",
    "heading",
    "instant",
    "lasting",
    "match_result",
    "match_terms",
    "moment",
    "outcome",
    "place_names",
    "refusal",
    "rests_allowed",
    "rules_name",
    "score_line",
    "span",
    "stage",
    "story",
    "subtitle",
    "time_control",
    "time_left",
    "waiting_for",
    "why_stuck",
    "without_open_roll",
    "zone_name",
]

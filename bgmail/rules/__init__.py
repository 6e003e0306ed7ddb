"""The rules of backgammon as values and pure functions; knows nothing of time, chance or storage."""

from bgmail.rules.dice import Dice
from bgmail.rules.legal import legal_plays
from bgmail.rules.notation import find_play
from bgmail.rules.play import Play
from bgmail.rules.position import Position
from bgmail.rules.ruleset import PRESETS, STANDARD, RuleSet

__all__ = ["PRESETS", "STANDARD", "Dice", "Play", "Position", "RuleSet", "find_play", "legal_plays"]

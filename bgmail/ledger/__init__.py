"""The log of a match as values: canonical entries, their hash chain, and the match that they add up to.

Imports the rules alone; rows, time and chance are elsewhere.
"""

from bgmail.ledger.entry import FORMAT, GENESIS, BrokenChain, Entry, check_chain, parse_entry
from bgmail.ledger.replay import ReplayError, action_of, fold, replay, terms_of

__all__ = [
    "FORMAT",
    "GENESIS",
    "BrokenChain",
    "Entry",
    "ReplayError",
    "action_of",
    "check_chain",
    "fold",
    "parse_entry",
    "replay",
    "terms_of",
]

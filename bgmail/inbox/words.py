"""The words for commands, in the languages that pages and letters speak: each with the actions that it may mean."""

from __future__ import annotations

from collections.abc import Mapping

ROLL, DOUBLE, PLAY = ("roll",), ("double",), ("play",)
TAKE, PASS = ("take",), ("pass",)
RESIGN, RESIGN_MATCH, CLAIM = ("resign",), ("resign_match",), ("claim_timeout",)
YES = ("accept", "take", "accept_resignation")
"""An invitation, a double and a resignation are all accepted: which one it is, the match knows."""
NO = ("decline", "pass", "decline_resignation")

_SAID: Mapping[tuple[str, ...], tuple[str, ...]] = {
    ROLL: (
        "roll", "roll dice", "roll the dice", "i roll", "please roll", "roll please",
        "würfeln", "wuerfeln", "würfle", "wuerfle", "ich würfle", "ich wuerfle", "würfel", "wurf", "bitte würfeln",
        "бросить", "бросить кости", "бросаю", "бросаю кости", "бросок", "бросай", "кости",
    ),
    DOUBLE: (
        "double", "i double", "redouble", "i redouble",
        "doppeln", "verdoppeln", "ich verdopple", "ich doppele", "ich dopple", "verdopple", "rückdoppeln",
        "redoppeln", "удвоить", "удваиваю", "удвоение", "даблю", "дабл",
    ),
    TAKE: ("take", "i take", "i take it", "take it", "nehmen", "ich nehme", "беру", "взять", "я беру"),
    PASS: (
        "pass", "i pass", "drop", "i drop", "fold",
        "passen", "passe", "ich passe", "пас", "пасую", "пасовать", "я пас",
    ),
    YES: (
        "accept", "i accept", "accepted",
        "annehmen", "ich nehme an", "angenommen", "nehme an", "akzeptieren", "akzeptiert", "ich akzeptiere",
        "принять", "принимаю", "я принимаю", "принято",
    ),
    NO: (
        "decline", "i decline", "declined", "refuse", "reject",
        "ablehnen", "ich lehne ab", "abgelehnt", "lehne ab", "ablehnen und weiterspielen",
        "отклонить", "отклоняю", "отказаться", "отказываюсь", "отклонить и играть дальше",
    ),
    RESIGN: (
        "resign", "i resign", "resign game", "resign the game",
        "aufgeben", "ich gebe auf", "gebe auf", "spiel aufgeben", "сдаться", "сдаюсь", "я сдаюсь", "сдать партию",
    ),
    RESIGN_MATCH: (
        "resign match", "resign the match", "i resign the match",
        "match aufgeben", "das match aufgeben", "сдать матч", "сдаю матч",
    ),
    CLAIM: (
        "claim", "i claim", "claim it", "i claim it", "claim time", "claim the time", "claim timeout",
        "fordern", "ich fordere", "zeit fordern", "beanspruchen", "ich beanspruche",
        "требую", "требовать", "я требую", "требую время",
    ),
}  # fmt: skip
MEANINGS: Mapping[str, tuple[str, ...]] = {
    word: actions for actions, words in _SAID.items() for word in words
}

_WORTH: Mapping[int, tuple[str, ...]] = {
    1: (
        "1", "single", "a single", "single game", "a single game", "einfach", "einfaches spiel", "ein einfaches spiel",
        "простая", "простая партия", "простую партию", "оин", "ойн",
    ),
    2: ("2", "gammon", "a gammon", "ein gammon", "марс", "гаммон"),
    3: ("3", "backgammon", "a backgammon", "ein backgammon", "кокс", "бэкгаммон"),
}  # fmt: skip
WORTH: Mapping[str, int] = {word: value for value, words in _WORTH.items() for word in words}

BEFORE_A_PLAY = frozenset({
    "play", "i play", "my play", "move", "i move", "my move",
    "zug", "mein zug", "ich spiele", "ich ziehe", "ход", "мой ход", "хожу", "играю",
})  # fmt: skip
"""Words that may stand before a play, with or without a colon."""
POINT_WORDS: Mapping[str, str] = {
    "bar": "bar", "off": "off", "бар": "bar", "выброс": "off", "aus": "off", "ab": "off",
    "raus": "off", "out": "off",
}  # fmt: skip
"""The two places without a number, as people call them."""

"""The words of the game and of this site, each said once: the glossary page and whatever links into it."""

from __future__ import annotations

from typing import Any, NamedTuple

from bgmail.phrases.translate import lazy_gettext as _


class Term(NamedTuple):
    """A word and what it means. `more` is the page and anchor that explain it with an example, if any."""

    word: Any
    anchor: str
    means: Any
    more: tuple[str, str] | None = None


def _term(anchor: str, word: Any, means: Any, more: str = "") -> Term:
    page, _hash, place = more.partition("#")
    return Term(word, anchor, means, (page, place) if more else None)


BOARD: tuple[Term, ...] = (
    _term("checker", _("checker"), _("One of the fifteen round pieces that each side moves.")),
    _term(
        "point",
        _("point"),
        _(
            "One of the 24 narrow triangles, numbered from your own side: 24 is the farthest, 1 the last before off."
        ),
        "rules#movement",
    ),
    _term(
        "home-board",
        _("home board"),
        _("Your points 6 to 1, where all your checkers gather before they leave."),
    ),
    _term(
        "bar",
        _("bar"),
        _("The ridge in the middle, where a checker that was hit waits to come back in."),
        "rules#bar",
    ),
    _term(
        "off",
        _("off"),
        _("Where checkers are that have been borne off. They never come back."),
        "rules#bear-off",
    ),
    _term(
        "position",
        _("position"),
        _("Where the checkers of both sides stand: nothing about dice, cube or score."),
    ),
    _term("pip", _("pip"), _("The distance from one point to the next, and what a die counts in.")),
    _term(
        "pip-count",
        _("pip count"),
        _(
            "All pips that a side still needs to bear off its last checker. Whoever has fewer is ahead in the race."
        ),
        "strategy#race",
    ),
    _term("blot", _("blot"), _("A single checker on a point: it can be hit."), "rules#hit"),
    _term("hit", _("hit"), _("To land on a blot of the other side and send it to the bar."), "rules#hit"),
    _term(
        "enter",
        _("enter"),
        _("To bring a checker from the bar back onto the board, in the opponent’s home."),
        "rules#bar",
    ),
    _term(
        "bear-off",
        _("bear off"),
        _("To take a checker off the board, once all fifteen are home or off already."),
        "rules#bear-off",
    ),
    _term(
        "contact",
        _("contact"),
        _("Checkers of both sides still have to pass each other, so hits are possible."),
    ),
    _term("race", _("race"), _("A position without contact: only the dice matter now."), "strategy#race"),
    _term("prime", _("prime"), _("Several blocked points in a row. No checker can leap over six.")),
    _term(
        "anchor", _("anchor"), _("A point that you hold in the opponent’s home board: a safe place to enter.")
    ),
)

TURN: tuple[Term, ...] = (
    _term(
        "dice",
        _("die, dice"),
        _("Two dice are rolled each turn, and each number is played by itself."),
        "rules#dice",
    ),
    _term("roll", _("roll"), _("The two numbers of a turn, such as 6-4; also to throw them."), "rules#dice"),
    _term(
        "doubles",
        _("doubles"),
        _("Two dice with the same number, played four times. Not to be mixed up with a double."),
        "rules#doubles",
    ),
    _term("move", _("move"), _("One checker moved by one die."), "rules#movement"),
    _term("play", _("play"), _("All moves of one roll, written like 13/7 8/7."), "help#notation"),
    _term(
        "turn",
        _("turn"),
        _("The whole go of a side: perhaps a double and its answer, then the roll and the play."),
    ),
    _term("on-roll", _("on roll"), _("The side whose roll comes next.")),
    _term(
        "dance",
        _("dance"),
        _("To have a roll without any legal play, usually with a checker on the bar."),
        "rules#dance",
    ),
)

CUBE: tuple[Term, ...] = (
    _term(
        "cube",
        _("cube"),
        _("The die with 2, 4, 8 and so on that shows by how much the game is multiplied."),
        "rules#cube",
    ),
    _term("centred", _("centred"), _("Said of a cube that nobody owns yet: both sides may double.")),
    _term("owner", _("owner"), _("The side that took the last double. It alone may redouble."), "rules#cube"),
    _term(
        "double",
        _("double"),
        _("To ask, before one’s own roll, that the game shall count twice as much."),
        "rules#cube",
    ),
    _term(
        "take",
        _("take"),
        _("To accept a double: the game goes on at twice the value, and the cube is yours."),
        "rules#take-pass",
    ),
    _term(
        "pass",
        _("pass"),
        _("To refuse a double: the game is lost at the value that it had before."),
        "rules#take-pass",
    ),
    _term(
        "dead-cube",
        _("dead cube"),
        _("A cube whose turning could bring its owner nothing: the match is won without it."),
        "rules#dead-cube",
    ),
)

MATCH: tuple[Term, ...] = (
    _term(
        "single",
        _("single game"),
        _("A game that counts once: the loser had a checker off, or resigned it so."),
        "rules#gammon",
    ),
    _term(
        "gammon", _("gammon"), _("A game that counts double: the loser had no checker off."), "rules#gammon"
    ),
    _term(
        "backgammon",
        _("backgammon"),
        _(
            "A gammon with a loser’s checker still on the bar or in the winner’s home: three, where rules say so."
        ),
        "rules#gammon",
    ),
    _term(
        "match",
        _("match"),
        _("Games one after the other until somebody has the agreed number of points."),
        "rules#match",
    ),
    _term("length", _("length"), _("How many points win the match."), "rules#match"),
    _term(
        "session",
        _("points session"),
        _("An agreed number of games in which all points count, without a length to reach."),
        "rules#session",
    ),
    _term("score", _("score"), _("The points that each side has won in the match so far.")),
    _term(
        "away",
        _("away"),
        _("How many points a side still needs: at 4–2 in a 7-point match you are 3-away."),
        "strategy#score",
    ),
    _term(
        "crawford",
        _("Crawford game"),
        _("The one game without the cube, right after somebody came within a point of the match."),
        "rules#crawford",
    ),
    _term(
        "resign",
        _("resign"),
        _("To give up a game, or the whole match, before it is played out."),
        "rules#resigning",
    ),
    _term(
        "side",
        _("side, seat"),
        _("White or Black. Who invites is White, who accepts is Black; the rules are the same for both."),
    ),
    _term(
        "ending", _("ending"), _("Why a game or match is over: borne off, passed, resigned, or lost on time.")
    ),
    _term("outcome", _("outcome"), _("Who won, and how much.")),
)

SITE: tuple[Term, ...] = (
    _term(
        "deadline",
        _("deadline"),
        _("The instant at which the match is lost if nothing was done."),
        "help#clocks",
    ),
    _term(
        "bank",
        _("bank"),
        _("Spare time for the whole match. It is used only once a turn’s own time is over."),
        "help#clocks",
    ),
    _term("reminder", _("reminder"), _("A letter that tells you that your time runs low."), "help#clocks"),
    _term("timeout", _("timeout"), _("What happens when the deadline has passed."), "rules#time"),
    _term(
        "invitation",
        _("invitation"),
        _("An offer to somebody to play a match on terms that you choose."),
        "help#invitations",
    ),
    _term(
        "open-challenge",
        _("open challenge"),
        _("An invitation to anyone: it stands in the lobby, and the first to accept plays."),
        "help#invitations",
    ),
    _term(
        "visit",
        _("visit"),
        _("A time that you have to come and decide something. The server saves you the needless ones."),
        "help#played-for-you",
    ),
    _term(
        "notice",
        _("notice"),
        _("Something that you must be told: your turn, a double, the end of a match."),
        "help#letters",
    ),
    _term("delivery", _("delivery"), _("One attempt to bring you a notice, by mail for example.")),
    _term("bounce", _("bounce"), _("A letter that came back, because the address doesn’t take it.")),
    _term(
        "claim",
        _("claim"),
        _("What a signed link says for you: this side, in this match, at this moment, and nothing else."),
        "help#links",
    ),
    _term(
        "commitment",
        _("commitment"),
        _("The fingerprint of the secret that a game’s dice come from, shown before the first roll."),
        "help#dice",
    ),
    _term(
        "nonce",
        _("nonce"),
        _("A random number of yours that goes into the dice, so that nobody could foresee them."),
        "help#dice",
    ),
    _term("machine", _("machine"), _("A player that is a program. It is always marked as one.")),
)

ELSEWHERE: tuple[Term, ...] = (
    _term(
        "beaver",
        _("beaver, raccoon"),
        _("To take a double and turn the cube again at once. Not played here."),
        "rules#beavers",
    ),
    _term(
        "automatic-double",
        _("automatic double"),
        _("A cube that is turned by a tie in the opening roll. Not played here."),
        "rules#automatic-doubles",
    ),
    _term(
        "jacoby-rule",
        _("Jacoby rule"),
        _("Gammons that count only once somebody has doubled. Not played here."),
        "rules#jacoby",
    ),
    _term(
        "settlement",
        _("settlement"),
        _("To end a game by agreement for a part of its points. Not played here."),
        "rules#settlements",
    ),
)

GROUPS: tuple[tuple[Any, str, tuple[Term, ...]], ...] = (
    (_("The board"), "board", BOARD),
    (_("A turn"), "a-turn", TURN),
    (_("Doubling"), "doubling", CUBE),
    (_("Games and matches"), "games", MATCH),
    (_("Known from elsewhere"), "elsewhere", ELSEWHERE),
    (_("This site"), "site", SITE),
)
"""All terms by subject: a heading, its anchor, and the terms."""

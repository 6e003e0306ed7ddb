"""Match files of many programs, each replayed strictly, come out as their list says."""

from __future__ import annotations

import pytest

from bgmail.formats.judge import judge
from bgmail.formats.mat import write_mat
from bgmail.formats.matreader import read_mat
from bgmail.formats.recorded import Event, EventKind, RecordedMatch
from bgmail.formats.refusal import ImportRefused
from bgmail.rules.side import Pair, Side, put
from tests.formats.collection import SAMPLES, Listed, listed_matches

MATCHES = listed_matches()
RIGHT = [listed for listed in MATCHES if not listed.illegal]
WRONG = [listed for listed in MATCHES if listed.illegal]


def name(listed: Listed) -> str:
    return listed.path.name


def rolls(match: RecordedMatch) -> int:
    return sum(event.kind is EventKind.PLAY for game in match.games for event in game.events)


def unplayed(match: RecordedMatch) -> list[tuple[int, str]]:
    """Games that end with a roll which nobody played."""
    last = [(game.number, game.events[-1]) for game in match.games if game.end and game.events]
    return [(number, _roll(event)) for number, event in last if event.dice and event.play is None]


def _roll(event: Event) -> str:
    return f"{event.dice.d1}{event.dice.d2}" if event.dice else ""


def as_listed(listed: Listed, match: RecordedMatch) -> set[Pair | None]:
    """The final scores that the lists give for a match.

    The shared list counts a last result that stands alone at the left margin for the right column; the plays
    say that the left column won, as the score of the next game does wherever there is one.
    """
    end, score = match.games[-1].end, match.games[-1].score
    last_line = listed.path.read_text(encoding="utf-8").rstrip().splitlines()[-1].strip()
    if end and end.winner is Side.WHITE and last_line.startswith("Wins"):
        return {match.final_score, put(score, Side.BLACK, score[Side.BLACK] + end.points)}
    return {match.final_score}


@pytest.mark.parametrize("listed", RIGHT, ids=name)
def test_a_right_file_is_accepted_complete_or_broken_off(listed: Listed) -> None:
    recorded = read_mat(listed.path.read_bytes())
    assert (recorded.length, len(recorded.games), rolls(recorded)) == (
        listed.length,
        listed.games,
        listed.rolls,
    )
    assert listed.final_score in as_listed(listed, recorded)
    if listed.final_score == recorded.final_score:
        assert recorded.complete == listed.complete
    assert set(listed.unplayed) <= set(unplayed(recorded))
    judged = judge(recorded)
    assert judged.complete == recorded.complete
    _agree(recorded, judged.final_score)


def _agree(recorded: RecordedMatch, judged: Pair) -> None:
    """The score of the replay is the file's, but for a winner given more or less than the match needs."""
    if recorded.final_score is None:
        assert judged == recorded.games[-1].score
    elif judged != recorded.final_score:
        assert recorded.complete
        winner = Side(recorded.final_score.index(max(recorded.final_score)))
        assert min(judged[winner], recorded.final_score[winner]) >= recorded.length > 0
        assert judged[winner.other] == recorded.final_score[winner.other]


@pytest.mark.parametrize("listed", WRONG, ids=name)
def test_a_file_with_an_illegal_play_is_refused_with_game_and_move(listed: Listed) -> None:
    recorded = read_mat(listed.path.read_bytes())
    with pytest.raises(ImportRefused, match=r"^game \d+, move \d+: illegal play '") as refused:
        judge(recorded)
    game, text = listed.illegal[0]
    assert refused.value.game == game
    there = [event for event in recorded.games[game - 1].events if event.move == refused.value.move]
    assert text in [f"{_roll(event)}: {event.play}" for event in there]


@pytest.mark.parametrize("listed", MATCHES, ids=name)
def test_what_is_written_again_is_read_as_the_same_match(listed: Listed) -> None:
    recorded = read_mat(listed.path.read_bytes())
    again = read_mat(write_mat(recorded, {"Site": "bgmail"}))
    assert told(again) == told(recorded)


def told(match: RecordedMatch) -> list[object]:
    """A match without the numbers and places of its lines."""
    games = [
        (game.score, [_told(event) for event in game.events], game.end and (game.end.winner, game.end.points))
        for game in match.games
    ]
    return [match.length, match.white, match.black, games]


def _told(event: Event) -> tuple[object, ...]:
    return event.kind, event.side, event.dice, event.play or None, event.value


def test_the_samples_alone_show_every_dialect_a_refusal_a_session_and_a_match_broken_off() -> None:
    samples = [listed for listed in MATCHES if listed.path.is_relative_to(SAMPLES)]
    assert {listed.path.name.split("-")[0] for listed in samples} == {
        "jelly",
        "planet",
        "club",
        "live",
        "studio",
    }
    assert any(listed.illegal for listed in samples)
    assert any(listed.length == 0 for listed in samples)
    assert any(not listed.complete for listed in samples)

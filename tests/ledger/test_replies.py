"""How long somebody took for a turn, as the log tells."""

from __future__ import annotations

from datetime import timedelta

from bgmail.ledger.replies import Step, reply_times, usual
from bgmail.rules.side import Side

W, B = Side.WHITE, Side.BLACK


def taken(side: Side, *steps: tuple[int, Side | None, str, str]) -> list[int]:
    return list(reply_times((Step(*step) for step in steps), side))


def test_a_turn_lasts_from_the_hand_over_to_the_last_thing_done_in_it() -> None:
    log = (
        (0, W, "page", "play"), (0, B, "auto", "roll"), (40, B, "api", "double"), (100, W, "link", "take"),
        (100, B, "auto", "roll"), (130, B, "mail", "play"), (200, W, "page", "roll"), (260, W, "page", "play"),
    )  # fmt: skip
    assert taken(B, *log) == [40, 30]
    assert taken(W, *log) == [60, 130]


def test_what_the_server_did_and_what_a_file_tells_took_nobodys_time() -> None:
    log = (
        (0, W, "page", "play"), (0, B, "auto", "roll"), (0, B, "auto", "play"), (50, W, "page", "play"),
        (90, B, "clock", "timeout"), (95, B, "import", "play"), (99, W, "page", "play"),
    )  # fmt: skip
    assert taken(B, *log) == []


def test_a_turn_that_began_before_the_first_step_is_left_out() -> None:
    assert taken(W, (500, W, "page", "play"), (600, B, "page", "play"), (650, W, "page", "play")) == [50]


def test_the_next_game_hands_over_too_and_an_offer_off_turn_is_no_turn() -> None:
    log = (
        (0, W, "page", "pass"), (0, None, "server", "game_over"), (0, None, "server", "opening_roll"),
        (70, W, "page", "play"), (80, W, "page", "resign"), (200, B, "page", "accept_resignation"),
    )  # fmt: skip
    assert taken(W, *log) == [70]


def test_the_usual_time_is_the_median_and_is_told_of_five_turns_or_more() -> None:
    assert usual([1, 2, 3, 4]) is None
    assert usual([5, 1, 900, 2, 3]) == timedelta(microseconds=3)

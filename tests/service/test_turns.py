"""The door through which a match moves: what it stores, what it refuses, and who may be told."""

from __future__ import annotations

import threading
import traceback
from datetime import datetime, timedelta

import pytest
from sqlalchemy import func, select, update
from sqlalchemy.exc import IntegrityError

from bgmail.dice import FairChance, verify
from bgmail.ledger import check_chain, replay
from bgmail.rules.match import Phase, legal
from bgmail.rules.side import Side
from bgmail.service import exports, invitations, matches
from bgmail.service.errors import Forbidden, KeyReused, NotFound, Refused, Stale
from bgmail.service.retellings import retell
from bgmail.service.turns import Request, act_on_sight, load, seat
from bgmail.service.turns import act as door
from bgmail.service.views import MatchView
from bgmail.store.engine import Store
from bgmail.store.matches import keep_secrets, table
from bgmail.store.tables import ActionRow, MatchRow, NoticeRow, SecretRow
from tests.service.matchmaking import act, begin, position, stage

WHITE, BLACK = Side.WHITE, Side.BLACK
HOUR = timedelta(hours=1)


def notices(store: Store) -> list[tuple[str, int | None, str]]:
    rows = table(NoticeRow)
    with store.read() as connection:
        found = connection.execute(select(rows.c.kind, rows.c.account_id, rows.c.which).order_by(rows.c.id))
        return [(row.kind, row.account_id, row.which) for row in found]


def kinds(store: Store, match_id: str) -> list[tuple[str, str | None, str]]:
    return [(entry.kind, entry.seat, entry.via) for entry in matches.log(store, match_id)]


def test_the_log_opens_with_invitation_commitment_acceptance_and_the_next_games_commitment(
    store: Store, now: datetime
) -> None:
    view, _ = begin(store, now, (2, 2), (3, 1))
    assert kinds(store, view.id) == [
        ("invite", "white", "page"),
        ("commit", None, "server"),
        ("accept", "black", "page"),
        ("commit", None, "server"),
        ("opening_roll", None, "server"),
        ("opening_roll", None, "server"),
    ]
    assert (view.match.on_turn, view.match.phase) == (WHITE, Phase.PLAY)


def test_a_play_is_logged_and_the_opponent_is_owed_one_letter(store: Store, now: datetime) -> None:
    view, chance = begin(store, now, (3, 1), (6, 4))
    bob = view.black
    outcome = act(store, view, WHITE, "play", now + HOUR, chance, play="8/5 6/5")
    assert outcome.view.match.on_turn is BLACK
    assert outcome.view.match.phase is Phase.ROLL_OR_DOUBLE, "Bob may double, so nothing is rolled for him"
    assert bob is not None
    assert notices(store)[-1] == ("your_turn", bob.id, "")
    assert load(store, view.id) == outcome.view


def test_a_roll_is_automatic_when_a_double_is_impossible(store: Store, now: datetime) -> None:
    view, chance = begin(store, now, (3, 1), (6, 4), length=1)
    outcome = act(store, view, WHITE, "play", now + HOUR, chance, play="8/5 6/5")
    assert outcome.view.match.phase is Phase.PLAY
    assert str(outcome.view.match.dice) == "6-4"
    assert kinds(store, view.id)[-2:] == [("play", "white", "api"), ("roll", "black", "auto")]
    assert outcome.applied_version == outcome.view.version - 1


def test_after_a_take_the_doublers_roll_is_automatic(store: Store, now: datetime) -> None:
    view, chance = begin(store, now, (3, 1), (6, 4))
    view = act(store, view, WHITE, "play", now, chance, play="8/5 6/5").view
    view = act(store, view, BLACK, "double", now, chance).view
    view = act(store, view, WHITE, "take", now, chance).view
    assert (view.match.phase, view.match.turn) == (Phase.PLAY, BLACK)
    assert (view.match.cube.value, view.match.cube.owner) == (2, WHITE)


def test_dice_survive_illegal_plays_and_reloads(store: Store, now: datetime) -> None:
    """The dice were rolled again after every submission elsewhere."""
    view, chance = begin(store, now, (6, 5))
    for text in ("24/14", "13/3", "", "nonsense", "24/18"):
        with pytest.raises(Refused):
            act(store, view, WHITE, "play", now, chance, play=text)
        again = load(store, view.id)
        assert (str(again.match.dice), again.version) == ("6-5", view.version)
    rolls = [kind for kind, _, _ in kinds(store, view.id) if kind.endswith("roll")]
    assert rolls == ["opening_roll"]


def test_the_wrong_side_a_stranger_and_a_missing_match_are_told_apart(store: Store, now: datetime) -> None:
    view, chance = begin(store, now, (3, 1))
    with pytest.raises(Refused) as refused:
        act(store, view, BLACK, "play", now, chance, play="8/5 6/5")
    assert refused.value.code == "not_your_turn"
    with pytest.raises(Forbidden):
        seat(view, 99)
    with pytest.raises(NotFound):
        door(store, "nothing", WHITE, Request("roll", 1), now, chance)


@pytest.mark.parametrize("match_id", ["", "\0", "\udcff", "a" * 10_000, "é"])
def test_an_id_that_no_database_takes_is_not_found(store: Store, now: datetime, match_id: str) -> None:
    for look in (load, invitations.find, exports.export_json, lambda *who: matches.visible(*who, None)):
        with pytest.raises(NotFound):
            look(store, match_id)
    with pytest.raises(NotFound):
        door(store, match_id, WHITE, Request("roll", 1), now, FairChance())


def test_an_old_version_is_stale_and_shows_how_the_match_stands(store: Store, now: datetime) -> None:
    view, chance = begin(store, now, (3, 1))
    moved = act(store, view, WHITE, "play", now, chance, play="8/5 6/5").view
    with pytest.raises(Stale) as stale:
        act(store, view, WHITE, "play", now, chance, play="24/23 13/10")
    assert stale.value.view == moved


def test_the_same_key_is_carried_out_once_and_answered_with_the_present_state(
    store: Store, now: datetime
) -> None:
    view, chance = begin(store, now, (3, 1), (6, 5))
    wish = {"play": "8/5 6/5", "key": "k1", "nonce": "ab" * 16}
    first = act(store, view, WHITE, "play", now, chance, **wish)
    later = act(store, first.view, BLACK, "roll", now, chance).view
    again = act(store, view, WHITE, "play", now + HOUR, chance, **wish)
    assert again.repeated
    assert again.applied_version == first.applied_version
    assert again.view == later
    with pytest.raises(KeyReused):
        act(store, view, WHITE, "play", now, chance, play="24/23 13/10", key="k1")


def test_an_accepted_resignation_sent_three_times_scores_once(store: Store, now: datetime) -> None:
    """One click was processed three times: 3-0, then 6-0."""
    view, chance = begin(store, now, (3, 1))
    view = act(store, view, WHITE, "resign", now, chance, value=3).view
    done = act(store, view, BLACK, "accept_resignation", now, chance).view
    for _ in range(2):
        with pytest.raises(Stale):
            act(store, view, BLACK, "accept_resignation", now, chance)
    assert done.match.score == (0, 3)
    assert load(store, view.id) == done


def test_a_second_pass_does_not_concede_the_next_game(store: Store, now: datetime) -> None:
    view, chance = begin(store, now, (3, 1))
    view = act(store, view, WHITE, "play", now, chance, play="8/5 6/5").view
    view = act(store, view, BLACK, "double", now, chance).view
    passed = act(store, view, WHITE, "pass", now, chance).view
    with pytest.raises(Stale):
        act(store, view, WHITE, "pass", now, chance)
    assert (passed.match.score, passed.match.game) == ((0, 1), 2)


def test_an_offer_off_turn_keeps_version_and_clock_and_playing_on_declines_it(
    store: Store, now: datetime
) -> None:
    view, chance = begin(store, now, (3, 1))
    offered = act(store, view, BLACK, "resign", now + HOUR, chance, value=1)
    assert offered.view.version == view.version == offered.applied_version
    assert offered.view.clock == view.clock
    assert notices(store)[-1][0] == "resignation"
    played = act(store, view, WHITE, "play", now + HOUR, chance, play="8/5 6/5").view
    assert played.match.offer is None


def test_when_a_game_ends_each_side_gets_one_letter(store: Store, now: datetime) -> None:
    view, chance = begin(store, now, (3, 1))
    assert view.white is not None
    assert view.black is not None
    alice, bob = view.white.id, view.black.id
    view = act(store, view, WHITE, "play", now, chance, play="8/5 6/5").view
    view = act(store, view, BLACK, "double", now, chance).view
    before = len(notices(store))
    chance.script = [(6, 1)]
    act(store, view, WHITE, "pass", now, chance)
    owed = notices(store)[before:]
    assert sorted(owed) == sorted([("your_turn", alice, ""), ("game_over", bob, "")])


def test_the_secret_leaves_its_table_when_the_log_publishes_it(store: Store, now: datetime) -> None:
    view, chance = begin(store, now, (3, 1))
    view = act(store, view, WHITE, "resign_match", now, chance).view
    with store.read() as connection:
        assert connection.scalar(select(func.count()).select_from(table(SecretRow))) == 0
    entries = matches.log(store, view.id)
    revealed = [entry.data["game"] for entry in entries if entry.kind == "reveal"]
    assert revealed == [1, 2]


def test_a_statement_that_fails_puts_no_secret_into_the_log_of_errors(store: Store, now: datetime) -> None:
    view, _ = begin(store, now)
    secret = b"the dice to come, all of them ..."
    with pytest.raises(IntegrityError) as failed, store.write() as connection:
        keep_secrets(connection, [(view.id, 2, secret)])
    told = "".join(traceback.format_exception(failed.value))
    assert "INSERT INTO secret" in told
    assert "to come" not in told
    assert secret.hex() not in told


def test_honest_dice_of_a_whole_match_verify_and_the_log_replays(store: Store, now: datetime) -> None:
    view, _ = begin(store, now)
    chance = FairChance()
    side = view.match.on_turn
    assert side is not None
    view = act(store, view, side, "resign_match", now, chance).view
    entries = matches.log(store, view.id)
    check_chain(entries)
    assert replay(entries) == view.match
    retold = retell(entries)
    assert (retold.match, retold.clock) == (view.match, view.clock)
    verdict = verify(entries)
    assert verdict.good, verdict.faults


@pytest.mark.parametrize(
    ("wish", "code"),
    [
        ({"action": "fly"}, "unknown_action"),
        ({"action": "claim_timeout"}, "claim_timeout"),
        ({"action": "play", "nonce": "AB" * 16}, "bad_nonce"),
        ({"action": "play", "nonce": "ab"}, "bad_nonce"),
        ({"action": "play", "key": ""}, "bad_key"),
        ({"action": "play", "key": "a\nb"}, "bad_key"),
        ({"action": "play", "key": "k" * 101}, "bad_key"),
        ({"action": "resign", "value": 4}, "resign_value"),
        ({"action": "resign", "value": None}, "resign_value"),
        ({"action": "roll"}, "wrong_phase"),
        ({"action": "take"}, "wrong_phase"),
        ({"action": "double"}, "wrong_phase"),
        ({"action": "accept_resignation"}, "no_offer"),
        ({"action": "play", "play": "24/14 13/3"}, "not_these_dice"),
    ],
)
def test_a_bad_request_says_why_and_changes_nothing(
    store: Store, now: datetime, wish: dict[str, object], code: str
) -> None:
    view, chance = begin(store, now, (3, 1))
    owed = notices(store)
    wish = dict(wish)
    action = str(wish.pop("action"))
    with pytest.raises(Refused) as refused:
        act(store, view, WHITE, action, now, chance, **wish)
    assert refused.value.code == code
    assert load(store, view.id) == view
    assert notices(store) == owed


def test_dice_count_a_nonce_that_came_between_looking_and_rolling(store: Store, now: datetime) -> None:
    """An offer off turn leaves the version as it is, so the roll that was on its way still stands: drawn anew."""
    view, chance = begin(store, now)
    first = view.match.on_turn
    assert first is not None
    view = act(store, view, first, "play", now, chance, play=str(legal(view.match)[0])).view
    offers = [Request("resign", view.version, value=1)]

    def ask(seen: MatchView) -> tuple[Side, Request]:
        while offers:
            door(store, seen.id, first, offers.pop(), now, chance)
        return first.other, Request("roll", seen.version)

    act_on_sight(store, view.id, ask, now, chance)
    door(store, view.id, first, Request("resign_match", load(store, view.id).version), now, chance)
    assert [kind for kind, _, _ in kinds(store, view.id) if kind in ("resign", "roll")] == ["resign", "roll"]
    verdict = verify(matches.log(store, view.id))
    assert verdict.good, verdict.faults


def test_of_two_plays_at_once_exactly_one_stands(store: Store, now: datetime) -> None:
    view, _ = begin(store, now, (3, 1))
    together = threading.Barrier(8)
    results: list[str] = []

    def submit(text: str) -> None:
        together.wait()
        try:
            act(store, view, WHITE, "play", now, FairChance(), play=text)
        except Stale:
            results.append("stale")
        else:
            results.append("done")

    threads = [threading.Thread(target=submit, args=(text,)) for text in ("8/5 6/5", "24/23 13/10") * 4]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(results) == ["done"] + ["stale"] * 7
    plays = [kind for kind, _, via in kinds(store, view.id) if kind == "play" and via == "api"]
    assert plays == ["play"]
    check_chain(matches.log(store, view.id))


def test_the_log_refuses_a_second_entry_with_the_same_number(store: Store, now: datetime) -> None:
    view, chance = begin(store, now, (3, 1))
    rows = table(MatchRow)
    with store.write() as connection:  # a head that lies lets the guard pass: the log's key still stops it
        connection.execute(update(rows).where(rows.c.id == view.id).values(head=view.head - 1))
    with pytest.raises(Exception, match=r"(?i)unique|duplicate"):
        act(store, view, WHITE, "play", now, chance, play="8/5 6/5")
    actions = table(ActionRow)
    with store.read() as connection:
        assert connection.scalar(select(func.count()).select_from(actions)) == view.head


def test_a_forced_play_is_made_the_rest_passed_and_the_opponent_told_once(
    store: Store, now: datetime
) -> None:
    """Two on the bar and 6-3, where only the 6 enters: an automation with stale entries stopped a server."""
    view, chance = begin(store, now, (3, 1))
    own = {25: 2, 13: 5, 8: 3, 6: 5}
    other = {22: 2, 21: 2, 20: 2, 17: 2, 12: 5, 1: 2}
    view = stage(store, view, WHITE, position(own, other))
    chance.script = [(6, 3)]
    before = len(notices(store))
    outcome = act(store, view, WHITE, "roll", now, chance)
    entries = matches.log(store, view.id)
    assert [(entry.kind, entry.via) for entry in entries[-2:]] == [("roll", "api"), ("play", "auto")]
    assert entries[-1].data["play"] == "bar/19"
    assert outcome.view.match.on_turn is BLACK
    assert outcome.view.match.seen_by(WHITE).board[25] == 1
    assert view.black is not None
    assert notices(store)[before:] == [("your_turn", view.black.id, "")]


def test_a_dance_of_the_opponent_brings_the_turn_back_at_once(store: Store, now: datetime) -> None:
    view, chance = begin(store, now, (3, 1))
    shut = {0: 1, 6: 2, 5: 2, 4: 2, 3: 2, 2: 2, 1: 2, 8: 1, 9: 2}
    own = {point: count for point, count in shut.items() if point}
    view = stage(store, view, WHITE, position(own, {0: 1, 19: 14}), dice=(2, 1))
    chance.script = [(6, 5)]
    outcome = act(store, view, WHITE, "play", now + HOUR, chance, play="9/7 8/7")
    entries = matches.log(store, view.id)
    assert [(entry.kind, entry.seat, entry.via) for entry in entries[-2:]] == [
        ("roll", "black", "auto"),
        ("play", "black", "auto"),
    ]
    assert entries[-1].data["play"] == ""
    assert outcome.view.match.on_turn is WHITE
    assert outcome.view.clock.since == now + HOUR

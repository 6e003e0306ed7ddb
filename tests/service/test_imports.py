"""Matches from files: taken in when they follow the rules, refused with game, move and reason when they don't."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from bgmail.dice import FairChance
from bgmail.formats.judge import AS_PLAYED
from bgmail.formats.mat import write_mat
from bgmail.formats.refusal import ImportRefused
from bgmail.ledger.entry import Entry
from bgmail.rules.action import Action, Kind
from bgmail.rules.dice import Dice
from bgmail.rules.match import Phase, apply
from bgmail.rules.ruleset import STANDARD, Timeout
from bgmail.rules.score import Ending
from bgmail.service import exports, invitations, matches, rematches, turns
from bgmail.service.audits import Tally, audit
from bgmail.service.errors import Forbidden
from bgmail.service.imports import import_file
from bgmail.service.terms import Handle, Terms
from bgmail.store.engine import Store
from tests.formats.played import Step, play_match, recorded
from tests.service.matchmaking import act, begin, settle
from tests.service.test_exports import play_out

MAT = """\
; [Site "Elsewhere"]

 3 point match

 Game 1
 Ann : 0                           Ben : 0
  1) 31: 8/5 6/5                    Doubles => 2
  2)  Drops
                                    Wins 1 point

 Game 2
 Ann : 0                           Ben : 1
  1)                                42: 8/4 6/4
  2) 31: 8/5 6/5
      Wins 2 points

 Game 3
 Ann : 2                           Ben : 1
  1) 31: 8/5 6/5                    64: 24/14
"""


@pytest.fixture
def elsewhere(sqlite_template: Path, tmp_path: Path) -> Iterator[Store]:
    """The database of another installation."""
    file = tmp_path / "elsewhere.db"
    shutil.copy(sqlite_template, file)
    opened = Store(f"sqlite:///{file}")
    yield opened
    opened.close()


def finished(store: Store, now: datetime) -> dict[str, Any]:
    """A match played with honest dice to its end, as a file."""
    view, _ = begin(store, now, length=1)
    play_out(store, view.id, now)
    return exports.export_json(store, view.id)


@pytest.fixture
def export(store: Store, now: datetime) -> dict[str, Any]:
    """A finished match of this installation."""
    return finished(store, now)


@pytest.fixture(scope="module")
def strange(sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """A finished match of another installation."""
    file = tmp_path_factory.mktemp("strange") / "bgmail.db"
    shutil.copy(sqlite_template, file)
    with closing(Store(f"sqlite:///{file}")) as store:
        return finished(store, datetime(2026, 3, 2, 12, 0, tzinfo=UTC))


def take_in(store: Store, export: Any, now: datetime) -> Any:
    return import_file(store, "match.json", json.dumps(export).encode(), now)


def test_a_broken_off_match_is_taken_in_unrated_and_plays_nowhere(store: Store, now: datetime) -> None:
    taken = import_file(store, "x.mat", MAT.encode(), now)
    view = turns.load(store, taken.match_id)
    assert (view.imported, view.rated, view.white, view.black) == (True, False, None, None)
    assert (view.match.score, view.match.game, view.match.phase.value) == ((2, 1), 3, "roll_or_double")
    assert (view.deadline_at, view.due_at) == (None, None)
    assert {entry.via for entry in matches.log(store, view.id)} == {"import"}


def test_names_in_a_file_are_kept_and_are_nobodys_account(store: Store, now: datetime) -> None:
    taken = import_file(store, "x.mat", MAT.replace("Ann", "alice").encode(), now)
    told = exports.export_json(store, taken.match_id)
    assert (told["white"], told["black"]) == ("alice", "Ben")
    assert turns.load(store, taken.match_id).white is None


def test_an_imported_match_is_written_as_it_was_read(store: Store, now: datetime) -> None:
    first = exports.export_mat(store, import_file(store, "x.mat", MAT.encode(), now).match_id)
    again = exports.export_mat(store, import_file(store, "x.mat", first.encode(), now).match_id)
    assert first == again
    assert "Doubles => 2" in first
    assert "Drops" in first


def test_a_gammon_lost_on_time_with_a_checker_off_is_taken_in_from_our_own_file(
    store: Store, now: datetime
) -> None:
    """No rules in a .mat file: those by which it can be so are told from it, and stand in the log."""
    rules = replace(STANDARD, name="on time", timeout=Timeout.GAMMON)
    steps = play_match(3, 5, resign=0, rules=rules)
    at = next(
        nth for nth, one in enumerate(steps) if one.after.position.off and one.after.phase is Phase.PLAY
    )
    late = Action(Kind.TIMEOUT, steps[at].after.turn)
    lost = Step(steps[at].after, late, apply(steps[at].after, late))
    text = write_mat(recorded([*steps[: at + 1], lost]))
    taken = import_file(store, "x.mat", text.encode(), now)
    view = turns.load(store, taken.match_id)
    assert view.match.last_game is not None
    assert (view.match.last_game.ending, view.match.last_game.worth) == (Ending.TIMEOUT, 2)
    assert view.rules_name == AS_PLAYED
    assert exports.export_mat(store, taken.match_id) == text
    assert list(audit(store, Tally())) == []


ODD = {
    "CRLF": lambda text: text.replace("\n", "\r\n"),
    "BOM": lambda text: "\ufeff" + text,
    "trailing blanks": lambda text: "\n".join(line + "   " for line in text.split("\n")),
    "blank lines": lambda text: text.replace("\n", "\n\n"),
    "no final newline": lambda text: text.rstrip("\n"),
}


@pytest.mark.parametrize("change", ODD.values(), ids=ODD)
def test_odd_line_ends_change_nothing(store: Store, now: datetime, change: Callable[[str], str]) -> None:
    plain = exports.export_mat(store, import_file(store, "x.mat", MAT.encode(), now).match_id)
    odd = exports.export_mat(store, import_file(store, "x.mat", change(MAT).encode(), now).match_id)
    assert odd == plain


def test_an_illegal_play_is_refused_with_game_and_move(store: Store, now: datetime) -> None:
    wrong = MAT.replace("64: 24/14", "64: 24/13")
    with pytest.raises(ImportRefused, match=r"^game 3, move 1: "):
        import_file(store, "x.mat", wrong.encode(), now)
    assert list(audit(store, tally := Tally())) == []
    assert tally.matches == 0


@pytest.mark.parametrize(
    "data", [b"", b"hello", b"\x00\x01\x02", b"{", b"[]", b"{}", b'{"format": "bgmail-match-2"}']
)
def test_what_is_no_match_is_refused(store: Store, now: datetime, data: bytes) -> None:
    for name in ("x.mat", "x.txt", "x.json"):
        with pytest.raises(ImportRefused):
            import_file(store, name, data, now)


def test_our_own_export_is_accepted_again_where_it_came_from(
    store: Store, now: datetime, export: dict[str, Any]
) -> None:
    taken = take_in(store, export, now)
    assert (taken.match_id, taken.known) == (export["id"], True)
    assert exports.export_json(store, export["id"]) == export


def test_our_own_export_keeps_its_id_and_log_elsewhere(
    store: Store, now: datetime, export: dict[str, Any], elsewhere: Store
) -> None:
    assert take_in(elsewhere, export, now).match_id == export["id"]
    assert exports.export_json(elsewhere, export["id"]) == export
    view = turns.load(elsewhere, export["id"])
    assert (view.rated, view.white, view.imported) == (False, None, True)
    assert list(audit(elsewhere, Tally())) == []


def test_an_unfinished_export_is_taken_in_elsewhere_and_refused_once_the_match_went_on(
    store: Store, now: datetime, elsewhere: Store
) -> None:
    view, chance = begin(store, now, (3, 1))
    export = exports.export_json(store, view.id)
    assert take_in(elsewhere, export, now).match_id == view.id
    assert list(audit(elsewhere, Tally())) == []
    act(store, view, view.match.turn, "play", now, chance, play="8/5 6/5")
    with pytest.raises(ImportRefused, match="another match"):
        take_in(store, export, now)


def test_nobody_plays_on_in_an_imported_match(store: Store, now: datetime) -> None:
    taken = import_file(store, "x.mat", MAT.encode(), now)
    alice, *_ = settle(store, now)
    with pytest.raises(Forbidden):
        turns.seat(turns.load(store, taken.match_id), alice)


def altered(export: dict[str, Any], change: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
    copy: dict[str, Any] = json.loads(json.dumps(export))
    change(copy)
    return copy


CHANGES: dict[str, Callable[[dict[str, Any]], Any]] = {
    "the last entry gone": lambda export: export["entries"].pop(),
    "an entry gone": lambda export: export["entries"].pop(3),
    "entries reversed": lambda export: export["entries"].reverse(),
    "a blank more": lambda export: export["entries"][4].update(text=export["entries"][4]["text"] + " "),
    "another hash": lambda export: export["entries"][4].update(hash="0" * 64),
    "an entry twice": lambda export: export["entries"].append(export["entries"][-1]),
    "no result": lambda export: export.update(result=None),
    "another length": lambda export: export.update(length=3),
    "another id": lambda export: export.update(id="another"),
    "another rule set": lambda export: export.update(rules="federation"),
    "no entries": lambda export: export.update(entries=[]),
    "an empty entry": lambda export: export.update(entries=[{"text": "{}", "hash": ""}]),
    "a name that is no text": lambda export: export.update(white=["alice"]),
    "a name of two lines": lambda export: export.update(white="a\nb"),
    "no time": lambda export: export.pop("time"),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_an_export_that_was_changed_is_refused(
    now: datetime, strange: dict[str, Any], elsewhere: Store, change: Callable[[dict[str, Any]], None]
) -> None:
    with pytest.raises(ImportRefused):
        take_in(elsewhere, altered(strange, change), now)


FAR = 2**53
PAUSES: list[dict[str, Any]] = [
    *({"why": "vacation", "from": start, "until": end} for start, end in ((0, FAR), (-1, 5), (0, True))),
    *({"why": "vacation", "from": start, "until": end} for start, end in ((0, 2**64 - 1), ("0", "1"))),
    {"from": 0, "until": 2**64 - 1},
    *({"why": why, "seconds": 10**12} for why in ("gift", "connection")),
    *({"why": "calendar", "zone": "UTC", "weekend": [5], "night": night} for night in ([], [60], "a")),
    {"why": "calendar", "zone": "UTC", "weekend": [[]], "night": None},
]


@pytest.mark.parametrize(
    ("kind", "said"),
    [*(("pause", pause) for pause in PAUSES), ("roll", {"game": None, "roll": [], "dice": [2, 1]})],
    ids=str,
)
def test_an_entry_that_no_log_of_ours_has_is_refused(
    elsewhere: Store, now: datetime, kind: str, said: dict[str, Any]
) -> None:
    """Some brought the command down in the middle of its files, and some the page of the match that was taken in."""
    view, _ = begin(elsewhere, now, (3, 1))
    wrong = exports.export_json(elsewhere, view.id)
    last = json.loads(wrong["entries"][-1]["text"])
    data = {"side": "white", **said}
    more = {"seq": view.head + 1, "seat": None, "via": "server", "kind": kind, "data": data}
    added = Entry(**{**_fields(last), **more, "nonce": None, "prev": view.head_hash})
    wrong["entries"].append({"text": added.text, "hash": added.hash})
    with pytest.raises(ImportRefused) as caught:
        take_in(elsewhere, wrong, now)
    assert caught.value.code in ("illegal", "malformed")


def _fields(entry: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in entry.items() if name != "format"}


class Crooked(FairChance):
    """Whoever should begin doesn't."""

    def draw(self, secret: bytes, match: str, game: int, roll: int, nonces: str) -> Dice:
        honest = super().draw(secret, match, game, roll, nonces)
        return Dice(honest.d2, honest.d1)


def test_an_export_forged_from_the_first_entry_on_fails_by_its_dice(
    store: Store, now: datetime, elsewhere: Store
) -> None:
    """Whoever hashes the whole log again still can't make dice fit a secret that was committed to before."""
    alice, bob, _ = settle(store, now)
    view = invitations.invite(store, alice, Terms(1), Handle("bob"), "", now, Crooked())
    invitations.accept(store, view.id, bob, now, Crooked())
    play_out(store, view.id, now)
    with pytest.raises(ImportRefused, match=r"roll \d+ of game 1 should be"):
        take_in(elsewhere, exports.export_json(store, view.id), now)


def test_an_invitation_that_was_declined_is_exported_and_taken_in(
    store: Store, now: datetime, elsewhere: Store
) -> None:
    view, chance = begin(store, now, (3, 1))
    assert view.white is not None
    assert view.black is not None
    act(store, view, view.match.turn, "resign_match", now, chance)
    offered = rematches.rematch(store, view.id, view.white.id, now, chance)
    assert offered.white
    invitations.decline(store, offered.id, view.black.id, now, chance)
    export = exports.export_json(store, offered.id)
    assert export["result"]["ending"] == "declined"
    assert take_in(elsewhere, export, now).match_id == offered.id
    assert list(audit(elsewhere, Tally())) == []

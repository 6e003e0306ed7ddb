"""The JSON export: what is written is read again, and nothing else is."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from bgmail.formats.record import Export, read_export, to_json
from bgmail.formats.refusal import ImportRefused
from bgmail.ledger.replay import replay
from tests.formats.logs import log_of
from tests.formats.played import play_match

STEPS = play_match(4, 3)
EXPORT = Export("Alice", "Bob", {"winner": "white"}, log_of(STEPS))


def value() -> dict[str, Any]:
    """A fresh copy of the export as JSON says it."""
    copy: dict[str, Any] = json.loads(json.dumps(to_json(EXPORT)))
    return copy


def test_an_export_has_the_fields_of_the_contract() -> None:
    assert list(value()) == ["format", "id", "white", "black", "length", "rules", "time", "result", "entries"]
    assert value()["format"] == "bgmail-match-1"
    assert value()["entries"][0] == {"text": EXPORT.entries[0].text, "hash": EXPORT.entries[0].hash}


def test_what_is_written_is_read_again_entry_for_entry() -> None:
    again = read_export(json.dumps(value()).encode())
    assert again == EXPORT
    assert [entry.text for entry in again.entries] == [entry.text for entry in EXPORT.entries]
    assert replay(again.entries) == STEPS[-1].after


@pytest.mark.parametrize("match_id", ["", "../m", "a b", "m\0", "m\r\nX: y", "é", "a" * 65])
def test_an_id_that_could_stand_in_no_address_is_refused(match_id: str) -> None:
    forged = Export("Alice", "Bob", None, log_of(STEPS, match_id))
    with pytest.raises(ImportRefused, match="an id is"):
        read_export(json.dumps(to_json(forged)))


@pytest.mark.parametrize("start", ["\ufeff", " \r\n\t"])
def test_a_byte_order_mark_and_blanks_do_no_harm(start: str) -> None:
    assert read_export((start + json.dumps(value(), indent=4)).encode()) == EXPORT


def test_a_seat_that_nobody_has_and_a_match_still_going_on_are_null() -> None:
    running = Export("Alice", None, None, EXPORT.entries[:1])
    assert read_export(json.dumps(to_json(running))) == running


def test_names_in_other_letters_come_through() -> None:
    named = Export("Zoë Ångström", "山田", None, EXPORT.entries)
    assert read_export(json.dumps(to_json(named), ensure_ascii=False).encode()) == named


GONE = object()

FAULTS: list[tuple[str, object, str]] = [
    ("format", "bgmail-match-2", "not in the format bgmail-match-1"),
    ("format", GONE, "not in the format"),
    ("id", GONE, "id is missing"),
    ("entries", GONE, "entries is missing"),
    ("extra", 1, "'extra' doesn't belong"),
    ("id", "m2", "id is not what the log says"),
    ("length", 5, "length is not what the log says"),
    ("length", "3", "length is not what the log says"),
    ("rules", "federation", "rules is not what the log says"),
    ("time/bank", 60, "time is not what the log says"),
    ("white", 7, "white is not a name"),
    ("white", "x" * 61, "white is not a name"),
    ("black", "Bob\nCharlie", "black is not a name"),
    ("result", "white", "result must be an object or null"),
    ("entries", [], "there are no entries"),
    ("entries", {"text": 1}, "there are no entries"),
    ("entries/3", None, "entry 4 is not a text and its hash"),
    ("entries/3", {"text": "{}"}, "entry 4 is not a text and its hash"),
    ("entries/3/text", 5, "entry 4 is not a text and its hash"),
    ("entries/3/text", "{}", "entry 4: an entry has exactly the fields"),
    ("entries/3/text", "[", "entry 4: "),
    ("entries/3/hash", "0" * 64, "entry 4 is not what was hashed"),
    ("entries/3/hash", None, "entry 4 is not what was hashed"),
    ("entries/0/text", "[" * 100_000, "entry 1: nested too deeply"),
]


def spoil(export: dict[str, Any], path: str, new: object) -> None:
    """Put something else at a place of the export, or take it away."""
    *way, last = path.split("/")
    place: Any = export
    for step in way:
        place = place[int(step) if step.isdigit() else step]
    if new is GONE:
        del place[last]
    else:
        place[int(last) if last.isdigit() else last] = new


@pytest.mark.parametrize(
    ("path", "new", "sentence"), FAULTS, ids=[f"{path} {str(new)[:12]}" for path, new, _ in FAULTS]
)
def test_an_export_with_a_fault_is_refused_with_its_reason(path: str, new: object, sentence: str) -> None:
    export = value()
    spoil(export, path, new)
    with pytest.raises(ImportRefused, match=sentence):
        read_export(json.dumps(export))


def test_a_text_that_is_not_canonical_is_refused_even_with_its_own_hash() -> None:
    export = value()
    export["entries"][2]["text"] = export["entries"][2]["text"].replace(",", ", ", 1)
    with pytest.raises(ImportRefused, match="entry 3: the text is not in canonical form"):
        read_export(json.dumps(export))


OTHER = [{"text": entry.text, "hash": entry.hash} for entry in log_of(STEPS, "m2")]

CUTS: dict[str, tuple[Callable[[list[Any]], list[Any]], str]] = {
    "start": (lambda entries: entries[1:], "entry 1: is numbered 2"),
    "middle": (lambda entries: entries[:4] + entries[5:], "entry 5: is numbered 6"),
    "order": (lambda entries: [entries[0], entries[2], entries[1], *entries[3:]], "entry 2: is numbered 3"),
    "mixed": (lambda entries: [entries[0], *OTHER[1:]], "entry 2: belongs to another match"),
    "another start": (lambda entries: [OTHER[0], *entries[1:]], "entry 2: belongs to another match"),
}


@pytest.mark.parametrize("cut", CUTS)
def test_a_log_that_was_cut_or_mixed_is_refused(cut: str) -> None:
    rebuild, sentence = CUTS[cut]
    export = value()
    export["entries"] = rebuild(export["entries"])
    with pytest.raises(ImportRefused, match=sentence):
        read_export(json.dumps(export))


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "the file is not JSON"),
        (b"\xff\xfe\x00", "the file is not JSON"),
        (b"[1, 2", "the file is not JSON"),
        (b"[]", "not in the format"),
        (b"null", "not in the format"),
        (b'{"format": "bgmail-match-1", "format": "bgmail-match-1"}', "a key stands twice"),
        (b'{"format": "bgmail-match-1", "length": 7.0}', "7.0 is no whole number"),
        (b'{"format": "bgmail-match-1", "length": NaN}', "NaN is no whole number"),
        (b"[" * 100_000, "nested too deeply"),
    ],
)
def test_what_is_no_export_at_all_is_refused(data: bytes, sentence: str) -> None:
    with pytest.raises(ImportRefused, match=sentence):
        read_export(data)

"""Checks the dice of an exported match with nothing but Python's own library.

    python verify.py MATCH.json

Written from the published rules alone (how the log is hashed, how dice are committed to and drawn) and shares
no line with the program that made the export. Exit code 0: all is as promised; 1: something is not; 2: this
is no export.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import sys
from pathlib import Path
from typing import Any

FIELDS = ["at", "data", "format", "kind", "match", "nonce", "prev", "seat", "seq", "version", "via"]
NONCE = re.compile(r"[0-9a-f]{32}")


class Wrong(Exception):
    """One thing that is not as promised."""


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def roll_two_dice(secret: bytes, match: str, game: int, roll: int, nonces: str) -> list[int]:
    """Bytes of HMAC-SHA256(secret, "match|game|roll|N|k"), k = 0, 1, ...; 252 and above do not count."""
    dice: list[int] = []
    k = 0
    while len(dice) < 2:
        message = f"{match}|{game}|{roll}|{sha256(nonces.encode('ascii'))}|{k}"
        stream = hmac.new(secret, message.encode("ascii"), hashlib.sha256).digest()
        dice += [1 + byte % 6 for byte in stream if byte < 252]
        k += 1
    return dice[:2]


def read_chain(export: dict[str, Any]) -> list[dict[str, Any]]:
    """The entries of the log, each checked against its hash, its place and the hash before it."""
    entries = []
    before = "0" * 64
    for place, stored in enumerate(export["entries"], 1):
        text = stored["text"]
        if sha256(text.encode("utf-8")) != stored["hash"]:
            raise Wrong(f"entry {place} is not what was hashed")
        entry = json.loads(text)
        if sorted(entry) != FIELDS or entry["format"] != 1:
            raise Wrong(f"entry {place} is in a format that this program does not know")
        if json.dumps(entry, sort_keys=True, separators=(",", ":"), ensure_ascii=False) != text:
            raise Wrong(f"entry {place} is not written in the canonical way")
        if entry["seq"] != place or entry["match"] != export["id"] or entry["prev"] != before:
            raise Wrong(f"entry {place} does not follow the one before it")
        if entry["nonce"] is not None and not NONCE.fullmatch(entry["nonce"]):
            raise Wrong(f"entry {place} has a malformed nonce")
        before = stored["hash"]
        entries.append(entry)
    return entries


def published(entries: list[dict[str, Any]], kind: str, value: str) -> dict[int, str]:
    """Game -> commitment, or game -> secret; each may be logged once."""
    found: dict[int, str] = {}
    for entry in entries:
        if entry["kind"] == kind:
            game = entry["data"]["game"]
            if game in found:
                raise Wrong(f"game {game} has two entries of kind {kind}")
            found[game] = entry["data"][value]
    return found


def check_promises(commitments: dict[int, str], secrets: dict[int, str]) -> None:
    for game, secret in secrets.items():
        if sha256(bytes.fromhex(secret)) != commitments.get(game):
            raise Wrong(f"the secret of game {game} is not the one that was committed to")


def check_order(entries: list[dict[str, Any]]) -> int:
    """A commitment stands before its game's first roll, a person's entry between. Counts unguarded games."""
    waiting: dict[int, bool] = {}
    begun: set[int] = set()
    unguarded = 0
    for entry in entries:
        if entry["kind"] == "commit":
            waiting[entry["data"]["game"]] = False
        elif entry["nonce"] is not None and entry["seat"] is not None:
            waiting = dict.fromkeys(waiting, True)
        elif entry["kind"] == "reveal" and entry["data"]["game"] not in waiting:
            raise Wrong(f"game {entry['data']['game']} has a secret and no commitment")
        if entry["kind"] in ("opening_roll", "roll") and entry["data"]["game"] not in begun:
            game = entry["data"]["game"]
            begun.add(game)
            if game not in waiting:
                raise Wrong(f"game {game} was rolled for before its commitment")
            if not waiting[game] and not entry["data"].get("unguarded"):
                raise Wrong(f"nobody acted between the commitment of game {game} and its first roll")
            unguarded += not waiting[game]
    return unguarded


def check_rolls(entries: list[dict[str, Any]], match: str, secrets: dict[int, str]) -> tuple[int, int]:
    """Draws every roll of a published game again: the rolls checked, and those of games still secret."""
    nonces = ""
    numbers: dict[int, int] = {}
    checked = closed = 0
    for entry in entries:
        nonces += entry["nonce"] or ""
        if entry["kind"] not in ("opening_roll", "roll"):
            continue
        game, roll, dice = (entry["data"][name] for name in ("game", "roll", "dice"))
        numbers[game] = numbers.get(game, 0) + 1
        if roll != numbers[game]:
            raise Wrong(f"roll {roll} of game {game} stands where roll {numbers[game]} belongs")
        if game not in secrets:
            closed += 1
            continue
        drawn = roll_two_dice(bytes.fromhex(secrets[game]), match, game, roll, nonces)
        if drawn != dice:
            raise Wrong(f"roll {roll} of game {game} is {dice}, and should be {drawn}")
        checked += 1
    return checked, closed


def check(export: dict[str, Any]) -> str:
    """A sentence about a match whose dice are as promised. Raises Wrong where they are not."""
    entries = read_chain(export)
    if any(entry["via"] == "import" for entry in entries):
        return "The dice of this match come from another site: there is nothing here to check them by."
    secrets = published(entries, "reveal", "secret")
    check_promises(published(entries, "commit", "commitment"), secrets)
    unguarded = check_order(entries)
    checked, closed = check_rolls(entries, export["id"], secrets)
    return (
        f"{len(entries)} entries, {checked} rolls of {len(secrets)} games are as committed to; "
        f"{closed} rolls are of a game whose secret is not published yet; {unguarded} games began unguarded."
    )


def main(arguments: list[str]) -> int:
    try:
        export = json.loads(Path(arguments[0]).read_text(encoding="utf-8"))
        if export["format"] != "bgmail-match-1":
            raise KeyError("format")
        print(check(export))
    except Wrong as wrong:
        print(f"WRONG: {wrong}.", file=sys.stderr)
        return 1
    except (IndexError, OSError, ValueError, KeyError, TypeError) as error:
        print(f"This is not an exported match: {error!r}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

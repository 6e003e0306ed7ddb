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


class Game:
    """What is known of one game while the log is read."""

    def __init__(self) -> None:
        self.commitment: str | None = None
        self.guarded = False  # a person acted since the commitment
        self.rolls = 0
        self.unproven: list[tuple[int, list[int], str]] = []  # roll, dice, the nonces up to it


class Tally:
    """Reads the log once, from the first entry to the last."""

    def __init__(self, match: str) -> None:
        self.match = match
        self.games: dict[int, Game] = {}
        self.nonces = ""
        self.proven = self.secrets = self.unguarded = 0

    def read(self, entry: dict[str, Any]) -> None:
        if entry["nonce"] is not None:
            self.nonces += entry["nonce"]
            for game in self.games.values():
                game.guarded = True
        if entry["kind"] == "commit":
            self.commit(entry["data"]["game"], entry["data"]["commitment"])
        elif entry["kind"] in ("opening_roll", "roll"):
            data = entry["data"]
            self.roll(data["game"], data["roll"], data["dice"], data.get("unguarded", False))
        elif entry["kind"] == "reveal":
            self.reveal(entry["data"]["game"], entry["data"]["secret"])

    def commit(self, number: int, commitment: str) -> None:
        game = self.games.setdefault(number, Game())
        if game.commitment is not None:
            raise Wrong(f"game {number} is committed to twice")
        game.commitment, game.guarded = commitment, False

    def roll(self, game: int, roll: int, dice: list[int], unguarded: bool) -> None:
        known = self.games.get(game, Game())
        known.rolls += 1
        if roll != known.rolls:
            raise Wrong(f"roll {roll} of game {game} stands where roll {known.rolls} belongs")
        if known.commitment is None:
            raise Wrong(f"game {game} was rolled for without a commitment")
        if not known.guarded:
            if not unguarded:
                raise Wrong(f"nobody acted between the commitment of game {game} and its first roll")
            known.guarded = True
            self.unguarded += 1
        known.unproven.append((roll, dice, self.nonces))

    def reveal(self, number: int, secret: str) -> None:
        game = self.games.get(number, Game())
        if sha256(bytes.fromhex(secret)) != game.commitment:
            raise Wrong(f"the secret of game {number} is not the one that was committed to")
        for roll, dice, nonces in game.unproven:
            drawn = roll_two_dice(bytes.fromhex(secret), self.match, number, roll, nonces)
            if drawn != dice:
                raise Wrong(f"roll {roll} of game {number} is {dice}, and should be {drawn}")
        self.secrets += 1
        self.proven += len(game.unproven)
        game.commitment, game.unproven = None, []


def check(export: dict[str, Any]) -> str:
    """A sentence about a match whose dice are as promised. Raises Wrong where they are not."""
    entries = read_chain(export)
    if any(entry["via"] == "import" for entry in entries):
        return "The dice of this match come from another site: there is nothing here to check them by."
    tally = Tally(export["id"])
    for entry in entries:
        tally.read(entry)
    closed = sum(len(game.unproven) for game in tally.games.values())
    return (
        f"{len(entries)} entries: {tally.proven} rolls are as {tally.secrets} published secrets promised; "
        f"{closed} rolls wait for a secret; {tally.unguarded} games began unguarded."
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

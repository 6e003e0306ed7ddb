"""How dice are committed, drawn and verified: nobody can steer them and anybody can check them.

A game's dice come from a secret that was committed to before, and from the nonces of both players. The bytes
are part of the public contract: an independent program verifies an exported match.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets as system
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Protocol

from bgmail.ledger.entry import Entry
from bgmail.rules.dice import Dice

SECRET_BYTES = 32
FAIR_LIMIT = 252  # the largest multiple of six in a byte: from it on a byte would favour low dice
NO_PERSON = frozenset({"auto", "clock", "import", "server"})
"""Ways by which entries come in that are nobody's own action: a nonce of theirs could be chosen by the server."""


class Chance(Protocol):
    """Where secrets, nonces and dice come from; tests put a scripted one in by argument."""

    def secret(self) -> bytes: ...

    def nonce(self) -> str: ...

    def draw(self, secret: bytes, match: str, game: int, roll: int, nonces: str) -> Dice: ...


class FairChance:
    """Secrets and nonces from the operating system, dice from `draw`."""

    def secret(self) -> bytes:
        return system.token_bytes(SECRET_BYTES)

    def nonce(self) -> str:
        return system.token_hex(16)

    def draw(self, secret: bytes, match: str, game: int, roll: int, nonces: str) -> Dice:
        return draw(secret, match, game, roll, nonces)


def commitment(secret: bytes) -> str:
    """SHA-256 of the secret's 32 bytes, in hex: what is logged before the game."""
    return hashlib.sha256(secret).hexdigest()


def digest_of(nonces: str) -> str:
    """N of the draw: the hex SHA-256 of all nonces so far, one after the other."""
    return hashlib.sha256(nonces.encode("ascii")).hexdigest()


def draw(secret: bytes, match: str, game: int, roll: int, nonces: str) -> Dice:
    """Roll `roll` of game `game`, both from 1; `nonces` are all nonces in the log up to its own entry."""
    values = _dice_values(secret, f"{match}|{game}|{roll}|{digest_of(nonces)}|")
    return Dice(next(values), next(values))


def _dice_values(secret: bytes, prefix: str) -> Iterator[int]:
    block = 0
    while True:
        for byte in hmac.digest(secret, f"{prefix}{block}".encode("ascii"), "sha256"):
            if byte < FAIR_LIMIT:
                yield 1 + byte % 6
        block += 1


@dataclass(slots=True)
class Verdict:
    """What a check of a log's dice found. `faults` say what is wrong, by entry; none = all is as promised.

    `open_games` have rolls whose secret is not published yet, `unpublished` games a commitment; `unguarded`
    games had no action of a person between commitment and first roll, and said so; `renewed` games were
    committed to once more, after their secret was published: the match was restored. `foreign` tells that
    dice came from outside (an import).
    """

    rolls: int = 0
    games: int = 0
    faults: list[str] = field(default_factory=list)
    open_games: list[int] = field(default_factory=list)
    unpublished: list[int] = field(default_factory=list)
    unguarded: list[int] = field(default_factory=list)
    renewed: list[int] = field(default_factory=list)
    foreign: bool = False

    @property
    def good(self) -> bool:
        return not self.faults


@dataclass(slots=True)
class _Roll:
    entry: Entry
    dice: list[int]
    nonces: str


def verify(entries: Iterable[Entry]) -> Verdict:
    """Checks every roll of a log against the published secrets, and every secret against its commitment."""
    return _Check().run(entries)


class _Check:
    """Reads a log once. A game may be committed to anew after its secret was published: it was restored."""

    def __init__(self) -> None:
        self.verdict = Verdict()
        self.numbers: dict[int, int] = {}
        self.revealed: set[int] = set()
        self.commitments: dict[int, str] = {}
        self.guarded: set[int] = set()
        self.rolls: dict[int, list[_Roll]] = {}
        self.over: set[int] = set()
        self.nonces = ""

    def run(self, entries: Iterable[Entry]) -> Verdict:
        for entry in entries:
            if entry.nonce:
                self._nonce(entry)
            reader = {
                "commit": self._commit,
                "roll": self._roll,
                "opening_roll": self._roll,
                "game_over": self._game_over,
                "match_over": self._match_over,
                "reveal": self._reveal,
            }.get(entry.kind)
            if reader:
                try:
                    reader(entry)
                except (KeyError, TypeError, ValueError) as error:
                    self._fault(entry, f"it can't be read ({error})")
        owed = self.over & (set(self.commitments) | set(self.rolls))
        self.verdict.faults += [f"the secret of game {game} is missing" for game in sorted(owed)]
        self.verdict.open_games = sorted(set(self.rolls) - self.over)
        self.verdict.unpublished = sorted(self.commitments)
        return self.verdict

    def _nonce(self, entry: Entry) -> None:
        if entry.seat is None or entry.via in NO_PERSON:
            self._fault(entry, "it is no person's and carries a nonce")
        self.nonces += entry.nonce or ""
        self.guarded |= set(self.commitments)

    def _fault(self, entry: Entry, text: str) -> None:
        self.verdict.faults.append(f"entry {entry.seq}: {text}")

    def _commit(self, entry: Entry) -> None:
        game = _game_of(entry)
        if game in self.commitments:
            self._fault(entry, f"game {game} was committed to twice")
        elif game in self.revealed:
            self.verdict.renewed.append(game)
        self.commitments.setdefault(game, entry.data["commitment"])
        self.guarded.discard(game)

    def _roll(self, entry: Entry) -> None:
        game = _game_of(entry)
        if entry.via == "import":
            self.verdict.foreign = True
            return
        rolls = self.rolls.setdefault(game, [])
        rolls.append(_Roll(entry, list(entry.data["dice"]), self.nonces))
        number = self.numbers[game] = self.numbers.get(game, 0) + 1
        if entry.data["roll"] != number:
            self._fault(entry, f"roll {entry.data['roll']} of game {game} stands where roll {number} belongs")
        if game not in self.commitments:
            self._fault(entry, f"game {game} was rolled for without a commitment")
        elif len(rolls) == 1 and game not in self.guarded:
            self._unguarded(entry, game)

    def _unguarded(self, entry: Entry, game: int) -> None:
        if entry.data.get("unguarded"):
            self.verdict.unguarded.append(game)
        else:
            self._fault(entry, f"nobody acted between the commitment of game {game} and its first roll")

    def _game_over(self, entry: Entry) -> None:
        self.over.add(_game_of(entry))

    def _match_over(self, _entry: Entry) -> None:
        self.over |= set(self.commitments)

    def _reveal(self, entry: Entry) -> None:
        game, secret = _game_of(entry), bytes.fromhex(entry.data["secret"])
        if secret.hex() != entry.data["secret"]:
            self._fault(entry, "a secret is written in lower-case hex")
        if commitment(secret) != self.commitments.pop(game, None):
            self._fault(entry, f"the secret of game {game} is not the one committed to")
        for roll in self.rolls.pop(game, []):
            number = roll.entry.data["roll"]
            dice = draw(secret, entry.match, game, number, roll.nonces)
            self.verdict.rolls += 1
            if [dice.d1, dice.d2] != roll.dice:
                self._fault(roll.entry, f"roll {number} of game {game} should be {dice}")
        self.verdict.games += game not in self.revealed
        self.revealed.add(game)


def _game_of(entry: Entry) -> int:
    game = entry.data["game"]
    if type(game) is not int:
        raise TypeError(f"game {game!r} is no number")
    return game

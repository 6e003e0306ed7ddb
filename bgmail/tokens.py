"""Signatures: what a link or a cookie says, for one purpose, unforged. Knows itsdangerous and nothing else.

A token is never a login by itself: the service behind it checks what it says against the present.
"""

from __future__ import annotations

import hashlib
import hmac
from base64 import b32decode, b32encode
from collections.abc import Callable, Sequence
from dataclasses import astuple, dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any

from itsdangerous import BadData, TimestampSigner, URLSafeTimedSerializer

LEEWAY = timedelta(seconds=60)
MOST_ID, MOST_VERSION, PREFIX = 12, 2**23, 12
"""What an address has room for: signs of a match's id, versions, and hex digits of a hash."""
NUMBER = 5
"""Bytes of a number in an address."""
MAC = 15
"""Bytes of an address that prove it: 120 bits."""


class Purpose(StrEnum):
    """What a token is for. Each purpose signs with a salt of its own, so none can stand in for another."""

    REPLY = "reply"
    """A reply link: a MatchClaim."""
    RECEIPT = "receipt"
    """The short cookie that shows the result of one reply link."""
    INVITATION = "invitation"
    """An invitation to an address, known only to who reads that mailbox."""
    VERIFY = "verify"
    """An address belongs to an account."""
    CHANGE_ADDRESS = "change-address"
    """An account moves to a new address."""
    SIGN_IN = "sign-in"
    """One sign-in without a password."""
    RESET = "reset"
    """One new password."""
    ANSWER = "answer"
    """An address to answer to by mail: a MatchClaim that proposes nothing."""
    BOUNCE = "bounce"
    """The address that reports about one letter come to."""
    UNSUBSCRIBE = "unsubscribe"
    """One kind of letter may be switched off and on."""
    FEED = "feed"
    """One person's turns and deadlines may be read."""


class BadToken(ValueError):
    """A token that is malformed, forged, cut short, or for another purpose."""


class ExpiredToken(BadToken):
    """A genuine token that is too old. `payload` is what it says and `signed_at` when it was made."""

    def __init__(self, payload: Any, signed_at: datetime) -> None:
        super().__init__("the token is too old")
        self.payload = payload
        self.signed_at = signed_at


@dataclass(frozen=True, slots=True)
class MatchClaim:
    """What a reply link says: this side of this match may act while `version` stands.

    `side` is 0 for White and 1 for Black. `hash_prefix` is the start of the hash of the entry that made
    `version`, so that a restored database can't revive it. `action`, `value` and `play` are what the link
    proposes; the action None leaves the choice to its page.
    """

    match: str
    side: int
    version: int
    hash_prefix: str
    action: str | None = None
    value: int | None = None
    play: str | None = None


class Signer:
    """Signs with `key` and reads what `key` or any of the `previous` keys signed, newest first.

    `clock` tells the present as an aware datetime; tests and time travel bring their own.
    """

    def __init__(
        self,
        key: str,
        previous: Sequence[str] = (),
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._keys = [*reversed(previous), key]
        self._clock = clock
        self._serializers = {purpose: self._serializer(purpose, clock) for purpose in Purpose}

    def sign(self, purpose: Purpose, payload: Any, at: datetime | None = None) -> str:
        """A URL-safe token that says `payload` (anything JSON can carry).

        `at` (None = now) is when it is signed: the same payload and instant make the same token.
        """
        serializer = self._serializers[purpose] if at is None else self._serializer(purpose, lambda: at)
        token: str = serializer.dumps(payload)
        return token

    def read(self, purpose: Purpose, token: str, max_age: timedelta | None = None) -> Any:
        """What the token says. Raises BadToken unless it was signed here for this purpose.

        Raises ExpiredToken when it is older than `max_age` by more than LEEWAY. One that seems to come from
        the future is good: the clock stepped back, and the signature is still ours.
        """
        try:
            payload, signed_at = self._serializers[purpose].loads(token, return_timestamp=True)
        except (BadData, ValueError, OverflowError) as error:
            raise BadToken("no token of ours for this purpose") from error
        if max_age is not None and self._clock() - signed_at > max_age + LEEWAY:
            raise ExpiredToken(payload, signed_at)
        return payload

    def sign_claim(self, claim: MatchClaim) -> str:
        """A reply link's token."""
        fields = list(astuple(claim))
        while fields[-1] is None:
            fields.pop()
        return self.sign(Purpose.REPLY, fields)

    def read_claim(self, token: str) -> MatchClaim:
        """The claim of a reply link's token, however old: its version decides. Raises BadToken."""
        fields = self.read(Purpose.REPLY, token)
        match fields:
            case [str(), 0 | 1, int(), str(), *more] if len(more) <= 3:
                return MatchClaim(*fields)
        raise BadToken("no claim to a match")

    def sign_address(self, claim: MatchClaim) -> str | None:
        """The claim as 58 signs of lower-case base32, which no mail server on the way changes.

        None for a match that an address has no room for; its letters have links all the same.
        """
        name = claim.match.encode()
        if len(name) > MOST_ID or not 0 <= claim.version < MOST_VERSION or len(claim.hash_prefix) != PREFIX:
            return None
        number = (claim.version << 1 | claim.side).to_bytes(3)
        body = name.ljust(MOST_ID, b"\0") + number + bytes.fromhex(claim.hash_prefix)
        return self._sealed(Purpose.ANSWER, body)

    def read_address(self, token: str) -> MatchClaim:
        """The claim of an address, in any case and however old: its version decides. Raises BadToken."""
        body = self._opened(Purpose.ANSWER, token)
        number = int.from_bytes(body[MOST_ID : MOST_ID + 3])
        name = body[:MOST_ID].rstrip(b"\0").decode()
        return MatchClaim(name, number & 1, number >> 1, body[MOST_ID + 3 :].hex())

    def sign_number(self, number: int) -> str:
        """A number (40 bits) for an address that reports come to: 32 signs of lower-case base32."""
        return self._sealed(Purpose.BOUNCE, number.to_bytes(NUMBER))

    def read_number(self, token: str) -> int:
        """The number that an address names, in any case. Raises BadToken."""
        return int.from_bytes(self._opened(Purpose.BOUNCE, token))

    def _sealed(self, purpose: Purpose, body: bytes) -> str:
        return b32encode(body + _mac(self._keys[-1], purpose, body)).decode().rstrip("=").lower()

    def _opened(self, purpose: Purpose, token: str) -> bytes:
        try:
            raw = b32decode(token.upper() + "=" * (-len(token) % 8))
        except ValueError as error:
            raise BadToken("no address of ours") from error
        body, mac = raw[:-MAC], raw[-MAC:]
        if not any(hmac.compare_digest(_mac(key, purpose, body), mac) for key in self._keys):
            raise BadToken("no address of ours")
        return body

    def _serializer(self, purpose: Purpose, clock: Callable[[], datetime]) -> URLSafeTimedSerializer:
        return URLSafeTimedSerializer(
            self._keys, salt=f"bgmail.{purpose.value}", signer=_Stamp, signer_kwargs={"clock": clock}
        )


def _mac(key: str, purpose: Purpose, body: bytes) -> bytes:
    """What proves an address, by a key of its own made from the key for everything."""
    own = hmac.digest(key.encode(), f"bgmail.{purpose.value}".encode(), "sha256")
    return hmac.digest(own, body, "sha256")[:MAC]


class _Stamp(TimestampSigner):
    """A timestamp signer that asks our clock what time it is."""

    def __init__(self, secret_key: Any, clock: Callable[[], datetime], **settings: Any) -> None:
        super().__init__(secret_key, key_derivation="hmac", digest_method=hashlib.sha256, **settings)
        self._clock = clock

    def get_timestamp(self) -> int:
        return int(self._clock().timestamp())

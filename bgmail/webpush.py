"""A message to one browser: sealed so that the service that carries it can't read it (RFC 8291), and signed by whom it
comes from (VAPID, RFC 8292). Knows cryptography, and nothing of rows, time or chance: those are arguments.
"""

from __future__ import annotations

import binascii
import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass
from datetime import datetime

from cryptography.hazmat.primitives.asymmetric.ec import (
    ECDH,
    ECDSA,
    SECP256R1,
    EllipticCurvePrivateKey,
    EllipticCurvePublicKey,
    derive_private_key,
    generate_private_key,
)
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

CURVE = SECP256R1()
KEY_BYTES, POINT_BYTES, AUTH_BYTES, SALT_BYTES = 32, 65, 16, 16
RECORD = 4096
"""One record holds the whole message: push services take no more."""
MOST = RECORD - 16 - 1 - (SALT_BYTES + 4 + 1 + POINT_BYTES)
"""Bytes of a message at most: the record without its seal, its end mark and the header before it."""


class BadBrowser(ValueError):
    """Keys that no browser made."""


@dataclass(frozen=True, slots=True)
class Browser:
    """What a browser gave us to seal its messages with: its public point, and a secret of its own."""

    point: bytes
    secret: bytes

    @classmethod
    def read(cls, p256dh: str, auth: str) -> Browser:
        """From the texts of a browser's subscription. Raises BadBrowser."""
        try:
            point, secret = plain(p256dh), plain(auth)
            EllipticCurvePublicKey.from_encoded_point(CURVE, point)
        except ValueError as error:
            raise BadBrowser("no point of the curve") from error
        if len(point) != POINT_BYTES or len(secret) != AUTH_BYTES:
            raise BadBrowser("keys of a wrong length")
        return cls(point, secret)


def text(value: bytes) -> str:
    """Bytes as the web writes them: base64 that is safe in addresses, without padding."""
    return urlsafe_b64encode(value).rstrip(b"=").decode()


def plain(value: str) -> bytes:
    """The bytes of such a text. Raises ValueError."""
    try:
        raw = value.encode("ascii")
        return urlsafe_b64decode(raw + b"=" * (-len(raw) % 4))
    except (UnicodeEncodeError, binascii.Error) as error:
        raise ValueError("no base64") from error


def new_key() -> bytes:
    """A private key that nobody has: 32 bytes."""
    return generate_private_key(CURVE).private_numbers().private_value.to_bytes(KEY_BYTES, "big")


def public_key(key: bytes) -> bytes:
    """The public point of a private key: 65 bytes, not compressed."""
    return _private(key).public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def seal(message: bytes, browser: Browser, once: bytes, salt: bytes) -> bytes:
    """The message as only that browser can open it (aes128gcm, in one record).

    `once` is a private key and `salt` 16 bytes, both new for each message. Raises ValueError for a message of more
    than MOST bytes.
    """
    if len(message) > MOST:
        raise ValueError(f"a message of {len(message)} bytes is longer than {MOST}")
    own_point = public_key(once)
    reader = EllipticCurvePublicKey.from_encoded_point(CURVE, browser.point)
    shared = _private(once).exchange(ECDH(), reader)
    secret = _derived(browser.secret, shared, b"WebPush: info\0" + browser.point + own_point, 32)
    key = _derived(salt, secret, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derived(salt, secret, b"Content-Encoding: nonce\0", 12)
    header = salt + RECORD.to_bytes(4, "big") + bytes([POINT_BYTES]) + own_point
    return header + AESGCM(key).encrypt(nonce, message + b"\x02", None)


def credentials(key: bytes, audience: str, contact: str, until: datetime) -> str:
    """The Authorization header for a push service: who sends, to whom (`audience`, its origin), until when at most.

    `contact` is a mailto: or https: address of whoever runs this server.
    """
    claims = {"aud": audience, "exp": int(until.timestamp()), "sub": contact}
    signed = f"{_json({'typ': 'JWT', 'alg': 'ES256'})}.{_json(claims)}"
    r, s = decode_dss_signature(_private(key).sign(signed.encode(), ECDSA(SHA256())))
    signature = r.to_bytes(KEY_BYTES, "big") + s.to_bytes(KEY_BYTES, "big")
    return f"vapid t={signed}.{text(signature)}, k={text(public_key(key))}"


def _private(key: bytes) -> EllipticCurvePrivateKey:
    return derive_private_key(int.from_bytes(key, "big"), CURVE)


def _derived(salt: bytes, secret: bytes, info: bytes, length: int) -> bytes:
    return HKDF(SHA256(), length, salt, info).derive(secret)


def _json(value: dict[str, object]) -> str:
    return text(json.dumps(value, separators=(",", ":")).encode())

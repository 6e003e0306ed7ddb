"""Messages to browsers: the standard's own example, what another program opens, and what a signature says."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import http_ece
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256

from bgmail import webpush
from bgmail.webpush import BadBrowser, Browser

# RFC 8291, section 5 and appendix A
BROWSER_KEY = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"
POINT = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
AUTH = "BTBZMqHH6r4Tts7J_aSIgg"
ONCE = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
SALT = "DGv6ra1nlYgDCS1FRnbzlw"
SEALED = (
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_"
    "yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
)


def test_the_example_of_the_standard_comes_out_byte_for_byte() -> None:
    browser = Browser.read(POINT, AUTH)
    message = b"When I grow up, I want to be a watermelon"
    sealed = webpush.seal(message, browser, webpush.plain(ONCE), webpush.plain(SALT))
    assert webpush.text(sealed) == SEALED


@pytest.mark.parametrize("length", [0, 1, 200, webpush.MOST])
def test_another_program_opens_it(length: int) -> None:
    key = ec.derive_private_key(int.from_bytes(webpush.plain(BROWSER_KEY), "big"), ec.SECP256R1())
    message = bytes(number % 256 for number in range(length))
    sealed = webpush.seal(message, Browser.read(POINT, AUTH), webpush.new_key(), bytes(range(16)))
    assert len(sealed) <= 4096
    opened = http_ece.decrypt(sealed, private_key=key, auth_secret=webpush.plain(AUTH), version="aes128gcm")
    assert opened == message


def test_a_message_that_no_service_takes_is_not_sealed() -> None:
    with pytest.raises(ValueError, match="longer than 3993"):
        webpush.seal(b"x" * 3994, Browser.read(POINT, AUTH), webpush.new_key(), bytes(16))


def test_a_signature_says_who_sends_to_whom_and_until_when() -> None:
    key, until = webpush.new_key(), datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
    header = webpush.credentials(key, "https://push.example.org", "mailto:host@bgmail.example", until)
    scheme, token, public = header.replace(",", "").split(" ")
    assert (scheme, public) == ("vapid", f"k={webpush.text(webpush.public_key(key))}")
    head, claims, signature = token.removeprefix("t=").split(".")
    assert json.loads(webpush.plain(head)) == {"typ": "JWT", "alg": "ES256"}
    assert json.loads(webpush.plain(claims)) == {
        "aud": "https://push.example.org",
        "exp": 1772452800,
        "sub": "mailto:host@bgmail.example",
    }
    raw = webpush.plain(signature)
    assert len(raw) == 64
    numbers = encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    signer = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), webpush.public_key(key))
    signer.verify(numbers, f"{head}.{claims}".encode(), ec.ECDSA(SHA256()))


def test_keys_are_new_each_time_and_have_their_length() -> None:
    keys = {webpush.new_key() for _ in range(8)}
    assert len(keys) == 8
    assert {len(key) for key in keys} == {32}
    assert {len(webpush.public_key(key)) for key in keys} == {65}


@pytest.mark.parametrize(
    ("point", "auth"),
    [
        ("", AUTH),
        ("not base64!", AUTH),
        ("BÄ", AUTH),
        (POINT[:-4], AUTH),
        ("A" * 87, AUTH),
        ("B" + "A" * 86, AUTH),
        (webpush.text(b"\x02" + webpush.plain(POINT)[1:33]), AUTH),
        (POINT, ""),
        (POINT, AUTH[:-2]),
        (POINT, AUTH + "AAAA"),
    ],
)
def test_keys_that_no_browser_made_are_refused(point: str, auth: str) -> None:
    with pytest.raises(BadBrowser):
        Browser.read(point, auth)

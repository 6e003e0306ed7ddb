"""Who vouches for a sender: our own relay, in the topmost verdict, for that very domain, and nobody else."""

from __future__ import annotations

import pytest

from bgmail.inbox.reader import read
from bgmail.inbox.verdicts import vouched

OURS = "mx.club.example"
BOB = "bob@play.example"


@pytest.mark.parametrize(
    "verdict",
    [
        "mx.club.example; dmarc=pass (p=reject) header.from=play.example",
        "mx.club.example; spf=fail smtp.mailfrom=x@list.example; dkim=pass header.d=play.example header.s=s1; "
        "dmarc=pass header.from=Play.Example",
        'mx.club.example 1; dkim=pass (2048-bit key; unprotected) header.d=play.example header.i="@play.example"',
        "mx.club.example; spf=pass smtp.mailfrom=bob@play.example smtp.helo=mail.play.example",
        "MX.club.example; dkim=pass header.i=@play.example",
        'mx.club.example; dkim=pass reason="1024-bit key; unprotected key" header.d=play.example',
        'mx.club.example; dkim=pass (good (2048 bit (rsa))) header.d=play.example header.b="a/b+c="',
        'mx.club.example; dmarc=pass header.from="play.example"',
    ],
)
def test_our_relay_vouches(verdict: str) -> None:
    assert vouched([verdict, "mx.elsewhere.example; dmarc=fail"], OURS, BOB)


@pytest.mark.parametrize(
    "verdicts",
    [
        [],
        [""],
        [";"],
        ["mx.club.example"],
        ["mx.club.example; none"],
        ["mx.club.example; dmarc=fail header.from=play.example"],
        ["mx.club.example; dmarc=pass header.from=other.example"],
        ["mx.club.example; dmarc=pass"],
        ["mx.club.example; dmarc=fail header.from=play.example; dkim=pass header.d=play.example"],
        ["mx.club.example; dkim=pass header.d=other.example; spf=pass smtp.mailfrom=x@other.example"],
        ["mx.club.example; dkim=pass header.d=example"],
        ["mx.club.example; dkim=neutral header.d=play.example"],
        ["mx.club.example; spf=pass smtp.helo=play.example"],
        ["mx.elsewhere.example; dmarc=pass header.from=play.example"],
        ["mx.club.example.evil.example; dmarc=pass header.from=play.example"],
        ["(mx.club.example;) evil.example; dmarc=pass header.from=play.example"],
        # an envelope's address that the sender made up, as the relay passes it on
        ['mx.club.example; spf=pass smtp.mailfrom="x@play.example"@evil.example'],
        ['mx.club.example; spf=pass smtp.mailfrom="a; dkim=pass header.d=play.example"@evil.example'],
        ['mx.club.example; spf=pass smtp.mailfrom="a smtp.mailfrom=play.example b"@evil.example'],
        ['mx.club.example; spf=pass (of "a) ; dkim=pass header.d=play.example (b"@evil.example)'],
        ['mx.club.example; spf=pass (of "a)) ; dkim=pass header.d=play.example ((b"@evil.example)'],
        ['mx.club.example; spf=pass smtp.mailfrom="a\\"; dkim=pass header.d=play.example ; "@evil.example'],
        ["mx.club.example; spf=pass smtp.mailfrom=x@play.example smtp.mailfrom=x@evil.example"],
        ["mx.club.example; dkim=pass header.d=play.example (not closed"],
        # written by the sender, below what the relay of somebody else said
        ["mx.elsewhere.example; none", "mx.club.example; dmarc=pass header.from=play.example"],
    ],
)
def test_nothing_else_is_believed(verdicts: list[str]) -> None:
    assert not vouched(verdicts, OURS, BOB)


def test_without_a_name_for_our_relay_nobody_is_believed() -> None:
    assert not vouched(["; dmarc=pass header.from=play.example"], "", BOB)
    assert not vouched(["mx.club.example; dmarc=pass header.from="], OURS, "")


def test_an_encoded_word_in_a_verdict_is_just_a_word() -> None:
    word = "=?utf-8?q?a=3B_dkim=3Dpass_header.d=3Dplay.example_?="
    verdict = f"Authentication-Results: {OURS}; spf=pass smtp.mailfrom={word}@evil.example\r\n"
    relays = read(f"{verdict}From: {BOB}\r\n\r\nroll\r\n".encode()).relays
    assert word in relays[0]
    assert not vouched(relays, OURS, BOB)

"""Who vouches for a sender: our own relay, in the topmost verdict, for that very domain, and nobody else."""

from __future__ import annotations

import pytest

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
        # written by the sender, below what the relay of somebody else said
        ["mx.elsewhere.example; none", "mx.club.example; dmarc=pass header.from=play.example"],
    ],
)
def test_nothing_else_is_believed(verdicts: list[str]) -> None:
    assert not vouched(verdicts, OURS, BOB)


def test_without_a_name_for_our_relay_nobody_is_believed() -> None:
    assert not vouched(["; dmarc=pass header.from=play.example"], "", BOB)
    assert not vouched(["mx.club.example; dmarc=pass header.from="], OURS, "")

"""How the tests read a letter, and the first letter of a match to read."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from bgmail.devmail import Mail
from bgmail.service.views import MatchView
from bgmail.tokens import MatchClaim
from tests.notify.conftest import Post
from tests.notify.records import ALICE
from tests.service.matchmaking import ScriptedChance, begin

URL = re.compile(r"https://[^\s\"<>]+")


def links(mail: Mail, place: str) -> list[str]:
    """The links of the text part that lead to a place, in order."""
    return [url for url in URL.findall(mail.text()) if urlsplit(url).path.startswith(place)]


def claims(post: Post, mail: Mail) -> list[MatchClaim]:
    return [
        post.world.signer.read_claim(urlsplit(url).path.removeprefix("/r/")) for url in links(mail, "/r/")
    ]


def first_letter(post: Post, *dice: tuple[int, int]) -> tuple[MatchView, ScriptedChance, Mail]:
    """Alice won the opening roll; her first letter."""
    view, chance = begin(post.store, post.clock.now, *dice)
    post.clock.pass_(minutes=11)
    post.deliver()
    return view, chance, post.last(ALICE)

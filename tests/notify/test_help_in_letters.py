"""Every letter says where to find help, and whom to write to if the operator has named an address."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bgmail.service import accounts, entrance
from bgmail.service.notices import Kind
from tests.notify.conftest import BASE, Post

STELLA = "stella@club.example"


def asked_for_a_link(post: Post) -> str:
    """The plain text of a letter that somebody asked for."""
    accounts.create(post.store, "alice", "alice@example.org", None, post.clock.now)
    entrance.ask_for_link(post.store, Kind.SIGN_IN, "alice@example.org", "here", post.clock.now)
    post.deliver()
    return post.last("alice@example.org").text()


def test_a_letter_links_to_the_help_page_and_names_nobody_who_is_not_named(post: Post) -> None:
    text = asked_for_a_link(post)
    assert f"{BASE}/help#letters" in text.splitlines()
    assert "Whoever runs this site" not in text
    assert "mailto:" not in post.last("alice@example.org").html()


@pytest.mark.parametrize("address", [STELLA, "stella+club@club.example"])
def test_a_letter_names_the_operator(post: Post, address: str) -> None:
    settings = replace(post.world.settings, operator_email=address)
    post.world = post.app.extensions["bgmail"] = replace(post.world, settings=settings)
    assert f"Whoever runs this site: {address}" in asked_for_a_link(post).splitlines()
    assert f'href="mailto:{address}"' in post.last("alice@example.org").html()

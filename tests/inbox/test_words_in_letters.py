"""The words that a letter tells its reader to write are words that carry the decision out."""

from __future__ import annotations

import pytest
from flask import Flask
from flask_babel import force_locale  # type: ignore[import-untyped]

from bgmail.inbox.commands import command
from bgmail.phrases.answers import command_word
from bgmail.phrases.languages import LANGUAGES
from bgmail.rules.action import Kind
from tests.inbox.replies import Desk


@pytest.fixture
def app(desk: Desk) -> Flask:
    return desk.app


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_every_word_is_understood_as_what_it_stands_for(app: Flask, language: str) -> None:
    told = 0
    with app.test_request_context(), force_locale(language):
        for kind in Kind:
            if word := command_word(kind):
                found = command(f"{word}!")
                assert found is not None, word
                assert str(kind) in found.actions, word
                told += 1
    assert told == 9

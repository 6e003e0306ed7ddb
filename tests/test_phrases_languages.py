"""Dates, spans and counts as each language tells them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import flask_babel
import pytest
from flask import Flask

from bgmail.phrases import instant, lasting, moment, span
from bgmail.phrases.languages import Catalogues
from bgmail.phrases.times import day
from bgmail.phrases.translate import gettext, ngettext

BERLIN = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 12, 1, 12, tzinfo=UTC)


@contextmanager
def reading(code: str) -> Iterator[None]:
    app = Flask(__name__)
    flask_babel.Babel(app).domain_instance = Catalogues()
    with app.app_context(), flask_babel.force_locale(code):
        yield


@pytest.mark.parametrize(
    ("code", "soon", "late", "whole"),
    [
        ("en", "Sat 5 Dec 13:00", "Wed 5 Jan 2028 13:00", "5 Dec 2026"),
        ("de", "Sa. 5. Dez., 13:00", "Mi. 5. Jan. 2028, 13:00", "5. Dez. 2026"),
        ("ru", "сб, 5 дек., 13:00", "ср, 5 янв. 2028, 13:00", "5 дек. 2026"),
    ],
)
def test_instants_and_days(code: str, soon: str, late: str, whole: str) -> None:
    at = datetime(2026, 12, 5, 12, tzinfo=UTC)
    with reading(code):
        assert instant(at, BERLIN, NOW) == soon
        assert instant(datetime(2028, 1, 5, 12, tzinfo=UTC), BERLIN, NOW) == late
        assert day(at, BERLIN) == whole


@pytest.mark.parametrize(
    ("code", "today", "tomorrow"),
    [
        ("en", "today 18:20", "tomorrow 18:20"),
        ("de", "heute 18:20", "morgen 18:20"),
        ("ru", "сегодня, 18:20", "завтра, 18:20"),
    ],
)
def test_moments_of_a_page_that_is_read_now(code: str, today: str, tomorrow: str) -> None:
    at = datetime(2026, 12, 1, 17, 20, tzinfo=UTC)
    with reading(code):
        assert moment(at, BERLIN, NOW) == today
        assert moment(at + timedelta(days=1), BERLIN, NOW) == tomorrow


@pytest.mark.parametrize(
    ("code", "days", "minutes"),
    [("en", "6 d 4 h", "2 min 5 s"), ("de", "6_T 4_Std", "2_Min 5_Sek"), ("ru", "6_д 4_ч", "2_мин 5_с")],
)
def test_spans(code: str, days: str, minutes: str) -> None:
    """An underscore stands for a blank that no line breaks at."""
    with reading(code):
        assert span(timedelta(days=6, hours=4)).replace("\N{NO-BREAK SPACE}", "_") == days
        assert span(timedelta(minutes=2, seconds=5)).replace("\N{NO-BREAK SPACE}", "_") == minutes


def test_spans_in_sentences() -> None:
    told = []
    for code in ("de", "ru"):
        with reading(code):
            told += [lasting(timedelta(days=days, hours=hours)) for days, hours in ((1, 1), (3, 0), (8, 8))]
            told.append(lasting(timedelta(minutes=2, seconds=5)))
    assert told[:4] == ["1 Tag 1 Stunde", "3 Tage", "8 Tage 8 Stunden", "2 Minuten 5 Sekunden"]
    assert told[4:] == ["1 день 1 час", "3 дня", "8 дней 8 часов", "2 мин 5 с"]


def test_russian_counts_in_three_forms() -> None:
    with reading("ru"):
        told = [ngettext("%(num)s point", "%(num)s points", n) for n in (1, 3, 5, 11, 21, 64)]
    assert told == ["1 очко", "3 очка", "5 очков", "11 очков", "21 очко", "64 очка"]


def test_the_catalogue_is_not_asked_outside_a_request_or_letter() -> None:
    assert gettext("Roll") == "Roll"

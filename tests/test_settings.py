"""Settings: read once, a bad one stops the start with a sentence, and the README lists them all."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bgmail import settings
from bgmail.settings import BadSetting, from_environment

README = Path(__file__).parent.parent / "README.md"
PRODUCTION = {
    "BGMAIL_SECRET_KEY": "0123456789abcdef0123",
    "BGMAIL_BASE_URL": "https://bgmail.example",
    "MAIL_DEFAULT_SENDER": "bgmail <play@bgmail.example>",
}


def test_development_needs_no_setting(tmp_path: Path) -> None:
    found = from_environment({}, tmp_path)
    assert not found.production
    assert found.database_url == f"sqlite:///{tmp_path}/bgmail.db"
    assert found.base_url.startswith("http://127.0.0.1:")
    assert not found.time_travel


def test_mail_comes_in_at_the_places_that_are_named(tmp_path: Path) -> None:
    named = {
        "BGMAIL_INBOUND_LISTEN": "lmtp://127.0.0.1:0 smtp://[::1]:8025",
        "BGMAIL_INBOUND_AUTHSERV_ID": "mx.example",
        "BGMAIL_INBOUND_DOMAIN": "Answers.Example",
    }
    found = from_environment(named, tmp_path)
    assert [str(place) for place in found.inbound_listen] == ["lmtp://127.0.0.1:0", "smtp://::1:8025"]
    assert found.inbound_domain == "answers.example"
    assert [str(place) for place in from_environment({}, tmp_path).inbound_listen] == [
        "lmtp://127.0.0.1:8024"
    ]


def test_a_secret_key_means_production(tmp_path: Path) -> None:
    found = from_environment(PRODUCTION, tmp_path)
    assert found.production
    assert found.host == "bgmail.example"
    assert found.mail_domain == "bgmail.example"
    assert PRODUCTION["BGMAIL_SECRET_KEY"] not in repr(found)


@pytest.mark.parametrize(
    ("change", "names"),
    [
        ({"BGMAIL_SECRET_KEY": "short"}, "BGMAIL_SECRET_KEY"),
        ({"BGMAIL_BASE_URL": ""}, "BGMAIL_BASE_URL"),
        ({"BGMAIL_BASE_URL": "http://bgmail.example"}, "https"),
        ({"BGMAIL_BASE_URL": "ftp://bgmail.example"}, "BGMAIL_BASE_URL"),
        ({"BGMAIL_BASE_URL": "https://bgmail.example/path"}, "BGMAIL_BASE_URL"),
        ({"BGMAIL_DATABASE_URL": "mysql://here"}, "BGMAIL_DATABASE_URL"),
        ({"MAIL_DEFAULT_SENDER": ""}, "MAIL_DEFAULT_SENDER"),
        ({"MAIL_DEFAULT_SENDER": "nobody"}, "MAIL_DEFAULT_SENDER"),
        ({"MAIL_DEFAULT_SENDER": "a@b.example\r\nBcc: c@d.example"}, "MAIL_DEFAULT_SENDER"),
        ({"BGMAIL_INBOUND_DOMAIN": "play@answers.example"}, "BGMAIL_INBOUND_DOMAIN"),
        ({"BGMAIL_INBOUND_LISTEN": "127.0.0.1:8024"}, "BGMAIL_INBOUND_LISTEN"),
        ({"BGMAIL_INBOUND_LISTEN": "lmtp://127.0.0.1"}, "BGMAIL_INBOUND_LISTEN"),
        ({"BGMAIL_INBOUND_LISTEN": "lmtp://127.0.0.1:8024 smtp://127.0.0.1:99999"}, "BGMAIL_INBOUND_LISTEN"),
        (
            {"BGMAIL_INBOUND_AUTHSERV_ID": "mx.example", "BGMAIL_INBOUND_LISTEN": "smtp://0.0.0.0:25"},
            "only the relay reaches",
        ),
        ({"BGMAIL_INBOUND_SECRET": "short"}, "BGMAIL_INBOUND_SECRET"),
        ({"BGMAIL_METRICS_TOKEN": "short"}, "BGMAIL_METRICS_TOKEN"),
        ({"BGMAIL_OPERATOR_EMAIL": "Stella <stella@bgmail.example>"}, "BGMAIL_OPERATOR_EMAIL"),
        ({"BGMAIL_OPERATOR_EMAIL": "stella@bgmail.example?subject=x"}, "BGMAIL_OPERATOR_EMAIL"),
        ({"MAIL_PORT": "many"}, "MAIL_PORT"),
        ({"MAIL_PORT": "0"}, "MAIL_PORT"),
        ({"MAIL_PORT": "70000"}, "MAIL_PORT"),
        ({"MAIL_USE_TLS": "perhaps"}, "MAIL_USE_TLS"),
        ({"BGMAIL_ALLOW_TIME_TRAVEL": "2"}, "BGMAIL_ALLOW_TIME_TRAVEL"),
    ],
)
def test_a_bad_setting_stops_the_start_and_is_named(
    tmp_path: Path, change: dict[str, str], names: str
) -> None:
    with pytest.raises(BadSetting, match=names):
        from_environment({**PRODUCTION, **change}, tmp_path)


def test_the_operator_is_named_only_if_an_address_is_set(tmp_path: Path) -> None:
    assert from_environment(PRODUCTION, tmp_path).operator_email is None
    found = from_environment({**PRODUCTION, "BGMAIL_OPERATOR_EMAIL": "stella+club@bgmail.example"}, tmp_path)
    assert found.operator_email == "stella+club@bgmail.example"


def test_http_is_accepted_on_loopback_only(tmp_path: Path) -> None:
    found = from_environment({**PRODUCTION, "BGMAIL_BASE_URL": "http://127.0.0.1:8000/"}, tmp_path)
    assert found.base_url == "http://127.0.0.1:8000"


def test_the_readme_lists_every_setting_and_no_other() -> None:
    read = set(re.findall(r'"((?:BGMAIL|MAIL)_[A-Z_]+)"', Path(settings.__file__).read_text()))
    told = set(re.findall(r"^\| `((?:BGMAIL|MAIL)_[A-Z_]+)`", README.read_text(), re.MULTILINE))
    assert told == read

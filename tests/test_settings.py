"""Settings: read once, a bad one stops the start with a sentence, and the README lists them all."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bgmail import settings
from bgmail.factory import create_app
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
        ({"BGMAIL_BASE_URL": "https://[::1"}, "BGMAIL_BASE_URL"),
        ({"BGMAIL_PREVIOUS_KEYS": "fedcba9876543210fedc short"}, "one is shorter"),
        ({"BGMAIL_PREVIOUS_KEYS": "fedcba9876543210fedc,9876543210fedcba9876"}, "comma(?!.*fedc)"),
        ({"BGMAIL_PREVIOUS_KEYS": "fedcba9876543210fedc, 9876543210fedcba9876"}, "blanks alone between"),
        (
            {"BGMAIL_SECRET_KEY": "", "BGMAIL_PREVIOUS_KEYS": "fedcba9876543210fedc"},
            "without BGMAIL_SECRET_KEY",
        ),
        ({"BGMAIL_BASE_URL": "https://bgmail.example:99999"}, "BGMAIL_BASE_URL"),
        ({"BGMAIL_BASE_URL": "https://me:secret@bgmail.example"}, "BGMAIL_BASE_URL"),
        ({"BGMAIL_BASE_URL": "https://bgmail.example#top"}, "BGMAIL_BASE_URL"),
        ({"BGMAIL_BASE_URL": "https://bgmail.example or so"}, "BGMAIL_BASE_URL"),
        ({"BGMAIL_DATABASE_URL": "mysql://here"}, "BGMAIL_DATABASE_URL"),
        ({"BGMAIL_DATABASE_URL": "postgresql"}, "BGMAIL_DATABASE_URL"),
        ({"BGMAIL_DATABASE_URL": "postgresql+other://here/name"}, "BGMAIL_DATABASE_URL"),
        ({"BGMAIL_DATABASE_URL": "postgresql://me:secret@here:port/name"}, "BGMAIL_DATABASE_URL(?!.*secret)"),
        ({"BGMAIL_DATABASE_URL": "sqlite:///"}, "outlasts"),
        ({"BGMAIL_DATABASE_URL": "sqlite:///:memory:"}, "outlasts"),
        ({"MAIL_DEFAULT_SENDER": ""}, "MAIL_DEFAULT_SENDER"),
        ({"MAIL_DEFAULT_SENDER": "nobody"}, "MAIL_DEFAULT_SENDER"),
        ({"MAIL_DEFAULT_SENDER": "https://me:secret@bgmail.example"}, "MAIL_DEFAULT_SENDER"),
        ({"MAIL_DEFAULT_SENDER": "mäil@bgmail.example"}, "MAIL_DEFAULT_SENDER"),
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
        ({"MAIL_PORT": "9" * 5000}, "MAIL_PORT"),
        ({"MAIL_USE_TLS": "perhaps"}, "MAIL_USE_TLS"),
        ({"BGMAIL_ALLOW_TIME_TRAVEL": "2"}, "BGMAIL_ALLOW_TIME_TRAVEL"),
    ],
)
def test_a_bad_setting_stops_the_start_and_is_named(
    tmp_path: Path, change: dict[str, str], names: str
) -> None:
    with pytest.raises(BadSetting, match=names):
        from_environment({**PRODUCTION, **change}, tmp_path)


def test_all_that_is_wrong_is_told_at_once_with_the_names_that_may_be_meant(tmp_path: Path) -> None:
    wrong = {
        "BGMAIL_SECRET_KEY": PRODUCTION["BGMAIL_SECRET_KEY"],
        "BGMAIL_PREVIOUS_KEYS": "a secret",
        "BGMAIL_BASE_ULR": "https://bgmail.example",
        "MAIL_PORT": "many",
    }
    with pytest.raises(BadSetting) as told:
        from_environment(wrong, tmp_path)
    lines = str(told.value).splitlines()
    assert [line.split()[0] for line in lines] == [
        "BGMAIL_PREVIOUS_KEYS",
        "BGMAIL_BASE_URL",
        "MAIL_PORT",
        "MAIL_DEFAULT_SENDER",
        "BGMAIL_BASE_ULR",
    ]
    assert lines[-1].endswith("Is BGMAIL_BASE_URL meant?")
    assert "secret:" not in lines[0]


def test_names_that_mean_nothing_are_told_and_those_of_the_tests_are_known(tmp_path: Path) -> None:
    ours = dict.fromkeys(("HOME", "FLASK_APP", "MAILCHECK", "NOTICES", "BGMAIL_CHROMIUM", *PRODUCTION), "")
    strange = {
        "BGMAIL_SECRETKEY": "x",
        "bgmail_inbound_domain": "x",
        "BGMAIL_ELEPHANT": "x",
        "BGMAIL_MAIL_SERVER": "x",
    }
    assert from_environment({**ours, **PRODUCTION}, tmp_path).unknown == ()
    assert from_environment({**ours, **PRODUCTION, **strange}, tmp_path).unknown == (
        "BGMAIL_ELEPHANT is no setting of bgmail, so it changes nothing.",
        "BGMAIL_MAIL_SERVER is no setting of bgmail, so it changes nothing. Is MAIL_SERVER meant?",
        "BGMAIL_SECRETKEY is no setting of bgmail, so it changes nothing. Is BGMAIL_SECRET_KEY meant?",
        "bgmail_inbound_domain is no setting of bgmail, so it changes nothing. Is BGMAIL_INBOUND_DOMAIN meant?",
    )
    setup = "".join((README.parent / name).read_text() for name in (".ci/setup", ".ci/run", "Makefile"))
    assert set(re.findall(r"BGMAIL_[A-Z_]+", setup)) <= settings.OF_THE_TESTS


def test_a_folder_that_cant_be_made_is_named_with_its_setting(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(BadSetting, match=r"BGMAIL_INSTANCE: the folder .*file/inside can't be made"):
        create_app(from_environment({}, tmp_path / "file" / "inside"))


def test_keys_of_before_stand_with_blanks_or_line_ends_between(tmp_path: Path) -> None:
    keys = ("fedcba9876543210fedc", "9876543210fedcba9876")
    for between in (" ", "\n", "  \t"):
        named = {"BGMAIL_PREVIOUS_KEYS": between.join(keys)}
        assert from_environment({**PRODUCTION, **named}, tmp_path).previous_keys == keys


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
    assert told == read - settings.OF_THE_TESTS

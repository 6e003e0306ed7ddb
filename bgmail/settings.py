"""Settings from the environment, read once at start. Bad ones stop the start, each with a sentence; a name that means
nothing here is told."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from email.utils import parseaddr
from functools import partial
from ipaddress import ip_address
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit

from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

DEVELOPMENT_KEY = "development only: links and sessions of a machine that nobody else uses"
DEVELOPMENT_URL = "http://127.0.0.1:5000"
DEVELOPMENT_DOMAIN, DEVELOPMENT_RELAY = "answers.localhost", "mailbox.localhost"
DEFAULT_LISTEN = "lmtp://127.0.0.1:8024"
LOOPBACK = ("localhost", "127.0.0.1", "::1")
OF_THE_TESTS = frozenset({"BGMAIL_CHROMIUM"})
"""Names that only the project's own tests read."""
LEAST_SECRET = 16
MOST_DIGITS = 9
DATABASES = frozenset({"sqlite", "postgresql", "postgresql+psycopg"})
Value = TypeVar("Value")
_DOMAIN = re.compile(r"[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*")
_PLACE = re.compile(
    r"(?P<protocol>lmtp|smtp)://((?P<host>[A-Za-z0-9.-]+)|\[(?P<six>[0-9A-Fa-f:.]+)\]):(?P<port>\d{1,5})"
)
_SENDER = re.compile(r"[!#-'*+\-/-9=?A-Z^-~.]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*")
_ADDRESS = re.compile(r"[A-Za-z0-9._+-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*")


class BadSetting(ValueError):
    """Settings that can't be used, with a sentence on each that says which and why, each on a line of its own."""


@dataclass(frozen=True, slots=True)
class Listen:
    """Where mail for matches comes in: by "lmtp" or "smtp"."""

    protocol: str
    host: str
    port: int

    def __str__(self) -> str:
        return f"{self.protocol}://{self.host}:{self.port}"


@dataclass(frozen=True, slots=True)
class Settings:
    """How this installation runs. `previous_keys` still verify what they signed; `production` follows from a key.

    `operator_email` is where people can ask whoever runs this installation, None = nowhere is told.
    `trusted_proxies` is how many proxies of our own stand before us: they say who asks. `inbound_authserv_id` is how
    our own mail relay signs its verdicts on who sent a mail, None = nobody is believed. `unknown` has a sentence on
    each name in the environment that looks like ours and isn't.
    """

    instance: Path
    database_url: str
    secret_key: str = field(default=DEVELOPMENT_KEY, repr=False)
    previous_keys: tuple[str, ...] = field(default=(), repr=False)
    base_url: str = DEVELOPMENT_URL
    production: bool = False
    inbound_domain: str | None = None
    inbound_listen: tuple[Listen, ...] = ()
    inbound_authserv_id: str | None = None
    inbound_secret: str | None = field(default=None, repr=False)
    mail_server: str | None = None
    mail_port: int = 25
    mail_username: str | None = None
    mail_password: str | None = field(default=None, repr=False)
    mail_use_tls: bool = False
    mail_use_ssl: bool = False
    mail_default_sender: str = "bgmail <bgmail@localhost>"
    operator_email: str | None = None
    metrics_token: str | None = field(default=None, repr=False)
    time_travel: bool = False
    trusted_proxies: int = 0
    unknown: tuple[str, ...] = ()

    @property
    def host(self) -> str:
        """The host name (with the port, if any) under which people reach this installation."""
        return urlsplit(self.base_url).netloc

    @property
    def mail_domain(self) -> str:
        """The domain of Message-IDs: that of the sender's address."""
        return parseaddr(self.mail_default_sender)[1].rpartition("@")[2]

    def for_development(self, port: int, mail_server: str, mail_port: int) -> Settings:
        """The same installation on a loopback port, with a mail sink of its own that takes answers too."""
        return replace(
            self,
            base_url=f"http://127.0.0.1:{port}",
            mail_server=mail_server,
            mail_port=mail_port,
            inbound_domain=self.inbound_domain or DEVELOPMENT_DOMAIN,
            inbound_authserv_id=DEVELOPMENT_RELAY,
        )


def from_environment(environment: Mapping[str, str] = os.environ, instance: Path | None = None) -> Settings:
    """The settings of `BGMAIL_*` and `MAIL_*` variables. Raises BadSetting with all that is wrong.

    `instance` is the folder for the embedded database and what belongs to it; `BGMAIL_INSTANCE` wins.
    """
    read = _Reader(environment)
    folder = Path(read.text("BGMAIL_INSTANCE") or instance or "instance").resolve()
    key = read.secret("BGMAIL_SECRET_KEY")
    production = read.text("BGMAIL_SECRET_KEY") is not None
    settings = Settings(
        instance=folder,
        database_url=read.judged("BGMAIL_DATABASE_URL", partial(_database_url, folder), ""),
        secret_key=key or DEVELOPMENT_KEY,
        previous_keys=read.judged("BGMAIL_PREVIOUS_KEYS", partial(_previous_keys, production=production), ()),
        base_url=read.judged("BGMAIL_BASE_URL", partial(_base_url, production=production), DEVELOPMENT_URL),
        production=production,
        inbound_domain=read.judged("BGMAIL_INBOUND_DOMAIN", _domain, None),
        inbound_listen=read.judged("BGMAIL_INBOUND_LISTEN", _listen, ()),
        inbound_authserv_id=read.text("BGMAIL_INBOUND_AUTHSERV_ID"),
        inbound_secret=read.secret("BGMAIL_INBOUND_SECRET"),
        mail_server=read.text("MAIL_SERVER"),
        mail_port=read.number("MAIL_PORT", 25, 65_535),
        mail_username=read.text("MAIL_USERNAME"),
        mail_password=read.text("MAIL_PASSWORD"),
        mail_use_tls=read.switch("MAIL_USE_TLS"),
        mail_use_ssl=read.switch("MAIL_USE_SSL"),
        mail_default_sender=read.judged("MAIL_DEFAULT_SENDER", partial(_sender, production=production), ""),
        metrics_token=read.secret("BGMAIL_METRICS_TOKEN"),
        operator_email=read.judged("BGMAIL_OPERATOR_EMAIL", _operator, None),
        time_travel=read.switch("BGMAIL_ALLOW_TIME_TRAVEL"),
        trusted_proxies=read.number("BGMAIL_TRUSTED_PROXIES", 0, 5, least=0),
    )
    return read.checked(settings)


class _Reader:
    """Reads variables, and remembers which it was asked for and what is wrong with them."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self.environment = environment
        self.names: set[str] = set()
        self.wrong: list[str] = []

    def text(self, name: str) -> str | None:
        self.names.add(name)
        return self.environment.get(name, "").strip() or None

    def judged(self, name: str, judge: Callable[[str | None], Value], instead: Value) -> Value:
        """What `judge` makes of the text, which raises BadSetting; then `instead`, and the others are read all the
        same."""
        try:
            return judge(self.text(name))
        except BadSetting as error:
            self.wrong.append(str(error))
            return instead

    def secret(self, name: str) -> str | None:
        return self.judged(name, partial(_secret, name), None)

    def number(self, name: str, default: int, most: int, least: int = 1) -> int:
        return self.judged(name, partial(_number, name, default, most, least), default)

    def switch(self, name: str) -> bool:
        return self.judged(name, partial(_switch, name), False)

    def checked(self, settings: Settings) -> Settings:
        """The settings, with what is to be said of other names. Raises BadSetting."""
        unknown = tuple(unknown_names(self.environment, self.names))
        if settings.inbound_authserv_id and not all(
            _is_near(place.host) for place in settings.inbound_listen
        ):
            self.wrong.append(
                "BGMAIL_INBOUND_AUTHSERV_ID believes the relay in front of us, so BGMAIL_INBOUND_LISTEN must be an "
                "address that only the relay reaches: on loopback, or in a private network."
            )
        if self.wrong:
            raise BadSetting("\n".join([*self.wrong, *unknown]))
        return replace(settings, unknown=unknown)


def unknown_names(environment: Mapping[str, str], known: set[str]) -> list[str]:
    """A sentence on each variable that begins like ours, in any case, and that nothing reads."""
    said, called = [], {name.removeprefix("BGMAIL_"): name for name in known}
    for name in sorted(set(environment) - known - OF_THE_TESTS):
        if not name.upper().startswith("BGMAIL_"):
            continue
        near = get_close_matches(name.upper().removeprefix("BGMAIL_"), sorted(called), n=1)
        hint = f" Is {called[near[0]]} meant?" if near else ""
        said.append(f"{name} is no setting of bgmail, so it changes nothing.{hint}")
    return said


def _database_url(folder: Path, value: str | None) -> str:
    """Never told as it is: it may hold a password."""
    value = value or f"sqlite:///{folder / 'bgmail.db'}"
    try:
        url = make_url(value)
    except (ArgumentError, ValueError):  # no URL at all, or a port that is no number
        url = make_url("unreadable://")
    if url.drivername not in DATABASES:
        raise BadSetting(
            "BGMAIL_DATABASE_URL must be like sqlite:////path/to/bgmail.db or postgresql://user@host/name."
        )
    if url.drivername == "sqlite" and url.database in (None, "", ":memory:"):
        raise BadSetting("BGMAIL_DATABASE_URL must name a file after sqlite:///, which outlasts the server.")
    return value


def _previous_keys(value: str | None, *, production: bool) -> tuple[str, ...]:
    """A comma is refused: keys with commas between would be one key, which never signed anything."""
    keys = tuple((value or "").split())
    if any("," in key for key in keys):
        raise BadSetting("BGMAIL_PREVIOUS_KEYS has a comma in it: its keys stand with blanks alone between.")
    if keys and not production:
        raise BadSetting("BGMAIL_PREVIOUS_KEYS is set without BGMAIL_SECRET_KEY: give the key of today too.")
    if any(len(key) < LEAST_SECRET for key in keys):
        raise BadSetting(
            "BGMAIL_PREVIOUS_KEYS must be whole keys of before with blanks between, each of at least "
            f"{LEAST_SECRET} characters: one is shorter."
        )
    return keys


def _number(name: str, default: int, most: int, least: int, value: str | None) -> int:
    if value is None:
        return default
    is_number = value.isascii() and value.isdigit() and len(value) <= MOST_DIGITS
    if not is_number or not least <= int(value) <= most:
        raise BadSetting(f"{name} must be a number from {least} to {most}, not {value!r}.")
    return int(value)


def _switch(name: str, value: str | None) -> bool:
    word = (value or "0").lower()
    if word in ("1", "true", "yes", "on"):
        return True
    if word in ("0", "false", "no", "off"):
        return False
    raise BadSetting(f"{name} must be 1 or 0, not {value!r}.")


def _base_url(value: str | None, *, production: bool) -> str:
    if value is None:
        if production:
            raise BadSetting("BGMAIL_BASE_URL is missing: links in letters need the address people use.")
        return DEVELOPMENT_URL
    try:
        parts = urlsplit(value)
        is_plain = value.isprintable() and " " not in value and parts.port != 0
    except ValueError:  # a bracket that isn't closed, or a port that is none
        raise BadSetting(f"BGMAIL_BASE_URL must be like https://bgmail.example, not {value!r}.") from None
    more = parts.path.strip("/") or parts.query or parts.fragment or "@" in parts.netloc
    if parts.scheme not in ("http", "https") or not parts.hostname or more or not is_plain:
        raise BadSetting(f"BGMAIL_BASE_URL must be like https://bgmail.example, not {value!r}.")
    if parts.scheme == "http" and parts.hostname not in LOOPBACK:
        raise BadSetting("BGMAIL_BASE_URL must be https: links in letters act for people.")
    return f"{parts.scheme}://{parts.netloc}"


def _sender(value: str | None, *, production: bool) -> str:
    if value is None:
        if production:
            raise BadSetting("MAIL_DEFAULT_SENDER is missing: letters need an address to come from.")
        return "bgmail <bgmail@localhost>"
    address = parseaddr(value)[1]
    stands_alone = value == address or value.endswith(f"<{address}>")
    if not _SENDER.fullmatch(address) or not stands_alone or any(ord(sign) < 32 for sign in value):
        raise BadSetting(f"MAIL_DEFAULT_SENDER must be an address, not {value!r}.")
    return value


def _domain(value: str | None) -> str | None:
    if value is not None and not _DOMAIN.fullmatch(value):
        raise BadSetting(
            f"BGMAIL_INBOUND_DOMAIN must be a domain like answers.bgmail.example, not {value!r}."
        )
    return value.lower() if value else None


def _listen(value: str | None) -> tuple[Listen, ...]:
    """Places with blanks between: lmtp://127.0.0.1:8024."""
    return tuple(map(_place, (value or DEFAULT_LISTEN).split()))


def _place(text: str) -> Listen:
    found = _PLACE.fullmatch(text)
    if found is None or int(found["port"]) > 65_535:
        raise BadSetting(
            f"BGMAIL_INBOUND_LISTEN must be like lmtp://127.0.0.1:8024 or smtp://127.0.0.1:8025, not {text!r}."
        )
    return Listen(found["protocol"], found["host"] or found["six"], int(found["port"]))


def _is_near(host: str) -> bool:
    """Whether nobody from elsewhere can reach this address of ours."""
    if host in LOOPBACK:
        return True
    try:
        address = ip_address(host)
    except ValueError:
        return False
    return address.is_private and not address.is_unspecified


def _secret(name: str, value: str | None) -> str | None:
    if value is not None and len(value) < LEAST_SECRET:
        raise BadSetting(f"{name} is too short to be secret: give it at least {LEAST_SECRET} characters.")
    return value


def _operator(value: str | None) -> str | None:
    """A plain address: it stands in links and in letters as it is."""
    if value is not None and not _ADDRESS.fullmatch(value):
        raise BadSetting(
            f"BGMAIL_OPERATOR_EMAIL must be a plain address like host@bgmail.example, not {value!r}."
        )
    return value

"""Settings from the environment, read once at start. A bad one stops the start with a sentence."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from email.utils import parseaddr
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

DEVELOPMENT_KEY = "development only: links and sessions of a machine that nobody else uses"
DEVELOPMENT_URL = "http://127.0.0.1:5000"
DEVELOPMENT_DOMAIN, DEVELOPMENT_RELAY = "answers.localhost", "mailbox.localhost"
DEFAULT_LISTEN = "lmtp://127.0.0.1:8024"
LOOPBACK = ("localhost", "127.0.0.1", "::1")
_DOMAIN = re.compile(r"[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*")
_PLACE = re.compile(
    r"(?P<protocol>lmtp|smtp)://((?P<host>[A-Za-z0-9.-]+)|\[(?P<six>[0-9A-Fa-f:.]+)\]):(?P<port>\d{1,5})"
)
_ADDRESS = re.compile(r"[A-Za-z0-9._+-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*")


class BadSetting(ValueError):
    """A setting that can't be used, with a sentence that says which and why."""


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
    our own mail relay signs its verdicts on who sent a mail, None = nobody is believed.
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
    """The settings of `BGMAIL_*` and `MAIL_*` variables. Raises BadSetting.

    `instance` is the folder for the embedded database and what belongs to it; `BGMAIL_INSTANCE` wins.
    """
    read = _Reader(environment)
    folder = Path(read.text("BGMAIL_INSTANCE") or instance or "instance").resolve()
    key = read.text("BGMAIL_SECRET_KEY")
    if key is not None and len(key) < 16:
        raise BadSetting("BGMAIL_SECRET_KEY is too short to be secret: give it at least 16 characters.")
    settings = Settings(
        instance=folder,
        database_url=read.text("BGMAIL_DATABASE_URL") or f"sqlite:///{folder / 'bgmail.db'}",
        secret_key=key or DEVELOPMENT_KEY,
        previous_keys=tuple((read.text("BGMAIL_PREVIOUS_KEYS") or "").split()),
        base_url=_base_url(read.text("BGMAIL_BASE_URL"), production=key is not None),
        production=key is not None,
        inbound_domain=_domain(read.text("BGMAIL_INBOUND_DOMAIN")),
        inbound_listen=_listen(read.text("BGMAIL_INBOUND_LISTEN") or DEFAULT_LISTEN),
        inbound_authserv_id=read.text("BGMAIL_INBOUND_AUTHSERV_ID"),
        inbound_secret=_secret(read, "BGMAIL_INBOUND_SECRET"),
        mail_server=read.text("MAIL_SERVER"),
        mail_port=read.number("MAIL_PORT", 25, 65_535),
        mail_username=read.text("MAIL_USERNAME"),
        mail_password=read.text("MAIL_PASSWORD"),
        mail_use_tls=read.switch("MAIL_USE_TLS"),
        mail_use_ssl=read.switch("MAIL_USE_SSL"),
        mail_default_sender=_sender(read.text("MAIL_DEFAULT_SENDER"), production=key is not None),
        metrics_token=_secret(read, "BGMAIL_METRICS_TOKEN"),
        operator_email=_operator(read.text("BGMAIL_OPERATOR_EMAIL")),
        time_travel=read.switch("BGMAIL_ALLOW_TIME_TRAVEL"),
        trusted_proxies=read.number("BGMAIL_TRUSTED_PROXIES", 0, 5, least=0),
    )
    if not settings.database_url.startswith(("sqlite:///", "postgresql")):
        raise BadSetting("BGMAIL_DATABASE_URL must begin with sqlite:/// or postgresql://.")
    if settings.inbound_authserv_id and not all(_is_near(place.host) for place in settings.inbound_listen):
        raise BadSetting(
            "BGMAIL_INBOUND_AUTHSERV_ID believes the relay in front of us, so BGMAIL_INBOUND_LISTEN must be an address "
            "that only the relay reaches: on loopback, or in a private network."
        )
    return settings


class _Reader:
    def __init__(self, environment: Mapping[str, str]) -> None:
        self.environment = environment

    def text(self, name: str) -> str | None:
        return self.environment.get(name, "").strip() or None

    def number(self, name: str, default: int, most: int, least: int = 1) -> int:
        value = self.text(name)
        if value is None:
            return default
        if not value.isascii() or not value.isdigit() or not least <= int(value) <= most:
            raise BadSetting(f"{name} must be a number from {least} to {most}, not {value!r}.")
        return int(value)

    def switch(self, name: str) -> bool:
        value = (self.text(name) or "0").lower()
        if value in ("1", "true", "yes", "on"):
            return True
        if value in ("0", "false", "no", "off"):
            return False
        raise BadSetting(f"{name} must be 1 or 0, not {value!r}.")


def _base_url(value: str | None, *, production: bool) -> str:
    if value is None:
        if production:
            raise BadSetting("BGMAIL_BASE_URL is missing: links in letters need the address people use.")
        return DEVELOPMENT_URL
    parts = urlsplit(value)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.path.strip("/") or parts.query:
        raise BadSetting(f"BGMAIL_BASE_URL must be like https://bgmail.example, not {value!r}.")
    if parts.scheme == "http" and parts.hostname not in LOOPBACK:
        raise BadSetting("BGMAIL_BASE_URL must be https: links in letters act for people.")
    return f"{parts.scheme}://{parts.netloc}"


def _sender(value: str | None, *, production: bool) -> str:
    if value is None:
        if production:
            raise BadSetting("MAIL_DEFAULT_SENDER is missing: letters need an address to come from.")
        return "bgmail <bgmail@localhost>"
    if "@" not in parseaddr(value)[1] or any(ord(sign) < 32 for sign in value):
        raise BadSetting(f"MAIL_DEFAULT_SENDER must be an address, not {value!r}.")
    return value


def _domain(value: str | None) -> str | None:
    if value is not None and not _DOMAIN.fullmatch(value):
        raise BadSetting(
            f"BGMAIL_INBOUND_DOMAIN must be a domain like answers.bgmail.example, not {value!r}."
        )
    return value.lower() if value else None


def _listen(value: str) -> tuple[Listen, ...]:
    """Places with blanks between: lmtp://127.0.0.1:8024."""
    return tuple(map(_place, value.split()))


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


def _secret(read: _Reader, name: str) -> str | None:
    value = read.text(name)
    if value is not None and len(value) < 16:
        raise BadSetting(f"{name} is too short to be secret: give it at least 16 characters.")
    return value


def _operator(value: str | None) -> str | None:
    """A plain address: it stands in links and in letters as it is."""
    if value is not None and not _ADDRESS.fullmatch(value):
        raise BadSetting(
            f"BGMAIL_OPERATOR_EMAIL must be a plain address like host@bgmail.example, not {value!r}."
        )
    return value

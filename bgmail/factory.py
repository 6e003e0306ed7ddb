"""Puts the parts together. `create_app` starts no thread and opens no connection to the outside."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

from flask import Flask
from flask_babel import Babel  # type: ignore[import-untyped]

from bgmail import api, cli, streams, web
from bgmail.dice import Chance, FairChance
from bgmail.inbox import hook
from bgmail.phrases.languages import Catalogues
from bgmail.settings import BadSetting, Settings, from_environment
from bgmail.store.engine import Store
from bgmail.store.schema import ensure_schema
from bgmail.tokens import Signer
from bgmail.web import language
from bgmail.world import World, system_clock

ROOT = Path(__file__).resolve().parent.parent


class Site(Flask):
    """Flask for views and hooks that are plain functions, as all of ours are.

    Asking each of them at every request whether it is a coroutine took longer than some of them.
    """

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """The function as it is."""
        return func


def create_app(
    settings: Settings | None = None,
    *,
    clock: Callable[[], datetime] = system_clock,
    chance: Chance | None = None,
    any_schema: bool = False,
) -> Flask:
    """The application. Raises BadSetting, or OldSchema for a database that has to be upgraded first.

    `clock` and `chance` are for tests: a server in use never gets its time or its dice from a setting.
    `any_schema` leaves the schema as it is, for commands that look at it themselves.
    """
    settings = settings or from_environment(instance=ROOT / "instance")
    app = Site(
        "bgmail",
        instance_path=str(settings.instance),
        template_folder=str(ROOT / "templates"),
        static_folder=str(ROOT / "bgmail" / "web" / "static"),
    )
    configure(app, settings)
    store = Store(settings.database_url)
    if not any_schema:
        ensure_schema(store)
    signer = Signer(settings.secret_key, settings.previous_keys, clock)
    app.extensions["bgmail"] = World(settings, store, signer, clock, chance or FairChance())
    Babel(app, locale_selector=language.spoken).domain_instance = Catalogues()
    streams.register(app)
    web.register(app)
    api.register(app)
    app.register_blueprint(hook.blueprint)
    cli.register(app, create_app)
    return app


def configure(app: Flask, settings: Settings) -> None:
    """What Flask and its extensions read from `app.config`."""
    app.config.update(
        SECRET_KEY=settings.secret_key,
        SECRET_KEY_FALLBACKS=list(settings.previous_keys),
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_COOKIE_SECURE=settings.base_url.startswith("https:"),
        MAX_CONTENT_LENGTH=1024 * 1024,
        MAIL_SERVER=settings.mail_server,
        MAIL_PORT=settings.mail_port,
        MAIL_USERNAME=settings.mail_username,
        MAIL_PASSWORD=settings.mail_password,
        MAIL_USE_TLS=settings.mail_use_tls,
        MAIL_USE_SSL=settings.mail_use_ssl,
        MAIL_DEFAULT_SENDER=settings.mail_default_sender,
    )
    try:
        settings.instance.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadSetting(
            f"BGMAIL_INSTANCE: the folder {settings.instance} can't be made: {error.strerror}."
        ) from error

"""`match_page`: bytes on the first load of a match that waits for its reader, in all, against the 100,000 allowed."""

from __future__ import annotations

import gzip
import re
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from flask.testing import FlaskClient

from bgmail.factory import create_app
from bgmail.service import logins
from bgmail.settings import Settings
from bgmail.world import World
from tests.bench.measurement import Measurement
from tests.bench.queue_page import pattern

NOW = datetime(2026, 12, 1, 12, tzinfo=UTC)
ALLOWED = 100_000
PARTS = re.compile(r'<(?:script|link|img)\b[^>]*?\b(?:src|href)="([^"]+)"')
IMPORTS = re.compile(r"\bimport\b[^;\n]*?'\./([\w.?=]+)'")


def measure() -> Measurement:
    """Loads the page as a browser with an empty cache does: with its styles, scripts, what these import, and icon."""
    with tempfile.TemporaryDirectory(prefix="bgmail-bench-") as folder:
        settings = Settings(instance=Path(folder), database_url=f"sqlite:///{folder}/bgmail.db")
        app = create_app(settings, clock=lambda: NOW)
        world: World = app.extensions["bgmail"]
        alice, view = pattern(world.store)
        logins.open_session(world.store, alice, "bench", "secret", NOW)
        client = app.test_client()
        client.set_cookie(app.config["BGMAIL_LOGIN_COOKIE"], "secret")
        sizes = first_load(client, f"/match/{view.id}")
        world.store.close()
    what = f"bytes sent on first load, {len(sizes)} requests; reference: what is allowed"
    return Measurement(sum(sizes.values()), ALLOWED, what, lower_is_better=True)


def first_load(client: FlaskClient, path: str) -> dict[str, int]:
    """The bytes of a page and of everything that it asks for, by address."""
    sizes: dict[str, int] = {}
    wanted = [path]
    while wanted:
        address = wanted.pop()
        if address.split("?")[0] in {known.split("?")[0] for known in sizes}:
            continue
        answer = client.get(address, headers={"Accept-Encoding": "gzip"})
        if answer.status_code != 200:
            raise RuntimeError(f"{address} answers {answer.status_code}")
        sizes[address] = len(answer.data)
        packed = answer.headers.get("Content-Encoding") == "gzip"
        text = (gzip.decompress(answer.data) if packed else answer.data).decode()
        wanted += PARTS.findall(text) if address == path else []
        wanted += [f"/static/{name}" for name in IMPORTS.findall(text)]
    return sizes


if __name__ == "__main__":
    print(measure().line("match_page"))

"""A store that a test leaves open, and a club that closes its own only when nobody uses it any more."""

from __future__ import annotations

import threading
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
from sqlalchemy import Connection
from werkzeug.serving import BaseWSGIServer

from bgmail.store.engine import Store
from tests.browser.clubroom import open_club
from tests.fixtures.apps import OpenApp
from tests.fixtures.stores import is_open


def test_a_store_is_open_from_its_first_connection_to_its_end(schema_url: str) -> None:
    store = Store(schema_url)
    assert not is_open(store)
    with store.read():
        assert is_open(store)
    assert is_open(store), "its connection is kept"
    store.close()
    assert not is_open(store)


def test_a_request_that_came_late_is_answered_before_the_store_is_closed(
    tmp_path: Path, sqlite_schema_url: str, open_app: OpenApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A page's last request once opened the store again behind its closing.
    reading, ending, closed = threading.Event(), threading.Event(), threading.Event()
    close_server = BaseWSGIServer.server_close

    def close_and_wait_for_requests(server: BaseWSGIServer) -> None:
        ending.set()
        close_server(server)

    monkeypatch.setattr(BaseWSGIServer, "server_close", close_and_wait_for_requests)
    with open_club(tmp_path / "instance", sqlite_schema_url, no_browser, open_app) as club:
        store = club.world.store
        read, close = store.read, store.close

        def read_late() -> AbstractContextManager[Connection]:
            reading.set()
            ending.wait()
            closed.wait(0.3)
            return read()

        def close_and_say() -> None:
            close()
            closed.set()

        monkeypatch.setattr(store, "read", read_late)
        monkeypatch.setattr(store, "close", close_and_say)
        request = threading.Thread(target=lambda: urlopen(f"{club.url}/matches").close())  # noqa: S310
        request.start()
        reading.wait()
    request.join()
    assert not is_open(store)


def no_browser(**_: Any) -> Any:
    raise AssertionError("nobody looks at a page here")

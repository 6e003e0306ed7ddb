"""The demo as a stranger meets it: a `dev` server with its people and matches, signed in by a printed link."""

from __future__ import annotations

import fcntl
import re
import shutil
import sqlite3
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bgmail.demo.people import settle
from bgmail.devmail import Mailbox
from bgmail.factory import create_app
from bgmail.settings import from_environment
from tests.fixtures.forks import FLASK
from tests.fixtures.patience import until
from tests.fixtures.servers import DEV, Server, environment

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from bgmail.world import World

HALF_AN_HOUR = 1800.0


@dataclass(frozen=True)
class Demo:
    """A running demo, Alice's cookies, and the addresses of what she finds there."""

    server: Server
    cookies: Any
    waiting: list[str]
    finished: list[str]

    @property
    def url(self) -> str:
        return self.server.url


def database(run_folder: Path) -> Path:
    """A database with the demo in it: its matches are played once in half an hour, by whoever asks first.

    One of them has an hour left, and a run may take longer.
    """
    slot = int(time.time() / HALF_AN_HOUR)
    file = run_folder / f"demo-{slot}.db"
    with (run_folder / "demo.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not file.exists():
            play(run_folder / f"demo-{slot}", file)
    return file


def play(folder: Path, into: Path) -> None:
    """Plays the demo matches, and copies what came of it into one file."""
    here: World = create_app(from_environment({}, folder)).extensions["bgmail"]
    settle(here, here.now())
    here.store.close()
    connection = sqlite3.connect(folder / "bgmail.db")
    connection.execute("VACUUM INTO ?", (str(into),))
    connection.close()


def start(folder: Path, demo: Path) -> Server:
    """Starts `dev` in a new folder, with a copy of the demo, and waits for its first letter."""
    folder.mkdir(parents=True)
    shutil.copy(demo, folder / "bgmail.db")
    server = Server([*FLASK, *DEV], None, folder, environment(folder, {}))
    server.wait_until_ready()
    until(Mailbox(folder / "mail").numbers, lambda: server.log)
    return server


def sign_in(browser: Browser, server: Server, name: str) -> Demo:
    """Follows the link that `dev` printed for somebody, and looks around."""
    link = re.search(rf"sign in as {name}\s+(\S+)", server.log)
    assert link, server.log
    context = browser.new_context()
    page = context.new_page()
    page.goto(link[1])
    page.get_by_role("button", name=f"Sign in as {name}").click()
    page.wait_for_url(f"{server.url}/")
    waiting = matches(page, "a.button-main")
    page.goto(f"{server.url}/?show=all")
    finished = [address for address in matches(page) if address not in waiting]
    cookies = context.storage_state()
    context.close()
    return Demo(server, cookies, waiting, finished)


def matches(page: Any, button: str = "a.button") -> list[str]:
    """The paths of the matches in a list; those that wait have the filled button."""
    found: list[str] = page.locator(f".queue {button}").evaluate_all(
        "links => links.map((link) => link.getAttribute('href'))"
    )
    return found

"""`flask inbox`: a process that takes mail, killed at any moment; and one mail from a pipe."""

from __future__ import annotations

import os
import signal
import smtplib
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bgmail.devmail import Mail
from bgmail.service import inbound, matches
from tests.fixtures.programs import PROJECT
from tests.inbox.replies import DOMAIN, RELAY, Desk, address_of
from tests.service.matchmaking import begin

pytestmark = pytest.mark.smtp


class Process:
    """`flask inbox` on the database of a desk; `port` is where it said that it takes mail."""

    def __init__(self, desk: Desk, instance: Path) -> None:
        environment = {
            **os.environ,
            "BGMAIL_INSTANCE": str(instance),
            "BGMAIL_DATABASE_URL": desk.store.url,
            "BGMAIL_SECRET_KEY": desk.world.settings.secret_key,
            "BGMAIL_BASE_URL": "https://club.example",
            "MAIL_DEFAULT_SENDER": "bgmail <letters@club.example>",
            "BGMAIL_INBOUND_DOMAIN": DOMAIN,
            "BGMAIL_INBOUND_AUTHSERV_ID": RELAY,
            "BGMAIL_INBOUND_LISTEN": "lmtp://127.0.0.1:0",
        }
        self.run = subprocess.Popen(
            [sys.executable, "-m", "flask", "--app", "app", "inbox"],
            cwd=PROJECT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        )  # fmt: skip
        assert self.run.stdout is not None
        self.port = int(self.run.stdout.readline().rpartition(":")[2])

    def send(self, desk: Desk, letter: Mail, words: str) -> None:
        with smtplib.LMTP("127.0.0.1", self.port) as server:
            server.sendmail(letter.recipients, [address_of(letter)], desk.answer(letter, words))

    def end(self, how: signal.Signals) -> int:
        self.run.send_signal(how)
        code = self.run.wait(60)
        if self.run.stdout:
            self.run.stdout.close()
        return code


@pytest.fixture
def process(desk: Desk, tmp_path: Path) -> Iterator[Process]:
    started = Process(desk, tmp_path / "process")
    yield started
    if started.run.poll() is None:
        started.end(signal.SIGKILL)


@pytest.mark.slow
def test_a_process_killed_right_after_it_took_a_mail_has_lost_nothing(desk: Desk, process: Process) -> None:
    desk.clock.now = datetime.now(UTC) - timedelta(
        minutes=11
    )  # the process's day, in which its answer is in time
    view, _ = begin(desk.store, desk.clock.now, (3, 1))
    letter = desk.letter("alice")
    process.send(desk, letter, "8/5 6/5\n\nhello")
    process.end(signal.SIGKILL)
    desk.clock.pass_(days=1)  # whatever the process had claimed is free again
    desk.handle()
    assert [entry.kind for entry in matches.log(desk.store, view.id)].count("play") == 1
    assert desk.chat(desk.view(view)) == [("alice", "hello")]


@pytest.mark.slow
def test_a_process_ends_when_it_is_asked_to(process: Process) -> None:
    assert process.end(signal.SIGTERM) == 0


def test_one_mail_comes_from_a_pipe(desk: Desk) -> None:
    begin(desk.store, desk.clock.now, (3, 1))
    letter = desk.letter("alice")
    runner, raw = desk.app.test_cli_runner(), desk.answer(letter, "8/5 6/5")
    taken = runner.invoke(args=["inbox", "--stdin"], input=raw)
    assert (taken.exit_code, taken.output) == (0, "")
    named = runner.invoke(args=["inbox", "--stdin", "--recipient", address_of(letter)], input=b"\r\n" + raw)
    assert named.exit_code == 0
    assert desk.handle()[0] == "acted"


@pytest.mark.parametrize(
    ("raw", "code"),
    [(b"To: nobody@answers.club.example\r\n\r\ntake", 67), (b"", 67), (b"x" * (10 * 2**20 + 1), 65)],
)
def test_a_pipe_is_told_what_is_wrong(desk: Desk, raw: bytes, code: int) -> None:
    refused = desk.app.test_cli_runner().invoke(args=["inbox", "--stdin"], input=raw)
    assert refused.exit_code == code
    assert refused.output.endswith(".\n")
    assert inbound.claim(desk.store, desk.clock.now) is None


def test_without_a_domain_there_is_nothing_to_take(desk: Desk) -> None:
    settings = replace(desk.world.settings, inbound_domain=None)
    desk.app.extensions["bgmail"] = replace(desk.world, settings=settings)
    refused = desk.app.test_cli_runner().invoke(args=["inbox"])
    assert refused.exit_code == 1
    assert "BGMAIL_INBOUND_DOMAIN is not set" in refused.output

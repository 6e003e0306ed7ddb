"""An installation as its operator has it: commands as processes, a web server, and a mail server that may be down."""

from __future__ import annotations

import json
import subprocess
import urllib.request
from pathlib import Path
from typing import Any

from bgmail.devmail import Mail, Sink
from tests.fixtures.forks import Forked
from tests.fixtures.servers import environment, free_port

COMMAND_ENDS_WITHIN = 120.0


class Installation:
    """A folder with a database of its own, and a mailbox that every letter arrives in.

    `mail_port` is where commands find the mail server; a test turns it to a port where nobody listens.
    """

    def __init__(self, folder: Path, sink: Sink, **settings: str) -> None:
        folder.mkdir(exist_ok=True)
        self.folder, self.sink, self.settings = folder, sink, settings
        self.mail_port = sink.port

    def mail_server_goes(self) -> None:
        self.mail_port = free_port()

    def mail_server_comes_back(self) -> None:
        self.mail_port = self.sink.port

    @property
    def environment(self) -> dict[str, str]:
        mail = {"MAIL_SERVER": "127.0.0.1", "MAIL_PORT": str(self.mail_port)}
        return environment(self.folder, {**mail, **self.settings})

    def run(self, *words: str, **settings: str) -> subprocess.CompletedProcess[str]:
        """Runs a command to its end, whatever its end is."""
        out, err = (self.folder / name for name in ("said", "complained"))
        for file in (out, err):
            file.unlink(missing_ok=True)
        code = Forked(list(words), {**self.environment, **settings}, out, err).wait(COMMAND_ENDS_WITHIN)
        return subprocess.CompletedProcess(words, code, out.read_text(), err.read_text())

    def say(self, *words: str, **settings: str) -> str:
        """What a command prints; it must succeed."""
        done = self.run(*words, **settings)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def tick(self, at: str | None = None) -> list[str]:
        """One pass of the jobs; what it did, a line each, [] when nothing was due."""
        when = ("--at", at) if at else ()
        lines = self.say("tick", *when, BGMAIL_ALLOW_TIME_TRAVEL="1").splitlines()
        return [] if lines == ["nothing was due"] else lines

    def state(self, match_id: str) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.say("match", "show", match_id, "--json"))
        return found

    def mails(self, address: str = "") -> list[Mail]:
        """The letters that arrived, oldest first."""
        box = self.sink.mailbox
        found = [mail for number in reversed(box.numbers()) if (mail := box.read(number))]
        return [mail for mail in found if address in ("", mail.recipients)]

    def subjects(self, address: str) -> list[str]:
        """What the letters to somebody are about, without the mark of the match."""
        return [mail.subject.split(",")[0] for mail in self.mails(address)]


def post(url: str, token: str, **body: Any) -> dict[str, Any]:
    """A request to the JSON API with a personal token; its answer."""
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    request = urllib.request.Request(url, json.dumps(body).encode(), headers, method="POST")  # noqa: S310
    with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310
        found: dict[str, Any] = json.load(answer)
    return found

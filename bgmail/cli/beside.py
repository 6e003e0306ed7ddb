"""The development server that runs on the same installation: where it listens, for commands typed beside it."""

from __future__ import annotations

import json
import os
import socket
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

from bgmail.settings import Settings
from bgmail.world import World

HOST = "127.0.0.1"
_FILE = "dev.json"


def record_ports(settings: Settings, smtp_port: int) -> Path:
    """Writes down where this process listens, for commands, tools and tests."""
    path = settings.instance / _FILE
    facts = {"base_url": settings.base_url, "smtp_port": smtp_port, "pid": os.getpid()}
    partial = path.with_suffix(".part")
    partial.write_text(json.dumps(facts) + "\n")
    return partial.replace(path)


def beside(here: World) -> World:
    """The world with the mailbox and the address of the development server, if one runs and no other is set.

    So the letters of a command lie in its mailbox, and their links lead to it.
    """
    present = here.settings
    if present.production or present.mail_server:
        return here
    try:
        facts = json.loads((present.instance / _FILE).read_text())
        port, smtp_port = urlsplit(facts["base_url"]).port, int(facts["smtp_port"])
        socket.create_connection((HOST, smtp_port), timeout=1).close()
    except (OSError, ValueError, KeyError, TypeError):
        return here  # none runs, or what one wrote down is of the past
    return replace(here, settings=present.for_development(port or 80, HOST, smtp_port))

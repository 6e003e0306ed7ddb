"""A forked process that makes all calls to webhooks that are due, for ever."""

from __future__ import annotations

import time
from collections import defaultdict
from datetime import UTC, datetime, timedelta
from pathlib import Path

from bgmail.factory import create_app
from bgmail.notify.hooks.channel import Webhooks
from bgmail.notify.hooks.crew import Crew
from bgmail.settings import Settings
from tests.notify.hooks.receivers import Streets


def work(database: Path, port: int, minutes: int) -> None:
    """Every host leads to the receiver on that port of this machine; the clock is so many minutes ahead."""
    settings = Settings(instance=database.parent, database_url=f"sqlite:///{database}")
    app = create_app(settings, clock=lambda: datetime.now(UTC) + timedelta(minutes=minutes))
    streets = Streets()
    streets.doors = defaultdict(lambda: port)
    with app.app_context():
        crew = Crew(app, Webhooks(streets.wire()))
        while True:
            crew.work(app.extensions["bgmail"])
            time.sleep(0.05)

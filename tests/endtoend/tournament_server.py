"""The web and the jobs that run tournaments in one process, as a program of its own: it is there to be killed."""

from __future__ import annotations

import os
import sys
import threading
import time
from pathlib import Path

from werkzeug.serving import make_server

from bgmail.factory import create_app
from bgmail.scheduler import JOBS
from bgmail.settings import from_environment
from bgmail.world import World

IDLE = 0.05  # seconds without work before it looks again
NAMES = ("tournaments", "ratings")


def work(world: World) -> None:
    """Does the jobs for ever."""
    jobs = [job for job in JOBS if job.name in NAMES]
    while True:
        if not sum(len(job.step(world, world.now())) for job in jobs):
            time.sleep(IDLE)


def main(folder: str, port: str) -> None:
    """Serves until it is killed."""
    app = create_app(from_environment(os.environ, Path(folder)))
    world: World = app.extensions["bgmail"]
    threading.Thread(target=work, args=(world,), daemon=True).start()
    make_server("127.0.0.1", int(port), app, threaded=True).serve_forever()


if __name__ == "__main__":
    main(*sys.argv[1:])

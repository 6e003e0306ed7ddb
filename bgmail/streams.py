"""Server-sent events: streams that tell what is new, soon after it happened.

A stream holds a thread of the server but no connection to the database; it asks once a POLL, ends by itself
after LIFETIME, and the client comes back with the id it saw last. Where too many are open, or the server has
one thread, it tells what is new and ends at once, so that nobody is shut out and a browser's EventSource simply
asks again.
"""

from __future__ import annotations

import threading
import time
import weakref
from collections import Counter
from collections.abc import Callable, Hashable, Iterator

from flask import Flask, Response, current_app, request

POLL = 1.0
LIFETIME = 25.0
"""Seconds; a server that is told to end waits for its streams, so they are short."""
HEARTBEAT = 10.0
RETRY_MILLISECONDS = 3000
MOST_OF_ONE = 2
"""A browser has six connections to a server, for all its pages together."""
MOST_OF_ALL = 8

SOONEST = 0.05
News = Callable[[], str]
"""What happened since the last question, as `event` writes it; "" for nothing."""
Due = Callable[[], float]
"""In how many seconds something is going to happen that must be told at once."""


class Streams:
    """How many streams are open in this process, in all and for each reader."""

    def __init__(self) -> None:
        self._open: Counter[Hashable] = Counter()
        self._changed = threading.Condition()
        self._ending = False

    def enter(self, reader: Hashable) -> bool:
        """Takes a place; False when there is none left."""
        with self._changed:
            free = self._open[reader] < MOST_OF_ONE and self._open.total() < MOST_OF_ALL and not self._ending
            if free:
                self._open[reader] += 1
            return free

    def leave(self, reader: Hashable) -> None:
        """Gives the place back."""
        with self._changed:
            self._open[reader] -= 1
            self._open += Counter()  # drops what is zero
            self._changed.notify_all()

    def pause(self, seconds: float) -> bool:
        """Waits; False when the streams are to end."""
        with self._changed:
            self._changed.wait_for(lambda: self._ending, seconds)
            return not self._ending

    def end(self, patience: float) -> bool:
        """Ends all streams, before the server does; whether they did within so many seconds."""
        with self._changed:
            self._ending = True
            self._changed.notify_all()
            return self._changed.wait_for(lambda: not self._open, patience)


def register(app: Flask) -> None:
    """Gives an app its count of open streams."""
    app.extensions["bgmail.streams"] = Streams()


def event(id_: str | int, kind: str, data: str) -> str:
    """One event as it is sent. `data` is one line."""
    return f"id: {id_}\nevent: {kind}\ndata: {data}\n\n"


def answer(reader: Hashable, news: News, due: Due = lambda: POLL) -> Response:
    """A stream of `news` for one reader, who is an account or, without one, a network. It asks sooner than usual where
    something is `due`."""
    streams: Streams = current_app.extensions["bgmail.streams"]
    stays = request.environ["wsgi.multithread"] and streams.enter(reader)
    stream = _lasting(news, due, streams) if stays else _once(news)
    response: Response = current_app.response_class(stream, content_type="text/event-stream")
    if stays:
        # A server may fail to close an answer whose connection was cut: then the place is free once nobody holds it.
        response.call_on_close(weakref.finalize(stream, streams.leave, reader))
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Accel-Buffering"] = "no"
    return response


def marks(reader: Hashable, mark: Callable[[], str]) -> Response:
    """A stream for an open page: the mark of what it shows, whenever that is another than the one that was seen."""
    known = request.headers.get("Last-Event-ID") or request.args.get("seen") or mark()

    def fresh() -> str:
        nonlocal known
        before, known = known, mark()
        return event(known, "message", known) if known != before else ""

    return answer(reader, fresh)


def _lasting(news: News, due: Due, streams: Streams) -> Iterator[str]:
    yield f"retry: {RETRY_MILLISECONDS}\n\n"
    end = time.monotonic() + LIFETIME
    quiet_since = time.monotonic()
    while time.monotonic() < end:
        told = news()
        if not told and time.monotonic() - quiet_since >= HEARTBEAT:
            told = ": still here\n\n"
        if told:
            quiet_since = time.monotonic()
            yield told
        if not streams.pause(min(POLL, max(SOONEST, due()))):
            return


def _once(news: News) -> Iterator[str]:
    yield f"retry: {RETRY_MILLISECONDS}\n\n"
    yield news()

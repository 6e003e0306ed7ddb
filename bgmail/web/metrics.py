"""The figures of an installation as Prometheus reads them: one line each, for who knows the token."""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Iterator
from datetime import datetime

from flask import Blueprint, Response, abort, request

from bgmail.service.operations import Backlog, Overview, overview
from bgmail.world import world

blueprint = Blueprint("metrics", __name__)

TYPE = "text/plain; version=0.0.4; charset=utf-8"
Sample = tuple[dict[str, str], float]


@blueprint.get("/metrics")
def metrics() -> Response:
    """404 where there is no token for it, 401 for who doesn't show it."""
    here = world()
    token = here.settings.metrics_token
    if token is None:
        abort(404)
    shown = request.headers.get("Authorization", "").removeprefix("Bearer ").encode()
    if not hmac.compare_digest(shown, token.encode()):
        return Response("A bearer token is needed.\n", 401, {"WWW-Authenticate": "Bearer"}, "text/plain")
    now = here.now()
    return Response("".join(_families(overview(here.store, now), now)), content_type=TYPE)


def _families(found: Overview, now: datetime) -> Iterator[str]:
    by_channel = found.channels.items()
    yield _gauge("errands_waiting", "Messages still to be sent.", _waiting(by_channel))
    yield _gauge("errands_oldest_seconds", "Age of the oldest of them.", _ages(by_channel, now))
    yield _gauge("notices_unplanned", "Facts nobody has planned for yet.", [({}, found.unplanned.waiting)])
    tried = [
        ({"channel": channel, "outcome": how}, count) for (channel, how), count in found.outcomes.items()
    ]
    yield _gauge("attempts_last_day", "Attempts to send in the last 24 hours.", tried)
    reports = [({"sort": sort}, count) for sort, count in found.reports.items()]
    yield _gauge("reports_last_day", "What came back in the last 24 hours.", reports)
    yield _gauge("addresses_stopped", "Addresses that get no letters, or not all.", [({}, found.stopped)])
    yield _gauge("webhooks_off", "Webhooks that are switched off.", [({}, found.webhooks_off)])
    yield _gauge(
        "inbound_waiting", "Mails that came in and are to be handled.", [({}, found.inbound.waiting)]
    )
    if found.heartbeat:
        age = (now - found.heartbeat).total_seconds()
        yield _gauge("scheduler_heartbeat_age_seconds", "Since the scheduler was last alive.", [({}, age)])


def _waiting(channels: Iterable[tuple[str, Backlog]]) -> list[Sample]:
    return [({"channel": name}, backlog.waiting) for name, backlog in channels]


def _ages(channels: Iterable[tuple[str, Backlog]], now: datetime) -> list[Sample]:
    return [
        ({"channel": name}, (now - backlog.oldest).total_seconds())
        for name, backlog in channels
        if backlog.oldest
    ]


def _gauge(name: str, text: str, samples: Iterable[Sample]) -> str:
    """One family. Labels are words of ours: nothing in them needs escaping."""
    lines = [f"# HELP bgmail_{name} {text}", f"# TYPE bgmail_{name} gauge"]
    for labels, value in samples:
        inner = ",".join(f'{key}="{word}"' for key, word in labels.items())
        lines.append(f"bgmail_{name}{{{inner}}} {value:g}" if inner else f"bgmail_{name} {value:g}")
    return "\n".join(lines) + "\n"

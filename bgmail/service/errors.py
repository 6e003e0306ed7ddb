"""What can go wrong for a person, by what it means; `bgmail.phrases` has the sentences."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from sqlalchemy.exc import OperationalError as StorageTrouble

if TYPE_CHECKING:
    from bgmail.service.views import MatchView

__all__ = [
    "Forbidden",
    "KeyReused",
    "NotFound",
    "Refused",
    "ServiceError",
    "Stale",
    "StorageTrouble",
    "by_the_way",
]

BUSY_SECONDS = 5
"""When to come back after storage trouble: a full disk or a lost server may pass."""
log = logging.getLogger(__name__)


@contextmanager
def by_the_way(what: str) -> Iterator[None]:
    """Around what is noted of somebody who only looks: on a full disk it is left out, and the look is answered."""
    try:
        yield
    except StorageTrouble as trouble:
        log.warning("%s could not be noted: %s", what, trouble.orig)


class ServiceError(Exception):
    """Nothing was changed. `code` says why, `values` what belongs into the sentence."""

    def __init__(self, code: str, **values: object) -> None:
        self.code = code
        self.values = values
        super().__init__(code, values)


class NotFound(ServiceError):
    """There is no such thing, or the one who asks may not know of it."""


class Forbidden(ServiceError):
    """It may be seen, but it isn't theirs to act on."""


class Refused(ServiceError):
    """The wish is malformed, illegal or not possible now."""


class KeyReused(Refused):
    """The idempotency key was used for something else."""


class Stale(ServiceError):
    """The match moved on since the version that the wish names; `view` is how it stands now."""

    def __init__(self, view: MatchView) -> None:
        self.view = view
        super().__init__("stale", version=view.version)

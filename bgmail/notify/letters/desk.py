"""What lies on the desk when a letter is written."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from bgmail.notify.links import Links
from bgmail.notify.occasion import Occasion
from bgmail.notify.situation import Situation, observe
from bgmail.service.addresses import shown


@dataclass(frozen=True, slots=True)
class Desk:
    """The occasion, the links, the present instant, and an open connection to look things up."""

    occasion: Occasion
    links: Links
    now: datetime
    connection: Connection

    def situation(self) -> Situation:
        """The match with its board, for letters about a match that has begun."""
        return observe(self.connection, self.occasion, self.links, self.now)

    @property
    def address(self) -> str:
        """The address of an account's letter as people write it."""
        return shown(self.occasion.notice.address)

"""All ways out."""

from __future__ import annotations

from bgmail.notify.channel import Planned
from bgmail.notify.hooks.channel import WEBHOOKS
from bgmail.notify.mail import LETTERS, Digest

CHANNELS: tuple[Planned, ...] = (LETTERS, Digest(), WEBHOOKS)

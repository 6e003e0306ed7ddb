"""All ways out."""

from __future__ import annotations

from bgmail.notify.channel import Planned
from bgmail.notify.hooks.channel import WEBHOOKS
from bgmail.notify.mail import LETTERS, Digest
from bgmail.notify.push.channel import PUSHES

CHANNELS: tuple[Planned, ...] = (LETTERS, Digest(), PUSHES, WEBHOOKS)

"""The daily digest: what came together for one person by its hour becomes one notice, and so one letter."""

from __future__ import annotations

from datetime import datetime

from bgmail.notify.mail import DIGEST
from bgmail.service.notices import Kind, fact, owe
from bgmail.store import errands
from bgmail.store.engine import Store


def gather_one(store: Store, now: datetime) -> str | None:
    """Owes one person the digest of all that is due for it; None when nobody's is.

    The facts are looked at again when the letter is written: those that no longer hold are left out.
    """
    with store.read() as connection:
        account_id = errands.whose_is_due(connection, DIGEST, now)
    if account_id is None:
        return None
    with store.write() as connection:
        found = errands.gather(connection, DIGEST, account_id, now)
        if found:
            digest = fact(
                Kind.DIGEST,
                now,
                account_id=account_id,
                which=str(max(found)),
                data={"notices": sorted(found)},
            )
            owe(connection, [digest])
    return f"digest of {len(found)} for account {account_id}"

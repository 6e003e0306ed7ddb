"""What the tests of the outbox read and write in the tables of notices and deliveries."""

from __future__ import annotations

from typing import Any

from sqlalchemy import select

from bgmail.service import accounts
from bgmail.service.notices import Kind, fact, owe
from bgmail.store.matches import table
from bgmail.store.tables import NoticeRow
from tests.notify.conftest import Post

ALICE, BOB = "alice@play.example", "bob@play.example"


def rows(post: Post, of: type[Any]) -> list[Any]:
    with post.store.read() as connection:
        return list(connection.execute(select(table(of)).order_by(table(of).c.id)))


def states(post: Post) -> list[tuple[str, str]]:
    return [(row.kind, row.state) for row in rows(post, NoticeRow)]


def owe_sign_in(post: Post, account_id: int, which: str) -> None:
    """A letter that always holds, for tests of the outbox itself."""
    account = accounts.by_id(post.store, account_id)
    data = {"claim": [account_id, account.epoch]}
    with post.store.write() as connection:
        owe(
            connection,
            [
                fact(
                    Kind.SIGN_IN,
                    post.clock.now,
                    account_id=account_id,
                    address=account.email or "",
                    which=which,
                    data=data,
                )
            ],
        )

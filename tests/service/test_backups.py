"""Copies of the embedded database: sound while it is written to, and put back only when nobody is in it."""

from __future__ import annotations

import stat
import threading
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import select, update

from bgmail import dice
from bgmail.dice import FairChance
from bgmail.rules.match import legal
from bgmail.service import backups, matches, restores, turns
from bgmail.service.audits import Tally, audit
from bgmail.service.backups import NoBackup
from bgmail.service.deadlines import sweep_some
from bgmail.store.backup import BadCopy, check
from bgmail.store.engine import Store, driver
from bgmail.store.matches import table
from bgmail.store.presence import InUse
from bgmail.store.tables import NoticeRow
from tests.service.matchmaking import act, begin
from tests.service.test_exports import play_out

LATER = timedelta(hours=6)


@pytest.fixture
def store(sqlite_schema_url: str) -> Iterator[Store]:
    """Backups are the embedded database's."""
    opened = Store(sqlite_schema_url)
    yield opened
    opened.close()


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return tmp_path / "copies" / "bgmail.backup"


@pytest.fixture(autouse=True)
def folder(copy: Path) -> None:
    copy.parent.mkdir()


def newest(file: Path) -> int:
    connection = driver().connect(file)
    [[seq]] = connection.execute("SELECT max(seq) FROM action").fetchall()
    connection.close()
    return int(seq)


def play_on(store: Store, match_id: str, now: datetime, over: threading.Event) -> None:
    """Plays as fast as it can until it is told that it is over."""
    chance = FairChance()
    while not over.is_set():
        view = turns.load(store, match_id)
        if view.match.on_turn is None:
            return
        wish: dict[str, str] = {"action": "roll"}
        if view.match.phase.value == "play":
            wish = {"action": "play", "play": str(legal(view.match)[0])}
        act(store, view, view.match.on_turn, wish.pop("action"), now, chance, **wish)


def test_copies_made_under_plays_are_whole_and_not_older_than_their_beginning(
    store: Store, now: datetime, copy: Path
) -> None:
    """Copying the file of a running service once lost the newest moves."""
    view, _ = begin(store, now, length=25)
    over = threading.Event()

    writer = threading.Thread(target=play_on, args=(store, view.id, now, over))
    writer.start()
    try:
        for _ in range(10):
            before = turns.load(store, view.id).head
            backups.backup(store, copy)
            check(copy)
            assert newest(copy) >= before
    finally:
        over.set()
        writer.join()
    assert [file.name for file in copy.parent.iterdir()] == [copy.name]


def test_a_copy_is_for_its_owner_alone(store: Store, copy: Path) -> None:
    assert backups.backup(store, copy) == copy.stat().st_size
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600


def test_a_copy_that_fails_leaves_the_one_before_and_nothing_else(
    store: Store, now: datetime, copy: Path, tmp_path: Path
) -> None:
    view, chance = begin(store, now, (3, 1))
    backups.backup(store, copy)
    before = copy.read_bytes()
    act(store, view, view.match.turn, "play", now, chance, play="8/5 6/5")
    with store.unchecked() as connection:
        connection.execute(update(table(NoticeRow)).values(account_id=99))
    with pytest.raises(BadCopy, match="belong to nothing"):
        backups.backup(store, copy)
    with pytest.raises(BadCopy):
        backups.backup(store, tmp_path / "nowhere" / "x")
    assert copy.read_bytes() == before
    assert [file.name for file in copy.parent.iterdir()] == [copy.name]


def test_the_database_is_never_copied_onto_itself(store: Store, tmp_path: Path) -> None:
    assert store.path
    for side in ("", "-wal", "-shm", ".gate"):
        with pytest.raises(NoBackup):
            backups.backup(store, store.path.with_name(store.path.name + side))


def test_a_restore_is_refused_while_somebody_is_in_the_database(
    store: Store, now: datetime, copy: Path
) -> None:
    begin(store, now)
    backups.backup(store, copy)
    service = Store(store.url)
    with service.read() as connection:
        connection.exec_driver_sql("SELECT 1")
    with pytest.raises(InUse):
        backups.restore(store, copy, now, FairChance())
    service.close()
    assert backups.restore(store, copy, now, FairChance()).matches == 1


def test_what_is_no_backup_is_refused_and_nothing_is_touched(
    store: Store, now: datetime, copy: Path, tmp_path: Path
) -> None:
    view, _ = begin(store, now)
    text, empty, foreign, cut = (tmp_path / name for name in ("text", "empty", "foreign", "cut"))
    text.write_text("not a database, but long enough to be looked at " * 100)
    empty.touch()
    other = driver().connect(foreign)
    other.execute("CREATE TABLE thing (id INTEGER)")
    other.close()
    backups.backup(store, copy)
    cut.write_bytes(copy.read_bytes()[: copy.stat().st_size // 2])
    for file in (text, empty, foreign, cut):
        with pytest.raises(BadCopy):
            backups.restore(store, file, now, FairChance())
    assert turns.load(store, view.id).head == view.head
    assert not list(tmp_path.glob("*before-restore*"))


def test_a_backup_of_a_newer_version_is_refused(store: Store, now: datetime, copy: Path) -> None:
    backups.backup(store, copy)
    newer = driver().connect(copy)
    newer.execute("UPDATE alembic_version SET version_num = '9999'")
    newer.commit()
    newer.close()
    with pytest.raises(BadCopy, match="newer version"):
        backups.restore(store, copy, now, FairChance())


def test_after_a_restore_the_old_plays_are_gone_and_kept_aside(
    store: Store, now: datetime, copy: Path
) -> None:
    view, chance = begin(store, now)
    backups.backup(store, copy)
    act(store, view, view.match.turn, "play", now, chance, play=str(legal(view.match)[0]))
    backups.restore(store, copy, now + LATER, FairChance())
    assert turns.load(store, view.id).match.dice == view.match.dice
    assert store.path
    aside = store.path.with_name(store.path.name + ".before-restore")
    check(aside)
    assert newest(aside) > view.head
    assert list(audit(store, Tally())) == []


def test_a_restored_match_goes_on_with_new_secrets_and_its_dice_verify(
    store: Store, now: datetime, copy: Path
) -> None:
    """Players have seen dice of plays that are gone, and secrets of games that ended since."""
    view, _ = begin(store, now, length=1)
    with store.read() as connection:
        old = dict(connection.exec_driver_sql("SELECT game, secret FROM secret").all())
    backups.backup(store, copy)
    play_out(store, view.id, now)
    backups.restore(store, copy, now + LATER, FairChance())
    with store.read() as connection:
        new = dict(connection.exec_driver_sql("SELECT game, secret FROM secret").all())
    assert set(old) == set(new)
    assert not set(old.values()) & set(new.values())
    play_out(store, view.id, now + LATER)
    verdict = dice.verify(matches.log(store, view.id))
    assert (verdict.faults, verdict.renewed) == ([], [1, 2])
    assert verdict.rolls > 1
    assert list(audit(store, Tally())) == []


def test_a_game_that_opens_by_the_clock_after_a_restore_is_marked_unguarded(
    store: Store, now: datetime, copy: Path
) -> None:
    """Nobody's nonce lies between the new commitment of game 2 and its opening: the log says so itself."""
    view, chance = begin(store, now)
    opener = view.match.turn
    view = act(store, view, opener, "play", now, chance, play=str(legal(view.match)[0])).view
    act(store, view, opener.other, "double", now, chance)
    backups.backup(store, copy)
    backups.restore(store, copy, now + LATER, FairChance())
    while sweep_some(store, now + timedelta(days=6), FairChance()):
        pass
    assert turns.load(store, view.id).match.score[opener.other] == 1, "the double counts as passed"
    verdict = dice.verify(matches.log(store, view.id))
    assert (verdict.faults, verdict.unguarded) == ([], [2])
    assert list(audit(store, Tally())) == []


def test_the_version_stays_so_that_links_and_clients_go_on(store: Store, now: datetime, copy: Path) -> None:
    view, _ = begin(store, now, (3, 1))
    backups.backup(store, copy)
    backups.restore(store, copy, now + LATER, FairChance())
    restored = turns.load(store, view.id)
    assert restored.version == view.version
    act(
        store,
        restored,
        view.match.turn,
        "play",
        now + LATER,
        FairChance(),
        version=view.version,
        play="8/5 6/5",
    )


def test_the_time_between_backup_and_restore_counts_for_nobody(
    store: Store, now: datetime, copy: Path
) -> None:
    view, _ = begin(store, now)
    assert view.deadline_at
    backups.backup(store, copy)
    backups.restore(store, copy, now + LATER, FairChance())
    assert turns.load(store, view.id).deadline_at == view.deadline_at + LATER
    assert list(audit(store, Tally())) == []


def test_letters_that_may_have_gone_out_are_held_until_the_operator_sends_them(
    store: Store, now: datetime, copy: Path
) -> None:
    begin(store, now, (3, 1))
    waiting = states(store)
    assert set(waiting) == {"ready"}
    backups.backup(store, copy)
    done = backups.restore(store, copy, now + LATER, FairChance())
    assert done.letters_held == restores.count_held(store) == len(waiting)
    assert set(states(store)) == {"held"}
    assert restores.send_held(store, now + LATER) == len(waiting)
    assert set(states(store)) == {"ready"}


def states(store: Store) -> list[str]:
    notice = table(NoticeRow)
    with store.read() as connection:
        return list(connection.scalars(select(notice.c.state)))


def test_pages_of_the_old_log_file_are_not_mixed_in(store: Store, now: datetime, copy: Path) -> None:
    view, chance = begin(store, now, (3, 1))
    backups.backup(store, copy)
    act(store, view, view.match.turn, "play", now, chance, play="8/5 6/5")
    assert store.path
    wal = store.path.with_name(store.path.name + "-wal")
    saved = wal.read_bytes()
    store.close()
    wal.write_bytes(saved)  # as a service that was killed leaves it
    backups.restore(store, copy, now, FairChance())
    assert turns.load(store, view.id).match.dice == view.match.dice


def test_postgresql_is_told_of_its_own_tools(pg_schema_url: str, copy: Path, now: datetime) -> None:
    store = Store(pg_schema_url)
    with pytest.raises(NoBackup, match="pg_dump"):
        backups.backup(store, copy)
    with pytest.raises(NoBackup, match="pg_restore"):
        backups.restore(store, copy, now, FairChance())
    store.close()

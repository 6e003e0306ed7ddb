"""The floor of `durable_play`: a Flask app that writes the same rows with bare SQL and does nothing else.

The rows of real actions were recorded before; each request writes the next recorded step of its match with the
pragmas and the gate of the real store, and answers with the recorded answer.
"""

from __future__ import annotations

import fcntl
import json
import os
import threading
from itertools import count
from pathlib import Path
from typing import Any

from flask import Flask, Response, request

from bgmail.store.engine import driver

DATABASE = Path(os.environ["FLOOR_DATABASE"])
STEPS: list[dict[str, Any]] = json.loads(Path(os.environ["FLOOR_STEPS"]).read_text())

app = Flask(__name__)
threads = threading.Lock()
gate = DATABASE.with_name(DATABASE.name + ".gate").open("ab")
local = threading.local()
turn = count()


def connection() -> Any:
    """This thread's connection, opened as the real store opens its own."""
    if not hasattr(local, "connection"):
        opened = driver().connect(DATABASE, timeout=10, check_same_thread=False, isolation_level=None)
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "cache_size=-32000"):
            opened.execute(f"PRAGMA {pragma}")
        local.connection = opened
    return local.connection


def insert(table: str, rows: list[dict[str, Any]]) -> None:
    """Adds rows of one shape; a row that can't be added is a fault, as it would be in the real store."""
    if rows:
        names = ", ".join(rows[0])
        marks = ", ".join("?" * len(rows[0]))
        connection().executemany(
            f"INSERT INTO {table} ({names}) VALUES ({marks})", [tuple(row.values()) for row in rows]
        )


@app.get("/api/v1/matches/<match_id>")
def look(match_id: str) -> Response:
    """Any recorded answer."""
    return Response(STEPS[len(match_id)]["answer"], content_type="application/json")


@app.post("/api/v1/matches/<match_id>/actions")
def act(match_id: str) -> Response:
    """Reads the match's head, writes a recorded step behind it, answers as recorded."""
    body = json.loads(request.get_data())
    step = STEPS[next(turn) % len(STEPS)]
    sql = connection()
    (head,) = sql.execute("SELECT head FROM match WHERE id = ?", (match_id,)).fetchone()
    with threads:
        fcntl.flock(gate, fcntl.LOCK_EX)
        try:
            sql.execute("BEGIN IMMEDIATE")
            write(sql, match_id, head, step, body["key"])
            sql.execute("COMMIT")
        finally:
            fcntl.flock(gate, fcntl.LOCK_UN)
    return Response(step["answer"], content_type="application/json")


def write(sql: Any, match_id: str, head: int, step: dict[str, Any], key: str) -> None:
    """The statements of one step: the match's row, the log's entries, secrets of dice, what is owed."""
    values = {**step["match"], "head": head + len(step["actions"]), "version": head + 1}
    names = ", ".join(f"{name} = ?" for name in values)
    sql.execute(f"UPDATE match SET {names} WHERE id = ? AND head = ?", (*values.values(), match_id, head))
    actions = [
        {**row, "match_id": match_id, "seq": head + place} for place, row in enumerate(step["actions"], 1)
    ]
    actions[0]["key"] = key
    insert("action", actions)
    for game, secret in step["secrets"]["kept"]:
        row = (match_id, game, bytes.fromhex(secret))
        sql.execute("INSERT OR REPLACE INTO secret (match_id, game, secret) VALUES (?, ?, ?)", row)
    for game in step["secrets"]["dropped"]:
        sql.execute("DELETE FROM secret WHERE match_id = ? AND game = ?", (match_id, game))
    insert("notice", [{**row, "match_id": match_id, "version": head + 1} for row in step["notices"]])

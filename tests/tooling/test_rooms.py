"""Which libraries each room may use. Its arrows to other rooms are import contracts in pyproject.toml."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fixtures.programs import PROJECT

LIBRARIES = {
    "api": {"flask", "flask_wtf", "orjson", "pydantic", "werkzeug"},
    "board": {"PIL"},
    "cli": {"click", "dns", "flask", "sqlalchemy", "werkzeug"},
    "demo": set(),
    "devmail": {"aiosmtpd"},
    "dice": set(),
    "engine": {"bgsage"},
    "factory": {"flask", "flask_babel"},
    "formats": set(),
    "forms": {"flask", "flask_wtf"},
    "house": set(),
    "inbox": {"aiosmtpd", "flask"},
    "ledger": {"orjson"},
    "notify": {
        "babel",
        "css_inline",
        "dns",
        "flask",
        "flask_babel",
        "flask_mail",
        "idna",
        "jinja2",
        "sqlalchemy",
        "werkzeug",
    },
    "pairing": {"rustworkx"},
    "phrases": {"babel", "flask_babel"},
    "rating": set(),
    "rules": set(),
    "scheduler": {"apscheduler", "flask"},
    "service": {"argon2", "email_validator", "idna", "orjson", "sqlalchemy"},
    "settings": {"sqlalchemy"},  # it judges the address of the database
    "store": {"alembic", "orjson", "pysqlite3", "sqlalchemy", "sqlmodel"},
    "streams": {"flask"},
    "timing": set(),
    "tokens": {"itsdangerous"},
    "translations": set(),
    "webpush": {"cryptography"},
    "web": {"flask", "markupsafe", "werkzeug", "wtforms", "flask_wtf"},
    "world": {"flask"},
}
ROOMS = sorted({path.stem for path in (PROJECT / "bgmail").iterdir() if path.stem[0] != "_"})


def imported(room: str) -> Iterator[tuple[Path, str]]:
    """Every module that a file of this room imports, by its first name."""
    place = PROJECT / "bgmail" / room
    for file in sorted(place.rglob("*.py")) if place.is_dir() else [place.with_suffix(".py")]:
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Import):
                yield from ((file, alias.name.partition(".")[0]) for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module:
                yield file, node.module.partition(".")[0]


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_uses_only_the_libraries_that_it_must_know(room: str) -> None:
    allowed = LIBRARIES[room] | sys.stdlib_module_names | {"bgmail"}
    strangers = {
        f"{file.relative_to(PROJECT)}: {name}" for file, name in imported(room) if name not in allowed
    }
    assert not strangers

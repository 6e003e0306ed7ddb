"""Texts of many rows as one, with a semicolon between, in the words of both databases."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Text
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import GenericFunction


class together(GenericFunction[str]):  # noqa: N801  # a function of SQL
    """The texts of a column, one after the other, in no order; NULL where there is no row."""

    type = Text()
    inherit_cache = True


@compiles(together, "sqlite")
def _sqlite(element: together, compiler: Any, **kept: Any) -> str:
    return f"group_concat({compiler.process(element.clauses, **kept)}, ';')"


@compiles(together, "postgresql")
def _postgresql(element: together, compiler: Any, **kept: Any) -> str:
    return f"string_agg({compiler.process(element.clauses, **kept)}, ';')"

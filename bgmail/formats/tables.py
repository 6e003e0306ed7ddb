"""Tables as CSV (RFC 4180) that a spreadsheet may open: no cell of them is ever taken for a formula."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from io import StringIO

Value = str | int | float | None

_BEGINS_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


def csv_of(header: Sequence[str], rows: Iterable[Sequence[Value]]) -> str:
    """The table with its header, lines ending in CR LF. None is an empty cell; whole numbers have no fraction.

    Text that a spreadsheet would take for a formula is written with an apostrophe before it, as OWASP advises;
    numbers are numbers and stay as they are.
    """
    text = StringIO()
    writer = csv.writer(text)
    writer.writerow([_cell(name) for name in header])
    writer.writerows([_cell(value) for value in row] for row in rows)
    return text.getvalue()


def _cell(value: Value) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return f"'{value}" if value.startswith(_BEGINS_FORMULA) else value
    return f"{value:g}" if isinstance(value, float) and abs(value) < 1e6 else str(value)

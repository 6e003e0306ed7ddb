"""The canonical form of an entry: sorted keys and no spaces, as the plain JSON of Python writes it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bgmail.ledger.entry import canonical

TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
LARGEST = 2**63 - 1
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-LARGEST, LARGEST) | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(TEXTS, VALUES, max_size=6))
def test_it_is_plain_json_with_sorted_keys_and_no_spaces(value: dict[str, Any]) -> None:
    plain = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    assert canonical(value) == plain


@pytest.mark.parametrize(
    "value",
    [1.0, [{"a": 0.5}], float("nan"), 2**64, "\ud800", {"\udfff": 1}, {1: 2}, b"bytes", [{1, 2}]],
    ids=repr,
)
def test_what_the_log_cannot_hold_is_refused(value: Any) -> None:
    with pytest.raises(ValueError, match="the log"):
        canonical({"data": value})

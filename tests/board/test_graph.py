"""The pip graph: two lines that are told apart by form, and words for who can't see them."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from bgmail.board.graph import Course, draw

SVG = "{http://www.w3.org/2000/svg}"


def drawn(course: Course, at: int = 0, title: str = "Pips", desc: str = "") -> ET.Element:
    text = draw(course, at, title, desc)
    return ET.fromstring(text.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" '))  # noqa: S314 our own


def by_class(svg: ET.Element, css: str) -> list[ET.Element]:
    return [one for one in svg.iter() if one.get("class") == css]


def test_each_side_has_its_own_line_and_its_own_mark_at_the_end() -> None:
    svg = drawn(Course([167, 160, 150], [167, 167, 159]))
    assert by_class(svg, "pg-w")[0].get("d") == "M32.0 10.0L221.0 16.6L410.0 26.1"
    assert by_class(svg, "pg-b")[0].get("d") == "M32.0 10.0L221.0 10.0L410.0 17.6"
    assert by_class(svg, "pg-we")[0].tag == f"{SVG}circle"
    assert by_class(svg, "pg-be")[0].tag == f"{SVG}rect"


def test_the_mark_stands_at_its_step_and_diamonds_where_the_cube_was_turned() -> None:
    svg = drawn(Course([10] * 5, [20] * 5, doubles=[1, 3]), at=2)
    assert by_class(svg, "pg-now")[0].get("d") == "M221.0 10V168"
    assert len(by_class(svg, "pg-d")) == 2
    assert svg.get("data-steps") == "5"


def test_a_game_of_one_step_has_a_graph_too() -> None:
    assert by_class(drawn(Course([167], [167])), "pg-w")[0].get("d") == "M32.0 10.0"


def test_titles_are_any_text() -> None:
    svg = drawn(Course([1], [1]), title='<b>"&', desc="<script>")
    assert svg.get("aria-label") == '<b>"&'
    assert svg.findtext(f"{SVG}desc") == "<script>"


@pytest.mark.parametrize(("white", "black"), [([], []), ([1], [1, 2])])
def test_a_count_is_needed_for_both_at_every_step(white: list[int], black: list[int]) -> None:
    with pytest.raises(ValueError, match="pip count at every step"):
        Course(white, black)

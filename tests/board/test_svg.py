from __future__ import annotations

from collections import Counter
from xml.etree import ElementTree

import pytest

from bgmail.board import svg
from bgmail.board.geometry import Layout
from bgmail.board.labels import english
from bgmail.board.themes import THEMES
from bgmail.board.view import POINTS, BoardView, Whose
from tests.board.positions import ALL, BEAR_OFF, EVERYTHING, MIDDLE_GAME, ORIENTATIONS, SPREAD, START

NS = "{http://www.w3.org/2000/svg}"
PLACES = [*map(str, POINTS), "25", "0", "opponent-bar", "opponent-off"]
HOSTILE = [
    "<img src=x onerror=alert(1)>",
    '"><svg onload=alert(1)>',
    "{{7*7}}",
    "javascript:alert(1)",
    "]]>&",
]
FULL = BoardView(
    SPREAD,
    dice=(6, 6),
    dice_side="viewer",
    cube=64,
    cube_owner="opponent",
    arrows=((13, 7, "viewer"), (13, 7, "viewer"), (8, 2, "viewer"), (8, 2, "viewer")),
    last_play=(13, 7, 8, 2),
    targets=(18, 12, 6, 0),
    selected=25,
)


def parsed(drawn: str) -> ElementTree.Element:
    return ElementTree.fromstring(drawn)  # noqa: S314 - it is our own drawing


def by_class(root: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return [element for element in root.iter() if name in element.get("class", "").split()]


def places(root: ElementTree.Element) -> dict[str, ElementTree.Element]:
    return {element.get("data-point", ""): element for element in by_class(root, "bd-place")}


def checkers(place: ElementTree.Element) -> Counter[str]:
    return Counter(use.get("data-side", "") for use in place.iter(f"{NS}use"))


@pytest.mark.parametrize("points", ALL)
@pytest.mark.parametrize("interactive", [True, False])
@pytest.mark.parametrize("theme", [*THEMES, "auto"])
def test_every_board_is_well_formed_xml_and_small(
    points: tuple[int, ...], interactive: bool, theme: str
) -> None:
    drawn = svg.draw(BoardView(points, offered_cube=2, offered_to="viewer"), theme, interactive=interactive)
    assert parsed(drawn).get("viewBox") == "0 0 1000 740"
    assert len(drawn.encode()) < 12_000


def test_the_fullest_board_is_still_under_twelve_kilobytes() -> None:
    assert len(svg.draw(FULL, interactive=True, title="A" * 80).encode()) < 12_000


@pytest.mark.parametrize("points", ALL)
def test_a_small_board_is_under_six_kilobytes_and_has_no_ids(points: tuple[int, ...]) -> None:
    drawn = svg.draw_mini(BoardView(points, cube=2, cube_owner="viewer"), title="Alice against Bob")
    root = parsed(drawn)
    assert len(drawn.encode()) < 6_000
    assert root.get("aria-label") == "Alice against Bob"
    assert not [element for element in root.iter() if element.get("id")]


@pytest.mark.parametrize("text", HOSTILE)
def test_names_in_title_description_and_labels_are_shown_literally(text: str) -> None:
    labels = english(BoardView(START)) | {"13": text}
    drawn = svg.draw(BoardView(START), title=text, desc=text, labels=labels, interactive=True)
    root = parsed(drawn)
    assert root.findtext(f"{NS}title") == text
    assert root.findtext(f"{NS}desc") == text
    assert places(root)["13"].get("aria-label") == text
    assert parsed(svg.draw_mini(BoardView(START), title=text)).get("aria-label") == text
    assert {element.tag for element in root.iter()} == {
        f"{NS}{tag}"
        for tag in ("svg", "title", "desc", "defs", "pattern", "path", "g", "rect", "circle", "text", "use")
    }


def test_nothing_in_a_board_needs_an_exception_in_the_page_policy() -> None:
    for drawn in (svg.draw(FULL, interactive=True), svg.draw_mini(FULL)):
        for element in parsed(drawn).iter():
            assert element.tag not in (f"{NS}script", f"{NS}style", f"{NS}foreignObject")
            assert not [name for name in element.keys() if name.startswith("on") or name == "style"]  # noqa: SIM118
            assert element.get("href", "#").startswith("#")


def test_a_file_of_its_own_brings_its_style_along() -> None:
    drawn = svg.draw(BoardView(START), "print", standalone=True)
    assert "--bd-felt:#ffffff" in (parsed(drawn).findtext(f"{NS}style") or "")


def test_every_id_is_there_once_and_starts_as_asked() -> None:
    root = parsed(svg.draw(FULL, interactive=True, desc="x", ids="m7-"))
    ids = [element.get("id", "") for element in root.iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    assert all(name.startswith("m7-") for name in ids)
    used = {element.get("href", "")[1:] for element in root.iter(f"{NS}use")}
    assert used <= set(ids)


@pytest.mark.parametrize("points", ALL)
def test_every_place_can_be_touched_and_has_a_name(points: tuple[int, ...]) -> None:
    root = parsed(svg.draw(BoardView(points), interactive=True))
    found = places(root)
    assert sorted(found) == sorted(PLACES)
    assert root.get("role") == "group"
    for place in found.values():
        assert place.get("role") == "button"
        assert place.get("aria-label")
        assert len(by_class(place, "bd-hit")) == 1


def test_places_are_named_by_what_stands_there() -> None:
    found = places(parsed(svg.draw(BoardView(EVERYTHING), interactive=True)))
    assert found["4"].get("aria-label") == "4 point, 7 of yours"
    assert found["20"].get("aria-label") == "20 point, 6 of your opponent's"
    assert found["10"].get("aria-label") == "10 point, empty"
    assert found["25"].get("aria-label") == "Bar, 1 of yours"
    assert found["opponent-bar"].get("aria-label") == "Bar, 2 of your opponent's"
    assert found["0"].get("aria-label") == "Off, 4 of yours"


def test_a_board_that_cannot_be_touched_is_one_picture_with_a_name() -> None:
    root = parsed(svg.draw(BoardView(START), title="Alice against Bob", desc="White is on roll"))
    assert root.get("role") == "img"
    assert not places(root)
    names = {element.get("id"): element.text for element in root if element.get("id")}
    assert names[root.get("aria-labelledby")] == "Alice against Bob"
    assert names[root.get("aria-describedby")] == "White is on roll"


@pytest.mark.parametrize("points", ALL)
@pytest.mark.parametrize("orientation", ORIENTATIONS)
def test_numbers_touch_areas_and_checkers_agree_however_the_board_is_turned(
    points: tuple[int, ...], orientation: tuple[bool, bool]
) -> None:
    home_left, home_top = orientation
    view = BoardView(points, home_left=home_left, home_top=home_top)
    root = parsed(svg.draw(view, interactive=True))
    numbers = {element.text: element for element in by_class(root, "bd-num")}
    for point, place in places(root).items():
        if point not in numbers:
            continue
        n = points[int(point)]
        whose = "viewer" if n > 0 else "opponent"
        assert checkers(place) == (Counter({whose: min(abs(n), 5)}) if n else Counter())
        x = numbers[point].get("x")
        assert {use.get("x") for use in place.iter(f"{NS}use")} <= {x}
        layout = Layout.of(view)
        assert float(x or 0) == layout.point_x(int(point))
    assert checkers(places(root)["25"]) == Counter(
        {"viewer": min(4, view.bar("viewer"))} if view.bar("viewer") else {}
    )
    assert len(by_class(places(root)["0"], "bd-w")) == view.off("viewer")


def test_a_high_stack_says_how_high_it_is() -> None:
    found = places(parsed(svg.draw(BoardView(EVERYTHING), interactive=True)))
    assert [element.text for element in by_class(found["4"], "bd-count")] == ["7"]
    assert [element.text for element in by_class(found["20"], "bd-count")] == ["6"]
    assert not by_class(found["19"], "bd-count")


def test_the_trays_show_what_is_off_and_say_how_many() -> None:
    found = places(parsed(svg.draw(BoardView(BEAR_OFF, viewer_is_white=False), interactive=True)))
    assert len(by_class(found["0"], "bd-d")) == 7
    assert len(by_class(found["opponent-off"], "bd-w")) == 9
    assert [element.text for element in by_class(found["0"], "bd-off")] == ["7"]


def test_the_sides_differ_by_form_and_not_by_colour_alone() -> None:
    """a light checker has a thin ring, a dark one a thick ring and a dot."""
    root = parsed(svg.draw(BoardView(START)))
    forms = {element.get("id"): [part.get("class") for part in element] for element in root.iter(f"{NS}g")}
    assert forms["bd-w"] == ["bd-w", "bd-wr"]
    assert forms["bd-d"] == ["bd-d", "bd-dr", "bd-dd"]


@pytest.mark.parametrize(("white", "light"), [(True, "viewer"), (False, "opponent")])
def test_each_side_has_its_own_form_whoever_looks(white: bool, light: Whose) -> None:
    root = parsed(svg.draw(BoardView(MIDDLE_GAME, viewer_is_white=white), interactive=True))
    sides = {use.get("data-side") for use in root.iter(f"{NS}use") if use.get("href") == "#bd-w"}
    assert sides == {light}


def faces(root: ElementTree.Element) -> list[int]:
    return [len(die.findall(f"{NS}circle")) for die in by_class(root, "bd-die")]


def test_dice_are_shown_in_the_order_rolled_and_in_their_sides_form() -> None:
    mine = parsed(svg.draw(BoardView(START, dice=(5, 2), dice_side="viewer", dice_used=(1, 0))))
    theirs = parsed(svg.draw(BoardView(START, dice=(4, 4), dice_side="opponent", dice_used=(1, 0))))
    assert faces(mine) == [5, 2]
    assert faces(theirs) == [4, 4]
    assert [die.get("class") for die in by_class(mine, "bd-die")] == ["bd-die bd-used", "bd-die"]
    assert [die.get("class") for die in by_class(theirs, "bd-die")] == ["bd-die bd-half", "bd-die"]
    assert by_class(by_class(mine, "bd-die")[0], "bd-w")
    assert by_class(by_class(theirs, "bd-die")[0], "bd-d")


def cube(view: BoardView) -> tuple[str | None, float, float] | None:
    groups = by_class(parsed(svg.draw(view)), "bd-cube")
    if not groups:
        return None
    digits = groups[0].find(f"{NS}text")
    assert digits is not None
    return digits.text, float(digits.get("x", 0)), float(digits.get("y", 0))


def test_the_cube_stands_where_it_belongs() -> None:
    assert cube(BoardView(START)) == ("64", 461, 370)
    assert cube(BoardView(START, cube=2, cube_owner="viewer")) == ("2", 461, 673)
    assert cube(BoardView(START, cube=2, cube_owner="opponent")) == ("2", 461, 67)
    assert cube(BoardView(START, cube=None)) is None


def test_an_offered_cube_lies_before_the_side_that_answers() -> None:
    assert cube(BoardView(START, cube=2, cube_owner="opponent", offered_cube=4, offered_to="viewer")) == (
        "4",
        690,
        370,
    )
    assert cube(BoardView(START, offered_cube=2, offered_to="opponent")) == ("2", 232, 370)


def test_marks_stand_on_the_checkers_they_mean() -> None:
    layout = Layout()
    view = BoardView(MIDDLE_GAME, selected=13, targets=(11, 8, 21, 0))
    root = parsed(svg.draw(view))
    (ring,) = by_class(root, "bd-ring")
    spots = [(float(t.get("cx", 0)), float(t.get("cy", 0))) for t in by_class(root, "bd-target")]
    assert (float(ring.get("cx", 0)), float(ring.get("cy", 0))) == layout.checker(13, 2, 3)
    assert spots[0] == layout.checker(11, 0, 1)
    assert spots[1] == (layout.point_x(8), round(layout.checker(8, 3, 4)[1], 1))
    assert spots[2] == layout.checker(21, 0, 1)
    assert spots[3] == layout.off("viewer", 0)


def test_two_checkers_played_to_one_point_have_an_arrow_each() -> None:
    view = BoardView(MIDDLE_GAME, arrows=((8, 5, "viewer"), (6, 5, "viewer")))
    first, second = by_class(parsed(svg.draw(view)), "bd-arrow")
    assert first.get("d", "").split("M")[1] != second.get("d", "").split("M")[1]
    heads = [arrow.get("d", "").split("M")[2].split("L")[1] for arrow in (first, second)]
    assert heads[0] != heads[1]


def test_points_of_the_last_play_are_marked_by_a_plate_behind_their_number() -> None:
    root = parsed(svg.draw(BoardView(MIDDLE_GAME, last_play=(24, 13, 25))))
    assert {element.text for element in by_class(root, "bd-last")} == {"24", "13"}
    assert len(by_class(root, "bd-lastbox")) == 2


def test_an_unknown_theme_is_refused() -> None:
    for draw in (svg.draw, svg.draw_mini):
        with pytest.raises(ValueError, match="neon"):
            draw(BoardView(START), "neon")


def test_a_small_board_offers_the_cube_and_shows_every_checker_up_to_five_a_point() -> None:
    root = parsed(svg.draw_mini(BoardView(EVERYTHING, offered_cube=4, offered_to="viewer")))
    assert by_class(root, "bd-offer")
    dots = {name: by_class(root, name)[0].get("d", "").count("h0") for name in ("bd-wi", "bd-di", "bd-do")}
    assert dots == {"bd-wi": 2 + 5 + 1 + 1, "bd-di": 2 + 1 + 4 + 5 + 2, "bd-do": 14}

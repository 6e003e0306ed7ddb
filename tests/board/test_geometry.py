from __future__ import annotations

import json
from itertools import combinations, pairwise

import pytest

from bgmail.board.geometry import (
    BAR_SHOWN,
    CUBE,
    HEIGHT,
    RADIUS,
    SHOWN,
    SIDES,
    WIDTH,
    Box,
    Layout,
    Spot,
    as_dict,
)
from bgmail.board.view import CHECKERS, POINTS
from tests.board.positions import ORIENTATIONS

LAYOUTS = [Layout(*orientation) for orientation in ORIENTATIONS]


def inside(spot: Spot, box: Box) -> bool:
    return box[0] <= spot[0] <= box[0] + box[2] and box[1] <= spot[1] <= box[1] + box[3]


def hits(layout: Layout) -> list[Box]:
    others = [box for whose in SIDES for box in (layout.bar_hit(whose), layout.tray_hit(whose))]
    return [layout.hit(point) for point in POINTS] + others


@pytest.mark.parametrize("layout", LAYOUTS)
def test_my_home_board_is_in_the_corner_that_i_chose(layout: Layout) -> None:
    for point in range(1, 7):
        x, y = layout.checker(point, 0, 1)
        assert (x < WIDTH / 2) == layout.home_left
        assert (y < HEIGHT / 2) == layout.home_top
    assert (layout.off("viewer", 0)[0] < WIDTH / 2) == layout.home_left
    assert (layout.off("viewer", 0)[1] < HEIGHT / 2) == layout.home_top


@pytest.mark.parametrize("layout", LAYOUTS)
def test_points_face_each_other_as_on_a_real_board(layout: Layout) -> None:
    for point in range(1, 13):
        assert layout.point_x(point) == layout.point_x(25 - point)
        assert layout.is_low(point) != layout.is_low(25 - point)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_neighbours_stand_side_by_side_but_for_the_bar_and_the_turn(layout: Layout) -> None:
    for point in set(range(1, 24)) - {6, 12, 18}:
        assert abs(layout.point_x(point) - layout.point_x(point + 1)) == 66
    assert layout.point_x(12) == layout.point_x(13)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_number_stands_outside_its_own_point(layout: Layout) -> None:
    for point in POINTS:
        y = layout.number_y(point)
        assert abs(y - layout.point_edge(point)) == 17
        assert (y < layout.point_edge(point)) == (not layout.is_low(point))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_four_layouts_are_mirror_images(layout: Layout) -> None:
    plain = Layout()
    for point in POINTS:
        for nth in range(SHOWN):
            x, y = plain.checker(point, nth, SHOWN)
            mirrored = WIDTH - x if layout.home_left else x, HEIGHT - y if layout.home_top else y
            assert layout.checker(point, nth, SHOWN) == mirrored


@pytest.mark.parametrize("layout", LAYOUTS)
def test_whatever_stands_on_a_place_lies_in_its_touch_area(layout: Layout) -> None:
    for point in POINTS:
        for nth in range(SHOWN):
            assert inside(layout.checker(point, nth, SHOWN), layout.hit(point))
    for whose in SIDES:
        assert all(inside(layout.bar(whose, nth), layout.bar_hit(whose)) for nth in range(BAR_SHOWN))
        assert all(inside(layout.off(whose, nth), layout.tray_hit(whose)) for nth in range(CHECKERS))
        assert all(inside(layout.off(whose, nth), layout.tray(whose)) for nth in range(CHECKERS))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_touch_areas_are_on_the_board_and_never_overlap(layout: Layout) -> None:
    for x, y, width, height in hits(layout):
        assert x >= 0
        assert y >= 0
        assert x + width <= WIDTH
        assert y + height <= HEIGHT
    for one, two in combinations(hits(layout), 2):
        apart_x = one[0] + one[2] <= two[0] or two[0] + two[2] <= one[0]
        apart_y = one[1] + one[3] <= two[1] or two[1] + two[3] <= one[1]
        assert apart_x or apart_y


def test_touch_areas_of_points_are_big_enough_for_a_finger() -> None:
    """A column is 24 px wide on a phone of 370 px: the full half of the board belongs to it."""
    assert all(box[2] >= 60 and box[3] >= 300 for box in hits(Layout()))


def test_checkers_overlap_from_the_fourth_on() -> None:
    layout = Layout()
    for count in range(1, SHOWN + 1):
        ys = [layout.checker(13, nth, count)[1] for nth in range(count)]
        steps = {round(b - a, 3) for a, b in pairwise(ys)}
        assert len(steps) <= 1
        assert all((step >= 2 * RADIUS) == (count < 4) for step in steps)
        assert ys[-1] + RADIUS <= layout.tip(13) + 2


def test_checkers_beyond_the_fifth_lie_on_the_fifth() -> None:
    layout = Layout()
    assert layout.checker(6, 9, 12) == layout.checker(6, 4, 5)
    assert layout.bar("viewer", 7) == layout.bar("viewer", BAR_SHOWN - 1)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_cube_never_covers_a_checker_on_the_bar(layout: Layout) -> None:
    cubes = [layout.cube(owner) for owner in (None, *SIDES)]
    for whose in SIDES:
        for nth in range(BAR_SHOWN):
            y = layout.bar(whose, nth)[1]
            assert all(abs(y - cube[1]) >= RADIUS + CUBE / 2 for cube in cubes)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_checker_on_the_bar_waits_in_the_half_where_it_enters(layout: Layout) -> None:
    assert (layout.bar("viewer", 0)[1] > HEIGHT / 2) == layout.is_low(24)
    assert (layout.bar("opponent", 0)[1] > HEIGHT / 2) == layout.is_low(1)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_dice_lie_before_their_side_in_the_order_they_are_read(layout: Layout) -> None:
    for whose in SIDES:
        first, second = layout.die(whose, 0), layout.die(whose, 1)
        assert first[0] < second[0]
        half_of_home = (first[0] < WIDTH / 2) == layout.home_left
        assert half_of_home == (whose == "viewer")


@pytest.mark.parametrize("orientation", ORIENTATIONS)
def test_the_script_gets_the_very_numbers_of_the_drawing(orientation: tuple[bool, bool]) -> None:
    layout, told = Layout(*orientation), json.loads(json.dumps(as_dict(*orientation)))
    for point in POINTS:
        place = told["points"][str(point)]
        for count in range(1, SHOWN + 1):
            for nth in range(count):
                y = place["edge"] + place["dir"] * told["stack"][count - 1][nth]
                assert (place["x"], y) == layout.checker(point, nth, count)
    for whose in SIDES:
        assert [tuple(spot) for spot in told["bar"][whose]["spots"]] == [
            layout.bar(whose, nth) for nth in range(BAR_SHOWN)
        ]
        assert tuple(told["off"][whose]["spots"][14]) == layout.off(whose, 14)
        assert tuple(told["cube"][whose]) == layout.cube(whose)
        assert tuple(told["dice"][whose][1]) == layout.die(whose, 1)

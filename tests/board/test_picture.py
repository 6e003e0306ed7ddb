from __future__ import annotations

from io import BytesIO
from itertools import product

import pytest
from PIL import Image

from bgmail.board import picture, sheet
from bgmail.board.geometry import BAR_SHOWN, SHOWN, SIDES, Layout, Spot
from bgmail.board.themes import THEMES
from bgmail.board.view import CHECKERS, CUBES, POINTS, BoardView
from tests.board.positions import ALL, BEAR_OFF, CROWDED_BAR, EVERYTHING, MIDDLE_GAME, ORIENTATIONS, START

GRID = sheet.Grid(600)
BESIDE_THE_DOT = 11
"""Between the dot and the ring of a dark checker: its plain colour."""


def opened(view: BoardView, theme: str = "club") -> Image.Image:
    return Image.open(BytesIO(picture.png(view, theme)))


def colour(image: Image.Image, spot: Spot) -> str:
    x, y = GRID.spot(spot)
    red, green, blue = image.getpixel((round(x), round(y)))  # type: ignore[misc]
    return f"#{red:02x}{green:02x}{blue:02x}"


@pytest.mark.parametrize("theme", THEMES)
def test_the_tiles_were_made_from_the_boards_present_look(theme: str) -> None:
    """If this fails, the look changed: run `python -m tests.board.make_tiles` and look at the boards."""
    for width in picture.WIDTHS:
        assert picture.tiles_digest(theme, width) == sheet.digest(theme, width)


@pytest.mark.parametrize("points", ALL)
@pytest.mark.parametrize("theme", ["club", "dark"])
def test_a_picture_is_small_and_has_the_right_size(points: tuple[int, ...], theme: str) -> None:
    data = picture.png(BoardView(points, dice=(6, 6), dice_side="viewer"), theme)
    image = Image.open(BytesIO(data))
    image.load()
    assert (image.format, image.mode, image.size) == ("PNG", "P", (600, 444))
    assert len(data) <= 20_500


def test_a_hatched_picture_needs_a_little_more() -> None:
    assert max(len(picture.png(BoardView(points), "print")) for points in ALL) <= 26_000


@pytest.mark.parametrize("points", ALL)
@pytest.mark.parametrize("orientation", ORIENTATIONS)
@pytest.mark.parametrize("white", [True, False])
def test_every_checker_is_where_the_drawing_has_it(
    points: tuple[int, ...], orientation: tuple[bool, bool], white: bool
) -> None:
    view = BoardView(
        points, viewer_is_white=white, cube=None, home_left=orientation[0], home_top=orientation[1]
    )
    layout, image = Layout.of(view), opened(view).convert("RGB")
    club = THEMES["club"]
    for point in POINTS:
        n, holder = abs(points[point]), view.holder(point)
        for nth in range(min(n, SHOWN - 1)):
            x, y = layout.checker(point, nth, n)
            side = club.light if holder and view.is_white(holder) else club.dark
            assert colour(image, (x + BESIDE_THE_DOT, y)) == side
        for nth in range(n, SHOWN):
            x, y = layout.checker(point, nth, nth + 1)
            assert colour(image, (x + BESIDE_THE_DOT, y)) not in (club.light, club.dark)


@pytest.mark.parametrize("orientation", ORIENTATIONS)
def test_bar_and_trays_are_where_the_drawing_has_them(orientation: tuple[bool, bool]) -> None:
    view = BoardView(EVERYTHING, cube=None, home_left=orientation[0], home_top=orientation[1])
    layout, image = Layout.of(view), opened(view).convert("RGB")
    x, y = layout.bar("viewer", 0)
    assert colour(image, (x + BESIDE_THE_DOT, y)) == THEMES["club"].light
    for nth in range(2):
        x, y = layout.bar("opponent", nth)
        assert colour(image, (x + BESIDE_THE_DOT, y)) == THEMES["club"].dark
    x, y = layout.off("viewer", 3)
    assert colour(image, (x + 23, y)) == THEMES["club"].light
    x, y = layout.off("viewer", 4)
    assert colour(image, (x + 23, y)) == THEMES["club"].tray


@pytest.mark.parametrize(
    "other",
    [
        BoardView(MIDDLE_GAME, dice=(5, 1), dice_side="viewer", cube=2, cube_owner="viewer"),
        BoardView(MIDDLE_GAME, dice=(5, 2), dice_side="opponent", cube=2, cube_owner="viewer"),
        BoardView(MIDDLE_GAME, dice=(5, 2), dice_side="viewer", cube=4, cube_owner="viewer"),
        BoardView(MIDDLE_GAME, dice=(5, 2), dice_side="viewer", cube=2, cube_owner="opponent"),
        BoardView(MIDDLE_GAME, dice=(5, 2), dice_side="viewer", cube=None),
        BoardView(
            MIDDLE_GAME, dice=(5, 2), dice_side="viewer", cube=2, cube_owner="viewer", dice_used=(1, 0)
        ),
        BoardView(MIDDLE_GAME, dice=(5, 2), dice_side="viewer", cube=2, cube_owner="viewer", last_play=(8,)),
        BoardView(MIDDLE_GAME, offered_cube=2, offered_to="opponent"),
    ],
)
def test_whatever_differs_can_be_seen(other: BoardView) -> None:
    view = BoardView(MIDDLE_GAME, dice=(5, 2), dice_side="viewer", cube=2, cube_owner="viewer")
    assert opened(view).tobytes() != opened(other).tobytes()


def test_the_same_view_gives_the_same_bytes() -> None:
    assert picture.png(BoardView(CROWDED_BAR)) == picture.png(BoardView(CROWDED_BAR))


def test_dice_lie_as_the_words_beside_the_picture_tell_them() -> None:
    drawn, told = (BoardView(MIDDLE_GAME, dice=dice, dice_side="viewer") for dice in ((2, 5), (5, 2)))
    assert picture.png(drawn) == picture.png(told)


def test_drawing_one_picture_leaves_the_next_one_clean() -> None:
    before = picture.png(BoardView(START))
    picture.png(BoardView(BEAR_OFF, cube=8, cube_owner="viewer", last_play=(1, 2, 3)))
    assert picture.png(BoardView(START)) == before


def test_there_is_a_tile_for_everything_that_a_view_can_hold() -> None:
    tiles = sheet.tiles()
    for white, count in product((True, False), range(1, CHECKERS + 1)):
        for point in POINTS:
            for low in (True, False):
                assert sheet.point_tile(point, low, sheet.stack_name(white, count, SHOWN)) in tiles
        for whose in SIDES:
            assert f"bar {whose} {sheet.stack_name(white, count, BAR_SHOWN)}" in tiles
            assert f"off {whose} {sheet.side(white)}{count}" in tiles
    assert all(f"cube {value}" in tiles and f"offered {value}" in tiles for value in CUBES)


def test_tiles_lie_on_their_sheet_without_touching() -> None:
    places = sorted(sheet.on_sheet(600).values())
    taken = set()
    for x, y, w, h in places:
        cells = {(column, row) for column in range(x, x + w) for row in range(y, y + h)}
        assert not cells & taken
        taken |= cells
        assert x + w <= sheet.SHEET_WIDTH


def test_an_unknown_theme_or_size_is_refused() -> None:
    with pytest.raises(ValueError, match="neon"):
        picture.png(BoardView(START), "neon")
    with pytest.raises(ValueError, match="601"):
        picture.png(BoardView(START), width=601)

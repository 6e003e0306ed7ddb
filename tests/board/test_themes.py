"""nothing on a board is told by colour alone, and all stands out from what it lies on."""

from __future__ import annotations

import re
from dataclasses import fields

import pytest

from bgmail.board.themes import THEMES, Theme, class_of, contrast, css, theme

GROUNDS = ("felt", "point_a", "point_b", "bar", "tray")


def seen(on: str, *colours: str) -> float:
    return max(contrast(colour, on) for colour in colours)


def test_contrast_is_the_ratio_of_the_guidelines() -> None:
    assert contrast("#000000", "#ffffff") == 21
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005)
    assert contrast("#0f766e", "#0f766e") == 1


@pytest.mark.parametrize("name", THEMES)
def test_the_two_sides_contrast_with_each_other(name: str) -> None:
    chosen = THEMES[name]
    assert contrast(chosen.light, chosen.dark) >= 7
    assert contrast(chosen.light_ring, chosen.light) >= 3
    assert contrast(chosen.dark_ring, chosen.dark) >= 3


@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize("ground", GROUNDS)
def test_checkers_contrast_with_whatever_they_lie_on(name: str, ground: str) -> None:
    chosen = THEMES[name]
    on = getattr(chosen, ground)
    assert seen(on, chosen.light, chosen.light_edge) >= 3
    assert seen(on, chosen.dark, chosen.dark_edge) >= 3


@pytest.mark.parametrize("name", THEMES)
def test_checkers_of_one_colour_are_told_apart_in_a_stack(name: str) -> None:
    chosen = THEMES[name]
    assert contrast(chosen.light, chosen.light_edge) >= 3
    assert max(contrast(chosen.dark, chosen.dark_edge), contrast(chosen.dark, chosen.dark_ring)) >= 3


@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize("point", ["point_a", "point_b"])
def test_points_contrast_with_the_felt(name: str, point: str) -> None:
    chosen = THEMES[name]
    assert seen(chosen.felt, getattr(chosen, point), chosen.point_edge) >= 3


@pytest.mark.parametrize("name", THEMES)
def test_cube_and_marks_contrast_with_the_bar_and_the_felt(name: str) -> None:
    chosen = THEMES[name]
    assert seen(chosen.bar, chosen.cube, chosen.cube_edge) >= 3
    assert seen(chosen.felt, chosen.cube, chosen.cube_edge, chosen.accent) >= 3
    assert contrast(chosen.accent, chosen.felt) >= 3


@pytest.mark.parametrize("name", THEMES)
def test_every_number_can_be_read(name: str) -> None:
    chosen: Theme = THEMES[name]
    for ink, paper in (
        (chosen.number, chosen.frame),
        (chosen.number, chosen.tray),
        (chosen.light_text, chosen.light),
        (chosen.dark_text, chosen.dark),
        (chosen.cube_text, chosen.cube),
    ):
        assert contrast(ink, paper) >= 4.5


def test_points_in_print_differ_by_hatching_not_by_grey() -> None:
    chosen = THEMES["print"]
    assert chosen.point_a == chosen.point_b == chosen.felt
    assert contrast(chosen.hatch, chosen.point_b) >= 7


def test_every_colour_that_the_rules_use_is_in_every_theme() -> None:
    used = set(re.findall(r"var\(--bd-([a-z-]+)\)", css()))
    assert used <= {field.name.replace("_", "-") for field in fields(Theme)}
    for name, chosen in THEMES.items():
        for field in fields(Theme):
            assert re.fullmatch(r"#[0-9a-f]{6}", getattr(chosen, field.name)), (name, field.name)
            assert f"--bd-{field.name.replace('_', '-')}:{getattr(chosen, field.name)}" in css(name)


def test_the_automatic_theme_follows_the_system_and_the_switch() -> None:
    sheet = css()
    assert "@media(prefers-color-scheme:dark){:root:not([data-theme=light]) .bd-auto{" in sheet
    assert ":root[data-theme=dark] .bd-auto{" in sheet
    assert class_of("auto") == "bd bd-auto"


def test_every_board_is_printed_in_black_and_white() -> None:
    assert css().rstrip().splitlines()[-1].startswith("@media print{.bd.bd.bd.bd{--bd-frame:#ffffff")


def test_an_unknown_theme_is_refused_with_the_names_of_those_there_are() -> None:
    with pytest.raises(ValueError, match="club, green, dark, print"):
        theme("neon")
    with pytest.raises(ValueError, match="neon"):
        class_of("neon")

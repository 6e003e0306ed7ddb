"""The colours of a board: a table a theme, the contrast of two colours, and the style sheet made of them."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from bgmail.board import standing


@dataclass(frozen=True, slots=True)
class Theme:
    """Colours as `#rrggbb`. A piece is visible if its fill or its edge stands out from what it lies on."""

    frame: str
    frame_edge: str
    number: str
    felt: str
    point_a: str
    point_b: str
    point_edge: str
    bar: str
    tray: str
    light: str
    light_edge: str
    light_ring: str
    light_text: str
    dark: str
    dark_edge: str
    dark_ring: str
    dark_text: str
    cube: str
    cube_edge: str
    cube_text: str
    accent: str
    accent_text: str
    hatch: str
    small_b: str


THEMES: dict[str, Theme] = {
    "club": Theme(
        frame="#4a2f21",
        frame_edge="#3a2418",
        number="#f3e7d6",
        felt="#f4ebda",
        point_a="#b9783a",
        point_b="#8f5836",
        point_edge="#8f5836",
        bar="#8a6244",
        tray="#80593c",
        light="#fffaf0",
        light_edge="#6f5a3c",
        light_ring="#a08d6c",
        light_text="#1f2429",
        dark="#181b21",
        dark_edge="#050607",
        dark_ring="#a7b0bd",
        dark_text="#ffffff",
        cube="#fffaf0",
        cube_edge="#6f5a3c",
        cube_text="#1f2429",
        accent="#0f766e",
        accent_text="#ffffff",
        hatch="#8f5836",
        small_b="#8f5836",
    ),
    "green": Theme(
        frame="#3b2a1f",
        frame_edge="#2a1d15",
        number="#f1e6cf",
        felt="#1f5d45",
        point_a="#e4d5ae",
        point_b="#e6975f",
        point_edge="#e4d5ae",
        bar="#33251c",
        tray="#2c2019",
        light="#fffaf0",
        light_edge="#5b4a32",
        light_ring="#9a8765",
        light_text="#1f2429",
        dark="#161a20",
        dark_edge="#a7b0bd",
        dark_ring="#a7b0bd",
        dark_text="#ffffff",
        cube="#fffaf0",
        cube_edge="#2a1d15",
        cube_text="#1f2429",
        accent="#7cf0d8",
        accent_text="#04211d",
        hatch="#e6975f",
        small_b="#e6975f",
    ),
    "dark": Theme(
        frame="#24201d",
        frame_edge="#3a352f",
        number="#d8cfc2",
        felt="#2b2a28",
        point_a="#b09569",
        point_b="#867558",
        point_edge="#867558",
        bar="#1d1a18",
        tray="#161412",
        light="#f1e9dc",
        light_edge="#1c1713",
        light_ring="#8f7f63",
        light_text="#1f2429",
        dark="#101215",
        dark_edge="#9aa5b4",
        dark_ring="#9aa5b4",
        dark_text="#ffffff",
        cube="#f1e9dc",
        cube_edge="#1c1713",
        cube_text="#1f2429",
        accent="#2dd4bf",
        accent_text="#04211d",
        hatch="#867558",
        small_b="#867558",
    ),
    "print": Theme(
        frame="#ffffff",
        frame_edge="#000000",
        number="#000000",
        felt="#ffffff",
        point_a="#ffffff",
        point_b="#ffffff",
        point_edge="#000000",
        bar="#e6e6e6",
        tray="#ffffff",
        light="#ffffff",
        light_edge="#000000",
        light_ring="#767676",
        light_text="#000000",
        dark="#000000",
        dark_edge="#ffffff",
        dark_ring="#ffffff",
        dark_text="#ffffff",
        cube="#ffffff",
        cube_edge="#000000",
        cube_text="#000000",
        accent="#000000",
        accent_text="#ffffff",
        hatch="#000000",
        small_b="#8a8a8a",
    ),
}
AUTO, DAY, NIGHT = "auto", "club", "dark"


def theme(name: str) -> Theme:
    """The theme of that name; ValueError names those there are."""
    try:
        return THEMES[name]
    except KeyError:
        raise ValueError(f"no such board theme: {name!r} (there are {', '.join(THEMES)})") from None


def class_of(name: str) -> str:
    """The class attribute of a board in that theme, or in "auto"; ValueError as in `theme`."""
    if name != AUTO:
        theme(name)
    return f"bd bd-{name}"


def luminance(colour: str) -> float:
    """Relative luminance of a `#rrggbb` colour, 0..1 (WCAG 2.2, definition of relative luminance)."""
    channels = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, two: str) -> float:
    """Contrast ratio of two colours, 1..21 (WCAG 2.2, definition of contrast ratio)."""
    low, high = sorted((luminance(one), luminance(two)))
    return (high + 0.05) / (low + 0.05)


def properties(name: str, unlike: str = "") -> str:
    """A theme as CSS custom properties, `--bd-felt:#...` and so on; only what differs from another, if named."""
    chosen = asdict(theme(name))
    known = asdict(theme(unlike)) if unlike else {}
    return ";".join(
        f"--bd-{part.replace('_', '-')}:{colour}"
        for part, colour in chosen.items()
        if known.get(part) != colour
    )


def css(only: str | None = None) -> str:
    """The style sheet for boards: all themes and `auto` (club by day, dark by night), or one theme alone.

    `auto` follows the reader's system unless the page's root says `data-theme="light"` or `"dark"`. On paper
    every board is drawn in the print theme: its repeated class outranks the switch.
    """
    if only:
        return f".bd{{{properties(only)}}}\n{_RULES}"
    others = {name: properties(name, unlike=DAY) for name in THEMES if name != DAY}
    dark = others.pop(NIGHT)
    return (
        f".bd{{{properties(DAY)}}}\n"
        + "".join(f".bd-{name}{{{colours}}}\n" for name, colours in others.items())
        + f".bd-{NIGHT},:root[data-theme=dark] .bd-auto{{{dark}}}\n"
        f"@media(prefers-color-scheme:dark){{:root:not([data-theme=light]) .bd-auto{{{dark}}}}}\n"
        f"{_RULES}{standing.css()}"
        f"@media print{{.bd.bd.bd.bd{{{properties('print')}}}}}\n"
    )


_RULES = """\
.bd{display:block;width:100%;height:auto;font-variant-numeric:tabular-nums;\
font-family:system-ui,"Segoe UI",Roboto,"DejaVu Sans",sans-serif}
.bd text{text-anchor:middle;dominant-baseline:central;user-select:none}
.bd-frame,.bd-felt,.bd-bar,.bd-tray{stroke:var(--bd-frame-edge);stroke-width:2}
.bd-frame{fill:var(--bd-frame)}
.bd-felt{fill:var(--bd-felt)}
.bd-bar{fill:var(--bd-bar)}
.bd-tray{fill:var(--bd-tray)}
.bd-pa,.bd-pb{stroke:var(--bd-point-edge);stroke-width:1.5;stroke-linejoin:round}
.bd-pa{fill:var(--bd-point-a)}
.bd-pb{fill:var(--bd-point-b)}
.bd-hl{stroke:var(--bd-hatch);stroke-width:3}
.bd-num{fill:var(--bd-number);font-size:21px}
.bd-num.bd-last{fill:var(--bd-frame);font-size:18px;font-weight:700}
.bd-lastbox{fill:var(--bd-number)}
.bd-w{fill:var(--bd-light);stroke:var(--bd-light-edge);stroke-width:2.4}
.bd-wr{fill:none;stroke:var(--bd-light-ring);stroke-width:1.8}
.bd-d{fill:var(--bd-dark);stroke:var(--bd-dark-edge);stroke-width:2.4}
.bd-dr{fill:none;stroke:var(--bd-dark-ring);stroke-width:4.5}
.bd-dd{fill:var(--bd-dark-ring)}
.bd-wt{fill:var(--bd-light-text)}
.bd-dt{fill:var(--bd-dark-text)}
.bd-wc{fill:var(--bd-light)}
.bd-dc{fill:var(--bd-dark)}
.bd-count{font-size:30px;font-weight:700}
.bd-off{fill:var(--bd-number);font-size:22px;font-weight:700}
.bd-used{opacity:.38}
.bd-half{opacity:.7}
.bd-cube rect{fill:var(--bd-cube);stroke:var(--bd-cube-edge);stroke-width:2.4}
.bd-cube text{fill:var(--bd-cube-text);font-size:24px;font-weight:700}
.bd-cube .bd-long{font-size:17px}
.bd-cube.bd-offer rect{stroke:var(--bd-accent);stroke-width:6}
.bd-cube.bd-offer text{font-size:36px}
.bd-hit{fill:transparent}
.bd-target{fill:var(--bd-felt);fill-opacity:.3;stroke:var(--bd-accent);stroke-width:5;stroke-dasharray:10 6.2}
.bd-ring{fill:none;stroke:var(--bd-accent);stroke-width:6}
.bd-target,.bd-ring{filter:drop-shadow(0 0 2px var(--bd-felt)) drop-shadow(0 0 1px var(--bd-felt))}
.bd-halo,.bd-arrow{fill:none;stroke-linecap:round;stroke-linejoin:round}
.bd-halo{stroke:var(--bd-felt);stroke-width:12;opacity:.9}
.bd-arrow{stroke:var(--bd-accent);stroke-width:6}
.bd-place{outline:none}
.bd-place[tabindex]{cursor:pointer}
.bd-place:focus-visible .bd-hit{stroke:var(--bd-accent);stroke-width:6}
.bd-mini .bd-pb{fill:var(--bd-small-b)}
.bd-we,.bd-wi,.bd-de,.bd-di,.bd-do{fill:none;stroke-linecap:round}
.bd-we{stroke:var(--bd-light-edge);stroke-width:58}
.bd-wi{stroke:var(--bd-light);stroke-width:48}
.bd-de{stroke:var(--bd-dark-edge);stroke-width:58}
.bd-di{stroke:var(--bd-dark);stroke-width:50}
.bd-do{stroke:var(--bd-dark-ring);stroke-width:20}
.bd-mini .bd-cube text{font-size:30px}
.bd-mini .bd-offer text{font-size:52px}
@media(forced-colors:active){.bd{forced-color-adjust:none}}
"""

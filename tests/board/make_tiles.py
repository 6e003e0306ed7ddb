"""Photographs the tile sheets in `bgmail/board/tiles/` from the board's SVG. By hand, when the look changed:

    python -m tests.board.make_tiles

Needs a Chromium (BGMAIL_CHROMIUM, or the one in PATH); nothing of this runs on a server.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image, PngImagePlugin

from bgmail.board import picture, sheet
from bgmail.board.themes import THEMES, Theme

COLOURS = 32
FLAT = ("frame", "felt", "point_a", "point_b", "bar", "tray", "light", "dark", "cube", "accent")


def main() -> None:
    """Make every sheet anew."""
    target = Path(picture.__file__).parent / "tiles"
    for theme in THEMES:
        for width in picture.WIDTHS:
            photo = photograph(sheet.page(theme, width), sheet.SHEET_WIDTH, sheet.sheet_height(width))
            note = PngImagePlugin.PngInfo()
            note.add_text("digest", sheet.digest(theme, width))
            path = target / f"{theme}-{width}.png"
            reduced(photo, THEMES[theme]).save(path, optimize=True, pnginfo=note)
            sys.stdout.write(f"{path.name} {path.stat().st_size} bytes\n")


def photograph(page: str, width: int, height: int) -> Image.Image:
    """A page as Chromium shows it, in true colours."""
    chromium = os.environ.get("BGMAIL_CHROMIUM") or shutil.which("chromium") or "chromium-browser"
    with TemporaryDirectory() as folder:
        source, shot = Path(folder, "page.html"), Path(folder, "shot.png")
        source.write_text(page, encoding="utf-8")
        flags = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--hide-scrollbars",
            "--force-color-profile=srgb",
        ]
        size = [f"--window-size={width},{height}", f"--screenshot={shot}"]
        subprocess.run([chromium, *flags, *size, source.as_uri()], check=True, capture_output=True)
        return Image.open(shot).convert("RGB")


def reduced(photo: Image.Image, theme: Theme) -> Image.Image:
    """The photo in few colours; the theme's own flat colours stay exactly as they are."""
    flat = list(dict.fromkeys(bytes.fromhex(getattr(theme, name)[1:]) for name in FLAT))
    blends = _blends(photo, flat).quantize(COLOURS - len(flat), Image.Quantize.MEDIANCUT, kmeans=3)
    mixed = bytes(blends.getpalette() or [])
    palette = [*flat, *(mixed[i : i + 3] for i in range(0, 3 * (COLOURS - len(flat)), 3))]
    nearest = {colour: _nearest(colour, palette) for _, colour in photo.getcolors(1 << 24) or []}
    image = Image.frombytes("P", photo.size, bytes(nearest[colour] for colour in photo.get_flattened_data()))
    image.putpalette(b"".join(palette))
    return image


def _nearest(colour: tuple[int, ...], palette: list[bytes]) -> int:
    return min(
        range(len(palette)), key=lambda i: sum((a - b) ** 2 for a, b in zip(colour, palette[i], strict=True))
    )


def _blends(photo: Image.Image, flat: list[bytes]) -> Image.Image:
    """All pixels of the edges between flat colours, in one row."""
    pixels = b"".join(
        bytes(colour) * count for count, colour in photo.getcolors(1 << 24) or [] if bytes(colour) not in flat
    )
    return Image.frombytes("RGB", (len(pixels) // 3, 1), pixels)


if __name__ == "__main__":
    main()

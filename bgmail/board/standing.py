"""A board on its short side, for a phone held upright: the same drawing, laid on its diagonal by the style sheet.

The reader's own device decides, without a script and without a second drawing: a home board keeps its corner, and
texts are laid back, so they stay upright.
"""

from __future__ import annotations

from bgmail.board.view import BoardView

ALWAYS, PHONE, OTHER_DIAGONAL = "bd-tall", "bd-up", "bd-anti"
NARROW = "(max-width:480px) and (min-height:440px)"
"""A screen on which a lying board would have checkers too small for a finger, and a standing one has room."""
_CLASSES = {"always": f" {ALWAYS}", "phone": f" {PHONE}", "never": ""}


def standing(view: BoardView) -> str:
    """The classes, each after a space, of a board that stands on its short side, always or on a phone."""
    classes = _CLASSES[view.upright]
    return f"{classes} {OTHER_DIAGONAL}" if classes and view.home_left != view.home_top else classes


def css() -> str:
    """The rules that lay a board of 1000 x 740 on either diagonal, so that it fills 740 x 1000."""
    return (
        ".bd{--lay:matrix(0,1.3514,1.3514,0,0,-305.7);--back:matrix(0,1,1,0,0,0)}\n"
        ".bd-anti{--lay:matrix(0,-1.3514,-1.3514,0,1000,1045.7);--back:matrix(0,-1,-1,0,0,0)}\n"
        f"{_laid(ALWAYS)}@media{NARROW}{{{_laid(PHONE)}}}\n"
    )


def _laid(name: str) -> str:
    return (
        f".{name}{{aspect-ratio:37/50}}.{name} .bd-turn{{transform:var(--lay)}}"
        f".{name} text,.{name} .bd-lastbox"
        "{transform-box:fill-box;transform-origin:center;transform:var(--back)}\n"
    )

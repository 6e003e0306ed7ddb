"""What to call a browser in the list of sessions, from what it says about itself."""

from __future__ import annotations

BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox", "Firefox"),
    ("FxiOS", "Firefox"),
    ("CriOS", "Chrome"),
    ("Chrome", "Chrome"),
    ("Safari", "Safari"),
)
SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("CrOS", "ChromeOS"),
    ("Windows", "Windows"),
    ("Mac OS", "Mac"),
    ("Linux", "Linux"),
)
"""The first word that is found counts: each browser also claims to be some of those after it."""


def browser_name(user_agent: str) -> str:
    """ "Firefox, Linux"; what it says itself, cut short, where that isn't known; "" where it says nothing."""
    known = [_first(user_agent, BROWSERS), _first(user_agent, SYSTEMS)]
    return ", ".join(name for name in known if name) or user_agent[:60]


def _first(user_agent: str, words: tuple[tuple[str, str], ...]) -> str | None:
    return next((name for word, name in words if word in user_agent), None)

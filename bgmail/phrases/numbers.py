"""Small numbers as words, for sentences that people read."""

from __future__ import annotations

from bgmail.phrases.translate import gettext, lazy_gettext

_WORDS = (
    lazy_gettext("none"),
    lazy_gettext("one"),
    lazy_gettext("two"),
    lazy_gettext("three"),
    lazy_gettext("four"),
    lazy_gettext("five"),
    lazy_gettext("six"),
    lazy_gettext("seven"),
    lazy_gettext("eight"),
    lazy_gettext("nine"),
    lazy_gettext("ten"),
    lazy_gettext("eleven"),
    lazy_gettext("twelve"),
)


def in_words(count: int, *, first: bool = False) -> str:
    """A count in words up to twelve, in figures above; `first` where it begins a sentence: "Three"."""
    if not 0 <= count < len(_WORDS):
        return gettext("%(count)s", count=count)
    word = str(_WORDS[count])
    return word[:1].upper() + word[1:] if first else word

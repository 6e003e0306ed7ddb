"""The words of a page of HTML, line by line. What a client marks as quoted gets a ">" before it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

from bgmail.inbox.tags import End, Start, Text, tokens

SILENT, QUOTED = "(silent)", "(quoted)"
"""What an element may mean for the words in it. No tag is called so."""
_BLOCKS = frozenset(
    "address article aside blockquote body center dd div dl dt fieldset footer form h1 h2 h3 h4 h5 h6 header hr html "
    "li main nav ol p pre section table tbody td tfoot th thead tr ul".split()
)
_VOID = frozenset("area base br col embed hr img input link meta param source track wbr".split())
_SILENT = frozenset({"head", "style", "script", "title", "template", "noscript"})
_QUOTED = re.compile(
    r"gmail_quote|gmail_attr|yahoo_quoted|moz-cite-prefix|moz-forward-container|protonmail_quote|tutanota_quote|"
    r"zmail_extra|quoted-?(text|content|message)|divrplyfwdmsg|appendonsend|outlookmessageheader|"
    r"mail-?quote|replied-?message|ms-outlook-mobile-reference|originalmessage",
    re.IGNORECASE,
)
_SIGNED = re.compile(
    r"gmail_signature|moz-signature|protonmail_signature|^signature$|ms-outlook.*signature", re.IGNORECASE
)
_RULED = re.compile(r"border-top:\s?solid\s?#?(e1e1e1|b5c4df)", re.IGNORECASE)
_REST_IS_QUOTED = re.compile(r"divrplyfwdmsg|appendonsend|outlookmessageheader", re.IGNORECASE)
"""Outlook marks where its quotation begins, and draws a line there; the quotation goes on to the end."""
_HIDDEN = re.compile(r"display:\s?none|mso-hide:\s?all", re.IGNORECASE)
_SPACE = re.compile(r"[ \t\r\n\f]+")


def lines_of(html: str) -> str:
    """The text of a page. Never raises."""
    page = _Page()
    for token in tokens(html):
        match token:
            case Text():
                page.say(token.words)
            case Start():
                page.open(token.name, token.marks)
            case End():
                page.close(token.name)
    return page.text()


class _Page:
    """Lines with their depth of quoting, and what is open: for each element what it means for its words."""

    def __init__(self) -> None:
        self._open: list[tuple[str, str]] = []
        self._within: Counter[str] = Counter()
        self._lines: list[list[str]] = [[]]
        self._depths: list[int] = [0]
        self._rest_quoted = False

    def open(self, name: str, marks: Mapping[str, str]) -> None:
        if _begins_the_rest(marks):
            self._break()
            self._rest_quoted = True
        if name in _BLOCKS or name == "br":
            self._break(even_empty=name == "br")
        if name == "p":
            self._blank()
        if name not in _VOID:
            meaning = _meaning(name, marks)
            self._open.append((name, meaning))
            self._within.update((name, meaning))
            self._start_line()

    def close(self, name: str) -> None:
        if self._within[name] <= 0:
            return
        ended = ""
        while ended != name:
            ended, meaning = self._open.pop()
            self._within.subtract((ended, meaning))
        if name in _BLOCKS:
            self._break()
        if name == "p":
            self._blank()
        self._start_line()

    def say(self, words: str) -> None:
        if self._within[SILENT] > 0:
            return
        kept = words if self._within["pre"] > 0 else _SPACE.sub(" ", words)
        first, *more = kept.split("\n")
        self._add(first if self._has_words() else first.lstrip())
        for line in more:
            self._break(even_empty=True)
            self._add(line)

    def text(self) -> str:
        """All lines, quoted ones with their mark."""
        marked = zip(self._lines, self._depths, strict=True)
        return "\n".join(("> " if depth else "") + "".join(line).rstrip() for line, depth in marked)

    def _add(self, words: str) -> None:
        if words:
            self._lines[-1].append(words)

    def _has_words(self) -> bool:
        """Whether the line has begun: blanks before its first word were never put in."""
        return bool(self._lines[-1])

    def _depth(self) -> int:
        return int(self._rest_quoted or self._within[QUOTED] > 0)

    def _break(self, *, even_empty: bool = False) -> None:
        if self._has_words() or even_empty:
            self._lines.append([])
            self._depths.append(self._depth())

    def _blank(self) -> None:
        """A paragraph stands by itself."""
        if len(self._lines) > 1 and self._lines[-2]:
            self._break(even_empty=True)

    def _start_line(self) -> None:
        """An empty line belongs to whatever is open when its first word comes."""
        if not self._has_words():
            self._depths[-1] = self._depth()
        elif self._depths[-1] != self._depth():
            self._break()


def _begins_the_rest(marks: Mapping[str, str]) -> bool:
    named = f"{marks.get('id', '')} {marks.get('class', '')}"
    return bool(_REST_IS_QUOTED.search(named) or _RULED.search(marks.get("style", "")))


def _meaning(name: str, marks: Mapping[str, str]) -> str:
    """What an element means for its words: SILENT, QUOTED or nothing ("")."""
    called = (marks.get("class", ""), marks.get("id", ""))
    hidden = _HIDDEN.search(marks.get("style", "")) or any(_SIGNED.search(mark) for mark in called)
    if name in _SILENT or hidden:
        return SILENT
    quoted = name == "blockquote" or any(_QUOTED.search(mark) for mark in called)
    return QUOTED if quoted or marks.get("type", "").lower() == "cite" else ""

"""The reader: from the bytes of a mail to what its writer says. Pure, and it never raises."""

from __future__ import annotations

import hashlib
import json
import logging
import re
from collections.abc import Sequence
from dataclasses import replace
from email.message import Message

from bgmail.inbox import bodies
from bgmail.inbox.bounces import bounce_of
from bgmail.inbox.charsets import LOST
from bgmail.inbox.commands import command, commands_within
from bgmail.inbox.complaints import complaint_of
from bgmail.inbox.headers import as_written, header, only_sender, parsed
from bgmail.inbox.quotes import own
from bgmail.inbox.reading import Command, Doubt, Reading, Sort
from bgmail.inbox.signatures import without_signature
from bgmail.inbox.sorts import sort_of

MOST_COMMANDS = 5
MOST_LINES = 20_000
LONGEST_LINE = 2_000
_GOES_ON = frozenset({"roll", "accept", "decline_resignation"})
"""After these the same person may have more to do."""
_INVISIBLE = re.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\u00ad]")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_SPACES = dict.fromkeys(
    map(
        ord,
        "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000\t",
    ),
    " ",
)
_OUR_LINK = re.compile(r"/(r|invitation|unsubscribe|link|reset|verify)/[\w.=-]{20,}")
_OUR_BOARD = re.compile(r"\+-{2,3}(13|12|24|1)-{2,3}(14|11|23|2)-|-BAR\+")

log = logging.getLogger(__name__)


def read(raw: bytes, envelope_sender: str | None = None) -> Reading:
    """What a mail says. `envelope_sender` is what the mail server was told (None = not known, "" = nobody)."""
    digest = hashlib.sha256(raw).hexdigest()
    try:
        return _read(parsed(raw), digest, envelope_sender)
    except Exception as error:  # a mail is a stranger's: whatever is in it, the next one has its turn
        log.exception("a mail could not be read")
        return Reading(Sort.UNREADABLE, digest, digest, why=f"{type(error).__name__}: {error}"[:200])


def _read(message: Message, digest: str, envelope_sender: str | None) -> Reading:
    sort, sender, own_id = (
        sort_of(message, envelope_sender),
        only_sender(message),
        header(message, "message-id"),
    )
    text = "" if sort is not Sort.LETTER else _tidy(bodies.body(message))
    mail = Reading(
        sort,
        digest,
        _fingerprint(own_id, header(message, "date"), sender, text),
        sender,
        own_id,
        relays=tuple(as_written(message, "authentication-results")),
    )
    if sort is Sort.BOUNCE:
        return replace(mail, bounce=bounce_of(message))
    if sort is Sort.COMPLAINT:
        return replace(mail, bounce=complaint_of(message))
    if sort is not Sort.LETTER:
        return mail
    if bodies.encrypted(message):
        return replace(mail, doubt=Doubt.ENCRYPTED)
    commands, chat, doubt = said(text)
    return replace(mail, commands=commands, chat=chat, doubt=doubt)


def said(text: str) -> tuple[tuple[Command, ...], str, Doubt | None]:
    """The commands, the chat, and the doubt in the text of a mail."""
    found = own(text)
    blocks = [without_signature(block) for block in found.blocks]
    paragraphs = [paragraph for block in blocks for paragraph in _paragraphs(block)]
    if not paragraphs:
        return (), "", Doubt.FORWARDED if found.forwarded else Doubt.EMPTY
    commands, doubt = _commands(paragraphs)
    if found.forwarded:
        doubt = doubt or Doubt.FORWARDED
    return commands, _chat(paragraphs[1:]), doubt


def _commands(paragraphs: Sequence[Sequence[str]]) -> tuple[tuple[Command, ...], Doubt | None]:
    """The first paragraph is commands, line by line; anything else is a doubt."""
    read_so = [command(line) for line in paragraphs[0]]
    clear = _without_repeats([one for one in read_so if one])
    if all(read_so):
        return tuple(clear[:MOST_COMMANDS]), None if _can_follow(clear) else Doubt.CONTRARY
    if any(LOST in line for line in paragraphs[0]):
        return tuple(clear), Doubt.UNDECODED
    if clear:
        return tuple(clear[:MOST_COMMANDS]), Doubt.MORE_WORDS if read_so[0] else Doubt.NOT_FIRST
    within = [one for line in paragraphs[0] for one in commands_within(line)]
    if within:
        return tuple(_without_repeats(within)[:MOST_COMMANDS]), Doubt.MORE_WORDS
    later = [one for paragraph in paragraphs[1:] for line in paragraph if (one := command(line))]
    return tuple(_without_repeats(later)[:MOST_COMMANDS]), Doubt.NOT_FIRST if later else Doubt.NO_COMMAND


def _can_follow(commands: Sequence[Command]) -> bool:
    """Whether the commands make sense one after the other: only after some of them there is more to do."""
    return len(commands) <= MOST_COMMANDS and all(_GOES_ON & set(one.actions) for one in commands[:-1])


def _without_repeats(commands: Sequence[Command]) -> list[Command]:
    """The commands, the same one not twice in a row."""
    kept: list[Command] = []
    for one in commands:
        if not kept or (one.actions, one.play, one.value) != (
            kept[-1].actions,
            kept[-1].play,
            kept[-1].value,
        ):
            kept.append(one)
    return kept


def _paragraphs(lines: Sequence[str]) -> list[list[str]]:
    found: list[list[str]] = [[]]
    for line in lines:
        if line.strip():
            found[-1].append(line.strip())
        elif found[-1]:
            found.append([])
    return [paragraph for paragraph in found if paragraph]


def _chat(paragraphs: Sequence[Sequence[str]]) -> str:
    """What is for the opponent: nothing where a letter of ours lies unmarked in it, for its links act."""
    text = "\n\n".join("\n".join(paragraph) for paragraph in paragraphs)
    return "" if _OUR_LINK.search(text) or _OUR_BOARD.search(text) else text


def _tidy(text: str) -> str:
    """One kind of blank, no sign that nobody sees, no control but the end of a line."""
    seen = _CONTROL.sub("", _INVISIBLE.sub("", text.translate(_SPACES)))
    return "\n".join(line[:LONGEST_LINE] for line in seen.split("\n", MOST_LINES)[:MOST_LINES])


def _fingerprint(own_id: str, date: str, sender: str, text: str) -> str:
    """The same for every copy of a mail: what its writer's program made, not what the way added."""
    made = json.dumps([own_id, date, sender.casefold(), " ".join(text.split())])
    return hashlib.sha256(made.encode("utf-8", "surrogatepass")).hexdigest()

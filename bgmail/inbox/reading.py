"""What a mail says, as the reader found it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class Sort(StrEnum):
    """What kind of mail it is. Only a LETTER was written by a person to be read here."""

    LETTER = "letter"
    AUTOMATIC = "automatic"
    """An absence, a receipt, an answer of a program: never acted on, never answered."""
    LIST = "list"
    """Sent to many at once."""
    BOUNCE = "bounce"
    """A mail server reports on a letter of ours."""
    COMPLAINT = "complaint"
    """A provider tells that its customer calls a letter of ours junk."""
    UNREADABLE = "unreadable"
    """Nothing that could be taken for a mail."""


class Doubt(StrEnum):
    """Why the commands of a letter are not to be carried out just so."""

    EMPTY = "empty"
    """The writer wrote nothing of their own."""
    NO_COMMAND = "no_command"
    """Nothing in it is a command."""
    NOT_FIRST = "not_first"
    """Other words stand before the first command."""
    MORE_WORDS = "more_words"
    """The lines of the commands hold other words too."""
    CONTRARY = "contrary"
    """Several commands that can't follow each other."""
    FORWARDED = "forwarded"
    """The letter passes another one on."""
    ENCRYPTED = "encrypted"
    """The words are sealed."""
    UNDECODED = "undecoded"
    """Some of the writer's own signs could not be made out."""


@dataclass(frozen=True, slots=True)
class Command:
    """One command: the `actions` that its words may mean, in the API's words, and what belongs to them.

    Which of the actions is meant, the match decides: "accept" answers an invitation, a double or a resignation.
    `play` is a play as written, `value` what a game is given up for (None = not said), `dice` the roll that
    the writer believes to play. `text` is the line.
    """

    text: str
    actions: tuple[str, ...]
    play: str | None = None
    value: int | None = None
    dice: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Bounce:
    """A report on one letter: whose address, the status in figures like "5.1.1", and the letter's Message-ID.

    `failed` tells a letter that will never arrive from one that is late. `said` are the words of the other server,
    `returns_to` the address that the letter named for such reports. Unknown texts are "".
    """

    recipient: str
    status: str
    message_id: str
    failed: bool
    said: str = ""
    returns_to: str = ""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a mail says.

    `sender` is the one address in From, "" where there are none or several. `message_id` is as it came, "" for none.
    `fingerprint` (SHA-256, hex) is the same for every copy of a mail, whatever was added on its way.
    `commands` are those found; with a `doubt` they are what the writer may have meant. `chat` is for the opponent.
    `relays` are the Authentication-Results, the topmost first.
    """

    sort: Sort
    digest: str
    fingerprint: str
    sender: str = ""
    message_id: str = ""
    commands: tuple[Command, ...] = ()
    chat: str = ""
    doubt: Doubt | None = None
    bounce: Bounce | None = None
    why: str = ""
    relays: tuple[str, ...] = field(default=(), repr=False)

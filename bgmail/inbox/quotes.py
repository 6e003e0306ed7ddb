"""Which lines of a mail are the writer's own, and which are quoted: by ">", an attribution, or a block of headers."""

from __future__ import annotations

import re
from dataclasses import dataclass

MOST_WRAPPED = 4
"""Lines that an attribution may be broken into."""
LONGEST_ATTRIBUTION = 400
_WROTE = re.compile(
    r"\b(wrote|writes|schrieb|geschrieben|a écrit|écrit|escribió|escribio|ha scritto|scrisse|schreef|escreveu|"
    r"napisał|napisała|napisał\(a\)|pisze|skrev|kirjoitti|napsal|napsala|napsal\(a\)|napísal|írta|a scris|yazdı|"
    r"написал|написала|написал\(а\)|пишет|пише|έγραψε|כתב)(?!\w)|写道|さんは書きました|書きました|작성:",
    re.IGNORECASE,
)
_BEGINS = re.compile(
    r"^\W{0,3}(on|am|le|el|il|op|w dniu|dnia|em|den|dne|kl|ons|på|vào|at|in|\d{1,4}[./ -]|пн|вт|ср|чт|пт|сб|вс|"
    r"mon|tue|wed|thu|fri|sat|sun|"
    r"понедельник|вторник|среда|четверг|пятница|суббота|воскресенье|в )",
    re.IGNORECASE,
)
_NAMED = re.compile(r"<[^<>\s]+@[^<>\s]+>\s?[:：]$")
"""Some clients name the date and the writer, and no verb."""
_DATED = re.compile(r"\d{4}|\d{1,2}[:.]\d{2}|<[^<>\s]+@[^<>\s]+>|@")
_RULE = re.compile(
    r"^\s*[-_=*]{2,}\s*(original message|original-nachricht|ursprüngliche nachricht|originalnachricht|"
    r"message d'origine|"
    r"message d’origine|mensaje original|messaggio originale|oorspronkelijk bericht|mensagem original|"
    r"wiadomość oryginalna|původní zpráva|ursprungligt meddelande|opprinnelig melding|исходное сообщение|"
    r"оригинальное сообщение|reply message|antwort)\s*[-_=*]{2,}\s*$|^\s*_{20,}\s*$",
    re.IGNORECASE,
)
_FORWARD = re.compile(
    r"^\s*[-_=* ]*(begin forwarded message:?|forwarded message|anfang der weitergeleiteten nachricht:?|"
    r"weitergeleitete nachricht|message transféré|début du message transféré:?|mensaje reenviado|"
    r"inicio del mensaje reenviado:?|messaggio inoltrato|inizio messaggio inoltrato:?|doorgestuurd bericht|"
    r"mensagem encaminhada|wiadomość przekazana|przekazana wiadomość|пересылаемое сообщение|"
    r"начало переадресованного сообщения:?|пересланное сообщение|конец переадресованного сообщения)[-_=* ]*$",
    re.IGNORECASE,
)
_FROM = (
    "from|von|de|da|van|od|от|fra|från|expéditeur|mittente|afzender|remitente|nadawca|lähettäjä|发件人|差出人"
)
_NEXT = (
    "sent|date|to|subject|cc|gesendet|datum|an|betreff|envoyé|à|objet|fecha|enviado|para|asunto|inviato|a|oggetto|data|"
    "verzonden|aan|onderwerp|wysłano|do|temat|assunto|отправлено|дата|кому|тема|копия|skickat|till|ämne|sendt|til|emne|"
    "dato|发送时间|收件人|主题"
)
_HEAD = re.compile(rf"^[\s*]*({_FROM})\s?[:：][\s*]", re.IGNORECASE)
_BELOW = re.compile(rf"^[\s*]*({_NEXT})\s?[:：]([\s*]|$)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Own:
    """The writer's own lines, in blocks between what is quoted, and whether the mail passes another one on."""

    blocks: tuple[tuple[str, ...], ...]
    forwarded: bool


def own(text: str) -> Own:
    """The lines of a text that its writer wrote, block by block."""
    lines = text.split("\n")
    blocks: list[list[str]] = [[]]
    at, forwarded = 0, False
    while at < len(lines):
        if _FORWARD.match(lines[at]):
            forwarded = True
            break
        if _RULE.match(lines[at]) or _headers_begin(lines, at):
            break
        wrapped = _attribution(lines, at)
        if _is_escaped(lines, at):
            blocks[-1].append(lines[at][1:])
            at += 1
        elif wrapped or is_quoted(lines[at]):
            if blocks[-1]:
                blocks.append([])
            at += wrapped or 1
            if wrapped and not _quoted_below(lines, at):
                break  # no sign of what is quoted and what isn't: nothing below is taken for the writer's
        else:
            blocks[-1].append(lines[at])
            at += 1
    return Own(tuple(tuple(block) for block in blocks if any(line.strip() for line in block)), forwarded)


def is_quoted(line: str) -> bool:
    """Whether the line bears the mark of a quotation."""
    return line.lstrip(" ").startswith((">", "&gt;"))


def _is_escaped(lines: list[str], at: int) -> bool:
    """Whether a program put ">" before a "From" of the writer's own, as mailboxes in one file need it."""
    around = lines[max(0, at - 1) : at] + lines[at + 1 : at + 2]
    return lines[at].startswith(">From ") and not any(is_quoted(line) for line in around)


def _quoted_below(lines: list[str], at: int) -> bool:
    return any(is_quoted(line) for line in lines[at : at + 4])


def _attribution(lines: list[str], at: int) -> int:
    """How many lines from here on say who wrote what is quoted below; 0 for none."""
    if not lines[at].strip() or is_quoted(lines[at]):
        return 0
    said = ""
    for count, line in enumerate(lines[at : at + MOST_WRAPPED], 1):
        if not line.strip() or is_quoted(line):
            return 0
        said = f"{said} {line.strip()}".strip()
        if len(said) > LONGEST_ATTRIBUTION:
            return 0
        if said.endswith((":", "：")) and (_WROTE.search(said) or _NAMED.search(said)):
            return count if _DATED.search(said) or _quoted_below(lines, at + count) else 0
        if count == 1 and not _BEGINS.match(said) and not _DATED.search(said):
            return 0
    return 0


def _headers_begin(lines: list[str], at: int) -> bool:
    """Whether a quoted mail's headers begin here, as Outlook writes them."""
    if not _HEAD.match(lines[at]):
        return False
    below = [line for line in lines[at + 1 : at + 8] if line.strip()][:4]
    return sum(1 for line in below if _BELOW.match(line)) >= 2

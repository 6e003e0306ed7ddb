"""Where a writer's words end: at a signature, at a closing and a name, at what a telephone adds."""

from __future__ import annotations

import re
from collections.abc import Sequence

_MARK = re.compile(r"^(--|—|––|__)$")
_DEVICE = re.compile(
    r"^\W{0,3}("
    r"sent (from|via|with|using) |get outlook for |von meinem .{1,40} (gesendet|geschickt)|gesendet (von|mit|über) |"
    r"diese nachricht wurde von meinem |envoyé (de|depuis|à partir) |téléchargez outlook|obtenez outlook|"
    r"enviado (desde|do|de|a partir) |obtener outlook|inviato da|scarica outlook|verstuurd vanaf|verzonden (vanaf|met)|"
    r"download outlook|wysłan[eo] z|odesláno z|skickat från|sendt fra|lähetetty |отправлено (с|из|со) |"
    r"послано с |отправлено мобильн|virus-?free|virenfrei|без вирусов|outlook für |hol(e|en sie sich) outlook"
    r")",
    re.IGNORECASE,
)
_CLOSINGS = (
    "regards", "best regards", "kind regards", "warm regards", "best wishes", "best", "sincerely", "yours",
    "yours sincerely", "all the best", "greetings", "take care", "rgds", "br", "gruß", "gruss", "grüße", "gruesse",
    "viele grüße", "viele gruesse", "liebe grüße", "beste grüße", "schöne grüße", "herzliche grüße",
    "mit freundlichen grüßen", "freundliche grüße", "mfg", "lg", "vg", "bis bald", "tschüss", "ciao", "cordialement",
    "bien cordialement", "amicalement", "bien à vous", "à bientôt", "bises", "salutations", "saludos", "un saludo",
    "atentamente", "un abrazo", "abrazos", "cordiali saluti", "saluti", "distinti saluti", "a presto",
    "met vriendelijke groet", "met vriendelijke groeten", "groet", "groeten", "groetjes", "mvg", "abraços",
    "um abraço", "atenciosamente", "pozdrawiam", "pozdrowienia", "z poważaniem", "s pozdravem", "hilsen", "mvh",
    "hälsningar", "med vänliga hälsningar", "terveisin", "с уважением", "с наилучшими пожеланиями", "всего доброго",
    "всего хорошего", "до свидания",
)  # fmt: skip
_WISHES = (
    "thanks", "many thanks", "thank you", "bye", "good luck", "cheers", "love", "danke", "viel glück", "merci", "salut",
    "gracias", "grazie", "bedankt", "obrigado", "obrigada", "dzięki", "спасибо", "удачи", "привет", "пока",
)  # fmt: skip
"""They close a mail right below other words; by themselves they are for the opponent."""
_CLOSING, _WISH = (
    re.compile(
        rf"^({'|'.join(map(re.escape, words))})([\s,.!–-]+\w[\w.'’-]*){{0,3}}[\s,.!–-]*$", re.IGNORECASE
    )
    for words in (_CLOSINGS, _WISHES)
)
MOST_AFTER_CLOSING = 6
LONGEST_CLOSING = 80


def without_signature(lines: Sequence[str]) -> list[str]:
    """The lines before the signature. A closing counts as one where only few lines follow it."""
    for at, line in enumerate(lines):
        if _MARK.match(line.strip()) or _DEVICE.match(line.strip()) or (at and _closes(lines, at)):
            return list(lines[:at])
    return list(lines)


def _closes(lines: Sequence[str], at: int) -> bool:
    """Whether a closing stands here, with no more than a name and an address after it."""
    line, is_below = lines[at].strip(), bool(lines[at - 1].strip())
    if len(line) > LONGEST_CLOSING or not (_CLOSING.match(line) or _WISH.match(line)):
        return False
    after = sum(1 for below in lines[at + 1 :] if below.strip())
    return after <= MOST_AFTER_CLOSING and (is_below or (after > 0 and not _WISH.match(line)))

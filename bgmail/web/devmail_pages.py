"""The mailbox of a development server as pages: `/dev/mail`. Loopback only, and never in production."""

from __future__ import annotations

import re
import smtplib
from base64 import b64encode
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, make_msgid
from ipaddress import ip_address
from urllib.parse import urlsplit

from flask import (
    Blueprint,
    Flask,
    Response,
    abort,
    current_app,
    flash,
    redirect,
    render_template,
    request,
    url_for,
)
from werkzeug.wrappers import Response as BaseResponse

from bgmail.devmail import Mail, Mailbox
from bgmail.phrases.translate import gettext as _
from bgmail.web.headers import policy
from bgmail.world import world

SHOWN = 100
SMTP_SECONDS = 10
LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})
_CID = re.compile(r"""(["'(])cid:([^"')\s>]+)""")
POLICY = (
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; form-action 'none'; frame-ancestors 'self'; "
    "sandbox allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation"
)

pages = Blueprint("devmail", __name__, url_prefix="/dev/mail")


def register(app: Flask) -> None:
    """Adds the mailbox's pages. Raises RuntimeError in production: letters there are nobody's to read."""
    if app.extensions["bgmail"].settings.production:
        raise RuntimeError("the mailbox of development has no place in production")
    app.register_blueprint(pages)


def mailbox() -> Mailbox:
    """Where `dev` keeps the letters of this installation."""
    return Mailbox(world().settings.instance / "mail")


@pages.before_request
def only_from_here() -> None:
    """Refuses whoever is not on this machine, and a page elsewhere that points a name of its own at it."""
    try:
        near = ip_address(request.remote_addr or "").is_loopback
    except ValueError:
        near = False
    host = urlsplit(f"//{request.host}").hostname
    if not near or host not in LOOPBACK_NAMES or current_app.extensions["bgmail"].settings.production:
        abort(404)


@pages.get("")
def index() -> str:
    """All letters, newest first."""
    box = mailbox()
    numbers = box.numbers()
    mails = [mail for number in numbers[:SHOWN] if (mail := box.read(number))]
    return render_template("devmail/index.html", mails=mails, count=len(numbers))


@pages.get("/<int:number>")
def letter(number: int) -> Response:
    """One letter: HTML in a frame, text, headers."""
    mail = _found(number)
    parts = [part.get_content_type() for part in mail.message.walk() if not part.is_multipart()]
    page = render_template("devmail/letter.html", mail=mail, parts=parts, neighbours=_neighbours(number))
    response = Response(page)
    response.headers["Content-Security-Policy"] = f"{policy()}; frame-src 'self'"
    return response


@pages.get("/<int:number>/html")
def html(number: int) -> Response:
    """The HTML part as a document of its own, pictures put in; its links open in the whole window."""
    mail = _found(number)
    if not mail.html():
        abort(404)
    response = Response(_with_pictures(mail), mimetype="text/html")
    response.headers["Content-Security-Policy"] = POLICY
    return response


@pages.get("/<int:number>/source")
def source(number: int) -> Response:
    """The letter as it came, byte for byte, below its envelope."""
    return Response(_found(number).raw, mimetype="text/plain")


@pages.post("/<int:number>/answer")
def answer(number: int) -> BaseResponse:
    """Sends an answer to a letter, by SMTP as its reader's program would."""
    mail = _found(number)
    if mail.message["Reply-To"] is None:
        abort(404)
    written = answer_to(mail, request.form.get("words", ""))
    settings = world().settings
    try:
        with smtplib.SMTP(settings.mail_server or "", settings.mail_port, timeout=SMTP_SECONDS) as server:
            server.sendmail(
                mail.recipients, [str(mail.message["Reply-To"].addresses[0].addr_spec)], written.as_bytes()
            )
    except (OSError, smtplib.SMTPException) as error:
        flash(_("The answer could not be sent: %(error)s", error=error), "error")
    else:
        flash(_("The answer is on its way. What comes of it arrives here."), "success")
    return redirect(url_for("devmail.index"), 303)


@pages.post("/clear")
def clear() -> BaseResponse:
    """Throws every letter away."""
    mailbox().clear()
    return redirect(url_for("devmail.index"), 303)


def answer_to(mail: Mail, words: str) -> EmailMessage:
    """The words of somebody, above the letter that they answer."""
    written = EmailMessage(policy=SMTP)
    written["From"] = mail.recipients
    written["To"] = mail.message["Reply-To"]
    written["Subject"] = "Re: " + " ".join(mail.subject.split())
    written["Date"] = format_datetime(world().now())
    written["Message-ID"] = make_msgid(domain="localhost")
    written["In-Reply-To"] = mail.message["Message-ID"]
    quoted = "\n".join(f"> {line}" for line in mail.text().splitlines())
    words = "\n".join(words.splitlines())
    written.set_content(f"{words}\n\nOn {mail.message['Date']}, bgmail wrote:\n\n{quoted}\n")
    return written


def _found(number: int) -> Mail:
    mail = mailbox().read(number)
    if mail is None:
        abort(404)
    return mail


def _neighbours(number: int) -> tuple[int | None, int | None]:
    """The letters after and before one."""
    numbers = mailbox().numbers()
    later = min((other for other in numbers if other > number), default=None)
    earlier = max((other for other in numbers if other < number), default=None)
    return later, earlier


def _with_pictures(mail: Mail) -> str:
    pictures = mail.pictures()

    def inline(found: re.Match[str]) -> str:
        kind, data = pictures.get(found[2], ("image/png", b""))
        return f"{found[1]}data:{kind};base64,{b64encode(data).decode()}"

    return '<base target="_top">' + _CID.sub(inline, mail.html())

"""The door for mail providers, signed by a secret that both know: `POST /inbound/mail` with a mail as its body, and
`POST /inbound/bounces` with what became of a letter of ours."""

from __future__ import annotations

import hashlib
import hmac
import json
from datetime import datetime, timedelta

from flask import Blueprint, Response, abort, request

from bgmail.inbox.accepting import LARGEST, NotForUs, accept, recipients_in
from bgmail.service import bounces
from bgmail.service.bounces import Report, Sort
from bgmail.world import world

blueprint = Blueprint("inbox", __name__, url_prefix="/inbound")

WINDOW = timedelta(minutes=5)
UNSIGNED = "Not signed by our secret within the last five minutes."
TIMESTAMP, SIGNATURE = "Bgmail-Timestamp", "Bgmail-Signature"


@blueprint.post("/mail")
def receive() -> Response:
    """202 once the mail is kept; 401 for what isn't signed, or was signed too long ago; 422 for nobody here.

    The same mail again is 202 again, and nothing more.
    """
    here, now = world(), world().now()
    if here.settings.inbound_secret is None or here.settings.inbound_domain is None:
        return _said("No mail is taken here.", 404)
    request.max_content_length = LARGEST + 1  # a mail that doesn't say its length is cut off there
    raw = request.get_data(cache=False)
    if len(raw) > LARGEST:
        abort(413)
    if not _is_signed(here.settings.inbound_secret, raw, now):
        return _said(UNSIGNED, 401)
    try:
        accept(here, raw, recipients_in(raw), now)
    except NotForUs:
        return _said("No address of ours is among the recipients.", 422)
    return _said("Kept.", 202)


@blueprint.post("/bounces")
def reported() -> Response:
    """A report as JSON: {"type": "bounce" or "complaint", "message_id", "address", "status", "diagnostic"}.

    `status` are figures like "5.1.1": 5 stops the address, 4 only counts. 202 with what came of it, also for a letter
    that isn't ours; 401 as above; 422 for what is no such report.
    """
    here, now = world(), world().now()
    if here.settings.inbound_secret is None:
        return _said("No reports are taken here.", 404)
    raw = request.get_data(cache=False)
    if not _is_signed(here.settings.inbound_secret, raw, now):
        return _said(UNSIGNED, 401)
    report = _report(raw)
    if report is None:
        return _said("A report is JSON: type, message_id, address, status, diagnostic.", 422)
    return _said(bounces.take(here.store, report, now), 202)


def _report(raw: bytes) -> Report | None:
    """What a provider tells; None for anything else."""
    try:
        told = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    if not isinstance(told, dict) or told.get("type") not in ("bounce", "complaint"):
        return None
    texts = [told.get(name, "") for name in ("message_id", "address", "status", "diagnostic")]
    if not all(isinstance(text, str) and text.isprintable() for text in texts) or not texts[0]:
        return None
    own_id = f"<{texts[0].strip('<> ')}>"
    late = not texts[2].startswith("5")
    sort = Sort.COMPLAINT if told["type"] == "complaint" else Sort.DELAYED if late else Sort.FAILED
    return Report(sort, own_id, *texts[1:])


def _is_signed(secret: str, raw: bytes, now: datetime) -> bool:
    """Whether the request is signed by the secret, and recent."""
    return signed(secret, request.headers.get(TIMESTAMP, ""), raw, request.headers.get(SIGNATURE, ""), now)


def signed(secret: str, timestamp: str, raw: bytes, signature: str, now: datetime) -> bool:
    """Whether the hex signature is the HMAC-SHA256 of "<timestamp>." and the body, and recent (in seconds)."""
    if not timestamp.isascii() or not timestamp.isdigit() or len(timestamp) > 12:
        return False
    if abs(now.timestamp() - int(timestamp)) > WINDOW.total_seconds():
        return False
    return hmac.compare_digest(sign(secret, timestamp, raw), signature.strip().lower().encode())


def sign(secret: str, timestamp: str, raw: bytes) -> bytes:
    """The signature of a mail."""
    return hmac.new(secret.encode(), f"{timestamp}.".encode() + raw, hashlib.sha256).hexdigest().encode()


def _said(text: str, status: int) -> Response:
    return Response(f"{text}\n", status, mimetype="text/plain")

"""The door for mail providers: `POST /inbound/mail` with a mail as its body, signed by a secret that both know."""

from __future__ import annotations

import hashlib
import hmac
from datetime import UTC, datetime, timedelta

from flask import Blueprint, Response, request

from bgmail.inbox.accepting import LARGEST, NotForUs, accept, recipients_in
from bgmail.world import world

blueprint = Blueprint("inbox", __name__, url_prefix="/inbound")

WINDOW = timedelta(minutes=5)
TIMESTAMP, SIGNATURE = "Bgmail-Timestamp", "Bgmail-Signature"


@blueprint.post("/mail")
def receive() -> Response:
    """202 once the mail is kept; 401 for what isn't signed, or was signed too long ago; 422 for nobody here.

    The same mail again is 202 again, and nothing more.
    """
    here, now = world(), world().now()
    secret = here.settings.inbound_secret
    if secret is None or here.settings.inbound_domain is None:
        return _said("No mail is taken here.", 404)
    request.max_content_length = LARGEST
    raw = request.get_data(cache=False)
    if not signed(secret, request.headers.get(TIMESTAMP, ""), raw, request.headers.get(SIGNATURE, ""), now):
        return _said("Not signed by our secret within the last five minutes.", 401)
    try:
        accept(here, raw, recipients_in(raw), now)
    except NotForUs:
        return _said("No address of ours is among the recipients.", 422)
    return _said("Kept.", 202)


def signed(secret: str, timestamp: str, raw: bytes, signature: str, now: datetime) -> bool:
    """Whether the hex signature is the HMAC-SHA256 of "<timestamp>." and the body, and recent (in seconds)."""
    if not timestamp.isascii() or not timestamp.isdigit() or len(timestamp) > 12:
        return False
    if abs(now - datetime.fromtimestamp(int(timestamp), UTC)) > WINDOW:
        return False
    return hmac.compare_digest(sign(secret, timestamp, raw), signature.strip().lower().encode())


def sign(secret: str, timestamp: str, raw: bytes) -> bytes:
    """The signature of a mail."""
    return hmac.new(secret.encode(), f"{timestamp}.".encode() + raw, hashlib.sha256).hexdigest().encode()


def _said(text: str, status: int) -> Response:
    return Response(f"{text}\n", status, mimetype="text/plain")

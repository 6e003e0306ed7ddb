"""Reply links: `/r/<token>` shows one decision and changes nothing; its form acts once and signs nobody in.

What a used, overtaken or expired link says depends on what the log holds after the version it was made for.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from flask import Blueprint, Response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.wrappers import Response as AnyResponse

from bgmail.ledger.entry import Entry
from bgmail.phrases import entry_line, instant, story
from bgmail.phrases.translate import gettext as _
from bgmail.rules.match import Phase
from bgmail.rules.side import Side
from bgmail.service import accounts, matches, turns
from bgmail.service.clocks import closed_at
from bgmail.service.errors import NotFound, Refused, Stale
from bgmail.service.views import MatchView
from bgmail.timing import from_microseconds
from bgmail.tokens import BadToken, MatchClaim, Purpose
from bgmail.web import boards, drafts
from bgmail.web.explained import told
from bgmail.web.language import speak_to
from bgmail.web.match_pages import asked, page_words
from bgmail.web.reader import zone_of
from bgmail.web.scene import BY_PERSON, RECENT, Reader, Scene, lay_out, scene
from bgmail.world import world

blueprint = Blueprint("reply", __name__, url_prefix="/r")

RECEIPT = "bgmail_receipt"
RECEIPT_LASTS = timedelta(minutes=10)
MUST_TICK = frozenset({"pass", "resign", "resign_match"})
GOES_ON = frozenset({"roll", "decline_resignation"})
HASH_PREFIX = 12
OFFERED = (
    "play",
    "roll",
    "double",
    "take",
    "pass",
    "accept_resignation",
    "decline_resignation",
    "claim_timeout",
    "resign",
    "resign_match",
)


class Fate(StrEnum):
    """What has become of a link."""

    LIVE = "live"
    USED = "used"
    OVERTAKEN = "overtaken"
    EXPIRED = "expired"
    RESTORED = "restored"


STATUS = {Fate.LIVE: 200, Fate.USED: 200, Fate.OVERTAKEN: 409, Fate.EXPIRED: 410, Fate.RESTORED: 409}


@dataclass(frozen=True, slots=True)
class Opened:
    """A link that was opened: what it says, the match as it stands, and what followed the link's version.

    `act` is the entry by which its own side went on, if it did, and `since_act` what followed from it on.
    """

    claim: MatchClaim
    view: MatchView
    side: Side
    fate: Fate
    act: Entry | None
    since_act: list[Entry]


def opened(token: str, now: datetime) -> Opened:
    """Reads a link. Raises BadToken, NotFound, and Forbidden when its person is shut out."""
    claim = world().signer.read_claim(token)
    view = turns.load(world().store, claim.match)
    side = Side(claim.side)
    person = view.person(side)
    if person:
        speak_to(accounts.require_active(world().store, person.id))
    after = matches.log(world().store, view.id, claim.version - 1)
    act = next((entry for entry in after[1:] if entry.seat == side.word and entry.via in BY_PERSON), None)
    since_act = [entry for entry in after if act and entry.seq >= act.seq]
    return Opened(claim, view, side, _fate(claim, view, after, act, now), act, since_act)


def _fate(claim: MatchClaim, view: MatchView, after: list[Entry], act: Entry | None, now: datetime) -> Fate:
    if not after or not after[0].hash.startswith(claim.hash_prefix):
        return Fate.RESTORED
    if view.version == claim.version and view.match.phase is not Phase.OVER:
        late = view.deadline_at is not None and now >= closed_at(view.match, view.deadline_at)
        return Fate.EXPIRED if late else Fate.LIVE
    if act is not None:
        return Fate.USED if act.via == "link" else Fate.OVERTAKEN
    return Fate.EXPIRED if any(entry.via == "clock" for entry in after[1:]) else Fate.OVERTAKEN


@blueprint.get("/<token>")
def show(token: str) -> ResponseReturnValue:
    """The board and the decision, or what has become of it. Changes nothing."""
    now = world().now()
    link = opened(token, now)
    if link.fate is not Fate.LIVE:
        return _gone(link, now)
    return _decision(link, token, now)


@blueprint.post("/<token>")
def act(token: str) -> ResponseReturnValue:
    """Acts once, in the name of the link's side."""
    now = world().now()
    link = opened(token, now)
    if link.fate is not Fate.LIVE:
        return _gone(link, now)
    wish = asked(request.form.get("action", ""), "link")
    if wish.action in MUST_TICK and not request.form.get("sure"):
        return _decision(link, token, now, _("Tick the box as well: this can't be taken back."), wish.action)
    wish = turns.Request(wish.action, link.claim.version, wish.play, wish.value, wish.nonce, None, "link")
    try:
        outcome = turns.act(world().store, link.view.id, link.side, wish, now, world().chance)
    except Refused as error:
        return _decision(link, token, now, told(error), wish.action)
    except Stale:
        return _gone(opened(token, now), now)
    response = redirect(url_for("reply.done"), 303)
    _give_receipt(response, link, outcome.applied_version)
    return response


def _decision(
    link: Opened, token: str, now: datetime, trouble: str = "", action: str | None = None
) -> ResponseReturnValue:
    shown = _scene(link.view, link.side, now)
    lay_out(shown, link.claim.play)
    prepared = action or link.claim.action
    page = render_template(
        "reply/show.html",
        scene=shown,
        token=token,
        prepared=prepared if prepared in shown.options else None,
        offered=[action for action in OFFERED if action in shown.options],
        must_tick=MUST_TICK,
        trouble=trouble,
        wrote=drafts.written() if trouble else "",
        claim=link.claim,
        page_words=page_words(),
        secret_address=True,
    )
    return page, 422 if trouble else 200


def _gone(link: Opened, now: datetime) -> ResponseReturnValue:
    """A link that doesn't act any more: why, how the match stands, and what to do next."""
    shown = _scene(link.view, link.side, now, only_look=True)
    zone = _reader(link.view, link.side).zone
    page = render_template(
        "reply/gone.html",
        scene=shown,
        fate=link.fate.value,
        line=entry_line(link.act, shown.names) if link.act else None,
        when=instant(from_microseconds(link.act.at), zone, now) if link.act else "",
        go_on=_go_on(link.view, link.side, link.since_act) if link.fate is Fate.USED else "",
        secret_address=True,
    )
    return page, STATUS[link.fate]


def _give_receipt(response: AnyResponse, link: Opened, version: int) -> None:
    """Lets this browser see the result of this link, and nothing else, for ten minutes."""
    receipt = world().signer.sign(Purpose.RECEIPT, [link.view.id, int(link.side), version])
    response.set_cookie(
        RECEIPT,
        receipt,
        max_age=RECEIPT_LASTS,
        path=url_for("reply.done"),
        secure=request.is_secure,
        httponly=True,
        samesite="Lax",
    )


@blueprint.get("/done")
def done() -> ResponseReturnValue:
    """What the link did, and what is next."""
    now = world().now()
    try:
        receipt = world().signer.read(Purpose.RECEIPT, request.cookies.get(RECEIPT, ""), RECEIPT_LASTS)
    except BadToken:
        return render_template("reply/bad.html", receipt=True, secret_address=True), 404
    match_id, number, version = receipt
    side, view = Side(number), turns.load(world().store, match_id)
    shown = _scene(view, side, now, only_look=True)
    log = matches.log(world().store, match_id, max(0, version - RECENT))
    after = [entry for entry in log if entry.seq >= version]
    lines = story(log, shown.names, version - 1)
    page = render_template(
        "reply/done.html", scene=shown, lines_done=lines, go_on=_go_on(view, side, after), secret_address=True
    )
    return page, 200


def _go_on(view: MatchView, side: Side, after: list[Entry]) -> str:
    """The link for the rest of the same turn: who rolled by a link also plays by one."""
    acted = after[0]
    same_turn = all(entry.seat in (side.word, None) for entry in after) and acted.kind in GOES_ON
    if view.match.on_turn is not side or not same_turn:
        return ""
    head = next(entry for entry in after if entry.seq == view.version)
    claim = MatchClaim(view.id, int(side), view.version, head.hash[:HASH_PREFIX])
    return url_for("reply.show", token=world().signer.sign_claim(claim))


@blueprint.errorhandler(BadToken)
@blueprint.errorhandler(NotFound)
def bad_link(_error: Exception) -> ResponseReturnValue:
    """A link that was cut short, or was never ours."""
    return render_template("reply/bad.html", receipt=False, secret_address=True), 404


@blueprint.after_request
def keep_secret(response: Response) -> Response:
    """The address of such a page is a key: it goes into no referrer, cache or index."""
    response.headers["Referrer-Policy"] = "no-referrer"
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Robots-Tag"] = "noindex, nofollow"
    return response


def _reader(view: MatchView, side: Side) -> Reader:
    person = view.person(side)
    account = accounts.by_id(world().store, person.id) if person else None
    if account:
        speak_to(account)
    return Reader(account.id if account else None, zone_of(account), boards.chosen())


def _scene(view: MatchView, side: Side, now: datetime, *, only_look: bool = False) -> Scene:
    recent = matches.log(world().store, view.id, max(0, view.head - RECENT))
    return scene(view, recent, _reader(view, side), now, only_look=only_look)

"""The page of a match: seen, played, talked in and looked back on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from flask import Blueprint, Response, flash, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from bgmail import streams
from bgmail.phrases import match_terms, moment, rests, rules_name, time_control
from bgmail.phrases.people import called
from bgmail.phrases.profiles import replies
from bgmail.phrases.translate import gettext as _
from bgmail.phrases.vacations import done as mercy_done
from bgmail.rules.match import Phase
from bgmail.rules.side import Side
from bgmail.service import (
    attendance,
    deadlines,
    exports,
    invitations,
    matches,
    mercy,
    orders,
    profiles,
    sketches,
    turns,
)
from bgmail.service.errors import Refused, Stale
from bgmail.service.matches import ChatLine, Waiting
from bgmail.service.ratings import reading
from bgmail.service.views import MatchView, Person
from bgmail.web import drafts
from bgmail.web.asks import MUST_ASK
from bgmail.web.explained import see_guide, told
from bgmail.web.guard import client
from bgmail.web.newsreel import newsreel
from bgmail.web.note_pages import own_notes
from bgmail.web.reader import reader, signed_in
from bgmail.web.scene import RECENT, Scene, lay_out, scene, with_ratings
from bgmail.web.walk import Walk, next_after, waiting, walk_of
from bgmail.world import world

NOBODY = 0
"""No account has this id: a name from a file."""

blueprint = Blueprint("match", __name__, url_prefix="/match/<match_id>")


@dataclass(frozen=True, slots=True)
class Room:
    """Everything the template of a match page is given."""

    scene: Scene
    chat: Sequence[ChatLine]
    invitation: invitations.Invitation | None
    next: Waiting | None
    walk: Walk
    zone: ZoneInfo

    @property
    def leads_on(self) -> bool:
        """Whether the reader's action leads on: to the next match, or from the last of several to the queue."""
        return self.scene.is_mine and (self.next is not None or self.walk.is_on)

    @property
    def steps(self) -> dict[str, Any]:
        """What an address needs so that its action leads on."""
        there = {"to": self.next.id if self.next else ""} if self.leads_on else {}
        return {**self.walk.args, **there}

    @property
    def onward(self) -> str:
        """Where an action leads, once it is done and the match waits for the opponent; else ""."""
        after = self.scene.view.id
        return onward(self.walk, after, self.steps["to"]) if self.leads_on else ""

    @property
    def skip(self) -> str:
        """Where skipping this match leads; "" where there is nothing to skip to."""
        after = self.scene.view.id
        return onward(self.walk.skipping(after), after, self.steps["to"]) if self.leads_on else ""

    @property
    def sent(self) -> str:
        """What is said on the next page about what was sent here."""
        return sent_to(self.scene.view, self.scene.you)

    @property
    def mark(self) -> str:
        """Changes whenever there is something new to see."""
        return mark(self.scene.view, self.chat)

    def when(self, at: datetime) -> str:
        """An instant in the reader's zone."""
        return moment(at, self.zone, self.scene.now)

    @property
    def terms(self) -> str:
        """The kind of match in words."""
        return match_terms(self.scene.match)

    @property
    def usual_reply(self) -> str:
        """How soon whoever invites the reader usually replies; "" where that isn't known."""
        inviter = self.scene.view.white
        if inviter is None or inviter.is_bot or self.scene.you is Side.WHITE:
            return ""
        return replies(profiles.reply_time(world().store, inviter.id, self.scene.now))

    @property
    def time(self) -> str:
        """The time control in words."""
        return time_control(self.scene.view.clock.control, spelled=True)

    @property
    def rest(self) -> str:
        """When the clock of a player may stand still."""
        return rests.kinds(self.scene.view.rests.allowed) or _("never")

    @property
    def rules(self) -> str:
        """The rule set in words."""
        return rules_name(self.scene.view.rules_name)


def mark(view: MatchView, chat: Sequence[ChatLine]) -> str:
    """Tells one state of a page from the next."""
    return _mark(view.head, len(chat))


def _mark(head: int, lines: int) -> str:
    return f"{head}-{lines}"


def onward(walk: Walk, after: str, to: str) -> str:
    """The address that leads from a match on to another, if that one still waits then."""
    return url_for("home.onward", after=after, to=to or None, **walk.on().args)


def sent_to(view: MatchView, side: Side | None) -> str:
    """What is said on the next page about the action just sent."""
    opponent = view.person(side.other) if side is not None else None
    return _("Sent to %(name)s.", name=opponent.handle) if opponent else _("Sent.")


def room(view: MatchView, chat: Sequence[ChatLine], now: datetime) -> Room:
    """The match as its reader sees it, with what belongs to that reader alone."""
    here, who = world(), reader()
    recent = matches.log(here.store, view.id, max(0, view.head - RECENT))
    seen = scene(view, recent, who, now)
    lay_out(seen, sketches.find(here.store, view, who.account_id))
    seen = with_ratings(seen, reading.at_table(here.store, view, now))
    invitation = invitations.find(here.store, view.id) if view.match.phase == "invited" else None
    if invitation and invitation.email and invitation.inviter_id == who.account_id:
        seen = replace(seen, title=_("Waiting for %(name)s to accept", name=invitation.email))
    walk = walk_of(request.args)
    return Room(seen, chat, invitation, _next(view, walk, who.account_id, now), walk, who.zone)


def chat_of(view: MatchView) -> Sequence[ChatLine]:
    """The chat, for the two people of the match alone."""
    account = signed_in()
    if account is None or view.side_of(account.id) is None:
        return ()
    return [_signed(line) for line in matches.chat(world().store, view, account.id)]


def _signed(line: ChatLine) -> ChatLine:
    """The line under the name that its reader reads: an account that was closed is called so in their language."""
    return replace(line, author=replace(line.author, handle=called(line.author.handle)))


def _next(view: MatchView, walk: Walk, account_id: int | None, now: datetime) -> Waiting | None:
    """The match after this one that waits for the reader."""
    if account_id is None:
        return None
    found = waiting(account_id, walk, now)
    g.my_turn = len(found)
    return next_after(view.id, found, walk)


def found(match_id: str) -> MatchView:
    """The match, if the reader may know of it. Raises NotFound."""
    account = signed_in()
    view = matches.visible(world().store, match_id, account.id if account else None)
    return _named(view) if view.imported else view


def _named(view: MatchView) -> MatchView:
    """An imported match with the names from its file in the empty seats."""
    white, black = exports.player_names(world().store, view.id)
    return replace(
        view,
        white=view.white or (Person(NOBODY, white) if white else None),
        black=view.black or (Person(NOBODY, black) if black else None),
    )


@blueprint.get("")
def page(match_id: str) -> ResponseReturnValue:
    """The match. With `seen`, an empty answer as long as nothing is new."""
    now = world().now()
    clock = {"X-Now": str(int(now.timestamp() * 1000))}
    view = found(match_id)
    chat = chat_of(view)
    if request.args.get("seen") == mark(view, chat):
        return "", 204, clock
    view = attendance.here(world().store, view, view.side_of(reader().account_id), now, world().chance)
    shown, reel = room(view, chat, now), newsreel(view)
    account = signed_in()
    if account and shown.scene.you is not None and "seen" not in request.args:
        matches.mark_visit(world().store, view, account.id, now)
    context = {"room": shown, "scene": shown.scene, "reel": reel, "page_words": page_words()}
    context["unfit"] = account is not None and orders.unfit(world().store, view, account.id)
    wrote = drafts.take(match_id)
    return render_template("match/page.html", **context, **noted(view), wrote=wrote), 200, clock


def noted(view: MatchView) -> dict[str, Any]:
    """The reader's own notes on a match and on its opponent (`foe`, a handle), for the form that keeps them."""
    you = view.side_of(reader().account_id)
    foe = view.person(you.other) if you is not None else None
    here = foe if foe and foe.id > NOBODY else None
    own = own_notes(view.id, here.id if here else None)
    return {"view": view, "own": own, "foe": here.handle if here else None}


@blueprint.get("/news")
def news(match_id: str) -> Response:
    """Server-sent events for an open page: the mark of the match whenever it is another than the page has `seen`.

    While somebody watches, the time of a match is over to the second: the stream looks by itself.
    """
    view, account, here = found(match_id), signed_in(), world()
    seated = account is not None and view.side_of(account.id) is not None
    known = request.headers.get("Last-Event-ID") or request.args.get("seen")

    due_at: datetime | None = None
    heard = _attending(view, view.side_of(account.id) if account else None)

    def fresh() -> str:
        nonlocal known, due_at
        now = here.now()
        heard(now)
        head, lines, due_at = matches.pulse(here.store, match_id, with_chat=seated)
        if due_at and due_at <= now and deadlines.sweep_match(here.store, match_id, now, here.chance):
            head, lines, due_at = matches.pulse(here.store, match_id, with_chat=seated)
        before, known = known, _mark(head, lines)
        return streams.event(known, "message", known) if known != before else ""

    def due() -> float:
        return (due_at - here.now()).total_seconds() if due_at else streams.POLL

    return streams.answer(account.id if account else client(), fresh, due)


def _attending(view: MatchView, side: Side | None) -> Callable[[datetime], None]:
    """What an open page does at every question for news: its side is at the board."""
    here, heard_at = world(), datetime.min.replace(tzinfo=UTC)

    def heard(now: datetime) -> None:
        nonlocal heard_at
        if now - heard_at >= attendance.NOTED_EVERY:
            attendance.here(here.store, view, side, now, here.chance)
            heard_at = now

    return heard


def page_words() -> dict[str, Any]:
    """The sentences of the page's script."""
    sign_in = url_for("auth.sign_in", next=request.path)
    return {
        "trying": _("No connection. Trying again…"),
        "offline": _("Not sent: there is no connection. Press the button again later: it counts once."),
        "sent": _("Sent."),
        "moved_on": _("The match has moved on: here is how it stands."),
        "signed_out": _("You are signed out here, so nothing was sent."),
        "sign_in": {"href": sign_in, "text": _("Sign in")},
        "refused": _("That was refused."),
        "guide": see_guide(),
        "not_said": _("Your line was not sent. Try again."),
        "bank": _("bank {span}"),
        "units": {"d": _("d"), "h": _("h"), "min": _("min"), "s": _("s")},
    }


@blueprint.get("/confirm/<action>")
def confirm(match_id: str, action: str) -> ResponseReturnValue:
    """The question before an action, for browsers without scripts."""
    shown = room(found(match_id), (), world().now())
    ask = shown.scene.asks.get(action)
    if ask is None:
        flash(_("That isn't possible now: here is how the match stands."), "error")
        return redirect(url_for("match.page", match_id=match_id, **shown.walk.args), 303)
    return render_template("match/confirm.html", room=shown, scene=shown.scene, ask=ask)


@blueprint.post("/act")
def act(match_id: str) -> ResponseReturnValue:
    """One action by a form."""
    account = signed_in()
    view = found(match_id)
    if account is None:
        return redirect(url_for("auth.sign_in", next=url_for("match.page", match_id=match_id)), 303)
    action = request.form.get("action", "")
    walk = walk_of(request.args)
    if action in MUST_ASK and not request.form.get("sure"):
        flash(_("Please say that you are sure."), "error")
        return redirect(url_for("match.confirm", match_id=match_id, action=action, **walk.args), 303)
    side, here = turns.seat(view, account.id), world()
    attendance.here(here.store, view, side, here.now(), here.chance)
    try:
        done = turns.act(here.store, match_id, side, asked(action, "page"), here.now(), here.chance).view
    except (Refused, Stale) as error:
        flash(told(error), "error")
        drafts.keep(match_id)
        return redirect(url_for("match.page", match_id=match_id, **walk.args), 303)
    opponent = done.person(side.other)
    if action in mercy.ACTIONS and opponent:
        flash(mercy_done(action, opponent.handle))
        return redirect(url_for("match.page", match_id=match_id, **walk.args), 303)
    return redirect(_after(done, side, action, walk), 303)


def _after(done: MatchView, side: Side, action: str, walk: Walk) -> str:
    """Where one is led after an action: on, unless the match still waits for the same side, or has ended.

    Whoever rolled stays: dice that let nothing be played, or one play alone, are seen nowhere else.
    """
    to = request.args.get("to")
    if to is None or action == "roll" or done.match.on_turn is side or done.match.phase is Phase.OVER:
        return url_for("match.page", match_id=done.id, **walk.args)
    flash(sent_to(done, side))
    return onward(walk, done.id, to)


def asked(action: str, via: str) -> turns.Request:
    """What a form asks for."""
    form = request.form
    return turns.Request(
        action=action,
        version=_number(form.get("version")) or 0,
        play=form.get("written", "").strip() or form.get("play") or None,
        value=_number(form.get("value")),
        nonce=form.get("nonce") or None,
        key=form.get("key") or None,
        via=via,
    )


def _number(text: str | None) -> int | None:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 10 else None


@blueprint.post("/chat", endpoint="chat")
def say(match_id: str) -> ResponseReturnValue:
    """A line of chat."""
    account = signed_in()
    view = found(match_id)
    if account is None:
        return redirect(url_for("auth.sign_in", next=url_for("match.page", match_id=match_id)), 303)
    try:
        matches.say(world().store, view, account.id, request.form.get("body", ""), world().now())
    except Refused as error:
        flash(told(error), "error")
    walk = walk_of(request.args)
    return redirect(url_for("match.page", match_id=match_id, **walk.args, _anchor="chat"), 303)

"""How matches come about on the page: the lobby, invitations, their answers, and rematches."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from uuid import uuid4

from flask import Blueprint, flash, g, redirect, render_template, request, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response

from bgmail import house, phrases, timing
from bgmail.phrases.machines import plays_by
from bgmail.phrases.translate import gettext as _
from bgmail.rules.ruleset import MAX_GAMES, MAX_WAGER, PRESETS
from bgmail.service import addresses, invitations, matches, rematches
from bgmail.service.errors import Forbidden, Refused, ServiceError, Stale
from bgmail.service.invitations import Invitation
from bgmail.service.terms import MOST_MESSAGE, Email, Handle, Open, Terms, To
from bgmail.service.views import MatchView
from bgmail.web.explained import told
from bgmail.web.guard import signed_in
from bgmail.web.rating_pages import of_inviters
from bgmail.web.rule_form import OwnRules, rule_sets, settled
from bgmail.world import world

blueprint = Blueprint("lobby", __name__)
SHORT = (1, 3, 5, 7, 11)
"""The lengths on offer against the house at a click."""
LENGTHS = (1, 3, 5, 7, 9, 11, 13, 15, 17, 21, 25, 0)
USUAL = 7
"""The length of who names none, where the rules have it."""


@dataclass(frozen=True, slots=True)
class Form:
    """What the form of an invitation holds. `key` makes a second press of its button harmless."""

    to: str = "person"
    opponent: str = ""
    length: str = ""
    games: str = ""
    time: str = "move-a-day"
    rules: str = "club"
    rated: bool = True
    weekends: bool = timing.USUAL.weekends
    nights: bool = timing.USUAL.nights
    vacation: bool = timing.USUAL.vacation
    message: str = ""
    key: str = ""
    wager: str = ""
    own: OwnRules = field(default_factory=OwnRules)

    @classmethod
    def posted(cls, fields: Mapping[str, str]) -> Form:
        """What somebody sent; what is missing is empty."""
        names = ("to", "opponent", "length", "games", "time", "rules", "message", "key", "wager")
        return cls(
            **{name: fields.get(name, "").strip() for name in names},
            rated="rated" in fields,
            weekends="weekends" in fields,
            nights="nights" in fields,
            vacation="vacation" in fields,
            own=OwnRules.posted(fields),
        )

    def terms(self) -> Terms:
        """The terms asked for. Raises Refused where a number isn't one."""
        typed = _number(self.length, "length") if self.length else None
        length, rules = settled(self.rules, self.own, typed, USUAL)
        games = _number(self.games or "0", "games") if length == 0 else 0
        wager = _number(self.wager or "1", "wager")
        pauses = timing.Allowed(self.weekends, self.nights, self.vacation)
        return Terms(length, games, rules, self.time, self.rated, wager, pauses)

    def addressee(self) -> To:
        """Whom it is for. Raises Refused."""
        if self.to == "open":
            return Open()
        if not self.opponent:
            raise Refused("no_opponent")
        if "@" in self.opponent:
            return Email(addresses.clean(self.opponent))
        return Handle(self.opponent)


@blueprint.get("/lobby")
def index() -> str:
    """The open challenges."""
    offers = invitations.lobby(world().store, g.account.id if g.account else None)
    return render_template(
        "lobby/index.html", here="lobby", offers=offers, words=phrases, ratings=of_inviters(offers)
    )


@blueprint.route("/invite", methods=["GET", "POST"])
@signed_in
def invite() -> Response | str | tuple[str, int]:
    """Invite somebody, or put up a challenge."""
    if request.method == "GET":
        to = "open" if request.args.get("to") == "open" else "person"
        opponent = request.args.get("opponent", "")[:254]
        begun = _proposed(request.args.get("rules"))
        return _form(replace(begun, to=to, opponent=opponent, key=uuid4().hex))
    form = Form.posted(request.form)
    try:
        view = _offer(form)
    except ServiceError as error:
        return _form(form, error), 422
    return redirect(url_for("match.page", match_id=view.id), 303)


def _proposed(name: str | None) -> Form:
    """What the form begins with for somebody who comes from the page of a rule set."""
    rules = PRESETS.get(name or "")
    if rules is None:
        return Form()
    length = "" if USUAL in rules.lengths else str(rules.nearest_length(USUAL))
    return Form(rules=rules.name, length=length, time=rules.time or timing.DEFAULT)


def _offer(form: Form) -> MatchView:
    """The house answers an invitation with its own: so its match begins at once."""
    here, now, to, key = world(), world().now(), form.addressee(), form.key or None
    if isinstance(to, Handle) and house.is_house(here.store, to.name):
        return house.challenge(here.store, g.account.id, form.terms(), now, here.chance, key=key)
    return invitations.invite(
        here.store, g.account.id, form.terms(), to, form.message, now, here.chance, key=key
    )


@blueprint.post("/house")
@signed_in
def play_house() -> Response:
    """A match against the house, by one click."""
    here = world()
    try:
        terms = Terms(_number(request.form.get("length", ""), "length"))
        nonce, key = request.form.get("nonce") or None, request.form.get("key") or None
        view = house.challenge(here.store, g.account.id, terms, here.now(), here.chance, nonce=nonce, key=key)
    except ServiceError as error:
        flash(told(error), "error")
        return redirect(url_for("lobby.index"), 303)
    return redirect(url_for("match.page", match_id=view.id), 303)


@blueprint.app_template_global()
def house_card() -> Markup:
    """The offer to play the house, on whatever page it stands."""
    lengths = [(str(length), _length(length)) for length in SHORT]
    card = render_template(
        "lobby/_house.html", lengths=lengths, chosen="3", key=uuid4().hex, about=plays_by(house.engine())
    )
    return Markup(card)  # noqa: S704 - rendered by a template, which escapes


@blueprint.app_template_global()
def about_machine(handle: str) -> str:
    """What plays under the house's name; nothing about other machines."""
    return plays_by(house.engine()) if house.is_house(world().store, handle) else ""


@blueprint.route("/invitations/<match_id>/counter", methods=["GET", "POST"])
@signed_in
def counter(match_id: str) -> Response | str | tuple[str, int]:
    """Answer an invitation with other terms."""
    here = world()
    matches.visible(here.store, match_id, g.account.id)
    invitation = invitations.find(here.store, match_id)
    if invitation.invitee_id != g.account.id:
        raise Forbidden("not_invited")
    if request.method == "GET":
        return _form(_same_terms(invitation), countered=invitation)
    form = Form.posted(request.form)
    try:
        view = invitations.counter(
            here.store, match_id, g.account.id, form.terms(), form.message, here.now(), here.chance
        )
    except ServiceError as error:
        return _form(form, error, countered=invitation), 422
    return redirect(url_for("match.page", match_id=view.id), 303)


@blueprint.post("/invitations/<match_id>/accept")
@signed_in
def accept(match_id: str) -> Response:
    """Take the offered seat."""
    return _answer(match_id, invitations.accept)


@blueprint.post("/invitations/<match_id>/decline")
@signed_in
def decline(match_id: str) -> Response:
    """Say no."""
    return _answer(match_id, invitations.decline)


@blueprint.post("/invitations/<match_id>/cancel")
@signed_in
def cancel(match_id: str) -> Response:
    """Take an offer back."""
    return _answer(match_id, invitations.cancel)


@blueprint.post("/match/<match_id>/rematch")
@signed_in
def rematch(match_id: str) -> Response:
    """Invite the opponent of a finished match to another one."""
    here = world()
    view = matches.visible(here.store, match_id, g.account.id)
    side = view.side_of(g.account.id)
    opponent = view.person(side.other) if side is not None else None
    if opponent is None or not view.match.result or not house.is_house(here.store, opponent.handle):
        return _answer(match_id, rematches.rematch)
    try:
        again = house.challenge(
            here.store, g.account.id, house.again(view), here.now(), here.chance, key=f"again {match_id}"
        )
    except ServiceError as error:
        flash(told(error), "error")
        again = view
    return redirect(url_for("match.page", match_id=again.id), 303)


def _answer(match_id: str, answer: Callable[..., MatchView]) -> Response:
    here = world()
    matches.visible(here.store, match_id, g.account.id)
    try:
        view = answer(here.store, match_id, g.account.id, here.now(), here.chance)
    except (Refused, Stale) as error:
        flash(told(error), "error")
        return redirect(url_for("home.index"), 303)
    if view.match.result is not None:
        flash(_("Done: the offer is off the table."))
        return redirect(url_for("home.index"), 303)
    return redirect(url_for("match.page", match_id=view.id), 303)


def _form(form: Form, error: ServiceError | None = None, countered: Invitation | None = None) -> str:
    title = _("Other terms") if countered else _("A new match")
    return render_template(
        "lobby/invite.html",
        title=title,
        form=form,
        countered=countered,
        error=told(error) if error else None,
        first=None if g.account.verified else told(Refused("unverified")),
        lengths=[(str(length), _length(length)) for length in _lengths(form)],
        usual=(USUAL, _length(USUAL)),
        times=[(name, phrases.time_control(timing.resolve(name, USUAL))) for name in timing.PRESETS],
        rules=rule_sets(),
        most_games=MAX_GAMES,
        most_message=MOST_MESSAGE,
        most_wager=MAX_WAGER,
    )


def _lengths(form: Form) -> list[int]:
    """The lengths to choose from, with the one that an offer has already, sessions last."""
    found = form.length
    offered = {int(found)} if found.isascii() and found.isdecimal() and len(found) < 3 else set()
    return sorted({*LENGTHS, *offered}, key=lambda length: (length == 0, length))


def _length(length: int) -> str:
    if length == 0:
        return _("points session (a number of games)")
    return _("%(length)s-point match", length=length) if length > 1 else _("1-point match, no cube")


def _same_terms(invitation: Invitation) -> Form:
    match, allowed = invitation.view.match, invitation.view.rests.allowed
    rules, own = OwnRules.of(match.rules)
    return Form(
        length=str(match.length),
        games=str(match.games or ""),
        time=invitation.view.clock.control.name or "move-a-day",
        rules=rules,
        own=own,
        wager=str(match.wager) if match.wager > 1 else "",
        rated=invitation.view.rated,
        weekends=allowed.weekends,
        nights=allowed.nights,
        vacation=allowed.vacation,
    )


def _number(text: str, what: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 3:
        raise Refused("not_a_number", what=what)
    return int(text)

"""Signing up, in and out; mailed links that let somebody in, set a password or prove an address.

A mailed link's page changes nothing when it is opened, by people or by scanners: its button acts, once.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from flask import Blueprint, flash, g, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from bgmail.phrases import refusal
from bgmail.phrases.translate import gettext as _
from bgmail.service import accounts, addresses, entrance, proofs
from bgmail.service.accounts import Application
from bgmail.service.errors import Forbidden, Refused, ServiceError
from bgmail.service.notices import Kind
from bgmail.tokens import BadToken, ExpiredToken, Purpose
from bgmail.web.addresses import safe_path
from bgmail.web.forms import Form, posted, refused
from bgmail.web.guard import client, let_in, sign_out_here, signed_in
from bgmail.web.language import speak_to, spoken
from bgmail.world import world

blueprint = Blueprint("auth", __name__)

Page = tuple[str, int, dict[str, str]]
Answer = Page | Response


@blueprint.route("/sign-up", methods=["GET", "POST"])
def sign_up() -> Answer:
    """Make an account."""
    if g.account:
        return redirect(url_for("home.index"), 303)
    if request.method != "POST":
        return _page("sign_up", Form({"next": request.args.get("next", "")}))
    typed = posted("handle", "email", "password", "time_zone", "next")
    handle, zone = typed["handle"].strip(), typed["time_zone"]
    wish = Application(handle, typed["email"], typed["password"], zone, spoken())
    here = world()
    try:
        account = accounts.sign_up(here.store, wish, client(), here.now())
    except ServiceError as error:
        return _page("sign_up", refused(error, typed))
    response = let_in(redirect(_next(typed["next"]), 303), account)
    flash(_letter_is_coming(account.new_email or ""))
    return response


@blueprint.route("/sign-in", methods=["GET", "POST"])
def sign_in() -> Answer:
    """Sign in with a password."""
    if request.method != "POST":
        if g.account:
            return redirect(_next(request.args.get("next")), 303)
        return _page("sign_in", Form({"next": request.args.get("next", "")}))
    typed = posted("name", "password", "next")
    here = world()
    try:
        account = entrance.sign_in(here.store, typed["name"], typed["password"], client(), here.now())
    except ServiceError as error:
        return _page("sign_in", refused(error, typed))
    return let_in(redirect(_next(typed["next"]), 303), account)


@blueprint.post("/sign-out")
def sign_out() -> Response:
    """End this browser's session."""
    sign_out_here()
    flash(_("You are signed out."))
    return redirect(url_for("home.index"), 303)


@blueprint.route("/sign-in-link", methods=["GET", "POST"], defaults={"token": None})
@blueprint.route("/sign-in-link/<token>", methods=["GET", "POST"])
def link(token: str | None) -> Answer:
    """Ask for a letter with a link that signs in; with the link, sign in."""
    return _ask(Kind.SIGN_IN) if token is None else _opened(Purpose.SIGN_IN, token, _enter)


@blueprint.route("/reset", methods=["GET", "POST"], defaults={"token": None})
@blueprint.route("/reset/<token>", methods=["GET", "POST"])
def reset(token: str | None) -> Answer:
    """Ask for a letter with a link that sets a new password; with the link, set it."""
    return _ask(Kind.RESET) if token is None else _opened(Purpose.RESET, token, _reset)


@blueprint.route("/verify", methods=["GET", "POST"], defaults={"token": None})
@blueprint.route("/verify/<token>", methods=["GET", "POST"])
def verify(token: str | None) -> Answer:
    """Ask for the letter that proves an address once more; with its link, prove it."""
    return _ask_for_proof() if token is None else _opened(Purpose.VERIFY, token, _prove)


def _ask(kind: Kind) -> Answer:
    which = "ask_link" if kind is Kind.SIGN_IN else "ask_reset"
    if request.method != "POST":
        return _page(which, Form())
    typed = posted("email")
    here = world()
    try:
        entrance.ask_for_link(here.store, kind, typed["email"], client(), here.now())
    except ServiceError as error:
        return _page(which, refused(error, typed))
    flash(
        _(
            "If somebody here has the address %(address)s, a letter is on its way to it.",
            address=typed["email"],
        )
    )
    return redirect(url_for("auth.sign_in"), 303)


@signed_in
def _ask_for_proof() -> Answer:
    if request.method != "POST":
        return redirect(url_for("settings.index"), 303)
    here = world()
    try:
        proofs.ask_again(here.store, g.account, client(), here.now())
        flash(_letter_is_coming(g.account.new_email))
    except ServiceError as error:
        flash(refusal(error), "error")
    return redirect(url_for("settings.index"), 303)


_LIFETIMES: dict[Purpose, timedelta] = {
    Purpose.SIGN_IN: entrance.LINK_LIFETIME,
    Purpose.RESET: entrance.LINK_LIFETIME,
    Purpose.VERIFY: proofs.PROOF_LIFETIME,
}


def _opened(purpose: Purpose, token: str, go_on: Callable[[Any, str], Answer]) -> Answer:
    """Reads a mailed link and goes on with what it says, or tells why it is no good."""
    try:
        payload = world().signer.read(purpose, token, _LIFETIMES[purpose])
        return go_on(payload, token)
    except ExpiredToken:
        return _dead(purpose, _("This link is too old. Ask for a new one."), 410)
    except BadToken:
        return _dead(
            purpose, _("This link isn't whole: copy all of it from the letter, or ask for a new one."), 404
        )
    except Refused as error:
        return _dead(purpose, refusal(error), 410)


def _enter(payload: Any, token: str) -> Answer:
    here, claim = world(), entrance.EntryClaim.read(payload)
    if request.method != "POST":
        account = speak_to(entrance.look(here.store, claim, token))
        return _page("enter", Form(), account=account)
    account = entrance.enter_by_link(here.store, claim, token, here.now())
    return let_in(redirect(url_for("home.index"), 303), account)


def _reset(payload: Any, token: str) -> Answer:
    here, claim = world(), entrance.EntryClaim.read(payload)
    account = speak_to(entrance.look(here.store, claim, token))
    if request.method != "POST":
        return _page("reset", Form(), account=account)
    try:
        entrance.reset(here.store, claim, token, request.form.get("password", ""), here.now())
    except Refused as error:
        if not error.code.startswith("password"):
            raise
        return _page("reset", refused(error, posted("password")), account=account)
    sign_out_here()
    flash(_("Your new password is set, and everything that was signed in before has ended. Sign in with it."))
    return redirect(url_for("auth.sign_in"), 303)


def _prove(payload: Any, _token: str) -> Answer:
    here, claim = world(), proofs.AddressClaim.read(payload)
    account, proven = proofs.look(here.store, claim)
    speak_to(account)
    if request.method != "POST" and not proven:
        return _page("verify", Form(), account=account, address=addresses.shown(claim.address))
    try:
        proofs.prove(here.store, claim, here.now(), signed_in=g.account.id if g.account else None)
    except Forbidden as error:
        flash(refusal(error), "error")
        return redirect(url_for("auth.sign_in", next=request.path), 303)
    flash(
        _(
            "%(address)s is confirmed: letters about your matches go there.",
            address=addresses.shown(claim.address),
        )
    )
    return redirect(url_for("home.index" if g.account else "auth.sign_in"), 303)


def _dead(purpose: Purpose, sentence: str, status: int) -> Page:
    again = {Purpose.SIGN_IN: "auth.link", Purpose.RESET: "auth.reset"}.get(purpose, "settings.index")
    return _page("dead_link", Form(status=status), sentence=sentence, again=url_for(again))


def _page(name: str, form: Form, **shown: object) -> Page:
    page = render_template(f"auth/{name}.html", form=form, here=name, **shown)
    return page, form.status, dict(form.headers)


def _next(asked: str | None) -> str:
    return safe_path(asked, url_for("home.index"))


def _letter_is_coming(address: str) -> str:
    return _(
        "Welcome! A letter is on its way to %(address)s: the link in it confirms that this is your address.",
        address=addresses.shown(address),
    )

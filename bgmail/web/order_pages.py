"""Standing orders, for all matches and for one, and replies prepared for what the opponent may do; without scripts."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, flash, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from bgmail.phrases.orders import step_line, then_line
from bgmail.phrases.translate import gettext as _
from bgmail.phrases.words import Names
from bgmail.rules.action import Kind
from bgmail.rules.dice import ROLLS
from bgmail.rules.match import Match, Phase, legal
from bgmail.rules.options import cube_in_play, options
from bgmail.rules.score import Crawford
from bgmail.rules.side import Side
from bgmail.service import orders, prepared
from bgmail.service.errors import Refused, Stale
from bgmail.service.orders import Chosen
from bgmail.service.prepared import Line, Reply, written
from bgmail.service.views import MatchView
from bgmail.web import boards
from bgmail.web.explained import told
from bgmail.web.guard import signed_in
from bgmail.web.match_pages import found
from bgmail.web.picture import board_view, drawing, place_words
from bgmail.web.scene import board_title, grouped, names_of
from bgmail.world import world

LARGEST_ID = 2**31 - 1
YES_NO = {"yes": True, "no": False}

blueprint = Blueprint("orders", __name__)


@blueprint.get("/settings/orders")
@signed_in
def for_all() -> ResponseReturnValue:
    """What is done for me in all matches."""
    chosen = orders.for_all(world().store, g.account.id)
    return render_template("orders/all.html", chosen=chosen, most=orders.MOST_A_DAY)


@blueprint.post("/settings/orders")
@signed_in
def order_for_all() -> ResponseReturnValue:
    """Keeps it."""
    try:
        wish = Chosen(
            auto_roll="auto_roll" in request.form,
            bear_off="bear_off" in request.form,
            shut_out="shut_out" in request.form,
            most_a_day=_number(request.form.get("most_a_day", "")),
        )
        orders.order_for_all(world().store, g.account.id, wish)
    except Refused as error:
        flash(told(error), "error")
    else:
        flash(_("Saved."))
    return redirect(url_for("orders.for_all"), 303)


@blueprint.get("/match/<match_id>/orders")
@signed_in
def for_match(match_id: str) -> ResponseReturnValue:
    """What is done for me in one match, and what I have prepared."""
    view, here = found(match_id), world()
    side = orders.needs_running(view, g.account.id)
    kept = prepared.mine(here.store, view, g.account.id)
    names = names_of(view, side)
    return render_template(
        "orders/match.html",
        view=view,
        names=names,
        cube=cube_in_play(view.match),
        crawford=view.match.crawford is Crawford.ACTIVE,
        chosen=orders.for_match(here.store, view, g.account.id),
        most=orders.MOST_A_DAY,
        waits=view.match.on_turn is not side,
        replies=[_shown(reply, view.match, names) for reply in kept],
    )


@blueprint.post("/match/<match_id>/orders")
@signed_in
def order_for_match(match_id: str) -> ResponseReturnValue:
    """Keeps it. The opponent learns of it when it is obeyed."""
    view, form = found(match_id), request.form
    try:
        wish = Chosen(
            auto_roll=YES_NO.get(form.get("auto_roll", "")),
            bear_off=YES_NO.get(form.get("bear_off", "")),
            shut_out=YES_NO.get(form.get("shut_out", "")),
            most_a_day=_number(form.get("most_a_day", "")),
            answer=form.get("answer") or None,
            double_on_dance="double_on_dance" in form,
        )
        orders.order_for_match(world().store, view, g.account.id, wish)
    except Refused as error:
        flash(told(error), "error")
    else:
        flash(_("Saved. Your opponent sees nothing of it."))
    return redirect(url_for("orders.for_match", match_id=match_id), 303)


@blueprint.get("/match/<match_id>/prepare")
@signed_in
def prepare(match_id: str) -> ResponseReturnValue:
    """What the opponent may do, step by step, and at the end of each line what I reply."""
    view = found(match_id)
    side = orders.needs_running(view, g.account.id)
    steps = request.args.getlist("step")
    try:
        line = prepared.follow(view.match, steps)
        if view.match.on_turn is side:
            raise Refused("prepare_on_turn")
    except Refused as error:
        flash(told(error), "error")
        return redirect(url_for("orders.for_match", match_id=match_id), 303)
    return render_template("orders/prepare.html", **_stage(view, side, line, steps))


@blueprint.post("/match/<match_id>/prepare")
@signed_in
def keep(match_id: str) -> ResponseReturnValue:
    """Keeps one reply."""
    here, view, steps = world(), found(match_id), request.form.getlist("step")
    version, then = request.form.get("version", type=int) or 0, request.form.get("then", "")
    try:
        prepared.prepare(here.store, view, g.account.id, version, steps, then, here.now())
    except (Refused, Stale) as error:
        flash(told(error), "error")
        return redirect(url_for("orders.for_match", match_id=match_id), 303)
    flash(_("Kept. It is done at once if exactly this happens, and forgotten if anything else does."))
    if then.startswith(Kind.PLAY.value):
        return redirect(url_for("orders.prepare", match_id=match_id, step=steps[:-1]), 303)
    return redirect(url_for("orders.for_match", match_id=match_id, _anchor="replies"), 303)


@blueprint.post("/match/<match_id>/prepared/forget")
@signed_in
def forget(match_id: str) -> ResponseReturnValue:
    """Forgets one reply and what follows from it, or all."""
    view, number = found(match_id), request.form.get("reply", type=int)
    if number is None or 0 < number <= LARGEST_ID:
        prepared.forget(world().store, view, g.account.id, number)
        flash(_("Forgotten."))
    return redirect(url_for("orders.for_match", match_id=match_id, _anchor="replies"), 303)


def _number(text: str) -> int | None:
    """A number of turns as typed; "" is none. Raises Refused."""
    text = text.strip()
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 6):
        raise Refused("most_a_day", most=orders.MOST_A_DAY)
    return int(text)


def _shown(reply: Reply, match: Match, names: Names) -> dict[str, Any]:
    """A reply for the list: its steps, what follows, and the steps of a line that goes on from it."""
    steps = [written(one) for one in reply.when]
    deeper = [*steps, written(reply.then)] if reply.then.kind is not Kind.ROLL else steps
    return {
        "id": reply.id,
        "when": [step_line(one, names) for one in reply.when],
        "then": then_line(reply.then, names),
        "deeper": deeper if reply.then.kind is not Kind.PASS else None,
        "match": match,
    }


def _stage(view: MatchView, side: Side, line: Line, steps: list[str]) -> dict[str, Any]:
    match, names = line.match, names_of(view, side)
    preference = boards.chosen()
    board = drawing(
        board_view(match, side, None, preference),
        place_words(names.opponent),
        board_title(names),
        interactive=False,
        theme=preference.theme,
    )
    whose = match.on_turn
    return {
        "view": view,
        "names": names,
        "board": board,
        "steps": steps,
        "told": [step_line(one, names) for one in line.steps],
        "mine": whose is side,
        "dice": str(match.dice or ""),
        "may": [] if whose is None else [kind.value for kind in options(match, whose)],
        "rolls": [str(roll) for roll in ROLLS] if match.phase is Phase.ROLL_OR_DOUBLE else [],
        "plays": grouped([str(play) for play in legal(match)]) if match.phase is Phase.PLAY else [],
    }

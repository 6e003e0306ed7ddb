"""A refusal with the way to what the guide says about it."""

from __future__ import annotations

from flask import url_for
from markupsafe import Markup, escape

from bgmail.phrases import refusal
from bgmail.phrases.anchors import explained_at
from bgmail.phrases.translate import gettext as _


def explained(error: Exception) -> str | None:
    """The address in the guide that explains an error; None where there is nothing to say."""
    where = explained_at(error)
    return url_for(f"guide.{where.page}", _anchor=where.anchor) if where else None


def told(error: Exception) -> Markup:
    """The sentence of a refusal, with a link to what explains or changes it, for a message on a page."""
    address, sentence = explained(error), escape(refusal(error))
    if getattr(error, "code", "") == "own_limit":
        settings = url_for("settings.index", _anchor="matches")
        return sentence + Markup(' <a href="{}">{}</a>').format(settings, _("Change that in your settings"))
    return sentence + Markup(' <a href="{}">{}</a>').format(address, see_guide()) if address else sentence


def see_guide() -> str:
    """The words of such a link."""
    return _("Explained in the guide")

"""Why something about a person was not done: handles, addresses, passwords, mailed links, limits."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from bgmail.phrases.times import lasting
from bgmail.phrases.translate import gettext, lazy_gettext

CLOSED = "closed account"
"""What everybody goes by who has closed their account. It can't be a handle: none has a blank."""

PEOPLE: Mapping[str, Any] = {
    # handles
    "handle_length": lazy_gettext("A handle has %(least)s to %(most)s characters."),
    "handle_sign": lazy_gettext(
        "A handle can't hold “%(sign)s”: letters (Latin, Greek or Cyrillic), digits, _ and - are fine."
    ),
    "handle_blank": lazy_gettext("A handle has no blanks; _ and - can stand for them."),
    "handle_empty": lazy_gettext("A handle needs a letter or a digit."),
    "handle_scripts": lazy_gettext("A handle keeps to one alphabet: letters of two look too much alike."),
    "handle_reserved": lazy_gettext("“%(handle)s” would speak for the site. Choose another handle."),
    "handle_taken": lazy_gettext(
        "“%(handle)s” is taken, or looks too much like somebody else's handle. Choose another."
    ),
    "no_such_person": lazy_gettext("There is nobody called “%(handle)s” here."),
    # people among each other
    "no_more_matches": lazy_gettext("%(name)s takes on no more matches just now."),
    "opponent_gone": lazy_gettext("Your opponent has closed their account."),
    "you_block": lazy_gettext("You have blocked %(name)s. Unblock %(name)s first, on their page."),
    "own_limit": lazy_gettext(
        "You play as many matches as you want at a time: %(most)s, your open offers included."
    ),
    "weekend_long": lazy_gettext("A weekend has two days at most."),
    "weekend_day": lazy_gettext("That is no day of the week."),
    "night_empty": lazy_gettext("A night that ends when it begins is none. Leave both empty for none."),
    "night_long": lazy_gettext("A night lasts %(most_hours)s hours at most."),
    "night_half": lazy_gettext("A night needs both a beginning and an end. Leave both empty for none."),
    "calendar_soon": lazy_gettext(
        "Your weekend and your night can be changed once in seven days, and you changed them less than seven days ago."
    ),
    "most_matches": lazy_gettext("Write a whole number from 1 to 9999, or leave it empty for no limit."),
    "search_address": lazy_gettext("People are found by their handle, not by an address."),
    "tie_to_oneself": lazy_gettext("That is yourself."),
    "tie_to_machine": lazy_gettext("%(name)s is a machine: it says nothing, and invites nobody unasked."),
    "too_many_ties": lazy_gettext("Your list has %(most)s people already. Take somebody off it first."),
    # addresses
    "email_malformed": lazy_gettext(
        "That doesn't look like an e-mail address. Write it like alice@example.org."
    ),
    "email_not_ascii": lazy_gettext(
        "Letters can't be sent to “%(local)s@…”: many mail servers take only plain letters and digits before "
        "the @. Please use another address."
    ),
    "email_returned": lazy_gettext(
        "Letters to %(address)s come back. Ask for another address, or for their name here."
    ),
    "email_long": lazy_gettext("An e-mail address has at most %(most)s characters."),
    "address_taken": lazy_gettext(
        "This address belongs to an account that is here already. Sign in with it instead."
    ),
    "same_address": lazy_gettext("That is the address you have already."),
    "nothing_to_prove": lazy_gettext("Your address is confirmed already."),
    "only_address": lazy_gettext("You have no other address: confirm this one, or name another."),
    "unverified": lazy_gettext(
        "Confirm your own e-mail address first, by the link in our letter or in your settings: then you can invite "
        "people by mail."
    ),
    # passwords and signing in
    "password_short": lazy_gettext("A password has at least %(least)s characters."),
    "password_long": lazy_gettext("A password has at most %(most)s characters."),
    "password_encoding": lazy_gettext("This password holds a broken sign. Type it again."),
    "password_obvious": lazy_gettext(
        "That password is the first thing anybody would try. Choose another one."
    ),
    "password_wrong": lazy_gettext("That isn't your present password."),
    "sign_in_failed": lazy_gettext("Handle, address or password are not right. Nobody was signed in."),
    "sign_in_first": lazy_gettext(
        "Sign in to the account that this link belongs to, then open the link again."
    ),
    "sign_in_again": lazy_gettext("Come in by a link in a letter first, so that we know it is you."),
    "not_sure": lazy_gettext("Please say that you are sure."),
    "shut_out": lazy_gettext("This account is closed. If you think that is a mistake, write to the staff."),
    # mailed links
    "link_dead": lazy_gettext("This link is not valid any more. Ask for a new one."),
    "link_used": lazy_gettext("This link was used already: it works once. Ask for a new one."),
    # sessions and tokens
    "token_name": lazy_gettext("Give the token a name, so that you know it again."),
    "too_many_senders": lazy_gettext("You have named %(most)s addresses. Remove one first."),
    "too_many_tokens": lazy_gettext("You have %(most)s tokens. Revoke one that you don't need first."),
    "no_login": lazy_gettext("That session or token has ended already."),
    "push_endpoint": lazy_gettext("Your browser names a push service that this server doesn't call."),
    "push_keys": lazy_gettext("Your browser's answer could not be read. Nothing was switched on."),
    "too_many_browsers": lazy_gettext(
        "%(most)s browsers are told already. Remove one that you don't need first."
    ),
    "no_browser": lazy_gettext("That browser is told nothing already."),
    "no_feed": lazy_gettext(
        "There is no feed at this address any more. Your settings have the one that is valid."
    ),
    "time_zone": lazy_gettext("There is no time zone called “%(zone)s”."),
    # notices
    "notice_mode": lazy_gettext("Nothing can be sent “%(mode)s”: choose one of the list."),
    "day_time": lazy_gettext("Write a time of the day like 22:00, not “%(text)s”."),
    "quiet_half": lazy_gettext("Quiet hours need both a beginning and an end. Leave both empty for none."),
    "quiet_same": lazy_gettext(
        "Quiet hours that end when they begin would never end. Leave both empty for none."
    ),
    "language": lazy_gettext("This site doesn't speak “%(language)s”."),
}


def called(handle: str) -> str:
    """How somebody is called on pages and in letters: by the handle, or in the reader's language by what is left."""
    return gettext("closed account") if handle == CLOSED else handle


def too_often(seconds: int) -> str:
    """The sentence for a limit that is reached, with the time to wait."""
    return gettext(
        "That was tried too often. Please wait %(span)s and try again.",
        span=lasting(timedelta(seconds=seconds)),
    )

"""Handles, addresses and passwords: what is accepted, and what counts as the same."""

from __future__ import annotations

import pytest

from bgmail.service import addresses, names, passwords
from bgmail.service.errors import Refused


@pytest.mark.parametrize(
    "handle",
    [
        "Al",
        "alice",
        "Bob_7",
        "x-y",
        "Søren",
        "Łukasz",
        "İbrahim",
        "Владимир",
        "Νίκος",
        "a" * 20,
        "Phạm",
        "42",
    ],
)
def test_letters_digits_underscore_and_hyphen_make_a_handle(handle: str) -> None:
    assert names.clean(handle) == handle


@pytest.mark.parametrize(
    ("handle", "code"),
    [
        ("a", "handle_length"),
        ("a" * 21, "handle_length"),
        ("", "handle_length"),
        ("Søren Ångström ♟", "handle_sign"),
        ("X\r\nBcc: victim", "handle_sign"),
        ("X\nBcc", "handle_sign"),
        ("X\u2028Bcc", "handle_sign"),
        ("ali\u200bce", "handle_sign"),
        ("\u202ecila", "handle_sign"),
        ("ali\x00ce", "handle_sign"),
        ("<b>bob</b>", "handle_sign"),
        ("{{7*7}}", "handle_sign"),
        ("javascript:x", "handle_sign"),
        ("%0d%0aBcc", "handle_sign"),
        ("ﬁsh", "handle_sign"),
        ("𝐀lice", "handle_sign"),
        ("١٢٣", "handle_sign"),
        ("\ud800x", "handle_sign"),
        ("Alice B", "handle_blank"),
        ("-_-", "handle_empty"),
        ("Bоb", "handle_scripts"),  # the middle letter is Cyrillic
    ],
)
def test_what_is_no_handle_is_refused_with_the_rule_it_breaks(handle: str, code: str) -> None:
    with pytest.raises(Refused) as refused:
        names.clean(handle)
    assert refused.value.code == code


def test_a_sign_that_cannot_be_seen_is_named_by_its_number() -> None:
    with pytest.raises(Refused) as refused:
        names.clean("ali\u200bce")
    assert refused.value.values == {"sign": "U+200B"}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Alice", "ALICE"),
        ("alice", "a1ice"),
        ("alice", "aIice"),
        ("bob", "b0b"),
        ("müller", "Muller"),
        ("a_b", "a-b"),
        ("marnie", "mamie"),
        ("vvendy", "wendy"),
        ("cop", "сор"),  # the second is Cyrillic
        ("BOB", "ΒΟΒ"),  # the second is Greek
        ("Straße", "strasse"),
        ("Søren", "soren"),
    ],
)
def test_two_handles_that_look_alike_are_one_name(one: str, other: str) -> None:
    assert names.handle_key(names.clean(one)) == names.handle_key(names.clean(other))


def test_handles_that_look_different_stay_apart() -> None:
    keys = {
        names.handle_key(handle)
        for handle in ("alice", "bob", "charlie", "dana", "stella", "alice2", "alice-")
    }
    assert len(keys) == 7


def test_a_typed_handle_names_its_person_in_any_case_but_not_a_look_alike() -> None:
    assert names.same("Alice", "aLICE")
    assert names.same("Ünal", "U\u0308NAL")
    assert not names.same("alice", "a1ice")


@pytest.mark.parametrize("handle", ["Admin", "STAFF", "adm1n", "postmaster", "bgmail", "you"])
def test_names_that_speak_for_the_site_are_reserved(handle: str) -> None:
    with pytest.raises(Refused) as refused:
        names.refuse_reserved(handle)
    assert refused.value.code == "handle_reserved"


@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        ("alice@example.org", "alice@example.org"),
        (" Alice.B+bg@Example.ORG ", "Alice.B+bg@example.org"),
        ("soder@bücher.example", "soder@xn--bcher-kva.example"),
        ("alice@club.local", "alice@club.local"),
        ("alice@localhost", "alice@localhost"),
    ],
)
def test_an_address_is_kept_as_mail_servers_spell_it(typed: str, stored: str) -> None:
    assert addresses.clean(typed) == stored


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        ("söder@bücher.example", "email_not_ascii"),
        ("alice", "email_malformed"),
        ("alice@gmail", "email_malformed"),
        ("a@b@example.org", "email_malformed"),
        ("x\r\nBcc: victim@example.org", "email_malformed"),
        ("alice@example.org\r\nBcc: victim@example.org", "email_malformed"),
        ("alice@exa mple.org", "email_malformed"),
        ("alice\x00@example.org", "email_malformed"),
        ("alice@[127.0.0.1]", "email_malformed"),
        ("", "email_malformed"),
        ("a" * 250 + "@example.org", "email_long"),
        ("a" * 65 + "@example.org", "email_malformed"),
    ],
)
def test_what_no_letter_can_reach_is_refused_at_once(typed: str, code: str) -> None:
    with pytest.raises(Refused) as refused:
        addresses.clean(typed)
    assert refused.value.code == code


def test_an_address_is_shown_in_its_own_letters() -> None:
    assert addresses.shown("soder@xn--bcher-kva.example") == "soder@bücher.example"
    assert addresses.shown("alice@example.org") == "alice@example.org"
    assert addresses.shown("alice@xn--\x80.example") == "alice@xn--\x80.example"


def test_hashes_are_argon2id_with_nineteen_mebibytes_two_passes_and_one_lane(real_hashes: None) -> None:
    assert passwords.hashed("eight signs").startswith("$argon2id$v=19$m=19456,t=2,p=1$")


def test_blanks_and_any_unicode_count_and_survive() -> None:
    stored = passwords.hashed("  ß€♟ a long one with blanks  ")
    assert passwords.matches(stored, "  ß€♟ a long one with blanks  ")
    assert not passwords.matches(stored, "ß€♟ a long one with blanks")


def test_it_does_not_matter_how_a_keyboard_composes_its_letters() -> None:
    assert passwords.matches(passwords.hashed("\u00fcberzwerch"), "u\u0308berzwerch")


def test_nobody_has_the_password_of_nobody() -> None:
    assert not passwords.matches(None, "the password of nobody")
    assert not passwords.matches("no hash at all", "the password of nobody")


def test_a_hash_with_other_parameters_is_outdated(real_hashes: None) -> None:
    old = "$argon2id$v=19$m=8,t=1,p=1$c2FsdHNhbHRzYWx0$qLml5sYq8mWQdmcVMjGFY5hAnl9xEaWmTzBd6h8mTwc"
    assert passwords.outdated(old)
    assert not passwords.outdated(passwords.hashed("eight signs"))


@pytest.mark.parametrize(
    ("password", "code"),
    [
        ("seven77", "password_short"),
        ("x" * 201, "password_long"),
        ("aaaaaaaaaa", "password_obvious"),
        ("Alice-the-first", "password_obvious"),
        ("ALICE@example.org", "password_obvious"),
        ("\ud800 broken sign", "password_encoding"),
    ],
)
def test_a_password_that_protects_nothing_is_refused(password: str, code: str) -> None:
    with pytest.raises(Refused) as refused:
        passwords.judge(password, "alice-the-first", "alice@example.org")
    assert refused.value.code == code


@pytest.mark.parametrize("password", ["eight 8!", "x" * 199 + "y", "        ß", "♟♟♟♟♟♟♟♜"])
def test_eight_to_two_hundred_signs_are_welcome(password: str) -> None:
    passwords.judge(password, "alice", None)
    assert passwords.matches(passwords.hashed(password), password)

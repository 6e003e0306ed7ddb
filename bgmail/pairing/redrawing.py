"""What becomes of a round that is drawn and has not begun when somebody leaves; and why a bye went to whom it went."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import replace

from bgmail.pairing.field import Field, Format, How, Pairing
from bgmail.pairing.record import entries_by_id
from bgmail.pairing.rounds import before_round, byes_of, last_round, next_round, order_of, times_met
from bgmail.pairing.stages import Stages, begun, prefix
from bgmail.pairing.swiss import Swiss, SwissElimination


def to_redraw(format_: Format, field: Field, started: Collection[str]) -> tuple[str, ...]:
    """The keys to be dropped from the round that is drawn, so that `next` draws its rest once more: after somebody has
    left, or after an organiser paired somebody by hand or gave a bye. `started`: keys whose match has begun; these
    stay, and so does what is fixed.

    As few as can be: the pairings of those who left or were paired by hand, and the automatic byes. Only where the
    ones who become free by this would have to meet again, all that has not begun. () in a format without rounds.
    """
    own, inside, before = _running(format_, field)
    if own is None:
        return ()
    last = last_round(inside)
    there = [one for one in inside.pairings if one.round == last]
    loose = [one for one in there if not one.fixed and before + one.key not in started and _is_loose(one)]
    concerned = _concerned(inside, there, loose)
    if not concerned:
        return ()
    dropped = concerned if _meets_nobody_again(own, inside, last, concerned) else loose
    return tuple(before + one.key for one in dropped)


def has_bye(format_: Format, field: Field, started: Collection[str]) -> bool | None:
    """Whether somebody rests in the round that is drawn and has not begun, or else in the next: an odd number plays in
    it. `started` as above. None where it isn't certain yet who plays, or a format has no rounds."""
    playing = _playing(format_, field, started)
    return None if playing is None else len(playing) % 2 == 1


def idle_byes(format_: Format, field: Field, started: Collection[str]) -> tuple[str, ...]:
    """The keys of byes by hand to be dropped, in rounds that have not begun: where an even number plays they would
    leave another without an opponent, and who is out needs none. `started` as above; () as long as it isn't certain
    who plays."""
    given = [one for one in field.pairings if one.fixed and one.second is None and one.key not in started]
    playing = _playing(format_, field, started) if given else None
    if playing is None:
        return ()
    return tuple(one.key for one in given if len(playing) % 2 == 0 or one.first not in playing)


def _playing(format_: Format, field: Field, started: Collection[str]) -> tuple[int, ...] | None:
    """Who plays in the round that has not begun; None where it isn't certain yet, or a format has no rounds."""
    own, inside, before = _running(format_, field)
    if own is None:
        return None
    so_far = tuple(one for one in inside.pairings if before + one.key in started)
    if isinstance(own, SwissElimination) and any(one.result is None for one in so_far):
        return None
    return own.active(replace(inside, pairings=so_far))


def passed_over(format_: Format, field: Field, key: str) -> tuple[int, ...]:
    """Who stood behind the entry with the bye `key` and had had no more byes, in the order of the standings: each of
    them would have made somebody meet an opponent twice, in that round or in one to come. () if nobody did."""
    own, inside, before = _running(format_, field)
    bye = next((one for one in inside.pairings if before + one.key == key and not one.fixed), None)
    if own is None or bye is None:
        return ()
    earlier = before_round(inside, bye.round)
    order, had = order_of(own, earlier), byes_of(earlier)
    behind = order[order.index(bye.first) + 1 :] if bye.first in order else ()
    by_hand = {
        id_
        for one in inside.pairings
        if one.round == bye.round and one.fixed
        for id_ in (one.first, one.second)
    }
    return tuple(id_ for id_ in behind if had[id_] <= had[bye.first] and id_ not in by_hand)


def _running(format_: Format, field: Field) -> tuple[Swiss | SwissElimination | None, Field, str]:
    """The stage that is being played, the field as it sees it, and what its keys begin with."""
    if isinstance(format_, Stages):
        number = begun(field)
        own, inside, before = format_.formats[number], format_.inside(field, number), prefix(number)
    else:
        own, inside, before = format_, field, ""
    return (own if isinstance(own, Swiss | SwissElimination) else None), inside, before


def _is_loose(one: Pairing) -> bool:
    return one.result is None or one.result.how is How.BYE


def _concerned(inside: Field, there: list[Pairing], loose: list[Pairing]) -> list[Pairing]:
    """The pairings that can't stay, and the automatic byes with them."""
    entries = entries_by_id(inside)
    times = Counter(id_ for one in there for id_ in (one.first, one.second) if id_ is not None)
    gone = [
        one
        for one in loose
        for id_ in (one.first, one.second)
        if id_ is not None and (not entries[id_].plays or times[id_] > 1)
    ]
    return [one for one in loose if one in gone or (gone and one.second is None)]


def _meets_nobody_again(
    own: Swiss | SwissElimination, inside: Field, last: int, dropped: Collection[Pairing]
) -> bool:
    left = replace(inside, pairings=tuple(one for one in inside.pairings if one not in dropped))
    met = times_met(before_round(inside, last))
    rounds = own.rounds if isinstance(own, Swiss) else None
    made = next_round(own, left, rounds)
    return not any(one.round == last and met[frozenset((one.first, one.second or 0))] for one in made)

"""Looking at one procedure on many calls, and not longer than it takes.

Calls share processes, which is many times faster than a process for each; a few of them are made
alone as well, to see that nothing is left of one call for the next.
"""

from collections.abc import Sequence
from dataclasses import replace

from reverie.instruments.behaviour.instrument import Behaviours
from reverie.model.behaviour import CUT_OFF, Seen, Subject
from reverie.model.call import Call

_LEAST_PATIENCE = 0.25
_FAR_SLOWER = 100
_ALONE = 4
"""Calls of a subject that are made twice, once in a process of their own."""


def look_beside(
    behaviours: Behaviours,
    subject: Subject,
    calls: Sequence[Call],
    base: Sequence[Seen] | None,
) -> tuple[Seen, ...]:
    """What a subject does on calls that its base was seen on.

    It is not waited for far longer than the base took; but a call that was cut off where the base
    returned is made again, with all the time that it may take.
    """
    if base is None:
        return look_at(behaviours, subject, calls)
    found = list(look_at(_patient(behaviours, base), subject, calls))
    quiet = replace(behaviours, record=None)
    for place, call in enumerate(calls):
        if found[place].outcome in CUT_OFF and base[place].outcome not in CUT_OFF:
            (found[place],) = quiet.look(subject, [call])
            if found[place].outcome in CUT_OFF:
                break
    return tuple(found)


def look_at(behaviours: Behaviours, subject: Subject, calls: Sequence[Call]) -> tuple[Seen, ...]:
    """What a subject does: some calls alone, each in a process of its own, then all sharing some.

    Where one of them did something else then, what is left of a call reaches the next one, and
    every call is made alone.
    """
    chosen = range(0, len(calls), -(-len(calls) // _ALONE))
    alone = replace(behaviours, record=None).look(subject, [calls[place] for place in chosen])
    if all(each.outcome not in CUT_OFF for each in alone):
        together = replace(_patient(behaviours, alone), is_isolated=False)
        shared = together.look(subject, calls, is_trusted=True)
        pairs = zip(chosen, alone, strict=True)
        if all(each.behaviour == shared[place].behaviour for place, each in pairs):
            return shared
    return behaviours.look(subject, calls)


def _patient(behaviours: Behaviours, known: Sequence[Seen]) -> Behaviours:
    """A call that takes far longer than all that are known is not waited for."""
    if not known:
        return behaviours
    slowest = max(each.wall_seconds or 0.0 for each in known)
    enough = max(_LEAST_PATIENCE, _FAR_SLOWER * slowest)
    return replace(behaviours, timeout_seconds=min(behaviours.timeout_seconds, enough))

"""A difference in one line for whoever reads a refusal: the call, what it did, what it does.

Objects that tests made are told as their `repr`, not as the bytes they are carried in.
"""

import re
from collections.abc import Iterable, Mapping

from reverie.model.call import Call
from reverie.model.measurements.equivalence import (
    Counterexample,
    DifferenceKind,
    Equivalence,
    Observation,
)

_MOST_CALL, _MOST_VALUE, _MOST_OBJECT = 240, 90, 80
_PACKED = re.compile(r"""pickle\.loads\(b(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")\)""")
_OUTCOMES = (DifferenceKind.EXCEPTION, DifferenceKind.VALUE, DifferenceKind.MACHINE)
_LEFT = {
    DifferenceKind.ARGUMENTS: "arguments",
    DifferenceKind.STDOUT: "stdout",
    DifferenceKind.STDERR: "stderr",
    DifferenceKind.EFFECTS: "effects",
    DifferenceKind.FILES: "files",
    DifferenceKind.GLOBALS: "globals",
    DifferenceKind.ALIASING: "aliases",
}
"""The part of an observation that a kind of difference is seen in, when the result is the same."""


def shown_objects(calls: Iterable[Call]) -> dict[str, str]:
    """How the objects in some calls read, by the source that makes them."""
    return {
        each.source: each.shown
        for call in calls
        for each in call.expressions()
        if each.shown is not None
    }


def shown_difference(name: str, answer: Equivalence, objects: Mapping[str, str]) -> str:
    """The call on which two versions part, with what the old one did and what the new one does."""
    found = answer.counterexample
    if found is None:
        return cut(f"{name}: {answer.reason or 'different'}", _MOST_CALL)
    call = found.expression
    for source, text in objects.items():
        call = call.replace(source, cut(text, _MOST_OBJECT))  # so that the arguments are seen
    call = cut(_PACKED.sub("…", call), _MOST_CALL)
    old, new = _sides(found)
    return f"{call} {new}; before: {old}"


def _sides(found: Counterexample) -> tuple[str, str]:
    sides = (found.old, found.new)
    if found.kind in _LEFT:
        part = _LEFT[found.kind]
        old, new = (_value(getattr(each, part)) for each in sides)
        return old, f"now has other {found.kind}: {new}"
    if found.kind in _OUTCOMES or found.old.outcome != found.new.outcome:
        old, new = map(_deed, sides)
        return old, new
    return "not so", f"differs in its {found.kind}"


def _deed(seen: Observation) -> str:
    if seen.outcome == "raised":
        return cut(f"raises {seen.value}{f': {seen.message}' if seen.message else ''}", _MOST_VALUE)
    if seen.outcome == "returned":
        return f"returns {_value(seen.value)}"
    return seen.outcome


def _value(value: object) -> str:
    text = value if isinstance(value, str) else ", ".join(map(str, value))  # type: ignore[call-overload]
    return cut(text, _MOST_VALUE) or "nothing"


def cut(text: str, most: int) -> str:
    """A text of at most so many characters."""
    return text if len(text) <= most else f"{text[: most - 1]}…"

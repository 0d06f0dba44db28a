"""Laws between callables that are told alike, or between two calls of one."""

import re
from collections.abc import Iterator

from reverie.dreamers.fuzz.claims.refusals import own_variables
from reverie.dreamers.fuzz.claims.saying import sentences
from reverie.dreamers.fuzz.claims.subjects import Reading, Subject
from reverie.dreamers.fuzz.law import Basis, Law, LawKind, Variable

_LEAST_WORDS = 6
_TURNED = re.compile(r"^(?P<a>rotate|shift|roll|turn|cycle)_?(?P<side>left|right)$|"
                     r"^(?P<side2>left|right)_?(?P<b>rotate|shift|roll|turn|cycle)$")  # fmt: skip
_EVEN_NAME = re.compile(
    r"^(?:within|is_close|isclose|are|is_same|same|equal|overlap|intersects?|similar|approx"
    r"|distance|almost)(?:_|$)"
)
_EVEN_WORDS = re.compile(
    r"comparing two|two \w+ (?:are|have|overlap|share|match)|considered equal", re.IGNORECASE
)
_NUMBERED = re.compile(r"(?P<stem>[a-z_]*?)_?(?P<number>[12ab])")
_SPAN = re.compile(
    r"(?:number|count|sum|total|amount) of [\w ]{1,40}(?:in|from|between|over)(?: the)?(?: range)? "
    r"\[`*(?P<a>\w+)`*, ?`*(?P<b>\w+)`*\)",
    re.IGNORECASE,
)


def likeness_laws(subject: Subject, reading: Reading) -> Iterator[Law]:
    """All laws of a function that its likeness to others, or to itself, suggests."""
    if not subject.names:
        return
    yield from _told_alike(subject, reading)
    yield from _turned_back(subject, reading)
    yield from _even(subject)
    yield from _added_spans(subject)


def _told_alike(subject: Subject, reading: Reading) -> Iterator[Law]:
    """Two functions that open with the same sentence, and take the same, agree."""
    opening = _opening(subject)
    if len(opening.split()) < _LEAST_WORDS:
        return
    for other in reading.functions.values():
        if other is subject or not other.is_plain or _opening(other) != opening:
            continue
        if other.names != subject.names or other.returns != subject.returns:
            continue
        yield Law(
            LawKind.AGREEMENT,
            subject.qualname,
            f"{subject.name} and {other.name} agree: {opening}",
            "same(result, other)",
            own_variables(subject),
            setup=(f"other = {other.call()}", f"result = {subject.call()}"),
            basis=Basis.NAMED,
        )


def _opening(subject: Subject) -> str:
    found = sentences(subject.doc)
    return found[0] if found else ""


def _turned_back(subject: Subject, reading: Reading) -> Iterator[Law]:
    """Turning left after turning right is turning not at all."""
    found = _TURNED.match(subject.name)
    if found is None or len(subject.required) != 2:
        return
    side = found["side"] or found["side2"]
    other = reading.functions.get(subject.name.replace(side, "right" if side == "left" else "left"))
    if other is None or other.names != subject.names:
        return
    items, steps = (each.name for each in subject.required)
    yield Law(
        LawKind.ROUND_TRIP,
        subject.qualname,
        f"{other.name}({subject.name}({items}, {steps}), {steps}) == {items}",
        f"same(list(back), list({items}))",
        own_variables(subject),
        guard=f"isinstance({items}, (list, tuple, str))",
        setup=(f"result = {subject.call(items, steps)}",),
        steps=(f"back = {other.call('result', steps)}",),
        basis=Basis.NAMED,
        shown="back",
    )


def _even(subject: Subject) -> Iterator[Law]:
    """What is said of two values is said of them in either order."""
    pair = _pair(subject)
    is_told = bool(_EVEN_WORDS.search(subject.doc))
    if pair is None or not (is_told or _EVEN_NAME.match(subject.name)):
        return
    one, two = pair
    swapped = {one: two, two: one}
    given = [swapped.get(each, each) for each in subject.names]
    yield Law(
        LawKind.COMMUTATIVITY,
        subject.qualname,
        f"{subject.call()} == {subject.call(*given)}",
        "same(result, swapped)",
        own_variables(subject),
        setup=(f"result = {subject.call()}",),
        steps=(f"swapped = {subject.call(*given)}",),
        basis=Basis.STATED if is_told else Basis.NAMED,
        shown="swapped",
    )


def _pair(subject: Subject) -> tuple[str, str] | None:
    """The first two parameters, when they are called alike: `dt1, dt2`, `a, b`."""
    if len(subject.required) < 3:
        return None  # two alone are held to it by their names already
    one, two = subject.required[:2]
    first, second = _NUMBERED.fullmatch(one.name), _NUMBERED.fullmatch(two.name)
    if first is None or second is None or first["stem"] != second["stem"]:
        return None
    return one.name, two.name


def _added_spans(subject: Subject) -> Iterator[Law]:
    """What is counted from a to b and from b to c is counted from a to c."""
    found = _SPAN.search(subject.doc)
    if found is None or subject.names[:2] != (found["a"], found["b"]) or len(subject.required) != 2:
        return
    low, high = found["a"], found["b"]
    variables = (*own_variables(subject)[:2], Variable("further", subject.qualname, high))
    yield Law(
        LawKind.FORMULA,
        subject.qualname,
        f"{subject.call(low, high)} + {subject.call(high, 'further')} == {subject.call(low, 'further')}",
        "same(result, whole)",
        variables,
        guard=f"{low} <= {high} <= further",
        setup=(
            f"result = {subject.call(low, high)} + {subject.call(high, 'further')}",
            f"whole = {subject.call(low, 'further')}",
        ),
    )

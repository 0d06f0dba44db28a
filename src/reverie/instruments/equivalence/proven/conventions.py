"""What well-behaved values are taken to do: steps that nobody notices, though nothing says so.

Asking a value whether it is true, what its text is, how it compares, how long it is or what it is
an instance of has no effects and does not fail, as far as anybody writes code. A derived class may
do otherwise, so this is no proof: it stands where nothing that was tried speaks against it.
"""

import re
from typing import Any

from reverie.instruments.equivalence.proven.scopes import Scope
from reverie.instruments.equivalence.proven.terms import (
    Term,
    constant,
    exact_type,
    has_places,
    joined,
    negated,
    text_of,
)

_SWAPPED = {"Gt": "Lt", "GtE": "LtE"}

_PLAIN = frozenset({"bool", "str"})
"""Annotations that are taken at their word; a whole number may also be a bool."""

READS = frozenset({"getattr", "getitem", "load_global", "load_cell"})
READING = "reading an attribute or an item has no effects"
IMPORT = "importing a module again has no effects"
SENDING = "nobody sends anything into a generator"
OVERRIDING = "a private method that is called on self is the one of its class"
SPELLING = "nobody asks how a regular expression is spelled"
INSIDE = "nobody asks how the code is written"
TRUTH = "asking for truth has no effects"
TEXT = "making a text of a value has no effects"
ORDER = "comparing values has no effects, and != is the opposite of =="
LENGTH = "asking for a length has no effects"
KIND = "asking for a type has no effects"
FINDING = "an attribute that nobody has doubts about is there"
COUNTING = "adding a number has no effects and does not fail"
DRAWING = "what is drawn at once may be a generator or a list"

ANY_ERROR = "*"
_CALM = {TRUTH, KIND}
_ELSEWHERE = frozenset({"IndexError", "KeyError", "LookupError", "StopIteration", "ImportError"})
"""Errors that come of looking for something, and of no attribute, number or text."""
_CAUSED = {FINDING, COUNTING, ORDER, LENGTH}


def is_calm(convention: str, caught: frozenset[str]) -> bool:
    """Whether it holds even where code is prepared for such failures."""
    is_other = caught <= _ELSEWHERE and convention in _CAUSED
    return not caught or convention in _CALM or is_other


def meaning_of(pattern: str) -> str | None:
    """A regular expression as Python reads it: escapes and brackets that do nothing are gone."""
    try:
        return f"pattern {re._parser.parse(pattern)}"  # type: ignore[attr-defined]
    except (re.error, OverflowError, RecursionError):
        return None


def typed_parameters(old: Scope, new: Scope) -> dict[str, str]:
    """Parameters whose annotation says what they are exactly, if the versions agree on it."""
    found: dict[str, str] = {}
    for node in (old, new):
        given = getattr(node, "args", None)
        for each in [] if given is None else (*given.posonlyargs, *given.args, *given.kwonlyargs):
            said = getattr(each.annotation, "id", "")
            if said in _PLAIN and found.setdefault(each.arg, said) != said:
                return {}
    return found


def behaved(data: tuple[Any, ...], given: list[Term], epoch: Term) -> tuple[Term, str] | None:
    """What a step gives as of now, and by which convention; None where there is none."""
    if any(map(has_places, given)):
        return None
    match data:
        case ("truth",):
            return _truth(given[0], epoch), TRUTH
        case ("read", name):
            return ("attr", name, given[0], epoch), FINDING
        case ("count", name) if _is_counted(name, given):
            return ("counted", name, *given, epoch), COUNTING
        case ("compare", name):
            return _compared(name, given[0], given[1], epoch), ORDER
        case ("format", conversion) if given[1] == constant(""):
            return ("formatted", conversion, given[0], epoch), TEXT
        case ("binary", "Mod") if (template := text_of(given[0])) is not None:
            found = _percent(template, given[1], epoch)
            return None if found is None else (found, TEXT)
        case ("call", ("", "")) if given[0] == ("builtin", "isinstance"):
            return ("isinstance", given[1], given[2]), KIND
        case ("call", ("",)) if given[0] == ("builtin", "len"):
            return ("length", given[1], epoch), LENGTH
        case ("call", ("",)) if given[0] in (("builtin", "str"), ("builtin", "repr")):
            return ("formatted", given[0][1][0], given[1], epoch), TEXT
    return None


def _is_counted(name: str, given: list[Term]) -> bool:
    """Whether there is only a number to come of it: lists may be added and repeated, too."""
    numbers = [each[0] == "counted" or each[:2] == ("const", "int") for each in given]
    return all(numbers) if name in ("Mult", "Pow") else any(numbers)


def _truth(value: Term, epoch: Term) -> Term:
    """What a comparison has found stays as it is; other values may answer otherwise later."""
    if value[0] == "compared":
        if value[1] == "NotEq":
            return negated(("truth", ("compared", "Eq", *value[2:]), value[-1]))
        return ("truth", value, value[-1])
    return ("truth", value, epoch)


def _compared(name: str, left: Term, right: Term, epoch: Term) -> Term:
    """Each comparison in one form; that of equality does not mind the order."""
    if name in _SWAPPED:
        return ("compared", _SWAPPED[name], right, left, epoch)
    if name in ("Eq", "NotEq"):
        left, right = sorted((left, right), key=repr)
    return ("compared", name, left, right, epoch)


def _percent(template: str, right: Term, epoch: Term) -> Term | None:
    """`"%s %r" % ...`: a single value must not be a tuple."""
    if right[0] != "tuple" and exact_type(right) in (None, "tuple"):
        return None
    values = list(right[1:]) if right[0] == "tuple" else [right]
    pieces = template.split("%")
    if "%%" in template or len(pieces) != len(values) + 1:
        return None
    parts = [constant(pieces[0])]
    for piece, value in zip(pieces[1:], values, strict=True):
        if piece[:1] not in ("s", "r"):
            return None
        is_text = piece[0] == "s" and exact_type(value) == "str"
        parts += [value if is_text else ("formatted", piece[0], value, epoch), constant(piece[1:])]
    return joined(parts)

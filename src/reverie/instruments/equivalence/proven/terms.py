"""Values that are not known, as terms: equal terms stand for values that nobody can tell apart.

A term is a tuple whose first item says what it is:

    ("const", "int", "3")        a constant, by kind and text: 1, 1.0 and True are three
    ("v", 7, "str")              what the seventh step gave; of exactly this type, or of any (None)
    ("param", "x")               an argument
    ("builtin", "len")           a builtin that nothing in the module hides
    ("global", "limit", 7)       a name of the module, as it is after step 7
    ("tuple", ...)               a tuple; so are slices and joined texts
    ("is", a, b), ("not", b)     truths that are known to be `bool`
    ("truth", a, 7)              what `a` answers after step 7, by convention (see conventions)
    ("loc", "old", 2)            a list or dict that this side made and nobody else has seen yet

Python itself may share or copy values that cannot change: which tuple it is, is no behaviour.
"""

import ast
from typing import Any

Term = tuple[Any, ...]

ALWAYS = -1
"""In place of a step: a name of the module that stands for one thing as long as it runs."""
UNBOUND: Term = ("unbound",)
MAYBE_UNBOUND = "unbound?"
"""The type of a value that may be missing: a name that only some ways here have bound."""
SINGLETONS = frozenset({"NoneType", "bool", "ellipsis"})


def constant(value: object) -> Term:
    """A literal; a tuple or frozen set of them by its items."""
    if isinstance(value, tuple):
        return ("tuple", *map(constant, value))
    if isinstance(value, frozenset):
        return ("frozenset", *sorted(map(constant, value)))
    return ("const", type(value).__name__, repr(value))


NONE, TRUE, FALSE = constant(None), constant(True), constant(False)


def truth_of_constant(term: Term) -> bool | None:
    """Whether a literal is true; None for everything else."""
    if term[0] == "const":
        empty = ("''", "b''", "0", "0.0", "-0.0", "0j", "None", "False")
        return term[2] not in empty if term[1] != "complex" else None
    if term[0] == "tuple":
        return len(term) > 1
    return None


def text_of(term: Term) -> str | None:
    """The value of a text constant."""
    if term[0] == "const" and term[1] == "str":
        return str(ast.literal_eval(term[2]))
    return None


def exact_type(term: Term) -> str | None:
    """The name of the builtin type that a value is of and not of a class derived from it."""
    match term[0]:
        case "const":
            return str(term[1])
        case "v":
            return term[2] if term[2] != MAYBE_UNBOUND else None
        case "tuple":
            return "tuple"
        case "join" | "text" | "formatted":
            return "str"
        case "is" | "not" | "eq" | "less" | "truth" | "isinstance":
            return "bool"
        case "length":
            return "int"
        case "loc":
            return str(term[3])
    return None


def has_places(term: Term) -> bool:
    """Whether a list that only one side has seen is part of it."""
    return term[0] == "loc" or any(
        isinstance(each, tuple) and has_places(each) for each in term[1:]
    )


def negated(term: Term) -> Term:
    """`not` of a value of type bool."""
    if term[0] == "not":
        return tuple(term[1])
    if term in (TRUE, FALSE):
        return FALSE if term == TRUE else TRUE
    return ("not", term)


def identity(left: Term, right: Term) -> Term:
    """`left is right`, as far as it is known without looking."""
    if left == right and left[0] in ("param", "v", "builtin", "loc"):
        return TRUE
    if all(_is_single(each) for each in (left, right)):
        return TRUE if left == right else FALSE
    if any(_is_single(a) and _is_other_type(a, b) for a, b in ((left, right), (right, left))):
        return FALSE
    return ("is", *sorted((left, right), key=repr))


def is_singleton(term: Term) -> bool:
    """Whether there is one object only that a constant can be."""
    return (term[0] == "const" and term[1] in SINGLETONS) or term == ("builtin", "NotImplemented")


_is_single = is_singleton


def _is_other_type(single: Term, other: Term) -> bool:
    kind = exact_type(other)
    return kind is not None and single[0] == "const" and kind != single[1]


def joined(parts: list[Term]) -> Term:
    """Texts one after the other; neighbouring constants are one."""
    flat: list[Term] = []
    for part in parts:
        for each in part[1:] if part[0] == "join" else (part,):
            text = text_of(each)
            if text is None:
                flat.append(each)
            elif flat and (before := text_of(flat[-1])) is not None:
                flat[-1] = constant(before + text)
            elif text:
                flat.append(each)
    if not flat:
        return constant("")
    return flat[0] if len(flat) == 1 and exact_type(flat[0]) == "str" else ("join", *flat)

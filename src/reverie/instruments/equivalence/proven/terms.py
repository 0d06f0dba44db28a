"""Values that are not known, as terms: equal terms stand for values that nobody can tell apart.

A term is a tuple whose first item says what it is:

    ("const", "int", "3")        a constant, by kind and text: 1, 1.0 and True are three
    ("v", 7, "str")              what the seventh step gave; of exactly this type, or of any (None)
    ("param", "x")               an argument
    ("builtin", "len")           a builtin that nothing in the module hides
    ("global", "limit", 7)       a name of the module, as it is after step 7
    ("tuple", ...)               a tuple; so are slices and joined texts
    ("is", a, b), ("not", b)     truths that are known to be `bool`
    ("attr", "x", a, 7)          an attribute after step 7, by convention
    ("counted", "Sub", a, b, 7)  a number that was worked out, by convention
    ("truth", a, 7)              what `a` answers after step 7, by convention (see conventions)
    ("loc", "old", 2)            a list or dict that this side made and nobody else has seen yet

Python itself may share or copy values that cannot change: which tuple it is, is no behaviour.

The outcome of some steps is known from the terms alone: nothing runs, nothing can be noticed. Only
values of exactly a builtin type are known well enough; a derived class may do anything.
"""

import ast
import string
from collections.abc import Collection
from dataclasses import dataclass
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


_UNCHANGING = frozenset({"int", "str", "float", "bool", "bytes", "complex", "NoneType", "tuple"})
_ORDERED = frozenset({"int", "str"})
_MOST = 1 << 40
_RESULTS = {
    "len": "int", "isinstance": "bool", "issubclass": "bool", "callable": "bool",
    "hasattr": "bool", "ord": "int", "chr": "str", "id": "int", "hash": "int", "sorted": "list",
    "list": "list", "tuple": "tuple", "dict": "dict", "set": "set", "frozenset": "frozenset",
    "any": "bool", "all": "bool", "bin": "str", "hex": "str", "oct": "str",
}  # fmt: skip
_TEXT_METHODS = {
    "join": "str", "lower": "str", "upper": "str", "strip": "str", "lstrip": "str",
    "rstrip": "str", "replace": "str", "title": "str", "capitalize": "str", "casefold": "str",
    "center": "str", "ljust": "str", "rjust": "str", "zfill": "str", "format": "str",
    "startswith": "bool", "endswith": "bool", "isdigit": "bool", "isalpha": "bool",
    "isspace": "bool", "isupper": "bool", "islower": "bool", "isidentifier": "bool",
    "split": "list", "rsplit": "list", "splitlines": "list", "find": "int", "rfind": "int",
    "index": "int", "rindex": "int", "count": "int", "encode": "bytes", "partition": "tuple",
    "rpartition": "tuple", "expandtabs": "str", "swapcase": "str", "removeprefix": "str",
    "removesuffix": "str",
}  # fmt: skip


def known_result(data: tuple[Any, ...], given: list[Term]) -> Term | None:
    """The outcome of a step; None where it has to be taken."""
    match data[0]:
        case "truth":
            return known_truth(given[0])
        case "getattr":
            return _method(given[0], data[1])
        case "binary" | "inplace":
            return _operation(data[1], *given)
        case "compare":
            return _comparison(data[1], *given)
        case "format":
            return _formatted(data[1], *given)
    return None


_STRICT = {"read": "getattr", "count": "binary"}
"""Steps that conventions may take for granted, under the names that they have otherwise."""


def plain_step(data: tuple[Any, ...], given: list[Term]) -> tuple[Any, ...]:
    """The name of a step; `x += y` is `x = x + y` where x cannot change."""
    if data[0] in _STRICT:
        return (_STRICT[data[0]], *data[1:])
    if data[0] == "inplace" and exact_type(given[0]) in _UNCHANGING:
        return ("binary", data[1])
    return data


def result_type(data: tuple[Any, ...], given: list[Term]) -> str | None:
    """The exact type of what a step gives, if it gives anything."""
    match data[0]:
        case "truth" | "contains" | "fits":
            return "bool"
        case "make_set":
            return "set"
        case "make_dict":
            return "dict"
        case "spread":
            return str(data[1])
        case "call" if given[0][0] == "builtin":
            return _RESULTS.get(given[0][1])
        case "call" if given[0][0] == "method":
            return _TEXT_METHODS.get(given[0][2]) if exact_type(given[0][1]) == "str" else None
        case "binary":
            return _operation_type(data[1], *given)
    return None


def known_truth(term: Term) -> Term | None:
    """The truth of a value, as a term of type bool."""
    if exact_type(term) == "bool":
        return term
    if term[0] == "join":
        texts = [text_of(each) for each in term[1:]]
        return TRUE if any(texts) else None
    truth = truth_of_constant(term)
    return None if truth is None else (TRUE if truth else FALSE)


def _method(value: Term, name: str) -> Term | None:
    if exact_type(value) == "str" and name in _TEXT_METHODS:
        return ("method", value, name)
    return ("method", value, name) if value[0] == "loc" and name == "append" else None


def _operation(name: str, left: Term, right: Term) -> Term | None:
    if name == "Add" and exact_type(left) == exact_type(right) == "str":
        return joined([left, right])
    if name == "Mod" and text_of(left) is not None:
        return _percent(str(text_of(left)), right)
    numbers = [int(each[2]) for each in (left, right) if each[:2] == ("const", "int")]
    if len(numbers) != 2 or max(map(abs, numbers)) > _MOST:
        return None
    match name:
        case "Add":
            return constant(numbers[0] + numbers[1])
        case "Sub":
            return constant(numbers[0] - numbers[1])
        case "Mult":
            return constant(numbers[0] * numbers[1])
    return None


def _operation_type(name: str, left: Term, right: Term) -> str | None:
    kinds = exact_type(left), exact_type(right)
    if kinds == ("int", "int") and name in ("Add", "Sub", "Mult", "FloorDiv", "Mod"):
        return "int"
    if kinds[0] == "str" and kinds[1] is not None and name == "Mod":
        return "str"
    return "str" if kinds in (("str", "int"), ("int", "str")) and name == "Mult" else None


def _percent(template: str, right: Term) -> Term | None:
    """`"%s" % ...` where every value is exactly a text or a whole number."""
    values = list(right[1:]) if right[0] == "tuple" else [right]
    pieces = template.replace("%%", "\0").split("%")
    if "\0" in template or len(pieces) != len(values) + 1:
        return None
    parts = [constant(pieces[0].replace("\0", "%"))]
    for piece, value in zip(pieces[1:], values, strict=True):
        kind = exact_type(value)
        if not (piece[:1] == "s" and kind in ("str", "int")) and not (
            piece[:1] == "d" and kind == "int"
        ):
            return None
        parts += [_text(value), constant(piece[1:].replace("\0", "%"))]
    return joined(parts)


def _text(value: Term) -> Term:
    if exact_type(value) == "str":
        return value
    return constant(value[2]) if value[0] == "const" else ("text", value)


def _formatted(conversion: str, value: Term, spec: Term) -> Term | None:
    if spec != constant(""):
        return None
    kind = exact_type(value)
    if kind == "str" and conversion in ("", "s"):
        return value
    return _text(value) if kind == "int" else None


def _comparison(name: str, left: Term, right: Term) -> Term | None:
    """Of two texts, or of two whole numbers: they are in one order, and asking is free."""
    kinds = exact_type(left), exact_type(right)
    if kinds[0] != kinds[1] or kinds[0] not in _ORDERED:
        return None
    match name:
        case "Eq":
            return _equal(left, right)
        case "NotEq":
            return negated(_equal(left, right))
        case "Lt":
            return _less(left, right)
        case "Gt":
            return _less(right, left)
        case "LtE":
            return negated(_less(right, left))
        case "GtE":
            return negated(_less(left, right))
    return None


def _equal(left: Term, right: Term) -> Term:
    if left == right:
        return TRUE
    if left[0] == right[0] == "const":
        return FALSE
    return ("eq", *sorted((left, right), key=repr))


def _less(left: Term, right: Term) -> Term:
    """For whole numbers 3 < n is not n < 4, so that each has one form."""
    if left[0] == right[0] == "const":
        kind = int if left[1] == "int" else str
        values = [kind(each[2]) if kind is int else text_of(each) for each in (left, right)]
        return TRUE if values[0] < values[1] else FALSE  # type: ignore[operator]
    if left == right:
        return FALSE
    if left[:2] == ("const", "int"):
        return negated(("less", right, constant(int(left[2]) + 1)))
    return ("less", left, right)


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of text, or a field with how it is formatted."""

    text: str
    """The text itself, or the field's format."""
    field: int | str | None = None
    conversion: str = ""


def template_parts(template: str, given: Collection[int | str]) -> list[Part] | None:
    """All parts in order; None where a field is not simply one of the arguments."""
    parts: list[Part] = []
    number = 0
    try:
        pieces = list(string.Formatter().parse(template))
    except ValueError:
        return None
    kinds = set()
    for text, name, spec, conversion in pieces:
        if text:
            parts.append(Part(text))
        if name is None:
            continue
        if "{" in (spec or "") or "}" in (spec or "") or (conversion or "r") not in "rsa":
            return None
        field: int | str = name
        if name == "":
            field, number = number, number + 1
        elif name.isdecimal() and name.isascii():
            field = int(name)
        if isinstance(field, int):
            kinds.add(name == "")
        if field not in given:
            return None
        parts.append(Part(spec or "", field, conversion or ""))
    return None if len(kinds) > 1 else parts

"""Steps whose outcome is known from the terms alone: nothing runs, nothing can be noticed.

Only values of exactly a builtin type are known well enough; a derived class may do anything.
"""

from typing import Any

from reverie.instruments.equivalence.proven.terms import (
    FALSE,
    TRUE,
    Term,
    constant,
    exact_type,
    joined,
    negated,
    text_of,
    truth_of_constant,
)

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


def plain_step(data: tuple[Any, ...], given: list[Term]) -> tuple[Any, ...]:
    """The name of a step; `x += y` is `x = x + y` where x cannot change."""
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

"""Arguments held against documentation and annotations: calls that a version excludes.

Preconditions come from the old version's docstring: a difference on arguments that the
documentation excludes is no difference in behaviour. Plain arguments are held against their
annotations; what cannot be judged from source alone, fits.
"""

import ast
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from reverie.instruments.equivalence.scenario import Scenario
from reverie.model.call import Call, Expression
from reverie.syntax.nodes import last_name
from reverie.syntax.parsing import parse_expression

_SCALARS: dict[str, tuple[type, ...]] = {
    "int": (int,),
    "float": (float,),
    "complex": (complex, float),
    "str": (str,),
    "bytes": (bytes,),
    "bool": (bool,),
    "None": (type(None),),
}
_SEQUENCES: dict[str, tuple[type, ...]] = {
    "list": (list,),
    "List": (list,),
    "set": (set,),
    "Set": (set,),
    "Sequence": (list, tuple, str),
    "Collection": (list, tuple, set, str, dict),
    "Iterable": (list, tuple, set, str, dict),
}
_MAPPINGS = ("dict", "Dict", "Mapping", "MutableMapping")
_SPECIAL_FLOAT = re.compile(r"math\.(?:nan|inf)|float\('-?(?:nan|inf)'\)")
_MOST_POWER = 1000
_UNREADABLE = (ValueError, SyntaxError, TypeError, MemoryError, RecursionError)


def misfit_arguments(call: Call, annotations: dict[str, ast.expr | None]) -> bool:
    """Whether a plain argument contradicts its annotation."""
    named = dict(zip(annotations, call.args, strict=False)) | dict(call.kwargs)
    return any(
        (annotation := annotations.get(name)) is not None and not _fits_source(value, annotation)
        for name, value in named.items()
    )


def literal_value(expression: Expression) -> Any:
    """The value of a plain expression; `ValueError` for any other.

    Special floats count as an infinite one, a repeated list as the list: types are the same.
    """
    try:
        node = parse_expression(_SPECIAL_FLOAT.sub("1e999", expression.source))
        return _plain_value(node)
    except _UNREADABLE as error:
        raise ValueError(expression.source[:80]) from error


def _plain_value(node: ast.expr) -> Any:
    match node:
        case ast.BinOp(left=left, op=ast.Mult()):
            return _plain_value(left)
        case ast.BinOp(left=ast.List() as left, op=ast.Add(), right=ast.List() as right):
            return ast.literal_eval(left) + ast.literal_eval(right)
        case ast.BinOp(left=ast.Constant(int(base)), op=ast.Pow(), right=ast.Constant(int(power))):
            return base ** min(power, _MOST_POWER)
    return ast.literal_eval(node)


def _fits_source(expression: Expression, annotation: ast.expr) -> bool:
    try:
        return fits(literal_value(expression), annotation)
    except ValueError:
        return True


def fits(value: Any, annotation: ast.expr) -> bool:
    """Whether a plain value has the annotated type; strictly, so that `True` is no `int`."""
    match annotation:
        case ast.Constant(value=None):
            return value is None
        case ast.Constant(value=str() as text):
            return _fits_text(value, text)
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return fits(value, left) or fits(value, right)
        case ast.Subscript(value=base, slice=inner):
            arguments = inner.elts if isinstance(inner, ast.Tuple) else [inner]
            return _fits_generic(value, last_name(base), arguments)
    return _fits_generic(value, last_name(annotation), [])


def _fits_text(value: Any, text: str) -> bool:
    try:
        return fits(value, parse_expression(text))
    except (SyntaxError, ValueError):
        return True


def _fits_generic(value: Any, name: str, arguments: list[ast.expr]) -> bool:
    if name in _SCALARS:
        return type(value) in _SCALARS[name]
    if name in ("Optional", "Union"):
        return (name == "Optional" and value is None) or any(
            fits(value, each) for each in arguments
        )
    if name == "Literal":
        return any(isinstance(each, ast.Constant) and each.value == value for each in arguments)
    if name == "Annotated":
        return fits(value, arguments[0])
    if name in ("tuple", "Tuple"):
        return isinstance(value, tuple) and _fits_tuple(value, arguments)
    if name in _MAPPINGS:
        return isinstance(value, dict) and _fits_mapping(value, arguments)
    if name in _SEQUENCES:
        return isinstance(value, _SEQUENCES[name]) and _every(value, arguments)
    return True


def _every(items: Any, arguments: list[ast.expr]) -> bool:
    return not arguments or all(fits(each, arguments[0]) for each in items)


def _fits_tuple(items: tuple[Any, ...], arguments: list[ast.expr]) -> bool:
    if not arguments:
        return True
    if isinstance(arguments[-1], ast.Constant) and arguments[-1].value is Ellipsis:
        return _every(items, arguments)
    return len(items) == len(arguments) and all(map(fits, items, arguments))


def _fits_mapping(items: dict[Any, Any], arguments: list[ast.expr]) -> bool:
    if len(arguments) != 2:
        return True
    judge: Callable[[Any], bool] = lambda pair: all(map(fits, pair, arguments))  # noqa: E731
    return all(map(judge, items.items()))


_SORTED = re.compile(
    r"(?<!return )(?<!returns )(?<!return a )(?<!returns a )(?<!return the )(?<!returns the )"
    r"\b(?:the|a|an|already|be|is|are|of|two|assumes?|given|each|in|into|pre-?)[ -]sorted\b"
    r"|\bsorted (?:ascending )?(?:input|array)\b",
    re.IGNORECASE,
)
_MAKES_SORTED = re.compile(r"\b(?:into|to|as|like) an? sorted\b", re.IGNORECASE)
_GIVES_SORTED = re.compile(
    r"\b(?:returns?|yields?|gives?|produces?|builds?|makes?|creates?|computes?)\b[^.]*\bsorted\b",
    re.IGNORECASE,
)
_NOT_EMPTY = re.compile(r"\b(?:non-?empty|not (?:be )?empty|at least one)\b", re.IGNORECASE)
_UNIQUE = re.compile(r"\b(?:distinct|unique|no duplicates?)\b", re.IGNORECASE)
_EVEN = re.compile(
    r"\b(?:rows|lists|lines|columns) (?:are|have|must (?:be|have)) (?:all )?(?:of )?"
    r"(?:one|the same|equal) length\b|\brectangular (?:table|matrix|grid|rows)\b",
    re.IGNORECASE,
)
_GIVES_EVEN = re.compile(
    r"\b(?:returns?|yields?|gives?|pads?|fills?|makes?|cuts?|trims?|extends?|until|so that|if|"
    r"whether|unless)\b[^.;]*\b(?:length|rectangular)\b",
    re.IGNORECASE,
)
_BOUND = re.compile(r"\b([A-Za-z_]\w*)\s*(>=|<=|>|<|!=)\s*(-?\d+)")
_LOWER_BOUND = re.compile(r"(-?\d+)\s*(<=|<)\s*([A-Za-z_]\w*)")
_BOUND_AFTER = re.compile(r"\b([A-Za-z_]\w*)`? \((>=|<=|>|<|!=)\s*(-?\d+)\)")
_RELATION = re.compile(r"\b([A-Za-z_]\w*)`?\s*(>=|<=|>|<|!=)\s*`?(?=([A-Za-z_]\w*))")
_CLAUSE = re.compile(r"[.;,()]")
_BARE_RELATION = re.compile(
    r"(?:(?:with|where|given|for|assumes?|requires?|expects?|needs?|must have)\s+)*"
    r"`?[\w-]+`?(?:\s*(?:>=|<=|>|<|!=)\s*`?[\w-]+`?)+",
    re.IGNORECASE,
)
"""A clause that says nothing but how things compare: `if a < b` tells what is done, not given."""
_MADE_OF = re.compile(
    r"\b(\w+)`? (?:consists? (?:only )?of|contains? only|made (?:up )?(?:only )?of|only contains?|"
    r"must (?:be|contain)|has only|holds only)\b([^.;]*)",
    re.IGNORECASE,
)
_ANY_TEXT = frozenset({"text", "texts", "string", "strings", "input", "argument", "arguments"})
_SIGNS = {
    "letter": str.isalpha,
    "digit": str.isdigit,
    "underscore": "_".__eq__,
    "hyphen": "-".__eq__,
    "dash": "-".__eq__,
    "space": " ".__eq__,
    "dot": ".".__eq__,
}
_TURNED = {"<=": ">=", "<": ">"}
_DEMANDS = re.compile(
    r"\b(?:must|assumes?|requires?|precondition|expects?|needs?)\b", re.IGNORECASE
)
_THING = r"(?:whole |integers? |ints? |numbers? |list |sequence |string |text )*"
_SIGN = re.compile(r"\b(positive|non-?negative|natural)\b", re.IGNORECASE)
_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    ">=": lambda value, bound: value >= bound,
    "<=": lambda value, bound: value <= bound,
    ">": lambda value, bound: value > bound,
    "<": lambda value, bound: value < bound,
    "!=": lambda value, bound: value != bound,
}


@dataclass(frozen=True, slots=True)
class Contract:
    """What the docstring demands of arguments. Empty: everything is allowed."""

    parameters: tuple[str, ...] = ()
    wants_sorted: bool = False
    wants_items: bool = False
    wants_unique: bool = False
    wants_even: bool = False
    """Rows of a table are of one length."""
    least: int | None = None
    bounds: tuple[tuple[str, str, int], ...] = ()
    relations: tuple[tuple[str, str, str], ...] = ()
    """How two parameters compare."""
    wants_ascii: bool = False
    signs: tuple[str, ...] = ()
    """Kinds of characters that texts consist of; none: any."""

    @classmethod
    def read(cls, docstring: str | None, parameters: tuple[str, ...]) -> "Contract":
        """All that a docstring may demand, in words that are commonly used for it."""
        text = " ".join((docstring or "").split())
        sign = _SIGN.search(text)
        return cls(
            parameters=parameters,
            wants_sorted=_wants_sorted(text, parameters),
            wants_items=_NOT_EMPTY.search(text) is not None,
            wants_unique=_DEMANDS.search(text) is not None and _UNIQUE.search(text) is not None,
            wants_even=_EVEN.search(text) is not None and _GIVES_EVEN.search(text) is None,
            least=None if sign is None else int(sign[1].lower() == "positive"),
            bounds=_bounds(text, parameters),
            relations=_relations(text, parameters),
            wants_ascii=any("ascii" in each for each in _made_of(text, {*parameters, *_ANY_TEXT})),
            signs=_signs(_made_of(text, {*parameters, *_ANY_TEXT})),
        )

    @classmethod
    def read_strictly(cls, docstring: str | None, parameters: tuple[str, ...]) -> "Contract":
        """What it demands of a parameter by name, or as a demand: `the positive ones` is none."""
        text = " ".join((docstring or "").split())
        full = cls.read(docstring, parameters)
        is_demanded = _DEMANDS.search(text) is not None
        return replace(
            full,
            wants_sorted=full.wants_sorted and (is_demanded or not _MAKES_SORTED.search(text)),
            wants_ascii=any("ascii" in each for each in _made_of(text, {*parameters})),
            signs=_signs(_made_of(text, {*parameters})),
            wants_items=full.wants_items
            and (is_demanded or _is_said_of(_NOT_EMPTY.pattern, parameters, text)),
            least=full.least
            if is_demanded or _is_said_of(_SIGN.pattern, parameters, text)
            else None,
        )

    @property
    def is_empty(self) -> bool:
        """Whether nothing is demanded."""
        return self == Contract(self.parameters)

    def allows(self, scenario: Scenario) -> bool:
        """Whether every call of the scenario keeps to what is demanded."""
        own = (step.call for step in scenario.steps if step.callee is None)
        return self.is_empty or all(map(self._allows, own))

    def fit(self, call: Call) -> Call:
        """The call with its lists sorted, and its rows of one length, where that is demanded."""
        args = call.args
        if self.wants_sorted:
            args = tuple(_with_list(each, sorted) for each in args)
        if self.wants_even:
            args = tuple(_with_list(each, _evened) for each in args)
        return replace(call, args=args)

    def _allows(self, call: Call) -> bool:
        named = dict(zip(self.parameters, call.args, strict=False)) | dict(call.kwargs)
        for name, expression in named.items():
            try:
                value = literal_value(expression)
            except ValueError:
                if self.wants_sorted or self.wants_even:
                    return False
                continue
            if not self._allows_value(name, value) or not self._allows_texts(value):
                return False
        return not self.relations or self._allows_relations(named)

    def _allows_relations(self, named: dict[str, Expression]) -> bool:
        for first, sign, second in self.relations:
            try:
                one, other = literal_value(named[first]), literal_value(named[second])
                if not _COMPARE[sign](one, other):
                    return False
            except (KeyError, ValueError, TypeError):
                continue
        return True

    def _allows_texts(self, value: Any) -> bool:
        if isinstance(value, list | tuple | set):
            return all(map(self._allows_texts, value))
        if isinstance(value, dict):
            return all(map(self._allows_texts, (*value.keys(), *value.values())))
        if not isinstance(value, str):
            return True
        if self.wants_ascii and not value.isascii():
            return False
        return not self.signs or all(
            any(_SIGNS[kind](each) for kind in self.signs) for each in value
        )

    def _allows_value(self, name: str, value: Any) -> bool:
        if isinstance(value, list | tuple):
            is_fine = not self.wants_items or len(value) > 0
            is_fine = is_fine and all(self._allows_number(name, each) for each in value)
            if self.wants_unique:
                is_fine = is_fine and all(value[n] not in value[:n] for n in range(len(value)))
            is_fine = is_fine and (not self.wants_even or _is_even(value))
            return is_fine and (not self.wants_sorted or _is_sorted(value))
        return self._allows_number(name, value)

    def _allows_number(self, name: str, value: Any) -> bool:
        if not isinstance(value, int | float) or isinstance(value, bool):
            return True
        if self.least is not None and not self.bounds and value < self.least:
            return False
        return all(_COMPARE[sign](value, bound) for who, sign, bound in self.bounds if who == name)


def _wants_sorted(text: str, parameters: tuple[str, ...]) -> bool:
    is_given = _SORTED.search(text) is not None and _GIVES_SORTED.search(text) is None
    return is_given or any(_is_ascending(name, text) for name in parameters)


def _bounds(text: str, parameters: tuple[str, ...]) -> tuple[tuple[str, str, int], ...]:
    found = [(name, sign, int(bound)) for name, sign, bound in _BOUND.findall(text)]
    found += [(name, _TURNED[sign], int(bound)) for bound, sign, name in _LOWER_BOUND.findall(text)]
    found += [(name, sign, int(bound)) for name, sign, bound in _BOUND_AFTER.findall(text)]
    return tuple(each for each in found if each[0] in parameters)


def _relations(text: str, parameters: tuple[str, ...]) -> tuple[tuple[str, str, str], ...]:
    clauses = (each.strip() for each in _CLAUSE.split(text))
    return tuple(
        (first, sign, second)
        for clause in clauses
        if _BARE_RELATION.fullmatch(clause)
        for first, sign, second in _RELATION.findall(clause)
        if first in parameters and second in parameters
    )


def _made_of(text: str, subjects: set[str]) -> list[str]:
    """What one of the subjects is said to consist of; the result may consist of anything."""
    return [said.lower() for subject, said in _MADE_OF.findall(text) if subject in subjects]


def _signs(sayings: list[str]) -> tuple[str, ...]:
    """What texts are said to consist of, if all of it is known here."""
    for said in sayings:
        bare = re.sub(r"\b(?:ascii|plain|of|the|only)\b", "", said)
        named = re.split(r",| and | or ", bare)
        kinds = tuple(each.strip().removesuffix("s") for each in named if each.strip())
        if kinds and all(each in _SIGNS for each in kinds):
            return kinds
    return ()


def _is_said_of(words: str, parameters: tuple[str, ...], text: str) -> bool:
    """Whether an adjective stands right before or after the name of a parameter."""
    return any(
        re.search(
            rf"{words} {_THING}`?{name}\b|`?\b{name}\b`?,? (?:is |are |be |a |an )*{words}",
            text,
            re.IGNORECASE,
        )
        for name in parameters
    )


def _is_ascending(name: str, text: str) -> bool:
    """Whether the text says of a parameter, by its name, that it ascends."""
    order = r"(?:ascending|increasing|non-?decreasing)"
    after = rf"`?\b{name}\b`? (?:must be|is|are) (?:in )?{order}\b"
    return re.search(rf"\b{order} `?{name}\b|{after}", text, re.IGNORECASE) is not None


def _is_sorted(value: Any) -> bool:
    try:
        return all(left <= right for left, right in pairwise(value))
    except TypeError:
        return True


def _is_even(value: Any) -> bool:
    return len({len(each) for each in value if isinstance(each, list | tuple)}) < 2


def _evened(value: list[Any]) -> list[Any]:
    """All rows as long as the first, with its items where one is shorter."""
    if not all(type(each) is list for each in value):
        return value
    return [(each + value[0])[: len(value[0])] for each in value]


def _with_list(expression: Expression, change: Callable[[list[Any]], list[Any]]) -> Expression:
    try:
        value = literal_value(expression)
        return expression.replaced(ascii(change(value))) if type(value) is list else expression
    except (ValueError, TypeError):
        return expression

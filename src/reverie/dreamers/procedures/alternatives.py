"""Conditional variants and parameter exploration: checks, fall-backs, retries, other values.

Other values keep their type and their sense: a count stays a whole number and does not turn
negative, a share of one stays a share, an empty text stays a text.
"""

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass

from reverie.dreamers.procedures.procedure import Procedure
from reverie.dreamers.procedures.relaxing import (
    Needs,
    after_docstring,
    blocks,
    by_turns,
    is_generator,
    parameters,
    statements,
)
from reverie.dreamers.procedures.variant import Variant, shown, written
from reverie.model.procedure import DreamType
from reverie.syntax.nodes import Function
from reverie.syntax.parsing import fresh_module

_CAUGHT = ("Exception", "LookupError", "(TypeError, ValueError)", "ArithmeticError")
_NEUTRAL = {
    "int": "0", "float": "0.0", "str": "''", "bool": "False", "list": "[]", "dict": "{}",
    "tuple": "()", "set": "set()", "bytes": "b''", "List": "[]", "Dict": "{}", "Sequence": "[]",
    "Iterable": "[]", "Mapping": "{}",
}  # fmt: skip
_CHECKED = ("int", "float", "str", "bool", "list", "dict", "tuple", "set", "bytes")
_ATTEMPTS = 3


@dataclass(frozen=True, slots=True)
class ConditionDreamer:
    """Puts one condition into a procedure at a time."""

    dream_type: DreamType = DreamType.CONDITIONAL_VARIANT

    def imagine(self, procedure: Procedure) -> Iterator[Variant]:
        """One variant of every rule in turn, until all rules have run dry."""
        rules = (_fallbacks, _validations, _defaults_for_none, _optional_steps, _coercions,
                 _retries)  # fmt: skip
        yield from by_turns([rule(procedure) for rule in rules])


def _fallbacks(procedure: Procedure) -> Iterator[Variant]:
    """An error becomes a neutral result."""
    if is_generator(procedure.node):
        return
    results = dict.fromkeys((_neutral(procedure.node.returns), "None"))
    for result in results:
        for caught in _CAUGHT:
            node = procedure.node
            start = after_docstring(node)
            guarded = fresh_module(f"try:\n    pass\nexcept {caught}:\n    return {result}").body[0]
            assert isinstance(guarded, ast.Try)
            guarded.body = node.body[start:]
            node.body[start:] = [guarded]
            title = f"Falls back on {result} after {caught.strip('()')}"
            details = {"caught": caught, "result": result}
            yield Variant("conditions/fallback", title, written(node), details)


def _validations(procedure: Procedure) -> Iterator[Variant]:
    """An argument is checked before it is used."""
    for each in parameters(procedure.node):
        name = each.arg
        kind = _simple(each.annotation)
        if kind in _CHECKED:
            check = f"isinstance({name}, {kind})"
            yield _fronted(procedure, "validation", _refusal(name, check, "TypeError"))
        if kind in ("int", "float"):
            yield _fronted(procedure, "validation", _refusal(name, f"{name} >= 0", "ValueError"))
        yield _fronted(procedure, "validation", _refusal(name, name, "ValueError"))


def _refusal(name: str, condition: str, error: str) -> str:
    return f"if not ({condition}):\n    raise {error}('{name}: expected {condition}')"


def _defaults_for_none(procedure: Procedure) -> Iterator[Variant]:
    """None stands for nothing; and nothing in is nothing out."""
    node = procedure.node
    for each in parameters(node):
        name = each.arg
        neutral = _neutral(each.annotation)
        if neutral != "None":
            yield _fronted(procedure, "none", f"if {name} is None:\n    {name} = {neutral}")
        if not is_generator(node):
            result = _neutral(node.returns)
            yield _fronted(procedure, "empty", f"if not {name}:\n    return {result}")
            if result != "None":
                yield _fronted(procedure, "empty", f"if not {name}:\n    return None")


def _coercions(procedure: Procedure) -> Iterator[Variant]:
    """An argument is made what it should be."""
    for each in parameters(procedure.node):
        kind = _simple(each.annotation)
        if kind in _CHECKED:
            yield _fronted(procedure, "coercion", f"{each.arg} = {kind}({each.arg})")


def _optional_steps(procedure: Procedure) -> Iterator[Variant]:
    """A step is taken only when there is something to take it with."""
    known = {each.arg for each in parameters(procedure.node)}
    for place, statement in statements(procedure.node):
        needs = Needs.of(statement)
        if isinstance(statement, ast.Return | ast.If) or not needs.writes <= known | needs.reads:
            continue
        for name in sorted(known & needs.reads):
            for condition in (name, f"{name} is not None"):
                node = procedure.node
                block = blocks(node)[place.block]
                wrapped = fresh_module(f"if {condition}:\n    pass").body[0]
                assert isinstance(wrapped, ast.If)
                wrapped.body = [block[place.index]]
                block[place.index] = wrapped
                title = f"{shown(statement)} only if {condition}"
                details = {"line": statement.lineno, "condition": condition}
                yield Variant("conditions/optional_step", title, written(node), details)


def _retries(procedure: Procedure) -> Iterator[Variant]:
    """What may fail by chance is tried again."""
    node = procedure.node
    if is_generator(node) or isinstance(node, ast.AsyncFunctionDef):
        return
    start = after_docstring(node)
    source = (
        f"for _attempt in range({_ATTEMPTS}):\n    try:\n        pass\n"
        f"    except OSError:\n        if _attempt == {_ATTEMPTS - 1}:\n            raise"
    )
    loop = fresh_module(source).body[0]
    assert isinstance(loop, ast.For)
    attempt = loop.body[0]
    assert isinstance(attempt, ast.Try)
    attempt.body = [*node.body[start:], ast.Return(ast.Constant(None))]
    node.body[start:] = [loop]
    title = f"Tries up to {_ATTEMPTS} times when the system fails"
    yield Variant("conditions/retry", title, written(node), {"attempts": _ATTEMPTS})


def _fronted(procedure: Procedure, rule: str, source: str) -> Variant:
    """Lines in front of everything that a procedure does."""
    node = procedure.node
    start = after_docstring(node)
    node.body[start:start] = fresh_module(source).body
    title = f"First: {' '.join(source.split())}"
    return Variant(f"conditions/{rule}", title, written(node), {"added": source})


def _simple(annotation: ast.expr | None) -> str | None:
    """The name of a type, without what is in it."""
    match annotation:
        case ast.Name(id=name) | ast.Subscript(value=ast.Name(id=name)):
            return name
        case ast.Attribute(attr=name) | ast.Subscript(value=ast.Attribute(attr=name)):
            return name
        case ast.BinOp(left=left, op=ast.BitOr(), right=ast.Constant(value=None)):
            return _simple(left)
        case ast.Constant(value=str(text)) if text.isidentifier():
            return text
    return None


def _neutral(annotation: ast.expr | None) -> str:
    kind = _simple(annotation)
    return _NEUTRAL.get(kind or "", "None")


_RULES: dict[type, str] = {bool: "flag", int: "integer", float: "number", str: "text"}


@dataclass(frozen=True, slots=True)
class ParameterDreamer:
    """Changes one default or one literal at a time."""

    dream_type: DreamType = DreamType.PARAMETER_EXPLORATION

    def imagine(self, procedure: Procedure) -> Iterator[Variant]:
        """Defaults first, then literals; each place has its turn before any has a second."""
        node = procedure.node
        places = [*_defaults(node), *_literals(node)]
        turns = [list(_others(place.value)) for place in places]
        for number in range(max(map(len, turns), default=0)):
            for index, others in enumerate(turns):
                if number < len(others):
                    yield _changed(procedure, index, others[number])


def _changed(procedure: Procedure, index: int, value: object) -> Variant:
    node = procedure.node
    defaults = list(_defaults(node))
    place = [*defaults, *_literals(node)][index]
    kind = _RULES[type(place.value)]
    is_default = index < len(defaults)
    before = copy.copy(place)
    place.value = value  # type: ignore[assignment]
    place.kind = None
    rule = "default" if is_default else kind
    what = f"{shown(before)} becomes {shown(place)}"
    where = "a default" if is_default else f"line {before.lineno}"
    details = {"before": repr(before.value), "after": repr(value), "line": before.lineno}
    return Variant(f"parameters/{rule}", f"In {where} {what}", written(node), details)


def _defaults(node: Function) -> Iterator[ast.Constant]:
    for each in (*node.args.defaults, *node.args.kw_defaults):
        if isinstance(each, ast.Constant) and type(each.value) in _RULES:
            yield each


def _literals(node: Function) -> Iterator[ast.Constant]:
    """Literals of the body that decide something; docstrings and messages do not."""
    passed_over = set(_words_for_people(node))
    for statement in node.body:
        for each in ast.walk(statement):
            is_value = isinstance(each, ast.Constant) and type(each.value) in _RULES
            if is_value and id(each) not in passed_over:
                assert isinstance(each, ast.Constant)
                yield each


def _words_for_people(node: Function) -> Iterator[int]:
    for each in ast.walk(node):
        match each:
            case ast.Expr(value=ast.Constant() as text):
                yield id(text)
            case ast.Raise(exc=ast.Call() as made):
                yield from (id(part) for part in ast.walk(made))
            case ast.JoinedStr() | ast.Assert():
                yield from (id(part) for part in ast.walk(each))
            case ast.arg(annotation=ast.expr() as annotation):
                yield from (id(part) for part in ast.walk(annotation))


def _others(value: object) -> Iterator[object]:
    match value:
        case bool():
            yield not value
        case int():
            yield from _integers(value)
        case float():
            yield from _numbers(value)
        case str():
            yield from _texts(value)


def _integers(value: int) -> Iterator[int]:
    near = [value + 1, value - 1]
    far = [value * 2, value // 2, value * 10]
    allowed = [each for each in (*near, *far) if each >= 0 or value < 0 or value == 0 == each + 1]
    yield from (each for each in dict.fromkeys(allowed) if each != value)


def _numbers(value: float) -> Iterator[float]:
    found = [value * 2, value / 2, value * 1.1, value * 0.9, 0.0] if value else [1.0, 0.5]
    if 0 < value < 1:
        found = [each for each in found if each <= 1] + [1.0, round(1 - value, 6)]
    yield from (each for each in dict.fromkeys(found) if each != value)


def _texts(value: str) -> Iterator[str]:
    options = ["", value.upper(), value.lower(), value.strip(), value * 2]
    swaps = {" ": "_", "_": "-", "-": "_", ",": ";", ".": ",", "/": "-", "\n": " ", ":": "="}
    if value in swaps:
        options.insert(0, swaps[value])
    if value == "":
        options.append(" ")
    yield from (each for each in dict.fromkeys(options) if each != value)

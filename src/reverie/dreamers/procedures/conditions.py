"""Conditional variants: optional steps, checks in front, something to fall back on, another try."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from reverie.dreamers.procedures.dependencies import Needs
from reverie.dreamers.procedures.places import (
    after_docstring,
    blocks,
    is_generator,
    parameters,
    statements,
)
from reverie.dreamers.procedures.procedure import Procedure
from reverie.dreamers.procedures.relaxing import by_turns
from reverie.dreamers.procedures.variant import Variant, shown, written
from reverie.model.procedure import DreamType

_Function = ast.FunctionDef | ast.AsyncFunctionDef
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
            guarded = ast.parse(f"try:\n    pass\nexcept {caught}:\n    return {result}").body[0]
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
                wrapped = ast.parse(f"if {condition}:\n    pass").body[0]
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
    loop = ast.parse(source).body[0]
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
    node.body[start:start] = ast.parse(source).body
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

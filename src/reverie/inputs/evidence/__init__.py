"""The type of a parameter without annotation, by evidence.

In this order: its default, what the docstring states and shows, what the code does with the
value, its name. Everything is said as an annotation, so that the rest knows only types.
"""

import ast
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from reverie.errors import UsageError
from reverie.inputs.evidence.conclude import Conclusions, is_guess, says_something, stated_type
from reverie.inputs.evidence.trace import Trace
from reverie.inputs.evidence.watch import Watcher
from reverie.inputs.literals import example_calls, is_literal, type_for
from reverie.inputs.scope import External, Scope, TypeRef, parse
from reverie.inputs.signature import Home, ParameterShape, parameters_of
from reverie.syntax.nodes import Function
from reverie.syntax.unparsing import unparse

__all__ = ["constants_about", "evidence_of_items", "inferred", "is_guessed", "refined"]

_OPEN = ("list", "dict", "set", "tuple", "List", "Dict", "Mapping", "Any", "object")
_MOST_HOPS = 8
_CERTAIN = (bool, int, float, str, bytes)


def inferred(parameter: ParameterShape) -> TypeRef:
    """The most likely type of a parameter."""
    home = parameter.home
    if home is None:
        return _typed(type_for(parameter.name) or "Any", [], Scope(ast.Module([], [])))
    default = _default(parameter)
    if isinstance(default, _CERTAIN):
        return _typed(type(default).__name__, [], home.scope)
    stated = stated_type(_docstring(home), parameter.name) or _shown_type(parameter, home)
    if stated is not None:
        return _typed(stated, [], home.scope)
    concluded = Conclusions()
    trace = traces(home).get(parameter.name, Trace())
    written = concluded.annotation(trace, parameter.name)
    if default is not None and type(default).__name__ not in written:
        written = type(default).__name__
    return _typed(written, concluded.classes, home.scope)


def is_guessed(parameter: ParameterShape) -> bool:
    """Whether nothing says of what type a parameter is, and `inferred` takes the commonest."""
    home = parameter.home
    if parameter.annotation is not None or home is None or _default(parameter) is not None:
        return False
    if stated_type(_docstring(home), parameter.name) or _shown_type(parameter, home):
        return False
    return is_guess(traces(home).get(parameter.name, Trace()), parameter.name)


def refined(parameter: ParameterShape) -> TypeRef:
    """The annotation, made more exact where it leaves open what the code makes plain.

    `user: dict` that is asked for `user["name"]` is a record with a name.
    """
    annotation = parameter.annotation
    if annotation is None:
        return inferred(parameter)
    written = _openness(annotation)
    if written not in _OPEN or parameter.home is None:
        return annotation
    trace = traces(parameter.home).get(parameter.name, Trace())
    concluded = Conclusions()
    found = concluded.annotation(trace, parameter.name)
    is_record = bool(trace.fields) and written.lower() in ("dict", "mapping", "any")
    is_same = found.partition("[")[0] == written.lower() and "[" in found
    if (
        not is_record
        and not is_same
        and (written not in ("Any", "object") or not says_something(trace))
    ):
        return annotation
    return _typed(found, concluded.classes, parameter.home.scope)


def _openness(kind: TypeRef, hops: int = 0) -> str:
    """The bare name of a type that leaves its items open; `dict` for `Mapping[str, Any]`."""
    node = kind.node
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value.rpartition(".")[2]
    if isinstance(node, ast.Subscript):
        held = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        is_open = unparse(held[-1]).rpartition(".")[2] in ("Any", "object")
        outer = unparse(node.value).rpartition(".")[2]
        is_mapping = is_open and outer in ("dict", "Dict", "Mapping", "MutableMapping")
        return "dict" if is_mapping else ""
    if isinstance(node, ast.Name | ast.Attribute) and hops < _MOST_HOPS:
        meaning = kind.scope.find(node)
        if isinstance(meaning, TypeRef):
            return _openness(meaning, hops + 1)
        if isinstance(meaning, External):
            return meaning.name
    return ""


def evidence_of_items(parameter: ParameterShape) -> TypeRef | None:
    """The type of each of `*args`, when the code does something with them."""
    trace = None if parameter.home is None else traces(parameter.home).get(parameter.name)
    if parameter.home is None or trace is None or not trace.has_element:
        return None
    if not says_something(trace.element):
        return None
    concluded = Conclusions()
    written = concluded.annotation(trace.element, parameter.name.removesuffix("s"))
    return _typed(written, concluded.classes, parameter.home.scope)


def constants_about(parameter: ParameterShape) -> tuple[object, ...]:
    """Constants that the code holds against this parameter."""
    if parameter.home is None:
        return ()
    found = traces(parameter.home).get(parameter.name)
    return () if found is None else tuple(dict.fromkeys(found.constants))


def _default(parameter: ParameterShape) -> object:
    default = parameter.default
    value = ast.literal_eval(default) if default is not None and is_literal(default) else None
    return None if value is ... else value


def _typed(written: str, classes: list[str], scope: Scope) -> TypeRef:
    """An annotation in a scope that also has the invented classes."""
    try:
        tree = parse("\n".join((*classes, f"({written})")))
    except UsageError:
        return TypeRef(ast.Name("Any"), scope)
    last = tree.body[-1]
    node = last.value if isinstance(last, ast.Expr) else ast.Name("Any")
    if not classes:
        return TypeRef(node, scope)
    wider = Scope(tree, scope.module, scope.is_package, scope.is_main, scope.resolver)
    wider.names = {**scope.names, **wider.names}
    return TypeRef(node, wider)


def _docstring(home: Home) -> str | None:
    own = ast.get_docstring(home.node)
    if home.node.name == "__init__" and home.owner is not None:
        return "\n".join(filter(None, (own, ast.get_docstring(home.owner.node))))
    return own


def _shown_type(parameter: ParameterShape, home: Home) -> str | None:
    """The type of the argument in the first example of the docstring that gives it."""
    names = [each.name for each in parameters_of(home)]
    place = names.index(parameter.name) if parameter.name in names else len(names)
    for call in example_calls(ast.get_docstring(home.node), home.node.name):
        given = {each.arg: each.value for each in call.keywords}
        found = call.args[place] if place < len(call.args) else given.get(parameter.name)
        if found is not None:
            return type_of_literal(ast.literal_eval(found))
    return None


def type_of_literal(value: object) -> str | None:
    """The annotation that a plain value fits; None for None."""
    match value:
        case None:
            return None
        case list() | set() | frozenset():
            inner = dict.fromkeys(type_of_literal(each) or "None" for each in value)
            name = type(value).__name__
            return f"{name}[{' | '.join(inner)}]" if inner else name
        case tuple():
            return (
                f"tuple[{', '.join(type_of_literal(each) or 'None' for each in value)}]"
                if value
                else "tuple"
            )
        case dict():
            keys = dict.fromkeys(type_of_literal(each) or "None" for each in value)
            values = dict.fromkeys(type_of_literal(each) or "None" for each in value.values())
            return f"dict[{' | '.join(keys)}, {' | '.join(values)}]" if value else "dict"
    return type(value).__name__


def traces(home: Home) -> dict[str, Trace]:
    """What a function does with each of its parameters."""
    return _traces(home)


@lru_cache(maxsize=256)
def _traces(home: Home) -> dict[str, Trace]:
    found = _declared(home)
    Watcher(home.scope, dict(found)).run(home.node.body)
    if home.owner is not None and home.node.name == "__init__":
        _watch_siblings(home, found)
    return found


def _declared(home: Home) -> dict[str, Trace]:
    """A trace for each parameter, which starts with what a plain annotation says."""
    plain = {each.__name__ for each in _CERTAIN}
    written = {
        each.name: "" if each.annotation is None else unparse(each.annotation.node)
        for each in parameters_of(home)
    }
    return {name: Trace.of(kind) if kind in plain else Trace() for name, kind in written.items()}


def _watch_siblings(home: Home, found: dict[str, Trace]) -> None:
    """What the other methods do with the attributes that `__init__` sets."""
    if not home.node.args.args:
        return
    own = found[home.node.args.args[0].arg]
    for method in _methods(home):
        if method.args.args:
            names = _declared(replace(home, node=method))
            Watcher(home.scope, names | {method.args.args[0].arg: own}).run(method.body)


def _methods(home: Home) -> Iterator[Function]:
    body = [] if home.owner is None else home.owner.node.body
    for each in body:
        if isinstance(each, Function) and each is not home.node:
            yield each

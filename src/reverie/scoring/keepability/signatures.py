"""Which kinds of values the parameters of a module's callables take, as far as it says."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from reverie.syntax.displays import kind_of_display

_PLAIN = frozenset({"str", "bytes", "int", "float", "bool", "list", "dict", "set", "tuple", "None"})
_ALIKE = {"List": "list", "Dict": "dict", "Set": "set", "Tuple": "tuple", "Sequence": "list",
          "Iterable": "list", "Mapping": "dict", "StrPath": "str"}  # fmt: skip
_WIDER = {"int": {"bool"}, "float": {"int", "bool"}, "list": {"tuple", "set", "str", "dict"},
          "str": set(), "dict": set(), "tuple": {"list"}, "set": {"list"}}  # fmt: skip
_TEXTS = re.compile(
    r"(^|_)(file_?name|path|name|text|string|str|word|key|message|msg|title|prefix|suffix|pattern|"
    r"format|encoding|charset|url|line|label|salt)$"
)
"""Parameters that people give texts, where nothing says what they take."""


@dataclass(frozen=True, slots=True)
class Signature:
    """The parameters of a callable in their order, without `self`: the kinds that each takes."""

    names: tuple[str, ...]
    kinds: tuple[frozenset[str], ...]
    """Empty where anything may be given."""

    def is_unfit(self, place: int | str, given: str) -> bool:
        """Whether a value of a kind is not what the parameter, by place or name, takes."""
        at = self.names.index(place) if place in self.names else place
        if not isinstance(at, int) or at >= len(self.kinds) or not self.kinds[at]:
            return False
        return given not in self.kinds[at]


def signatures_of(tree: ast.Module) -> dict[str, Signature]:
    """By the last name of a callable, a class with its constructor's; not where two share one."""
    found: dict[str, Signature] = {}
    twice = set()
    for name, node, is_method in _callables(tree):
        if name in found:
            twice.add(name)
        found[name] = _signature(node, is_method)
    return {name: each for name, each in found.items() if name not in twice}


def kind_of(node: ast.expr) -> str | None:
    """The kind of a value as it is written; None where that cannot be seen."""
    match node:
        case ast.UnaryOp(operand=ast.Constant(value=int() | float() as value)):
            return type(value).__name__
        case ast.Call(func=ast.Name(id="set" | "list" | "dict" | "tuple" as name)):
            return name
        case ast.Call(func=ast.Attribute(value=ast.Name(id=module), attr=name)) if module in (
            "io", "re", "pathlib", "collections", "datetime", "decimal", "fractions",
        ):  # fmt: skip
            return "str" if module == "pathlib" else name
    return kind_of_display(node)


def _callables(tree: ast.Module) -> Iterator[tuple[str, ast.FunctionDef, bool]]:
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield node.name, node, False
        elif isinstance(node, ast.ClassDef):
            for each in node.body:
                if isinstance(each, ast.FunctionDef):
                    yield (node.name if each.name == "__init__" else each.name), each, True


def _signature(node: ast.FunctionDef, is_method: bool) -> Signature:
    given = [*node.args.posonlyargs, *node.args.args]
    without = [None] * (len(given) - len(node.args.defaults))
    pairs = list(zip(given, [*without, *node.args.defaults], strict=True))
    static = any(ast.unparse(each) == "staticmethod" for each in node.decorator_list)
    pairs = pairs[1:] if is_method and not static else pairs
    pairs += zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
    names = tuple(each.arg for each, _ in pairs)
    return Signature(names, tuple(_kinds(each, default) for each, default in pairs))


def _kinds(parameter: ast.arg, default: ast.expr | None) -> frozenset[str]:
    if parameter.annotation is not None:
        return _annotated(parameter.annotation)
    kind = None if default is None else kind_of(default)
    if kind in _PLAIN - {"None"}:
        return frozenset({str(kind), "None"} | _WIDER.get(str(kind), set()))
    if _TEXTS.search(parameter.arg):
        return frozenset({"str", "bytes", "None"})
    return frozenset()


def _annotated(node: ast.expr) -> frozenset[str]:
    """The plain kinds of an annotation; none where a part of it may be anything."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        try:
            return _annotated(ast.parse(node.value, mode="eval").body)
        except SyntaxError:
            return frozenset()
    match node:
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            parts = [_annotated(left), _annotated(right)]
            return frozenset().union(*parts) if all(parts) else frozenset()
        case ast.Subscript(value=value, slice=inner):
            name = ast.unparse(value).rpartition(".")[2]
            if name in ("Optional", "Union"):
                several = inner.elts if isinstance(inner, ast.Tuple) else [inner]
                parts = [_annotated(each) for each in several]
                more = {"None"} if name == "Optional" else set[str]()
                return frozenset(more).union(*parts) if all(parts) else frozenset()
            return _annotated(value)
        case ast.Constant(value=None):
            return frozenset({"None"})
    name = ast.unparse(node).rpartition(".")[2]
    name = _ALIKE.get(name, name)
    return frozenset({name} | _WIDER.get(name, set())) if name in _PLAIN else frozenset()

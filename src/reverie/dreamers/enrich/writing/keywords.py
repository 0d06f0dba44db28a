"""Arguments that say nothing by themselves are given by name: `is_child=True`, `most=0`."""

import ast
from collections.abc import Iterable, Mapping, Sequence

from reverie.dreamers.enrich.writing.manual import Function
from reverie.dreamers.enrich.writing.shapes import called

_HARMLESS = frozenset({"staticmethod", "classmethod", "abstractmethod", "override", "cache",
                       "lru_cache"})  # fmt: skip


class Signatures:
    """The positional parameters of a module's callables, by the last part of their name."""

    def __init__(self, functions: Mapping[str, Function]) -> None:
        self._known: dict[str, list[Function]] = {}
        for name, function in functions.items():
            owner, _, last = name.rpartition(".")
            key = owner.rpartition(".")[2] if last == "__init__" else last
            self._known.setdefault(key, []).append(function)

    def of(self, name: str) -> tuple[list[str], frozenset[str]] | None:
        """Names in order, empty for one that has to go by position, and which have a default.

        None where a name does not say which callable it is, or a decorator may have other ones.
        """
        found = self._known.get(name, [])
        read = [_parameters(each) for each in found]
        return read[0] if read and None not in read and read.count(read[0]) == len(read) else None


def _parameters(function: Function) -> tuple[list[str], frozenset[str]] | None:
    decorators = {ast.unparse(each).partition("(")[0] for each in function.decorator_list}
    if {each.rpartition(".")[2] for each in decorators} - _HARMLESS or function.args.vararg:
        return None
    names = [*("" for _ in function.args.posonlyargs), *(each.arg for each in function.args.args)]
    optional = frozenset(names[len(names) - len(function.args.defaults) :])
    first = (*function.args.posonlyargs, *function.args.args)[:1]
    is_bound = bool(first) and first[0].arg in ("self", "cls")
    return names[1:] if is_bound else names, optional


def with_keywords(body: Iterable[ast.stmt], signatures: Signatures) -> list[ast.stmt]:
    """The statements with flags, and numbers for what has a default, given by name."""
    naming = _Naming(signatures)
    return [naming.visit(statement) for statement in body]


class _Naming(ast.NodeTransformer):
    def __init__(self, signatures: Signatures) -> None:
        self.signatures = signatures

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        held = node.func.value if isinstance(node.func, ast.Attribute) else None
        found = None if isinstance(held, ast.Constant) else self.signatures.of(called(node))
        if found is None or any(isinstance(each, ast.Starred) for each in node.args):
            return node
        names, optional = found
        place = _first_mute(node.args, names, optional)
        rest = names[place : len(node.args)]
        if place < len(node.args) <= len(names) and all(rest):
            moved = zip(rest, node.args[place:], strict=True)
            node.keywords = [*(ast.keyword(*each) for each in moved), *node.keywords]
            del node.args[place:]
        return node


def _first_mute(given: Sequence[ast.expr], names: Sequence[str], optional: frozenset[str]) -> int:
    """The place of the first argument that says nothing; behind the last where each says enough."""
    for place, (value, name) in enumerate(zip(given, names, strict=False)):
        is_optional = name in optional
        is_flag = _is_flag(value) and (place > 0 or is_optional)
        # `Version(1, 9, 1)` reads by itself
        is_number = is_optional and _is_number(value) and not any(map(_is_number, given[:place]))
        if is_flag or is_number:
            return place
    return len(given)


def _is_flag(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and isinstance(value.value, bool | None)


def _is_number(value: ast.expr) -> bool:
    value = value.operand if isinstance(value, ast.UnaryOp) else value
    return isinstance(value, ast.Constant) and type(value.value) in (int, float)

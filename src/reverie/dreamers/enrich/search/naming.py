"""What a line of source needs: modules, names of the module under test, stand-ins."""

import ast
import builtins
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from reverie.model.call import Expression

_BUILTINS = frozenset(dir(builtins))
_REFUSED = frozenset(
    {"__import__", "eval", "exec", "compile", "open", "input", "breakpoint", "exit", "quit",
     "globals", "locals", "vars", "help", "__build_class__", "__loader__", "__spec__"}
)  # fmt: skip
"""No line of a test needs them, and code under test may claim any line."""
_LINES = (ast.Expr, ast.Assign, ast.AugAssign, ast.Delete)


@dataclass(frozen=True, slots=True)
class Names:
    """The names that lines may use."""

    own: frozenset[str]
    """Defined at the top level of the module under test."""
    helpers: frozenset[str] = frozenset()
    """Imported there from its own package: other classes that it works with."""
    modules: frozenset[str] = frozenset()
    """Dotted names that lines may import."""
    definitions: Mapping[str, str] = field(default_factory=dict)

    def expression(self, source: str, bound: Iterable[str] = ()) -> Expression | None:
        """A line with its needs; None when it needs what nobody has, or is no Python."""
        try:
            tree = ast.parse(source)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None
        if len(tree.body) != 1 or not isinstance(tree.body[0], _LINES):
            return None
        known = frozenset(bound)
        modules: set[str] = set()
        names: set[str] = set()
        definitions: list[str] = []
        local = _bound_inside(tree)
        for name, dotted in _free_names(tree):
            if name in known or name in local:
                continue
            if name in self.definitions:
                definitions.append(self.definitions[name])
                inner = self.expression_of_definition(self.definitions[name])
                names |= inner
            elif name in self.own or name in self.helpers:
                names.add(name)
            elif (module := self._module(dotted)) is not None:
                modules.add(module)
            elif name not in _BUILTINS or name in _REFUSED:
                return None
        needed = tuple(dict.fromkeys(definitions))
        return Expression(source, frozenset(modules), frozenset(names), needed)

    def expression_of_definition(self, text: str) -> set[str]:
        """The module's own names that a stand-in needs."""
        found = {name for name, _ in _free_names(ast.parse(text))}
        return found & (self.own | self.helpers)

    def _module(self, dotted: str) -> str | None:
        """The longest part of a dotted name that is a module to import."""
        parts = dotted.split(".")
        for end in range(len(parts), 0, -1):
            module = ".".join(parts[:end])
            if module in self.modules:
                return module
        return None


def _free_names(tree: ast.AST) -> list[tuple[str, str]]:
    """Each name that is read, with the dotted name that it begins."""
    found: list[tuple[str, str]] = []
    inner: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and id(node) not in inner:
            chain: list[str] = []
            at: ast.expr = node
            while isinstance(at, ast.Attribute):
                inner.add(id(at))
                chain.append(at.attr)
                at = at.value
            if isinstance(at, ast.Name):
                inner.add(id(at))
                found.append((at.id, ".".join((at.id, *reversed(chain)))))
    found += [
        (node.id, node.id)
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and id(node) not in inner and isinstance(node.ctx, ast.Load)
    ]
    return found


def _bound_inside(tree: ast.AST) -> frozenset[str]:
    """Names that lambdas and comprehensions bind."""
    found = {
        node.id for node in ast.walk(tree)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }  # fmt: skip
    found |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    return frozenset(found)


def own_names(tree: ast.Module) -> frozenset[str]:
    """Functions, classes and values that a module defines at its top level."""
    found: set[str] = set()
    for node in _top_level(tree.body):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            found |= {each.id for each in targets if isinstance(each, ast.Name)}
    return frozenset(name for name in found if not name.startswith("__"))


def imported_names(tree: ast.Module, package: str) -> frozenset[str]:
    """Names that a module imports from its own package."""
    return frozenset(
        alias.asname or alias.name
        for node in _top_level(tree.body)
        if isinstance(node, ast.ImportFrom)
        and (node.level > 0 or (node.module or "").partition(".")[0] == package)
        for alias in node.names
        if alias.name != "*"
    )


def _top_level(body: Iterable[ast.stmt]) -> Iterable[ast.stmt]:
    for node in body:
        yield node
        if isinstance(node, ast.If | ast.Try):
            yield from _top_level([*node.body, *node.orelse])

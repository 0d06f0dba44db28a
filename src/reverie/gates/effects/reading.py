"""A file as units (functions, methods, classes, values), each with what it reaches for."""

import ast
from dataclasses import dataclass

from reverie.gates.effects.table import Effect, EffectKind
from reverie.gates.effects.walk import Look, Names, Unit, Walk
from reverie.gates.python import Function

IMPORT = "<import>"
"""The unit of all that runs when the module is imported."""


@dataclass(frozen=True, slots=True)
class Reading:
    """All units of a file, and what its imports bind."""

    units: dict[str, Unit]
    imports: dict[str, str]
    methods: dict[str, list[str]]
    """Units inside classes, by their last name."""


def read_units(tree: ast.Module, home: str, packages: frozenset[str]) -> Reading:
    """Every unit of a module; `home` is its dotted name, `packages` what the repository has."""
    reader = _Reader(tree, home, packages)
    reader.read_body(tree.body, "")
    methods: dict[str, list[str]] = {}
    for name in reader.units:
        if "." in name:
            methods.setdefault(name.rpartition(".")[2], []).append(name)
    return Reading(reader.units, reader.names.imports, methods)


class _Reader:
    def __init__(self, tree: ast.Module, home: str, packages: frozenset[str]) -> None:
        self.names = Names(tree, home, packages)
        self.units: dict[str, Unit] = {IMPORT: Unit()}

    def read_body(self, body: list[ast.stmt], prefix: str) -> None:
        """Every statement of a module or of a class, each into the unit that it belongs to."""
        for node in body:
            match node:
                case ast.FunctionDef() | ast.AsyncFunctionDef():
                    self._read_function(node, prefix)
                case ast.ClassDef():
                    self._read_class(node, prefix)
                case ast.If() | ast.Try() | ast.With() | ast.For() | ast.While() | ast.TryStar():
                    self._read_nested(node, prefix)
                case _:
                    self._read_at_import(node, prefix, _stored(node))

    def _read_nested(self, node: ast.stmt, prefix: str) -> None:
        is_main = isinstance(node, ast.If) and ast.unparse(node.test) == "__name__ == '__main__'"
        if is_main and not getattr(node, "orelse", None):
            return  # it does not run when it is imported
        inner = [each for each in ast.walk(node) if isinstance(each, ast.stmt) and each is not node]
        own = [e for e in inner if isinstance(e, Function | ast.ClassDef)]
        hidden = {id(below) for each in own for below in ast.walk(each) if below is not each}
        self.read_body([each for each in own if id(each) not in hidden], prefix)
        self._read_at_import(node, prefix, _stored(node))

    def _read_at_import(self, node: ast.AST, prefix: str, names: set[str]) -> None:
        """Into what importing does, and into the unit of each name that it binds."""
        for name in (IMPORT, *([prefix.rstrip(".")] if prefix else names)):
            Walk(self.names, self._unit(name), is_import=name == IMPORT).visit(node)

    def _read_function(self, node: Function, prefix: str) -> None:
        unit = self._unit(prefix + node.name)
        Walk(self.names, unit).visit_function(node)
        special = _special_effect(node.name, prefix)
        if special is not None:
            unit.looks.append(Look(special, node.lineno))
        walk = Walk(self.names, self._unit(IMPORT), is_import=True)
        for each in (
            *node.decorator_list,
            *node.args.defaults,
            *filter(None, node.args.kw_defaults),
        ):
            walk.visit(each)
        walk.take_decorators(node.decorator_list)

    def _read_class(self, node: ast.ClassDef, prefix: str) -> None:
        unit = self._unit(prefix + node.name)
        for walk in (Walk(self.names, unit), Walk(self.names, self._unit(IMPORT), is_import=True)):
            walk.visit_bases(node)
            for each in (*node.bases, *node.keywords, *node.decorator_list):
                walk.visit(each)
            walk.take_decorators([*node.decorator_list, *node.bases])
        self.read_body(node.body, f"{prefix}{node.name}.")

    def _unit(self, name: str) -> Unit:
        return self.units.setdefault(name, Unit())


def _special_effect(name: str, prefix: str) -> Effect | None:
    if name == "__del__":
        return Effect(EffectKind.INTERPRETER, "__del__, when the garbage collector likes")
    if not prefix and name in ("__getattr__", "__dir__"):
        return Effect(EffectKind.IMPORTS, f"{name} of the module")
    return None


def _stored(node: ast.AST) -> set[str]:
    return {
        each.id
        for each in ast.walk(node)
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
    }

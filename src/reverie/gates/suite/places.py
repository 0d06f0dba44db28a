"""What in a file of tests stays in a temporary folder, or replaces something for one test."""

import ast
from collections.abc import Iterator

from reverie.gates.effects.table import (
    EffectKind,
    effect_of,
    effect_of_attribute,
    is_known_module,
)
from reverie.gates.python import origin_of
from reverie.syntax.nodes import dotted, parents_in
from reverie.syntax.unparsing import unparse

_TEMPORARY = frozenset({"tmp_path", "tmp_path_factory", "tmpdir", "tmpdir_factory"})
_REPLACING = (
    "setattr", "delattr", "setitem", "delitem", "patch.object", "patch.dict", "patch.multiple",
    "patch", "spy", "setenv", "delenv", "syspath_prepend",
)  # fmt: skip
_READING = frozenset(
    {"open", "read_text", "read_bytes", "write_text", "write_bytes", "iterdir", "glob", "rglob",
     "exists", "is_file", "is_dir", "stat", "lstat", "resolve", "absolute", "unlink", "mkdir",
     "touch", "rename", "replace", "rmdir", "chmod", "samefile", "symlink_to", "walk", "cwd",
     "home", "expanduser", "owner", "group", "hardlink_to"}
)  # fmt: skip
_CLASSES = frozenset({"pathlib.Path", "pathlib.PosixPath"})


class Places:
    """The names of a file that stand for a temporary place, and where those are used."""

    def __init__(
        self, tree: ast.Module, names: dict[str, str], own: frozenset[str] = frozenset()
    ) -> None:
        self._names = {name: each for name, each in names.items() if _top(each) not in own}
        self._tree = tree
        self._parents = parents_in(tree)
        self._annotations = {id(each) for node in _annotations(tree) for each in ast.walk(node)}
        self._temporary = set(_TEMPORARY)
        while self._learn():
            continue
        self._temporary -= {
            name
            for node in ast.walk(tree)
            if isinstance(node, ast.Assign) and not self.is_temporary(node.value)
            for name in _targets(node)
        }
        self.variables = frozenset(self._set_variables())
        """Environment variables that the file sets for a test."""
        self.replaced_lines = frozenset(
            each.lineno
            for node in ast.walk(tree)
            if isinstance(node, ast.Call) and dotted(node.func).endswith(_REPLACING)
            for each in (node, *node.args)
        )
        """Lines of calls that put something in the place of another, until the test ends."""

    def outside(self) -> Iterator[tuple[ast.expr, str]]:
        """Uses of files that do not stay in a temporary folder."""
        for node in ast.walk(self._tree):
            if not isinstance(node, ast.Name | ast.Attribute) or id(node) in self._annotations:
                continue
            parent = self._parents.get(node)
            if isinstance(parent, ast.Attribute) and dotted(parent):
                continue  # a part of a longer name
            if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
                continue
            origin = origin_of(node, self._names)
            if (
                isinstance(node, ast.Attribute)
                and dotted(node).partition(".")[0] not in self._names
            ):
                origin = f".{node.attr}"
            origin = "io.open" if origin == "open" else origin
            if self._is_used_outside(node, parent, origin):
                yield node, origin

    def _is_used_outside(self, node: ast.expr, parent: ast.AST | None, origin: str) -> bool:
        is_imported = dotted(node).partition(".")[0] in self._names or origin == "io.open"
        effect = effect_of(origin) if is_imported else None
        if origin == "io.open" or (effect is not None and effect.kind is EffectKind.FILES):
            if origin.startswith("tempfile."):
                return False
            if is_known_module(origin):
                return node.lineno not in self.replaced_lines
            if isinstance(parent, ast.Call) and parent.func is node:
                return not self._stays(parent, origin)
            is_asked = isinstance(parent, ast.Call) and dotted(parent.func) == "isinstance"
            return not is_asked
        if isinstance(node, ast.Attribute) and not is_imported:
            if node.attr == "parents" and self.is_temporary(node.value):
                return True
            told = effect_of_attribute(node.attr)
            if told is not None and told.kind is EffectKind.FILES:
                return not self.is_temporary(node.value)
        return False

    def _stays(self, call: ast.Call, origin: str) -> bool:
        given = [*call.args, *(each.value for each in call.keywords)]
        if any(map(self.is_temporary, given)):
            return not any(map(_leads_out, given))
        if origin == "sqlite3.connect":
            return bool(given) and getattr(given[0], "value", None) == ":memory:"
        return origin in _CLASSES and bool(given) and self._is_mere_data(call)

    def _is_mere_data(self, call: ast.Call) -> bool:
        """Whether a path that leads anywhere is only handed on, and never followed here."""
        parent: ast.AST | None = self._parents.get(call)
        if isinstance(parent, ast.Attribute):
            return parent.attr not in _READING
        bound = _targets(parent) if isinstance(parent, ast.Assign) else set()
        return not any(
            isinstance(each, ast.Attribute) and each.attr in _READING and _root(each) in bound
            for each in ast.walk(self._tree)
        )

    def is_temporary(self, node: ast.AST) -> bool:
        """Whether an expression starts from a temporary place."""
        return any(
            (isinstance(each, ast.Name) and each.id in self._temporary)
            or origin_of(each, self._names).startswith("tempfile.")
            for each in ast.walk(node)
        )

    def _learn(self) -> bool:
        before = len(self._temporary)
        for node in ast.walk(self._tree):
            match node:
                case ast.Assign(value=value) if self.is_temporary(value):
                    self._temporary |= _targets(node)
                case ast.withitem(context_expr=value, optional_vars=ast.Name(id=name)):
                    self._temporary |= {name} if self.is_temporary(value) else set()
                case ast.For(target=ast.Name(id=name), iter=value) if self.is_temporary(value):
                    self._temporary.add(name)
                case ast.FunctionDef(name=name) if is_fixture(node) and self.is_temporary(node):
                    self._temporary.add(name)
        return len(self._temporary) > before

    def _set_variables(self) -> Iterator[str]:
        for node in ast.walk(self._tree):
            if isinstance(node, ast.Call) and dotted(node.func).endswith(_REPLACING):
                for each in ast.walk(node):
                    if isinstance(each, ast.Constant) and isinstance(each.value, str):
                        yield each.value


def _top(origin: str) -> str:
    return origin.partition(".")[0]


def is_fixture(node: ast.FunctionDef) -> bool:
    """Whether a decorator makes a fixture of a function."""
    return any("fixture" in unparse(each) for each in node.decorator_list)


def _targets(node: ast.Assign) -> set[str]:
    return {
        each.id
        for target in node.targets
        for each in ast.walk(target)
        if isinstance(each, ast.Name)
    }


def _root(node: ast.AST) -> str:
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call | ast.BinOp):
        if isinstance(node, ast.BinOp):
            node = node.left
        else:
            node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""


def _leads_out(node: ast.AST) -> bool:
    return any(
        isinstance(each, ast.Constant)
        and isinstance(each.value, str)
        and (each.value.startswith(("/", "~")) or ".." in each.value.split("/"))
        for each in ast.walk(node)
    )


def _annotations(tree: ast.AST) -> Iterator[ast.expr]:
    for node in ast.walk(tree):
        found = getattr(node, "annotation", None) or getattr(node, "returns", None)
        if isinstance(found, ast.expr):
            yield found

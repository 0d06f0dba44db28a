"""Names in a piece of source and their meaning, read from its syntax tree, never imported.

Sources of other modules are read from folders.
"""

import ast
import copy
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from reverie.errors import UsageError
from reverie.syntax.nodes import Function, dotted_name
from reverie.syntax.parsing import NOT_PYTHON, parse_quietly
from reverie.syntax.unparsing import unparse

Resolver = Callable[[str], str | None]
"""The source of a module by its dotted name, or None when it is not known."""

_Body = Sequence[ast.stmt]
_NEUTRAL = frozenset({"typing", "typing_extensions", "collections.abc", "builtins", "types"})
"""Modules whose names mean the same wherever they are taken from."""
_MOST_HOPS = 20


@dataclass(frozen=True, slots=True)
class TypeRef:
    """A type as it is written, and the scope in which it is written."""

    node: ast.expr
    scope: "Scope"

    def at(self, node: ast.expr) -> "TypeRef":
        """Another type written in the same scope."""
        return TypeRef(node, self.scope)


@dataclass(frozen=True, slots=True)
class ClassRef:
    """A class that the source, or another module of the repository, defines."""

    node: ast.ClassDef
    scope: "Scope"
    qualname: str
    """`Outer.Inner`, relative to its module."""


@dataclass(frozen=True, slots=True)
class External:
    """A type of which only the dotted name is known: `decimal.Decimal`, `list`, `Optional`."""

    name: str


@dataclass(frozen=True, slots=True)
class Imported:
    """A name that an import statement binds."""

    module: str
    name: str | None


Meaning = ClassRef | External | TypeRef
Definition = ast.ClassDef | Function | ast.expr | Imported


@dataclass(eq=False)
class Scope:
    """One module's names. `module` is empty for the source under test, unless it was named."""

    tree: ast.Module
    module: str = ""
    is_package: bool = False
    is_main: bool = True
    """Whether this is the source under test, whose names stand for themselves."""
    resolver: Resolver = lambda name: None
    names: dict[str, Definition] = field(default_factory=dict)
    others: "dict[str, Scope | None]" = field(default_factory=dict)
    """Scopes of other modules that were read already, shared by all of them."""

    def __post_init__(self) -> None:
        for name, definition in _bindings(self.tree.body):
            if isinstance(definition, Imported):
                definition = Imported(self._absolute(definition.module), definition.name)
            self.names[name] = definition
        for name, bound in _type_parameters(self.tree):
            self.names.setdefault(name, bound)

    def _absolute(self, module: str) -> str:
        level = len(module) - len(module.lstrip("."))
        if level == 0:
            return module
        parts = self.module.split(".")
        kept = parts[: len(parts) - level + self.is_package]
        return ".".join(part for part in (*kept, module[level:]) if part)

    def find(self, node: ast.expr) -> Meaning:
        """What a name, dotted or bare, means as a type."""
        return self.find_name(unparse(node)) if dotted_name(node) else External("")

    def find_name(self, name: str, hops: int = 0) -> Meaning:
        """What a dotted name means as a type; unknown names are external under that name."""
        first, _, rest = name.partition(".")
        definition = self.names.get(first)
        if hops > _MOST_HOPS or definition is None:
            return External(_canonical(name))
        if isinstance(definition, Imported):
            return self._follow(definition, rest, hops)
        if isinstance(definition, ast.ClassDef):
            return self._within(definition, rest)
        if isinstance(definition, ast.expr) and not rest:
            return TypeRef(definition, self)
        return External(_canonical(name))

    def _within(self, node: ast.ClassDef, rest: str) -> Meaning:
        qualname = ".".join(filter(None, (node.name, rest)))
        for part in filter(None, rest.split(".")):
            inner = dict(_bindings(node.body)).get(part)
            if not isinstance(inner, ast.ClassDef):
                return External(qualname)
            node = inner
        return ClassRef(node, self, qualname)

    def _follow(self, imported: Imported, rest: str, hops: int) -> Meaning:
        module, name = imported.module, imported.name
        if name is not None:
            full = f"{module}.{name}"
            if rest == "" or self.other(full) is None:
                other = self.other(module)
                wanted = ".".join(filter(None, (name, rest)))
                if other is not None and name in other.names:
                    return other.find_name(wanted, hops + 1)
                return External(_canonical(f"{module}.{wanted}"))
            module = full
        while rest:
            other = self.other(module)
            first, _, after = rest.partition(".")
            if other is not None and first in other.names:
                return other.find_name(rest, hops + 1)
            if "." not in rest:
                break
            module, rest = f"{module}.{first}", after
        return External(_canonical(".".join(filter(None, (module, rest)))))

    def other(self, module: str) -> "Scope | None":
        """The scope of another module, when its source can be had."""
        if module not in self.others:
            self.others[module] = self._read(module)
        return self.others[module]

    def _read(self, module: str) -> "Scope | None":
        source = None if module in _NEUTRAL else self.resolver(module)
        if source is None:
            return None
        try:
            tree = parse(source)
        except UsageError:
            return None
        is_package = self.resolver(f"{module}.__init__") is not None
        return Scope(tree, module, is_package, False, self.resolver, others=self.others)

    def around(self, node: ast.AST) -> "Scope":
        """This scope with a definition's own type variables: `def f[T: int]`."""
        own = dict(_type_parameters(node))
        if not own:
            return self
        wider = copy.copy(self)
        wider.names = {**self.names, **own}
        return wider

    def function(self, qualname: str) -> "Function | ast.ClassDef | None":
        """The definition of a function, a method or a class."""
        body: _Body = self.tree.body
        found: Function | ast.ClassDef | None = None
        for part in qualname.split("."):
            matching = [each for each in definitions(body) if each.name == part]
            if not matching:
                return None
            found = matching[-1]
            body = found.body
        return found


def parse(source: str) -> ast.Module:
    """The syntax tree of a source; a `UsageError` when it has none."""
    try:
        return parse_quietly(source)
    except NOT_PYTHON as error:
        raise UsageError(f"not Python source: {error}") from error


def definitions(body: _Body) -> "Iterator[Function | ast.ClassDef]":
    """The functions and classes defined directly in a body, also under conditions."""
    for statement in _flat(body):
        if isinstance(statement, Function | ast.ClassDef):
            yield statement


def _flat(body: _Body) -> Iterator[ast.stmt]:
    """Statements of one scope, with those that stand under `if`, `try` and `with`."""
    for statement in body:
        yield statement
        match statement:
            case ast.If(test=ast.Compare(left=ast.Name("__name__"))):
                continue
            case ast.If(body=first, orelse=second):
                yield from _flat(first)
                yield from _flat(second)
            case ast.Try(body=first, handlers=handlers, orelse=second, finalbody=last):
                for handler in handlers:
                    yield from _flat(handler.body)
                yield from _flat(first)
                yield from _flat(second)
                yield from _flat(last)
            case ast.With(body=first):
                yield from _flat(first)


def _bindings(body: _Body) -> Iterator[tuple[str, Definition]]:
    alias_node = getattr(ast, "TypeAlias", None)
    for statement in _flat(body):
        match statement:
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name):
                yield name, statement
            case ast.AsyncFunctionDef(name=name):
                yield name, statement
            case ast.Assign(targets=[ast.Name(name)], value=value):
                yield name, value
            case ast.AnnAssign(target=ast.Name(name), value=ast.expr() as value):
                yield name, value
            case ast.Import(names=aliases):
                for alias in aliases:
                    bound = alias.asname or alias.name.partition(".")[0]
                    yield bound, Imported(alias.name if alias.asname else bound, None)
            case ast.ImportFrom(module=module, names=aliases, level=level):
                for alias in aliases:
                    yield (
                        alias.asname or alias.name,
                        Imported("." * level + (module or ""), alias.name),
                    )
            case _ if alias_node is not None and isinstance(statement, alias_node):
                yield statement.name.id, statement.value


def _type_parameters(tree: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """The variables of `def f[T: int]`, as the calls that older syntax makes of them."""
    for node in ast.walk(tree):
        for each in getattr(node, "type_params", ()):
            kind = type(each).__name__
            bound = getattr(each, "bound", None)
            options = bound.elts if isinstance(bound, ast.Tuple) else []
            keywords = [ast.keyword("bound", bound)] if bound is not None and not options else []
            yield each.name, ast.Call(ast.Name(kind), [ast.Constant(each.name), *options], keywords)


def _canonical(name: str) -> str:
    module, _, last = name.rpartition(".")
    return last if module in _NEUTRAL or module in ("t", "typing", "te") else name


_LARGEST_BYTES = 2_000_000


def folder_resolver(*roots: str | Path) -> Resolver:
    """Modules as they lie below the roots: `a.b` is `a/b.py` or `a/b/__init__.py`."""
    folders = [Path(root).resolve() for root in roots]

    @cache
    def source_of(module: str) -> str | None:
        parts = module.split(".")
        if not all(part.isidentifier() for part in parts):
            return None
        for folder in folders:
            place = folder.joinpath(*parts)
            for path in (place.with_suffix(".py"), place / "__init__.py"):
                if path.is_file() and path.resolve().is_relative_to(folder):
                    return _text(path)
        return None

    return source_of


def _text(path: Path) -> str | None:
    if path.stat().st_size > _LARGEST_BYTES:
        return None
    return path.read_bytes().decode("utf-8", "replace")

"""A procedure: a function cut out of its module, with all that it needs and nothing else.

A function needs the statements at the top that bind the names it uses, and those that these use in
turn, in the order of the file. Relative imports become absolute ones.
"""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from reverie.model.measurements.equivalence import Subject
from reverie.syntax.nodes import Function, names_in
from reverie.syntax.parsing import NOT_PYTHON, fresh_quietly, parse_expression
from reverie.syntax.unparsing import unparse


@dataclass(frozen=True, slots=True)
class Slice:
    """Source that stands on its own."""

    prelude: str
    """All but the function itself."""
    function: str

    @property
    def code(self) -> str:
        """The whole of it, the function last."""
        return f"{self.prelude}\n\n{self.function}" if self.prelude else self.function

    def with_function(self, function: str) -> str:
        """The same with another function in its place."""
        return Slice(self.prelude, function).code


class Slicer:
    """One module, read once, out of which functions are cut."""

    def __init__(self, tree: ast.Module, module: str, is_package: bool) -> None:
        """The tree is changed: its imports become absolute."""
        self.statements = [_absolute(each, module, is_package) for each in tree.body]
        self.binding = _bindings(self.statements)
        self._used: dict[int, set[str]] = {}
        self._written: dict[int, str] = {}
        self._always = {
            place for place, each in enumerate(self.statements) if _is_for_the_whole_module(each)
        }

    def cut(self, name: str) -> Slice | None:
        """A function at the top of the module; None when it cannot stand on its own."""
        place = self.binding.get(name, [])
        if len(place) != 1 or not isinstance(self.statements[place[0]], Function):
            return None
        own = place[0]
        kept = sorted(self._closure(own) - {own})
        return Slice("".join(map(self._text, kept)), self._text(own))

    def _closure(self, own: int) -> set[int]:
        needed = {own, *self._always}
        waiting = [own]
        while waiting:
            for name in self._names(waiting.pop()):
                for place in self.binding.get(name, ()):
                    if place not in needed:
                        needed.add(place)
                        waiting.append(place)
        return needed

    def _names(self, place: int) -> set[str]:
        if place not in self._used:
            self._used[place] = _used(self.statements[place])
        return self._used[place]

    def _text(self, place: int) -> str:
        if place not in self._written:
            self._written[place] = unparse(self.statements[place]) + "\n"
        return self._written[place]


def _is_for_the_whole_module(statement: ast.stmt) -> bool:
    """Imports from the future, and of everything: nobody knows who needs those."""
    match statement:
        case ast.ImportFrom(module="__future__"):
            return True
        case ast.ImportFrom(names=[ast.alias(name="*")]):
            return True
    return False


def _bindings(statements: Sequence[ast.stmt]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for place, statement in enumerate(statements):
        for name in dict.fromkeys(bound_names(statement)):
            found.setdefault(name, []).append(place)
    return found


def bound_names(statement: ast.AST) -> Iterator[str]:
    """Names that a statement binds where it stands, not inside functions or classes of it."""
    match statement:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
            return
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            for alias in names:
                yield alias.asname or alias.name.partition(".")[0]
            return
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
            yield name
        case ast.ExceptHandler(name=str(name)):
            yield name
        case ast.Lambda() | ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            return
    for child in ast.iter_child_nodes(statement):
        yield from bound_names(child)


def _used(statement: ast.stmt) -> set[str]:
    """Names that a statement or anything inside it reads, roughly: locals are in as well."""
    found = {
        node.id
        for node in ast.walk(statement)
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Store)
    }
    for node in ast.walk(statement):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            found |= _quoted(node.value)
        elif isinstance(node, ast.Global):
            found |= set(node.names)
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            found.add(node.target.id)
    return found


def _quoted(text: str) -> set[str]:
    """A quoted annotation names types."""
    if len(text) > 80 or not text.replace("_", "").replace("[", "").strip(" ]|.,").isalnum():
        return set()
    try:
        tree = parse_expression(text)
    except (SyntaxError, ValueError):
        return set()
    return names_in(tree)


def _absolute(statement: ast.stmt, module: str, is_package: bool) -> ast.stmt:
    relative = [
        node for node in ast.walk(statement) if isinstance(node, ast.ImportFrom) and node.level > 0
    ]
    for node in relative:
        parts = module.split(".")
        kept = len(parts) - node.level + is_package
        base = parts[: max(0, kept)]
        node.module = ".".join((*base, node.module) if node.module else base)
        node.level = 0
    return statement


_MOST_LINES = 120


@dataclass(frozen=True, slots=True)
class Procedure:
    """A function and what it needs."""

    module: str
    name: str
    slice: Slice
    import_roots: tuple[str, ...] = ()
    repository: str | None = None

    @property
    def base(self) -> str:
        """`module:function`."""
        return f"{self.module}:{self.name}"

    @property
    def code(self) -> str:
        """Source that stands on its own."""
        return self.slice.code

    @property
    def node(self) -> Function:
        """The function's own syntax, a fresh copy that may be changed."""
        found = parsed(self.slice.function).body[0]
        assert isinstance(found, Function)
        return found

    @property
    def subject(self) -> Subject:
        """What is looked at."""
        return Subject(self.code, self.name, self.import_roots)


def procedures_in(
    source: str,
    module: str,
    *,
    is_package: bool = False,
    import_roots: tuple[str, ...] = (),
    repository: str | None = None,
) -> Iterator[Procedure]:
    """The functions at the top of a module that can stand on their own, in its order."""
    try:
        tree = parsed(source)
    except NOT_PYTHON:
        return
    workable = [
        each.name for each in tree.body if isinstance(each, Function) and _is_workable(each)
    ]
    slicer = Slicer(tree, module, is_package)
    for name in dict.fromkeys(workable):
        cut = slicer.cut(name)
        if cut is not None:
            yield Procedure(module, name, cut, import_roots, repository)


def parsed(source: str) -> ast.Module:
    """The tree of a source, without the compiler's opinion of it."""
    return fresh_quietly(source)


def _is_workable(node: Function) -> bool:
    """Whether there is something to vary: not a stub, not a monster, and no test."""
    length = (node.end_lineno or node.lineno) - node.lineno + 1
    body = [each for each in node.body if not _is_idle(each)]
    return bool(body) and length <= _MOST_LINES and not node.name.startswith("test_")


def _is_idle(statement: ast.stmt) -> bool:
    match statement:
        case ast.Pass() | ast.Expr(value=ast.Constant()):
            return True
        case ast.Raise(
            exc=ast.Name(id="NotImplementedError")
            | ast.Call(func=ast.Name(id="NotImplementedError"))
        ):
            return True
    return False

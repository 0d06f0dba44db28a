"""A procedure that exists: a function of a repository, cut out so that it can be varied."""

import ast
import warnings
from collections.abc import Iterator
from dataclasses import dataclass

from reverie.dreamers.procedures.slicing import Slice, Slicer
from reverie.model.behaviour import Subject

_Function = ast.FunctionDef | ast.AsyncFunctionDef
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
    def node(self) -> _Function:
        """The function's own syntax, a fresh copy that may be changed."""
        found = parsed(self.slice.function).body[0]
        assert isinstance(found, _Function)
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
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    workable = [
        each.name for each in tree.body if isinstance(each, _Function) and _is_workable(each)
    ]
    slicer = Slicer(tree, module, is_package)
    for name in dict.fromkeys(workable):
        cut = slicer.cut(name)
        if cut is not None:
            yield Procedure(module, name, cut, import_roots, repository)


def parsed(source: str) -> ast.Module:
    """The tree of a source, without the compiler's opinion of it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(source)


def _is_workable(node: _Function) -> bool:
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

"""The module that tests are written for: its names, which of them are internal, and whose.

A package that says what it is for (`__all__`, imports in its `__init__`) has said what a test may
hold on to. A helper that only its own module calls may be gone tomorrow.
"""

import ast
import builtins
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from reverie.model.call import Step, StepForm
from reverie.syntax.nodes import Function
from reverie.syntax.parsing import parse_expression, parse_module
from reverie.syntax.unparsing import unparse


class Subject(Protocol):
    """One module: where it is, what it says, and with what it runs. Paths are absolute."""

    @property
    def module(self) -> str:
        """Its dotted name."""

    @property
    def path(self) -> str:
        """Its file."""

    @property
    def source(self) -> str:
        """What is in the file."""

    @property
    def import_root(self) -> str:
        """The folder that has to be importable from."""

    @property
    def python(self) -> str | None:
        """The interpreter with its dependencies; None is Reverie's own."""

    @property
    def roots(self) -> tuple[str, ...]:
        """Folders that have to be readable."""

    @property
    def repository(self) -> str | None:
        """The repository it belongs to, if there is one."""


QUESTION = "look_at"
"""Kind of what is no fault by itself: an input that shows much, and that nobody would write."""


@dataclass(frozen=True, slots=True)
class SuspectedBug:
    """Behaviour that no test should hold the code to before a person has looked at it."""

    module: str
    function: str
    line: int | None
    kind: str
    input: str
    expected: str
    actual: str
    why: str
    repro: str


@dataclass(frozen=True, slots=True)
class Standing:
    """What the tests that a module has already leave open, and what they run."""

    open_mutants: frozenset[int]
    """Planted faults that none of them notices, by their numbers in the file."""
    arcs: frozenset[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Written:
    """A test file, not yet on disk, with what it is worth."""

    path: str
    """Where it belongs, relative to the repository; no such file is there yet."""
    source: str
    """Empty when nothing was worth keeping."""
    tests: int = 0
    """As pytest counts them: every row of a table is one."""
    lines: int = 0
    """Lines of test code, without blank ones."""
    flaky_removed: int = 0
    findings: tuple[SuspectedBug, ...] = ()
    mutants: int | None = None
    """Judged while choosing; None where the isolation allows no forks."""
    killed: int | None = None
    arcs: frozenset[tuple[int, int]] = frozenset()
    """Steps through the module that the tests take."""
    executions: int = 0
    notes: tuple[str, ...] = ()


def own_names(tree: ast.Module) -> frozenset[str]:
    """Everything that can be imported from a module, as far as its source shows."""
    found: set[str] = set()
    for node in _top_level(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found.add(node.name)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            names = {(each.asname or each.name).partition(".")[0] for each in node.names}
            found |= {name for name in names if not hasattr(builtins, name)}
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            found.update(
                name.id
                for target in targets
                for name in ast.walk(target)
                if isinstance(name, ast.Name)
            )
    return frozenset(found - {"*"})


def _top_level(tree: ast.AST) -> list[ast.stmt]:
    """Statements that run at import, also those under conditions."""
    found: list[ast.stmt] = []
    for name in ("body", "orelse", "finalbody", "handlers"):
        for node in getattr(tree, name, ()):
            if isinstance(node, ast.stmt):
                found.append(node)
            if isinstance(node, (ast.If, ast.Try, ast.With, ast.ExceptHandler, ast.For)):
                found += _top_level(node)
    return found


def callee_order(tree: ast.Module) -> dict[str, int]:
    """The line of every function, class and method, by qualified name."""
    found: dict[str, int] = {}

    def walk(node: ast.AST, prefix: str) -> None:
        for each in ast.iter_child_nodes(node):
            if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                name = f"{prefix}{each.name}"
                found.setdefault(name, each.lineno)
                if isinstance(each, ast.ClassDef):
                    walk(each, f"{name}.")
            elif isinstance(each, (ast.If, ast.Try)):
                walk(each, prefix)

    walk(tree, "")
    return found


_MOST_FILES = 400
_MOST_CHARACTERS = 400_000
_TOLD_IN = (".py", ".md", ".rst", ".txt", ".pyi")
_IN_THE_PAST = re.compile(r"change|history|news|release|whatsnew", re.IGNORECASE)
"""Files that tell what was, other projects' names among it."""
_CODE_IN_PROSE = re.compile(r"`[^`\n]+`|\b[\w.]+\(|\w+\.\w+|^.*\bimport\b.*$", re.MULTILINE)
"""What a text says in code: a `Command` is a class there, and a plain word elsewhere."""
_ASIDE = frozenset({".git", ".venv", "venv", "node_modules", "build", "dist", "site-packages"})


def internal_names(tree: ast.Module, path: Path, repository: Path) -> frozenset[str]:
    """Functions and classes of a module that nothing outside of it names, where that says much."""
    defined = {node.name for node in tree.body if isinstance(node, Function | ast.ClassDef)}
    shown = shown_names(tree)
    if shown:
        defined -= shown
    elif not _is_curated(path):
        return frozenset()
    used = _used_within(tree)
    waiting = {name for name in defined if name in used}
    for text in _texts(path, repository):
        if not waiting:
            break
        waiting -= {name for name in waiting if re.search(rf"\b{name}\b", text)}
    return frozenset(waiting)


def shown_names(tree: ast.Module) -> frozenset[str]:
    """The names in `__all__`."""
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(id="__all__")], value=ast.List() | ast.Tuple()):
                return frozenset(
                    each.value
                    for each in ast.walk(node.value)
                    if isinstance(each, ast.Constant) and isinstance(each.value, str)
                )
    return frozenset()


def _is_curated(path: Path) -> bool:
    """Whether the package of a module takes names out of its modules."""
    front = path.parent / "__init__.py"
    if front == path:
        return False
    try:
        tree = parse_module(front.read_text("utf-8"))
    except (OSError, SyntaxError, ValueError):
        return False
    package = path.parent.name
    return any(
        isinstance(node, ast.ImportFrom)
        and (node.level == 1 or str(node.module).partition(".")[0] == package)
        for node in tree.body
    )


def _used_within(tree: ast.Module) -> set[str]:
    """Names that the module itself reads."""
    return {
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    }


def _texts(path: Path, repository: Path) -> Iterator[str]:
    """The other files of a repository that may name something: code, tests, docs."""
    count = 0
    for file in sorted(repository.rglob("*")):
        if (
            file.suffix not in _TOLD_IN
            or _IN_THE_PAST.match(file.stem)
            or _ASIDE & set(file.relative_to(repository).parts)
        ):
            continue
        count += 1
        if count > _MOST_FILES:
            return
        try:
            if file.samefile(path):
                continue
            text = file.read_text("utf-8")[:_MOST_CHARACTERS]
        except (OSError, ValueError):
            continue
        yield text if file.suffix in (".py", ".pyi") else " ".join(_CODE_IN_PROSE.findall(text))


_DISPATCHED = re.compile(r"(?:visit|leave|depart|handle|do)_\w+|generic_visit")
_DISPATCHER = re.compile(r"(?:Visitor|Transformer|Translator|Handler|Parser|Cmd)$")


class Belonging:
    """The classes of one module, and what it has from elsewhere."""

    def __init__(self, tree: ast.Module, package: str) -> None:
        self.classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
        self.functions = {node.name: node for node in tree.body if isinstance(node, Function)}
        self.foreign = frozenset(_foreign_names(tree, package))

    def is_inherited(self, callee: str) -> bool:
        """Whether a callable is Python's, or comes from outside of the package."""
        owner, _, name = callee.rpartition(".")
        node = self.classes.get(owner)
        if node is None:  # `text_type = str`: what it can do is Python's
            return owner in self.foreign
        is_generated = name.startswith("__") and not node.bases and not _has(node, name)
        return is_generated or self._comes_from_outside(node, name, 0)

    def is_dispatched(self, callee: str) -> bool:
        """Whether a method is called by its name's pattern: `visit_rule` of a visitor."""
        owner, _, name = callee.rpartition(".")
        node = self.classes.get(owner)
        if node is None or not _DISPATCHED.fullmatch(name):
            return False
        return any(_DISPATCHER.search(unparse(each)) for each in node.bases)

    def is_of_another(self, call: ast.Call, callee: str, kinds: dict[str, str]) -> bool:
        """Whether an object is asked for what belongs to a class that it is none of."""
        owner, _, method = callee.rpartition(".")
        match call.func:
            case ast.Attribute(value=ast.Name(id=name), attr=called) if called == method:
                kind = kinds.get(name, "")
                is_known = kind in self.classes and owner in self.classes
                return is_known and owner not in self._line(kind)
        return False

    def _line(self, kind: str) -> list[str]:
        """A class with its bases in the module, by name."""
        found: list[str] = []
        waiting = [kind]
        while waiting:
            name = waiting.pop()
            if name in self.classes and name not in found:
                found.append(name)
                waiting += [unparse(each).partition("[")[0] for each in self.classes[name].bases]
        return found

    def sets_a_strange_field(self, step: Step, kinds: dict[str, str]) -> bool:
        """Whether an attribute is set that the class says nothing of."""
        match parse_module(step.line.source).body:
            case [ast.Assign(targets=[ast.Attribute(value=ast.Name(id=name), attr=field)])]:
                node = self.classes.get(kinds.get(name, ""))
                return node is not None and not (_has(node, field) or _sets(node, field))
        return False

    def is_of_a_base(self, node: ast.expr, kinds: dict[str, str]) -> bool:
        """Whether an object, or a result, is asked for what it has from outside of the package."""
        match node:
            case ast.Call(func=ast.Attribute(value=held, attr=method)):
                return self._has_from_outside(held, method, kinds)
            case ast.BinOp(left=left, op=operator, right=right):
                plain, reflected = _OPERATORS[type(operator)]
                several = (left, plain), (right, reflected)
                found = [
                    self._has_from_outside(held, method, kinds)
                    for held, method in several
                    if self._kind(held, kinds) in self.classes
                ]
                return bool(found) and all(found)
        return False

    def _has_from_outside(self, held: ast.expr, method: str, kinds: dict[str, str]) -> bool:
        node = self.classes.get(self._kind(held, kinds))
        return node is not None and self._comes_from_outside(node, method, 0)

    def _kind(self, held: ast.expr, kinds: dict[str, str]) -> str:
        """The class of an object: as it was seen, or of what makes it."""
        match held:
            case ast.Name(id=name):
                return kinds.get(name, "")
            case ast.Call(func=ast.Name(id=name)):
                function = self.functions.get(name)
                return name if function is None else _returned(function)
            case ast.Call(func=ast.Attribute(value=ast.Name(id=owner), attr=name)):
                for each in self._line(owner):
                    for method in self.classes[each].body:
                        if isinstance(method, Function) and method.name == name:
                            told = _returned(method)
                            return (
                                owner if told.lstrip("_") == "Self" or _makes_own(method) else told
                            )
        return ""

    def is_membership(self, step: Step, kinds: dict[str, str]) -> bool:
        """Whether it asks what is in an object whose class does not say so itself."""
        if step.form is not StepForm.OPERATE:
            return False
        match parse_expression(step.line.source):
            case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[right]):
                made = right.func if isinstance(right, ast.Call) else right
                text = unparse(made).rpartition(".")[2]
                node = self.classes.get(kinds.get(text, text))
                return node is not None and not _has(node, "__contains__")
            case ast.Compare(left=ast.Compare()):
                return True
        return False

    def _comes_from_outside(self, node: ast.ClassDef, name: str, depth: int) -> bool:
        if depth > 8 or _has(node, name):
            return False
        for base in node.bases:
            if isinstance(base, ast.Call) and unparse(base.func).endswith("namedtuple"):
                return hasattr(tuple, name)  # all else are its fields
            root = base.value if isinstance(base, ast.Subscript) else base
            top = unparse(root).partition(".")[0]
            own = self.classes.get(top)
            if own is not None and own is not node:
                if _has(own, name):
                    return False
                if self._comes_from_outside(own, name, depth + 1):
                    return True
            elif top in self.foreign and name not in ("__init__", "__new__"):
                return True
        return False


_OPERATORS: dict[type[ast.operator], tuple[str, str]] = {
    kind: (f"__{name}__", f"__r{name}__")
    for kind, name in {
        ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.MatMult: "matmul",
        ast.Div: "truediv", ast.FloorDiv: "floordiv", ast.Mod: "mod", ast.Pow: "pow",
        ast.LShift: "lshift", ast.RShift: "rshift", ast.BitOr: "or", ast.BitXor: "xor",
        ast.BitAnd: "and",
    }.items()
}  # fmt: skip


def _returned(function: Function) -> str:
    """The class that an annotation names."""
    match function.returns:
        case ast.Name(id=name) | ast.Constant(value=str(name)):
            return name
    return ""


def _makes_own(method: Function) -> bool:
    """Whether a class method returns what it makes of its class."""
    if not any(unparse(each) == "classmethod" for each in method.decorator_list):
        return False
    made = [each.value for each in ast.walk(method) if isinstance(each, ast.Return)]
    return any(
        isinstance(each, ast.Call) and unparse(each.func) in ("cls", "cls.__new__") for each in made
    )


def _has(node: ast.ClassDef, name: str) -> bool:
    for each in ast.walk(node):
        if isinstance(each, Function) and each.name == name:
            return True
        if isinstance(each, ast.Name) and each.id == name and isinstance(each.ctx, ast.Store):
            return True
    return False


def _sets(node: ast.ClassDef, field: str) -> bool:
    return any(
        isinstance(each, ast.Attribute) and each.attr == field and isinstance(each.ctx, ast.Store)
        for each in ast.walk(node)
    )


def _foreign_names(tree: ast.Module, package: str) -> Iterator[str]:
    """Names that come from outside of the package, built-in ones and their second names."""
    yield from dir(builtins)
    own = {node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.partition(".")[0] != package:
                    yield alias.asname or alias.name.partition(".")[0]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            is_own = str(node.module).partition(".")[0] == package
            yield from (alias.asname or alias.name for alias in node.names if not is_own)
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Name(id=kind)):
                if name not in own and isinstance(getattr(builtins, kind, None), type):
                    yield name

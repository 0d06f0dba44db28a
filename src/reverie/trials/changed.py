"""Callables that a change can be seen in: those that it rewrites, or whose ground it moves.

Two texts of a module are the same program when Python compiles them to the same.
"""

import ast
from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from types import CodeType, MappingProxyType
from typing import Any

from reverie.gates.production.rewritten_files import removed_unused
from reverie.gates.python import imported_names
from reverie.instruments.equivalence.proven import (
    ModuleFacts,
    Proven,
    occurrences,
    prove_modules,
)
from reverie.syntax.nodes import (
    Comprehension,
    Function,
    dumped,
    functions,
    is_bare_constant,
    own_nodes,
    stored_names,
)
from reverie.syntax.parsing import NOT_PYTHON, fresh_module, parse_module
from reverie.syntax.unparsing import unparse

_PARTS = (
    "co_name", "co_qualname", "co_flags", "co_argcount", "co_posonlyargcount", "co_kwonlyargcount",
    "co_code", "co_exceptiontable", "co_names", "co_varnames", "co_freevars", "co_cellvars",
)  # fmt: skip
_OPTIMISED = (0, 1)
"""With `-O` as well, which leaves out assertions and what `__debug__` guards."""


def compile_alike(old: ast.Module, new: ast.Module) -> bool:
    """Whether nothing but places in the text tells them apart once compiled; nothing is run."""
    try:
        return all(_facts(_compiled(old, o)) == _facts(_compiled(new, o)) for o in _OPTIMISED)
    except NOT_PYTHON:
        return False


def _compiled(tree: ast.Module, optimised: int) -> CodeType:
    """On one line all of it, because code also says where a line begins."""
    tree = fresh_module(unparse(tree))
    for node in ast.walk(tree):
        if hasattr(node, "lineno"):
            node.lineno = node.end_lineno = 1  # type: ignore[attr-defined]
            node.col_offset = node.end_col_offset = 0  # type: ignore[attr-defined]
    compiled = compile(tree, "<module>", "exec", dont_inherit=True, optimize=optimised)
    assert isinstance(compiled, CodeType)
    return compiled


def _facts(value: Any) -> Any:
    """Code by its parts, and constants by kind and text: 1, 1.0 and True are three."""
    if isinstance(value, CodeType):
        constants = tuple(_facts(each) for each in value.co_consts)
        return (*(getattr(value, name) for name in _PARTS), constants)
    if isinstance(value, tuple):
        return ("tuple", *(_facts(each) for each in value))
    if isinstance(value, frozenset):
        return ("frozenset", frozenset(_facts(each) for each in value))
    return type(value).__name__, repr(value)


_ROUNDS = 6
_Functions = dict[str, list[Function]]
"""By dotted name; a property is several functions of one name."""


@dataclass(frozen=True, slots=True)
class ChangedCode:
    """What differs between two texts of a module."""

    compare: tuple[str, ...]
    """Callables to hold side by side: public ones, and private ones that no public one uses."""
    rewritten: tuple[str, ...]
    """Functions that are another program than before, or on one side only."""
    is_same: bool
    """Whether both texts are one program: layout, words and types differ, or its way of saying."""
    within: tuple[str, ...] = ()
    """Private functions of `rewritten`: where each does the same as before, so do their users."""
    unused: tuple[str, ...] = ()
    """Private functions that are gone and that nothing in the file names, if that is all."""
    proven: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Functions of `rewritten` and values that take the same steps, with the laws that show it."""
    conventional: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Of `compare` and `within`: what does the same as long as values do what is usual."""
    alike: frozenset[str] = frozenset()
    """Of `rewritten`: what takes the same steps, by proof or as long as values do what is usual."""


def changed_code(
    before: str, after: str, renamed: Mapping[str, str] = MappingProxyType({})
) -> ChangedCode:
    """Of two texts that Python can read; what they import may be `renamed`, old by new."""
    old, new = bare(fresh_module(before)), bare(fresh_module(after))
    if ast.dump(old) == ast.dump(new) or compile_alike(old, new):
        return ChangedCode((), (), is_same=True)
    _say_as_before(old, new)
    old_functions, new_functions = dict(occurrences(old)), dict(occurrences(new))
    common = [name for name in old_functions if name in new_functions]
    rewritten = [n for n in common if dumped(old_functions[n]) != dumped(new_functions[n])]
    once = [*(n for n in old_functions if n not in new_functions),
            *(n for n in new_functions if n not in old_functions)]  # fmt: skip
    moved = _moved_names(old, new)
    whole = _Whole(old_functions, new_functions, common, rewritten, once, moved)
    proven = prove_modules(before, after)
    left = whole.left(proven)
    behaved = _either(proven, prove_modules(before, after, is_behaved=True, renamed=renamed))
    laws = tuple(sorted({law for each in behaved.functions.values() for law in each}))
    wanted = whole.left(behaved)
    return ChangedCode(
        left.compare,
        (*rewritten, *once),
        is_same=False,
        within=left.within,
        unused=removed_unused(old, new),
        proven={n: laws for n, laws in proven.functions.items() if n in left.settled}
        | dict.fromkeys(sorted(proven.values), ()),
        conventional={
            name: laws
            for name in (*left.compare, *left.within)
            if name not in wanted.compare and name not in wanted.within
        },
        alike=frozenset({*rewritten} & behaved.functions.keys()),
    )


@dataclass(frozen=True, slots=True)
class _Left:
    """What is left to hold side by side."""

    compare: tuple[str, ...]
    within: tuple[str, ...]
    settled: set[str]


@dataclass(frozen=True, slots=True)
class _Whole:
    """Two texts of a module, and in what they differ."""

    old: _Functions
    new: _Functions
    common: list[str]
    rewritten: list[str]
    once: list[str]
    moved: dict[str, set[str]]

    def left(self, proven: Proven) -> _Left:
        """What the proof does not settle."""
        unsettled = [n for n in self.rewritten if n not in proven.functions]
        strange = [n for n in self.once if n not in proven.absorbed]
        moved = {
            n for name, names in self.moved.items() if name not in proven.values for n in names
        }
        private = {n for n in (*unsettled, *strange) if _is_private(n)} | {
            name for name in moved if name not in self.common
        }
        affected = users_of(private, self.old, self.new)
        affected |= _namers({n for n in strange if "." not in n}, self.old, self.new)
        public = [n for n in self.common if not _is_private(n)]
        wanted = {n for n in public if n in unsettled or n in affected or _class_of(n) in moved}
        lonely = [n for n in unsettled if _is_private(n) and not _is_used(n, wanted, self.new)]
        is_inside = not strange and not moved
        return _Left(
            tuple(sorted(wanted)) + tuple(lonely),
            _kept_within(unsettled, self.old, self.new) if is_inside else (),
            {*self.rewritten} - {*unsettled} - affected - wanted,
        )


def _either(one: Proven, other: Proven) -> Proven:
    """What one of two proofs shows."""
    return Proven(
        {**other.functions, **one.functions},
        one.absorbed | other.absorbed,
        one.values | other.values,
    )


def _say_as_before(old: ast.Module, new: ast.Module) -> None:
    """Put the old function in the new one's place wherever that leaves the same program."""
    before, whole = dict(functions(old)), deepcopy(new)
    for name, node in functions(new):
        known = before.get(name)
        if type(known) is not type(node) or ast.dump(known) == ast.dump(node):
            continue
        said = dict(vars(node))
        vars(node).update(vars(known))
        if not compile_alike(whole, new):
            vars(node).update(said)


def _kept_within(names: list[str], old: _Functions, new: _Functions) -> tuple[str, ...]:
    """The private ones, if all of them are called as before, and by name."""
    private = [name for name in names if _is_private(name)]
    is_kept = all(_front(old[name]) == _front(new[name]) for name in private)
    is_implicit = any(_is_special(name.rpartition(".")[2]) for name in private)
    return tuple(private) if is_kept and not is_implicit else ()


def _front(nodes: list[Function]) -> tuple[str, ...]:
    """How a function is called: its kind, its parameters and what wraps it."""
    return tuple(
        part
        for node in nodes
        for part in (
            type(node).__name__,
            ast.dump(node.args),
            *(ast.dump(each) for each in node.decorator_list),
        )
    )


def lines_of_functions(source: str, names: tuple[str, ...]) -> frozenset[int]:
    """The lines that some functions of a text stand on."""
    found: set[int] = set()
    for name, node in functions(parse_module(source)):
        if name in names:
            found |= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return frozenset(found)


_OLD_NAMES = {"IOError": "OSError", "EnvironmentError": "OSError"}
"""Builtins that are one object under two names."""


class _Bare(ast.NodeTransformer):
    """Takes out what does nothing: docstrings and annotations of functions, ways of Python 2."""

    def __init__(self, tree: ast.Module) -> None:
        self._facts = ModuleFacts.read(tree)
        self._local = stored_names(tree) | {
            each.arg for each in ast.walk(tree) if isinstance(each, ast.arg)
        }

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if isinstance(node.ctx, ast.Load) and node.id in _OLD_NAMES and self._is_builtin(node.id):
            node.id = _OLD_NAMES[node.id]
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return self._visit_function(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        return self._visit_function(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        self.generic_visit(node)
        node.body = _without_words(node.body)
        match node:
            case ast.ClassDef(bases=[ast.Name("object")], keywords=[]):
                if self._is_builtin("object"):
                    node.bases = []
        if self._is_builtin("super") and node.name in self._facts.constant:
            _say_super_short(node)
        return node

    def _is_builtin(self, name: str) -> bool:
        return name not in self._local and self._facts.is_builtin(name)

    def _visit_function(self, node: Function) -> ast.AST:
        self.generic_visit(node)
        node.returns = None
        for each in ast.walk(node.args):
            if isinstance(each, ast.arg):
                each.annotation = None
        node.body = _without_words(node.body)
        return node


def bare(tree: ast.Module) -> ast.Module:
    """A module without what does nothing: words, annotations of functions, ways of Python 2."""
    tree = _Bare(tree).visit(tree)
    tree.body = _without_words(tree.body)
    return tree


def _say_super_short(node: ast.ClassDef) -> None:
    """`super(Box, self)` in the methods of `Box`, where `super()` finds the same two by itself."""
    if node.decorator_list or node.keywords:
        return  # another class may come to stand under its name
    for method in node.body:
        if not isinstance(method, Function):
            continue
        first = [each.arg for each in (*method.args.posonlyargs, *method.args.args)][:1]
        if not first or first[0] in stored_names(method):
            continue
        hidden = {
            id(inner)
            for made in own_nodes(method)
            if isinstance(made, Comprehension)  # a function of its own, with another first name
            for inner in ast.walk(made)
        }
        for each in own_nodes(method):
            match each:
                case _ if id(each) in hidden:
                    continue
                case ast.Call(
                    func=ast.Name("super"), args=[ast.Name(known), ast.Name(this)], keywords=[]
                ) if known == node.name and [this] == first:
                    each.args = []


def _without_words(body: list[ast.stmt]) -> list[ast.stmt]:
    first = body[0] if body else None
    is_words = is_bare_constant(first)
    return (body[1:] or [ast.Pass()]) if is_words else body


def _moved_names(old: ast.Module, new: ast.Module) -> dict[str, set[str]]:
    """Names of the module that are bound otherwise: values, imports, classes outside methods.

    Each with all that the statement which binds it may change.
    """
    found: dict[str, set[str]] = {}
    for name, touched in _moved(old, new):
        found.setdefault(name, set()).update(touched)
    return found


def _moved(old: ast.Module, new: ast.Module) -> Iterator[tuple[str, set[str]]]:
    yield from ((name, {name}) for name in imported_otherwise(old, new))
    statements = [{ast.dump(e): e for e in tree.body} for tree in (old, new)]
    for mine, other in (statements, statements[::-1]):
        for text, node in mine.items():
            if text in other or isinstance(node, Function | ast.Import | ast.ImportFrom):
                continue
            if isinstance(node, ast.ClassDef):
                if _shell(node) not in {_shell(e) for e in other.values()}:
                    yield node.name, {node.name}
                continue
            touched = set(_touched_names(node))
            match node:
                case ast.Assign(targets=[ast.Name(id=name)]):
                    yield name, touched
                case _:
                    yield from ((name, {name}) for name in touched)


def imported_otherwise(old: ast.Module, new: ast.Module) -> set[str]:
    """Names that are imported from elsewhere than before, or on one side only."""
    before, after = imported_names(old), imported_names(new)
    return {n for n in before.keys() | after.keys() if before.get(n) != after.get(n)}


def _touched_names(node: ast.stmt) -> Iterator[str]:
    """What a statement of the module binds, and what it may change by using it."""
    match node:
        case ast.Assign(value=value) if _is_still(value):
            names = [each for each in ast.walk(node) if each not in set(ast.walk(value))]
        case _:
            names = list(ast.walk(node))
    yield from (each.id for each in names if isinstance(each, ast.Name))


def _is_still(value: ast.expr) -> bool:
    """Whether making a value changes nothing else: a literal, or a compiled pattern."""
    match value:
        case ast.Call(
            func=ast.Attribute(value=ast.Name(id="re"), attr="compile"),
            args=[ast.Constant()],
            keywords=[],
        ):
            return True
    calm = (ast.Constant, ast.List, ast.Tuple, ast.Set, ast.Dict, ast.expr_context, ast.UnaryOp)
    return all(isinstance(each, (*calm, ast.unaryop)) for each in ast.walk(value))


def _shell(node: ast.stmt) -> str:
    """A class without its methods."""
    if not isinstance(node, ast.ClassDef):
        return ""
    rest = [each for each in node.body if not isinstance(each, Function)]
    parts = (*node.bases, *node.keywords, *node.decorator_list, *rest)
    return node.name + "".join(ast.dump(each) for each in parts)


def users_of(names: set[str], *sides: _Functions) -> set[str]:
    """Functions that use any of some names, directly or through private functions."""
    wanted = {name.rpartition(".")[2] for name in names} | names
    found: set[str] = set()
    for _ in range(_ROUNDS):
        known = len(found)
        for side in sides:
            for name, nodes in side.items():
                if _mentions(nodes) & wanted:
                    found.add(name)
                    if _is_private(name):
                        wanted.add(name.rpartition(".")[2])
        if len(found) == known:
            break
    return found


def _namers(names: set[str], *sides: _Functions) -> set[str]:
    """Functions that name any of some functions of the module: before, that was something else."""
    return {n for side in sides for n, nodes in side.items() if _mentions(nodes, False) & names}


def _is_used(name: str, by: set[str], side: _Functions) -> bool:
    return bool(by & users_of({name}, side))


def _mentions(nodes: list[Function], has_attributes: bool = True) -> set[str]:
    inside = [each for node in nodes for each in ast.walk(node)]
    found = {each.id for each in inside if isinstance(each, ast.Name)}
    return found | {e.attr for e in inside if has_attributes and isinstance(e, ast.Attribute)}


def _is_private(name: str) -> bool:
    """Whether only code of the module calls it; what Python calls by itself anybody may call."""
    return any(part.startswith("_") and not _is_special(part) for part in name.split("."))


def _is_special(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")


def _class_of(name: str) -> str:
    return name.partition(".")[0] if "." in name else ""

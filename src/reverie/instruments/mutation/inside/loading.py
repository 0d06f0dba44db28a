"""Imports of the target's files, and functions of them compiled anew.

This is the one place where a changed module comes in. A mutant of code that runs when a module is
imported has to be there before that. So the process forks at the moment the module would be
executed for the first time: the child executes the changed one and goes on to collect and run the
tests, with everything that was imported earlier already there. It is a clean import at the price
of what comes after it.

Of a change in a function, only the outermost function around it is compiled, which takes a
millisecond where a module takes twenty, and put in the place of the old one wherever that is held.
What Python runs then is what it would have made of the changed file.
"""

import __future__

import ast
import copy
import functools
import gc
import operator
import os
import pathlib
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import CodeType, FunctionType, ModuleType
from typing import Any

from .sites import Site, Unit

_FUTURES = {name: getattr(__future__, name).compiler_flag for name in __future__.all_feature_names}

FUTURE_FLAGS = functools.reduce(operator.or_, _FUTURES.values())
"""All of them together: what of a code's flags came from its module."""


_EQUAL_IS_SAME = (str, bytes, int, bool)
"""Not so for numbers with a sign of zero, and sets in another order."""


class CannotSwap(Exception):
    """The new code does not fit into functions that exist already."""


def future_flags(tree: ast.Module) -> int:
    """The flags of the future statements of a module."""
    flags = 0
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module == "__future__":
            for alias in node.names:
                flags |= _FUTURES.get(alias.name, 0)
    return flags


def compile_unit(unit: Unit, path: str, flags: int, kept: "tuple[str, ...]" = ()) -> CodeType:
    """The code of a function as its module would have it; `kept` names stay its free ones."""
    node: Any = copy.copy(unit.node)
    node.decorator_list, node.returns = [], None
    node.args = _without_values(unit.node.args)
    if kept:
        names = [ast.Expr(ast.Name(name, ast.Load())) for name in kept]
        unreached = ast.If(ast.Constant(False), list[ast.stmt](names), [])
        node.body = [*node.body, ast.fix_missing_locations(ast.copy_location(unreached, node))]
    for name in reversed(unit.classes):
        around: Any = ast.ClassDef(name=name, bases=[], keywords=[], body=[node], decorator_list=[])
        if "type_params" in ast.ClassDef._fields:
            around.type_params = []
        node = ast.fix_missing_locations(ast.copy_location(around, unit.node))
    module = ast.Module([node], [])
    code: CodeType = compile(module, path, "exec", flags, dont_inherit=True)
    for _ in range(len(unit.classes) + 1):
        code = next(const for const in code.co_consts if isinstance(const, CodeType))
    return code


def _without_values(arguments: ast.arguments) -> ast.arguments:
    """The same parameters; annotations and defaults are no part of the code."""

    def bare(argument: "ast.arg | None") -> "ast.arg | None":
        return argument and ast.copy_location(ast.arg(argument.arg, None), argument)

    def several(given: "list[ast.arg]") -> "list[ast.arg]":
        return [ast.copy_location(ast.arg(each.arg, None), each) for each in given]

    nothing = ast.Constant(None, lineno=1, col_offset=0, end_lineno=1, end_col_offset=0)
    return ast.arguments(
        several(arguments.posonlyargs),
        several(arguments.args),
        bare(arguments.vararg),
        several(arguments.kwonlyargs),
        [default and nothing for default in arguments.kw_defaults],
        bare(arguments.kwarg),
        [nothing for _ in arguments.defaults],
    )


def is_same(old: CodeType, new: CodeType) -> bool:
    """Whether two codes do the same, instruction by instruction, wherever they were written."""
    if (old.co_code, old.co_names, old.co_varnames, old.co_freevars, old.co_cellvars) != (
        new.co_code, new.co_names, new.co_varnames, new.co_freevars, new.co_cellvars
    ):  # fmt: skip
        return False
    if (old.co_flags, old.co_argcount, old.co_exceptiontable) != (
        new.co_flags, new.co_argcount, new.co_exceptiontable
    ):  # fmt: skip
        return False
    if len(old.co_consts) != len(new.co_consts):
        return False
    return all(map(_is_same_constant, old.co_consts, new.co_consts))


def _is_same_constant(old: Any, new: Any) -> bool:
    if isinstance(old, CodeType) and isinstance(new, CodeType):
        return is_same(old, new)
    if isinstance(old, tuple) and isinstance(new, tuple):
        return len(old) == len(new) and all(map(_is_same_constant, old, new))
    if type(old) is not type(new):
        return False
    return bool(old == new) if type(old) in _EQUAL_IS_SAME else repr(old) == repr(new)


class Holders:
    """Which functions hold which code, as things stand when the tests are collected."""

    def __init__(self) -> None:
        self._functions: dict[int, list[FunctionType]] = {}
        gc.unfreeze()  # what is frozen is not among the objects that can be asked for
        for each in gc.get_objects():
            if type(each) is FunctionType:
                self._functions.setdefault(id(each.__code__), []).append(each)

    def swap(self, old: CodeType, new: CodeType) -> None:
        """Every function that holds `old` holds `new`; one that nobody holds cannot be swapped."""
        if not self._is_held(old):
            raise CannotSwap("nobody holds it")
        self._swap(old, new)

    def _swap(self, old: CodeType, new: CodeType) -> None:
        for function in self._functions.get(id(old), ()):
            try:
                function.__code__ = new
            except ValueError as error:
                raise CannotSwap(str(error)) from error
        before, after = _nested(old), _nested(new)
        if [code.co_name for code in before] != [code.co_name for code in after]:
            if any(self._is_held(code) for code in before):
                raise CannotSwap("the functions inside it are others")
            return
        for inner_old, inner_new in zip(before, after):  # noqa: B905  equally long
            self._swap(inner_old, inner_new)

    def _is_held(self, code: CodeType) -> bool:
        return id(code) in self._functions or any(map(self._is_held, _nested(code)))


_IS_FUNCTION = 0x1  # CO_OPTIMIZED: neither a module nor the body of a class


def _nested(code: CodeType) -> "list[CodeType]":
    return [const for const in code.co_consts if isinstance(const, CodeType)]


def codes_by_place(code: CodeType) -> "dict[tuple[str, int], CodeType]":
    """Every code inside a module's, by qualified name and first line."""
    found: dict[tuple[str, int], CodeType] = {}
    waiting = [(code, code.co_name, "")]
    while waiting:
        each, name, prefix = waiting.pop()
        found[getattr(each, "co_qualname", name), each.co_firstlineno] = each
        inner = f"{prefix}<locals>." if each.co_flags & _IS_FUNCTION else prefix
        waiting += [
            (const, f"{inner}{const.co_name}", f"{inner}{const.co_name}.")
            for const in _nested(each)
        ]
    return found


def changed_unit(site: Site, path: str, flags: int, loaded: CodeType) -> CodeType:
    """The code of a site's function with the site changed, fit to replace `loaded`."""
    unit = site.unit
    if unit is None:
        raise CannotSwap("it is in no function")
    with site.applied():
        new = compile_unit(unit, path, flags)
        if new.co_freevars != loaded.co_freevars:
            new = compile_unit(unit, path, flags, loaded.co_freevars)
    return new


Space = dict[str, Any]
Change = Callable[[Space], None]
"""Fills the names of a module with those of the changed one."""


class TargetLoader(SourceFileLoader):
    """Loads one file of the target."""

    def __init__(self, name: str, path: str, finder: "TargetFinder") -> None:
        super().__init__(name, path)
        self._finder = finder

    def exec_module(self, module: ModuleType) -> None:
        """Execute the module, changed if a change of it is active by now."""
        self._finder.before_execution(self.path)
        space = self._finder.begin(self.path, module)
        execute = self._finder.changes.get(self.path)
        if execute is not None:
            execute(space)
            return
        known = self._finder.loaded.get(self.path) or self._finder.compiled.get(self.path)
        code = known or self.get_code(module.__name__)
        if code is None:
            raise ImportError(f"no code in {self.path}")
        self._finder.loaded[self.path] = code  # one code, however often it is imported
        exec(code, space)  # noqa: S102  this is what a loader does


class TargetFinder(MetaPathFinder):
    """Finds the target's files as Python would, and gives them our loader."""

    def __init__(self, files: "frozenset[str]") -> None:
        self.files = files
        self.changes: dict[str, Change] = {}
        self.spaces: dict[str, list[Space]] = {}
        """The names of each module, once for every time that its file was executed."""
        self.watch: Callable[[str, ModuleType], None] = lambda path, module: None
        self.loaded: dict[str, CodeType] = {}
        self.compiled: dict[str, CodeType] = {}
        self.before_execution: Callable[[str], None] = lambda path: None

    def find_spec(
        self, fullname: str, path: "Sequence[str] | None", target: "ModuleType | None" = None
    ) -> "ModuleSpec | None":
        """The module's spec, if its file is one of the target's."""
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is None or spec.origin not in self.files:
            return None
        spec.loader = TargetLoader(fullname, spec.origin, self)
        return spec

    def begin(self, path: str, module: ModuleType) -> Space:
        """A module is about to be executed: the names it will fill."""
        space = module.__dict__
        self.spaces.setdefault(path, []).append(space)
        self.watch(path, module)
        return space

    def compile_ahead(self, paths: "Sequence[str]") -> None:
        """Compile files that will be imported, so that forks need not."""
        for path in paths:
            if path not in self.loaded and path not in self.compiled:
                code = TargetLoader("ahead", path, self).get_code("ahead")
                if code is not None:
                    self.compiled[path] = code

    def come_first(self) -> None:
        """Before every other finder, also those that were put there since."""
        if self in sys.meta_path:
            sys.meta_path.remove(self)
        sys.meta_path.insert(0, self)


def executing_text(source: bytes, path: str) -> Change:
    """Execute the text of a changed file, as if it had been saved."""

    def execute(space: Space) -> None:
        exec(compile(source, path, "exec", dont_inherit=True), space)  # noqa: S102

    return execute


def executing_tree(tree: ast.Module, path: str, site: Site) -> Change:
    """Execute the tree with a site changed, when a test loads the module once more."""

    def execute(space: Space) -> None:
        with site.applied():
            code = compile(tree, path, "exec", dont_inherit=True)
        exec(code, space)  # noqa: S102

    return execute


class Statements:
    """A module in pieces, a code for each of its statements, so that one can be exchanged."""

    def __init__(self, tree: ast.Module, path: str) -> None:
        self.tree = tree
        self.path = path
        self.flags = future_flags(tree)
        self._codes: dict[int, CodeType] = {}

    def code(self, place: int) -> "CodeType | None":
        """The code of a statement; None for text that says nothing."""
        node: Any = self.tree.body[place]
        if place and isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            return None
        module = ast.Module([node], [])
        code: CodeType = compile(module, self.path, "exec", self.flags, dont_inherit=True)
        return code

    def prepare(self) -> None:
        """Compile every statement once, before anybody forks."""
        for place in range(len(self.tree.body)):
            code = self.code(place)
            if code is not None:
                self._codes[place] = code

    def original(self, place: int) -> "CodeType | None":
        """The code of a statement as it was."""
        return self._codes.get(place)

    def changed(self, site: Site) -> "CodeType | None":
        """The code of a site's statement with the site changed."""
        with site.applied():
            return self.code(site.top)

    def executing(
        self, place: int, code: "CodeType | None", only: "Collection[int] | None" = None
    ) -> Change:
        """Execute the module, or some of its statements, with another code for one of them."""
        codes: Mapping[int, CodeType | None] = {**self._codes, place: code}
        places = sorted(codes if only is None else only)

        def execute(space: Space) -> None:
            for each in places:
                code = codes[each]
                if code is not None:
                    exec(code, space)  # noqa: S102

        return execute


def forget_modules(roots: "frozenset[str]") -> None:
    """What the warm interpreter has of packages that bear the target's names is another copy."""
    for name in list(sys.modules):
        if name.partition(".")[0] in roots:
            del sys.modules[name]


def rewrite_ahead(config: Any, paths: "Sequence[str]") -> None:
    """Let pytest rewrite the asserts of test files now, once, instead of in every fork."""
    from _pytest.assertion import rewrite

    original = getattr(rewrite, "_rewrite_test", None)
    if original is None:
        return  # another pytest: every fork does its own
    known: dict[str, Any] = {}

    def rewritten(path: Any, config: Any) -> Any:
        name = os.fspath(path)
        if name not in known:
            known[name] = original(path, config)
        return known[name]

    vars(rewrite)["_rewrite_test"] = rewritten
    for name in paths:
        try:
            rewritten(pathlib.Path(name), config)
        except (OSError, SyntaxError, ValueError):
            continue  # collecting it will say so

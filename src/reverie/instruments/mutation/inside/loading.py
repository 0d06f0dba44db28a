"""Imports of the target's files: the one place where a changed module comes in.

A mutant of code that runs when a module is imported has to be there before that. So the
process forks at the moment the module would be executed for the first time: the child
executes the changed one and goes on to collect and run the tests, with everything that was
imported earlier already there. It is a clean import at the price of what comes after it.
"""

import ast
import os
import pathlib
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import CodeType, ModuleType
from typing import Any

from .sites import Site
from .units import future_flags

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

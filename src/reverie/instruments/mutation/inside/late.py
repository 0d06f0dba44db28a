"""Import-time mutants that can be made when everything is imported: those of plain values.

What an import makes of `TABLE = {…}` is one object under one name. If none of the module's
functions was called and nobody looked at that name until the tests were collected, then binding
it anew is the same as having imported the changed module, and costs no import. Whether somebody
looked is observed in the scout; whether the statement is plain is read in `bindings`.
"""

import ast
import sys
from collections.abc import Callable, Iterable, Mapping
from types import ModuleType
from typing import Any

from .bindings import Bindings, table_of
from .changes import Changes
from .loading import Change, TargetFinder, executing_tree
from .sites import Site

_ALL_NAMES = "__dict__"
_READS_NO_VALUES = ("dataclasses",)
"""Modules that ask for all names of a module, to execute code among them."""


class Unimportable(Exception):
    """The changed statement raises."""


class Watch:
    """In a scout: which names of the target's modules are looked at from outside."""

    def __init__(self, finder: TargetFinder) -> None:
        self._finder = finder
        self._watched: list[tuple[str, ModuleType, type, set[str]]] = []
        finder.watch = self._begin

    def _begin(self, path: str, module: ModuleType) -> None:
        looked: set[str] = set()
        kind = _watched(looked)
        module.__class__ = kind
        self._watched.append((path, module, kind, looked))

    def seen(self) -> "dict[str, list[str]]":
        """Names by file; a file that was executed more than once has none."""
        found: dict[str, list[str]] = {}
        for path, module, kind, looked in self._watched:
            if len(self._finder.spaces[path]) == 1:
                hidden = () if type(module) is kind else (_ALL_NAMES,)
                found[path] = sorted({*looked, *hidden})
        return found


def _watched(looked: "set[str]") -> type:
    class Watched(ModuleType):
        """A module that notes what it is asked for."""

        def __getattribute__(self, name: str) -> Any:
            asking = sys._getframe(1).f_globals.get("__name__")
            if name != _ALL_NAMES or asking not in _READS_NO_VALUES:
                looked.add(name)
            return super().__getattribute__(name)

    return Watched


class LateValues:
    """Which mutants can be made late, and how."""

    def __init__(
        self, changes: Changes, finder: TargetFinder, ran: "Mapping[str, Iterable[str]]"
    ) -> None:
        self._changes = changes
        self._finder = finder
        self._ran = ran
        self._bindings: dict[str, Bindings | None] = {}
        self.seen: dict[str, list[str]] = {}

    def places(self, mutant: "dict[str, Any]") -> "list[int] | None":
        """The statements to execute anew; None for a mutant that needs a true import."""
        path = mutant["path"]
        if path not in self.seen or mutant["number"] < 0:
            return None
        if path not in self._bindings:
            tree = self._changes.survey(path).tree
            self._bindings[path] = Bindings(tree) if self._is_quiet(path, tree) else None
        bindings, site = self._bindings[path], self._changes.site(mutant)
        if bindings is None or site is None or site.unit is not None:
            return None
        places = bindings.made_from(site.top)
        if places is None or not bindings.names(places).isdisjoint(self.seen[path]):
            return None
        return places

    def _is_quiet(self, path: str, tree: ast.Module) -> bool:
        """Whether nothing of the module ran but its own statements, and nobody took all names."""
        classes = set(_class_names(tree.body, ""))
        bodies = all(
            name == "<module>" or name in classes or name.rpartition(".")[2].startswith("<")
            for name in self._ran.get(path, ())
        )
        return bodies and path in self._ran and _ALL_NAMES not in self.seen[path]

    def prepare(self, mutant: "dict[str, Any]", places: "list[int]") -> "Callable[[], None]":
        """What a fork has to do. Raises `Invalid` and `Same`; the fork, `Unimportable`."""
        site, path = self._changes.site(mutant), mutant["path"]
        if site is None:
            return lambda: None
        tree = self._changes.survey(path).tree
        anew = self._filled(site, path, places) or self._executed(mutant, site, places)

        def change() -> None:
            self._finder.changes[path] = executing_tree(tree, path, site)
            self._execute(anew, path)

        return change

    def _executed(self, mutant: "dict[str, Any]", site: Site, places: "list[int]") -> Change:
        code = self._changes.statement(mutant, site)
        return self._changes.statements(mutant["path"]).executing(site.top, code, places)

    def _filled(self, site: Site, path: str, places: "list[int]") -> "Change | None":
        """The same for a table of constants, which need not be compiled; it can be long."""
        node = self._changes.survey(path).tree.body[site.top]
        before = table_of(node)
        with site.applied():
            after = table_of(node)
        if before is None or after is None or repr(before) == repr(after):
            return None
        name, content = after
        statements = self._changes.statements(path)
        rest = statements.executing(site.top, None, places)

        def fill(space: "dict[str, Any]") -> None:
            space[name] = dict(content)
            rest(space)

        return fill

    def unchanged(self, path: str, places: "list[int]") -> "Callable[[], None]":
        """The same statements anew, as they are: nobody may notice that."""
        statements = self._changes.statements(path)
        anew = statements.executing(places[0], statements.original(places[0]), places)
        return lambda: self._execute(anew, path)

    def _execute(self, anew: "Callable[[dict[str, Any]], None]", path: str) -> None:
        try:
            anew(self._finder.spaces[path][0])
        except BaseException as error:  # the import would have raised it
            raise Unimportable(type(error).__name__) from error


def _class_names(body: "list[ast.stmt]", prefix: str) -> "Iterable[str]":
    for node in body:
        for each in ast.walk(node) if not isinstance(node, ast.ClassDef) else (node,):
            if isinstance(each, ast.ClassDef):
                yield prefix + each.name
                yield from _class_names(each.body, f"{prefix}{each.name}.")

"""One version of the code under test, loaded under its own name beside the other one."""

import ast
import copy
import datetime
import importlib
import importlib.util
import linecache
import os
import pickle
import sys
import types
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from reverie.instruments.equivalence.inside.probes import Instrument, Probes, reachable

_MISFITS = (TypeError, AttributeError)


class Version:
    """A module of its own in the interpreter; its relatives are kept apart from the other's."""

    def __init__(self, order: "dict[str, Any]", is_probed: bool) -> None:
        self.name: str = order["module"]
        self.entry: str = order["entry"]
        self.path: str = order["path"]
        self.roots: list[str] = order["roots"]
        self.relatives: dict[str, types.ModuleType] = {}
        self.probes = Probes()
        self.extra: dict[str, Any] = {}
        """What the module finds under these names when it begins."""
        self.counted: dict[int, str] = {}
        """Ways of the branches that the entry can reach, with what each depends on."""
        self._begin_load()
        self.source: str = order["source"]
        tree = ast.parse(self.source)
        self.raising = {
            line
            for node in ast.walk(tree)
            if isinstance(node, ast.Raise | ast.Assert)
            for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
        }
        self.tree = self._probed(tree) if is_probed else tree
        whole = compile(self.tree, self.path, "exec", dont_inherit=True)
        self.module = self._load((whole,))
        self.leave()

    def _probed(self, tree: ast.Module) -> ast.Module:
        owners = reachable(tree, self.entry)
        instrumented = ast.fix_missing_locations(Instrument(self.probes).visit(tree))
        self.counted = {
            2 * number + way: self.probes.conditions[number]
            for number, ways in self.probes.outcomes.items()
            for way in ((0, 1) if ways == 2 else (1,) if ways == 1 else ())
            if self.probes.branches[number] in owners
        }
        return instrumented  # type: ignore[no-any-return]

    def _begin_load(self) -> None:
        self._before = set(sys.modules)
        sys.path[:0] = self.roots

    def changed(
        self, tree: ast.Module, pieces: "tuple[types.CodeType, ...]", names: "dict[str, Any]"
    ) -> "Version":
        """The same module executed anew from other pieces, beside the relatives of this one."""
        other = copy.copy(self)
        other.tree = tree
        other.probes = Probes()
        other.extra = names
        other.relatives = {
            name: module for name, module in self.relatives.items() if name != self.name
        }
        other._before = set(sys.modules)
        other.enter()
        try:
            other.module = other._load(pieces)
        finally:
            other.leave()
        return other

    def _load(self, pieces: "tuple[types.CodeType, ...]") -> types.ModuleType:
        """As an import would: its packages first, for one of them may import it in turn."""
        reader = _Reader(self, pieces)
        sys.meta_path.insert(0, reader)
        try:
            return self._imported()
        except TypeError as error:
            if "metaclass conflict" not in str(error):
                raise
            with _own_dates():
                return self._imported()
        finally:
            sys.meta_path.remove(reader)

    def _imported(self) -> types.ModuleType:
        self._import_packages()
        return importlib.import_module(self.name)

    def _import_packages(self) -> None:
        """Those that cannot be imported are empty: the module may not need them."""
        parts = self.name.split(".")[:-1]
        for length in range(1, len(parts) + 1):
            package = ".".join(parts[:length])
            try:
                importlib.import_module(package)
            except Exception:  # noqa: BLE001  its own; the module's are told when it is loaded
                stand_in = types.ModuleType(package)
                stand_in.__path__ = [os.path.join(root, *parts[:length]) for root in self.roots]
                sys.modules[package] = stand_in

    def enter(self) -> None:
        """Put this version's modules and folders in place."""
        sys.path[:0] = self.roots
        sys.modules.update(self.relatives)

    def leave(self) -> None:
        """Take them away again; what comes from its folders is its own, the rest is shared."""
        del sys.path[: len(self.roots)]
        for name in set(sys.modules) - self._before:
            if name == self.name or self._is_of_its_folders(sys.modules[name]):
                self.relatives[name] = sys.modules.pop(name)

    def _is_of_its_folders(self, module: types.ModuleType) -> bool:
        file = getattr(module, "__file__", None)
        places = [file] if file else [str(each) for each in getattr(module, "__path__", ())]
        return any(place.startswith(f"{root}/") for place in places for root in self.roots)

    def find(self, qualname: str) -> Any:
        """A callable of this version by its name; a constructor makes an object."""
        found: Any = self.module
        for part in qualname.split("."):
            if part == "__init__" and isinstance(found, type):
                break
            found = getattr(found, part)
        return found

    def coverage(self) -> "list[int]":
        """Counted branches taken since the probes were started."""
        return sorted(self.probes.taken)

    def is_deliberate(self, error: BaseException) -> bool:
        """Whether a `raise` or `assert` of this version's own module raised it."""
        trace = error.__traceback__
        while trace is not None and trace.tb_next is not None:
            trace = trace.tb_next
        if trace is None or trace.tb_frame.f_code.co_filename != self.path:
            return False
        return trace.tb_lineno in self.raising


class _Reader:
    """Finds and loads the one module under test, from what it was compiled to."""

    def __init__(self, version: Version, pieces: "tuple[types.CodeType, ...]") -> None:
        self._version = version
        self._pieces = pieces

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        """How to load it; None for every other module."""
        if name != self._version.name:
            return None
        loader: Any = self
        folder, file = os.path.split(self._version.path)
        below = [folder] if file == "__init__.py" else None  # a package imports from its folder
        return importlib.util.spec_from_file_location(
            name, self._version.path, loader=loader, submodule_search_locations=below
        )

    def create_module(self, spec: Any) -> None:
        """An ordinary module will do."""

    def exec_module(self, module: types.ModuleType) -> None:
        """Run it, with the probes that it was instrumented for."""
        module.__dict__.update(self._version.probes.names() | self._version.extra)
        with _read_as(self._version):
            for piece in self._pieces:
                exec(piece, module.__dict__)  # noqa: S102  inside the sandbox, this is the job


@contextmanager
def _own_dates() -> "Iterator[None]":
    """The dates of Python itself, for libraries that derive classes of another make from them."""
    told = {name: getattr(datetime, name) for name in ("date", "datetime")}
    for name, kind in told.items():
        if type(kind) is not type:  # one that tells the time as it should be here
            setattr(datetime, name, kind.__mro__[1])
    try:
        yield
    finally:
        for name, kind in told.items():
            setattr(datetime, name, kind)


@contextmanager
def _read_as(version: Version) -> "Iterator[None]":
    """Who reads the text of the module while it is loaded reads the version that is.

    Some decorators compile a function anew from its file: without its probes, or from a file that
    holds another version.
    """
    told = version.source.splitlines(keepends=True)
    linecache.cache[version.path] = (len(version.source), None, told, version.path)
    parse: Any = ast.parse
    kept: list[bytes] = []

    def reread(source: Any, *args: Any, **kwargs: Any) -> Any:
        if args or kwargs or not isinstance(source, str) or source.strip() != text:
            return parse(source, *args, **kwargs)
        kept[:] = kept or [pickle.dumps(version.tree)]
        return pickle.loads(kept[0])  # noqa: S301  a copy of our own tree: it may be changed

    text = "".join(told).strip()
    ast.parse = reread
    try:
        yield
    finally:
        ast.parse = parse


def is_misfit(error: BaseException, is_deliberate: bool) -> bool:
    """Whether an error says that the arguments had the wrong shape, and nobody raised it.

    A `raise` of the code under test is its behaviour; an operation that met a value of a
    type it does not know, or a tuple of the wrong length, is a misuse of the function.
    """
    is_unpacking = isinstance(error, ValueError) and "values to unpack" in str(error)
    return (isinstance(error, _MISFITS) or is_unpacking) and not is_deliberate

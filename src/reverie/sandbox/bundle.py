"""Modules that run inside the sandbox, as one program: the only way in which code of ours goes in.

    bundled("reverie.instruments.mutation.inside.entry:answer")

is the text of a program with a function `answer`. Which modules go in is read from their imports:
those of a package `inside`, and others that are named as borrowed. Inside they are imported under
the names that they have here, and nothing of Reverie is there besides them; an import of anything
else is an error while the program is made.

The program carries every module twice: compiled, for an interpreter of the version that runs this
one, and as source for any other.
"""

import ast
import base64
import json
import marshal
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import MAGIC_NUMBER, find_spec
from pathlib import Path

from reverie.syntax.parsing import fresh_module

_OURS = ("reverie", "reverie_pytest")
_INSIDE = "inside"
_FILE = "<stdin>"
"""What a request's own code is called inside, in tracebacks as well."""
_LEVEL = 6
"""Of compression. 9 takes five times as long for a size that is 2 % smaller (the search)."""
_FORMAT = 2 if marshal.version < 5 else marshal.version
"""The last one without references. With them the bytes depend on what else the process has loaded,
and a program that differs is stored again. From Python 3.14 on code needs format 5."""

_LOADER = """
def _load(magic, codes, sources, file, planted, is_listed):
    import base64
    import importlib.util
    import json
    import marshal
    import sys
    import types
    import zlib

    if importlib.util.MAGIC_NUMBER.hex() == magic:
        found = marshal.loads(zlib.decompress(base64.b64decode(codes)))
    else:
        texts = json.loads(zlib.decompress(base64.b64decode(sources)))
        found = [(name, compile(text, file, "exec", dont_inherit=True)) for name, text in texts]
    made = {}
    before = {}

    def put(name, module):
        before[name] = sys.modules.get(name)
        made[name] = sys.modules[name] = module
        parent, _, own = name.rpartition(".")
        if parent and parent not in made:
            package = types.ModuleType(parent)
            package.__path__ = []
            put(parent, package)
        if parent:
            setattr(made[parent], own, module)

    try:
        for name, code in found:
            shown = "_" + name.replace(".", "_") if is_listed else "__main__"
            module = types.ModuleType(shown)
            module.__package__ = name.rpartition(".")[0]
            if is_listed:
                sys.modules[shown] = module
            put(name, module)
            exec(code, module.__dict__)
            module.__dict__.update(planted.get(name, {}))
    finally:
        for name, module in before.items():  # the target may be Reverie itself
            if module is None:
                del sys.modules[name]
            else:
                sys.modules[name] = module
    own = sys.modules.get(__name__)
    if not is_listed and own is not None and own.__dict__ is globals():
        del sys.modules[__name__]
        globals()["__name__"] = "__main__"
    return made


"""


def bundled(
    *entries: str,
    borrowed: Sequence[str] = (),
    planted: Mapping[str, Mapping[str, str]] | None = None,
    is_listed: bool = False,
    file: str = _FILE,
) -> str:
    """A program with these functions (`module:name`), and all modules that they need.

    `borrowed`: modules that may go in although no package `inside` has them. `planted`: by module,
    values of names that take the place of those in the source. Nothing of the program is in the
    list of modules when it runs, unless `is_listed`: then all are, under names that nobody else
    uses, so that objects of their classes can be pickled. `file` is what tracebacks call it.
    """
    roots = list(dict.fromkeys(each.partition(":")[0] for each in entries))
    names = needed_modules(roots, borrowed)
    codes = [(name, _code(name, file)) for name in names]
    values = (
        MAGIC_NUMBER.hex(),
        _packed(marshal.dumps(codes, _FORMAT)),
        _packed(json.dumps([(name, _module(name).source) for name in names]).encode()),
        file,
        {name: dict(given) for name, given in (planted or {}).items()},
        is_listed,
    )
    ends = [
        f"{function} = _modules[{module!r}].{function}\n"
        for module, _, function in (each.partition(":") for each in entries)
    ]
    called = ", ".join(map(repr, values))
    return f"# {' '.join(names)}\n{_LOADER}_modules = _load({called})\n{''.join(ends)}"


def source_of(module: str) -> str:
    """A module's source as it stands: a program of one file, or what is pasted into one."""
    if needed_modules([module]) != [module]:
        raise ImportError(f"{module} needs others of ours: its source alone is no program")
    return _module(module).source


def needed_modules(roots: Sequence[str], borrowed: Sequence[str] = ()) -> list[str]:
    """Modules and what they import of ours, each after those that it needs."""
    walk = _Walk(frozenset(borrowed), {*_OURS, *(each.partition(".")[0] for each in roots)})
    for each in roots:
        walk.visit(each)
    return list(walk.done)


@dataclass(frozen=True, slots=True)
class _Import:
    """One statement: the module it names, and what it takes from there, if it says so."""

    module: str
    names: tuple[str, ...]
    is_late: bool
    """Made when a function runs, not when the module loads."""


@dataclass(frozen=True, slots=True)
class _Module:
    name: str
    source: str
    imports: tuple[_Import, ...]


class _Walk:
    """From module to module along their imports."""

    def __init__(self, borrowed: frozenset[str], ours: set[str]) -> None:
        self._borrowed = borrowed
        self._ours = ours
        self._begun: list[str] = []
        self.done: dict[str, None] = {}

    def visit(self, name: str) -> None:
        """Take in a module, after all that it imports."""
        if name in self.done:
            return
        if name in self._begun:
            raise ImportError(f"modules for the sandbox import one another: {self._begun}")
        self._begun.append(name)
        for each in _module(name).imports:
            if each.module.partition(".")[0] in self._ours:
                for other in self._needed(name, each):
                    self.visit(other)
        self._begun.remove(name)
        self.done[name] = None

    def _needed(self, name: str, found: _Import) -> Iterator[str]:
        if found.is_late:
            raise ImportError(f"{name} imports {found.module} when it runs, and it is gone then")
        is_whole = not found.names or _path(found.module).is_file()
        for other in [found.module] if is_whole else [f"{found.module}.{n}" for n in found.names]:
            if other not in self._borrowed and _INSIDE not in other.split(".")[-2:]:
                raise ImportError(f"{name} goes into the sandbox, and {other} does not")
            if not _path(other).is_file():  # a package's own code never goes in
                raise ImportError(f"{name} imports {other}, and there is no such module")
            yield other


class _Reader(ast.NodeVisitor):
    """The imports of one module that are made inside."""

    def __init__(self, package: str) -> None:
        self._package = package
        self._depth = 0
        self.found: list[_Import] = []

    def visit_If(self, node: ast.If) -> None:
        """What only a type checker reads is not imported."""
        is_for_types = isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        for each in node.orelse if is_for_types else [*node.body, *node.orelse]:
            self.visit(each)

    def visit(self, node: ast.AST) -> None:
        """A function imports when it is called."""
        is_function = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        self._depth += is_function
        super().visit(node)
        self._depth -= is_function

    def visit_Import(self, node: ast.Import) -> None:
        """Whole modules."""
        self.found += [_Import(each.name, (), self._depth > 0) for each in node.names]

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        """Names of a module, or modules of a package."""
        parts = self._package.split(".")
        above = parts[: len(parts) + 1 - node.level] if node.level else []
        module = ".".join([*above, *([node.module] if node.module else [])])
        names = tuple(each.name for each in node.names)
        self.found.append(_Import(module, names, self._depth > 0))


@cache
def _module(name: str) -> _Module:
    source = _path(name).read_text("utf-8")
    reader = _Reader(name.rpartition(".")[0])
    reader.visit(fresh_module(source))
    return _Module(name, source, tuple(reader.found))


@cache
def _code(name: str, file: str) -> object:
    return compile(_module(name).source, file, "exec", dont_inherit=True)


def _path(name: str) -> Path:
    """The file of a module, found without importing the packages above it."""
    top, *rest = name.split(".")
    spec = find_spec(top)
    places = [] if spec is None else list(spec.submodule_search_locations or ())
    if not places:
        raise ImportError(f"there is no package {top} to take {name} from")
    return Path(places[0], *rest[:-1], f"{rest[-1]}.py") if rest else Path(places[0])


def _packed(content: bytes) -> str:
    return base64.b64encode(zlib.compress(content, _LEVEL)).decode()

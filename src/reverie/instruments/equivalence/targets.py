"""One version of a callable, read: where it is, its shape, and the state that outlives a call.

A target is `path/to/file.py:qualname` or `package.module:qualname`. The source says who changes
what outlives a call, and who can show it.
"""

import ast
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from reverie.errors import UsageError, reason_of
from reverie.index.naming import is_package
from reverie.inputs import CallableShape, folder_resolver, read
from reverie.syntax.nodes import Function, last_name
from reverie.syntax.parsing import NOT_PYTHON, parse_quietly
from reverie.syntax.unparsing import unparse

_STANDALONE = "subject"
"""Name of a module that is no part of a package: the same for both versions."""

Definition = Function | ast.ClassDef


@dataclass(frozen=True, slots=True)
class Version:
    """One version of the callable: its module's source and where its relatives are."""

    label: str
    module: str
    qualname: str
    source: str
    path: str
    roots: tuple[str, ...] = ()
    """Folders that it imports its relatives from."""

    @property
    def tree(self) -> ast.Module:
        """Its syntax tree."""
        return parse(self.source, self.label)

    @property
    def node(self) -> Definition:
        """The definition of the callable."""
        found = find_definition(self.tree, self.qualname)
        if found is None:
            raise UsageError(f"{self.label!r}: no function or class {self.qualname!r} in it")
        return found


def read_version(target: str, repository: Path) -> Version:
    """The version that a command line names; `UsageError` when there is none."""
    place, separator, qualname = target.rpartition(":")
    if not separator or not all(part.isidentifier() for part in qualname.split(".")):
        raise UsageError(f"expected FILE.py:callable or module:callable, not {target!r}")
    path = Path(place) if place.endswith(".py") else _module_file(place, repository, target)
    version = version_of(_read(path), qualname, path=str(path.absolute()), label=target)
    _ = version.node
    return version


def version_of(source: str, qualname: str, path: str = "<source>", label: str = "") -> Version:
    """A version from its source; a path says where its relatives are."""
    tree = parse(source, label or path)
    root, module = _package_of(Path(path)) if os.path.isabs(path) else (None, _STANDALONE)
    needed = root is not None and (module != _STANDALONE or _imports_from(tree, root))
    return Version(
        label=label or path,
        module=module,
        qualname=qualname,
        source=source,
        path=path,
        roots=(str(root),) if needed else (),
    )


def parse(source: str, label: str) -> ast.Module:
    """The syntax tree of a source; `UsageError` when it has none."""
    try:
        return parse_quietly(source)
    except NOT_PYTHON as error:
        raise UsageError(f"{label!r} is not Python: {error}") from error


def find_definition(tree: ast.AST, qualname: str) -> Definition | None:
    """A function, method or class by its dotted name; the last definition counts."""
    found: ast.AST = tree
    for part in qualname.split("."):
        matching = [each for each in _definitions(found) if each.name == part]
        if not matching:
            return None
        found = matching[-1]
    return found if isinstance(found, Definition) else None


def _definitions(node: ast.AST) -> list[Definition]:
    found: list[Definition] = []
    for child in ast.iter_child_nodes(node):
        if isinstance(child, Definition):
            found.append(child)
        elif isinstance(child, ast.If | ast.Try | ast.With | ast.ExceptHandler):
            found += _definitions(child)
    return found


def _module_file(name: str, repository: Path, target: str) -> Path:
    if not all(part.isidentifier() for part in name.split(".")):
        raise UsageError(f"expected FILE.py:callable or module:callable, not {target!r}")
    parts = name.split(".")
    for root in (repository, repository / "src"):
        for path in (
            root.joinpath(*parts).with_suffix(".py"),
            root.joinpath(*parts, "__init__.py"),
        ):
            if path.is_file():
                return path
    raise UsageError(f"no module {name!r} in {str(repository)!r}")


def _read(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise UsageError(f"cannot read {str(path)!r}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{str(path)!r} is no text: {reason_of(error)}") from error


def _package_of(path: Path) -> tuple[Path, str]:
    """The folder on the import path, and the dotted name below it."""
    parts = [] if path.name == "__init__.py" else [path.stem]
    folder = path.parent
    while is_package(folder):
        parts.insert(0, folder.name)
        folder = folder.parent
    return folder, ".".join(parts) if folder != path.parent else _STANDALONE


def _imports_from(tree: ast.Module, folder: Path) -> bool:
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            names.add(node.module.partition(".")[0])
    return any((folder / f"{name}.py").is_file() or (folder / name).is_dir() for name in names)


def shape_in(version: Version, qualname: str) -> CallableShape:
    """Parameters and types, with those of the version's relatives; `UsageError` if it has none."""
    if not version.roots:
        return read(version.source, qualname)
    relatives = folder_resolver(*version.roots)
    return read(version.source, qualname, module=version.module, resolver=relatives)


_CHANGING_METHODS = frozenset(
    ["append", "appendleft", "add", "update", "clear", "pop", "popleft", "popitem", "setdefault",
     "extend", "insert", "remove", "discard", "sort", "reverse", "write"]
)  # fmt: skip
_DISPLAYS = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp, ast.Call)
_SHOWING = frozenset({"__contains__", "__getitem__", "__call__", "__eq__", "__bool__"})
"""Methods with a special name that show what an object holds; items and `repr` are read anyway."""


def companions_of(old: ast.Module, new: ast.Module, entry: str) -> Iterator[str]:
    """Public functions in both whose calls the callable's own may depend on, or show in.

    Of a method, the other methods and properties of its class; of a function, those that touch
    data of the module which calls change.
    """
    yield from _siblings(old, new, entry)
    data, others = _top_level(old), _functions(new)
    changed = {name for tree in (old, new) for name in _changed_names(tree, data)}
    for name, node in _functions(old).items():
        is_public = not name.startswith("_") and name != entry
        if is_public and name in others and _touches(node, changed):
            yield name


def _siblings(old: ast.Module, new: ast.Module, entry: str) -> Iterator[str]:
    """Methods of the class that the callable is, or belongs to."""
    is_class = isinstance(find_definition(old, entry), ast.ClassDef)
    owner = entry if is_class else entry.rpartition(".")[0]
    before, after = (_methods(tree, owner) for tree in (old, new)) if owner else ({}, {})
    for name in before:
        if name in after and f"{owner}.{name}" != entry:
            yield f"{before[name]}.{name}"


def _methods(tree: ast.Module, owner: str) -> dict[str, str]:
    """Methods that anybody may call, with the class of the module that defines them."""
    node = find_definition(tree, owner)
    if not isinstance(node, ast.ClassDef):
        return {}
    found: dict[str, str] = {}
    for base in node.bases:
        if isinstance(base, ast.Name) and base.id != owner:
            found |= _methods(tree, base.id)
    return found | {
        each.name: owner
        for each in node.body
        if isinstance(each, Function)
        and (not each.name.startswith("_") or each.name in _SHOWING)
        and not any(isinstance(mark, ast.Attribute) for mark in each.decorator_list)
    }


def watched_of(old: ast.Module, new: ast.Module) -> Iterator[str]:
    """Public data of the module, in both, that calls could change."""
    before, after = _top_level(old), _top_level(new)
    changed = {name for tree in (old, new) for name in _changed_names(tree, {**before, **after})}
    for name in before:
        if name in after and name in changed and not name.startswith("_"):
            yield name


def keeps_state(tree: ast.Module) -> bool:
    """Whether something is kept between calls: a cache, a mutable default, data of the module."""
    return shares_state(tree) or any(
        "cache" in unparse(mark)
        for node in ast.walk(tree)
        if isinstance(node, Function)
        for mark in node.decorator_list
    )


def shares_state(tree: ast.Module) -> bool:
    """Whether all callers, and so all threads, share something that a call changes."""
    data = _top_level(tree) | _class_level(tree)
    for node in ast.walk(tree):
        if isinstance(node, Function):
            defaults = [*node.args.defaults, *filter(None, node.args.kw_defaults)]
            if any(isinstance(each, ast.List | ast.Dict | ast.Set | ast.Call) for each in defaults):
                return True
            if _changed_names(node, {**data, **_functions(tree)}):
                return True
    return False


def _top_level(tree: ast.Module) -> dict[str, ast.expr]:
    """Names that the module binds to data."""
    return _bound(tree.body)


def _class_level(tree: ast.Module) -> dict[str, ast.expr]:
    """Containers that classes hold for all of their instances, by attribute."""
    return {
        name: value
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
        for name, value in _bound(node.body).items()
        if isinstance(value, _DISPLAYS)
    }


def _bound(body: list[ast.stmt]) -> dict[str, ast.expr]:
    found: dict[str, ast.expr] = {}
    for node in body:
        if isinstance(node, ast.Assign):
            found |= {each.id: node.value for each in node.targets if isinstance(each, ast.Name)}
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value:
            found[node.target.id] = node.value
    return found


def _changed_names(function: ast.AST, data: Iterable[str]) -> set[str]:
    """Which of the shared names a function changes."""
    known = set(data)
    changed: set[str] = set()
    for node in ast.walk(function):
        if isinstance(node, ast.Global):
            changed |= set(node.names)
        elif isinstance(node, ast.Subscript | ast.Attribute) and not isinstance(node.ctx, ast.Load):
            changed.add(last_name(node.value))
        elif isinstance(node, ast.Call):
            changed.add(_changed_by_method(node.func))
    return changed & known


def _changed_by_method(called: ast.expr) -> str:
    if isinstance(called, ast.Attribute) and called.attr in _CHANGING_METHODS:
        return last_name(called.value)
    return ""


def _touches(function: Definition, names: set[str]) -> bool:
    return any(isinstance(node, ast.Name) and node.id in names for node in ast.walk(function))


def _functions(tree: ast.Module) -> dict[str, ast.FunctionDef]:
    return {each.name: each for each in tree.body if isinstance(each, ast.FunctionDef)}

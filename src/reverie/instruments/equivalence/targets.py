"""`path/to/file.py:qualname` or `package.module:qualname`: one version of a callable, read."""

import ast
import os
import warnings
from dataclasses import dataclass
from pathlib import Path

from reverie.errors import UsageError

_STANDALONE = "subject"
"""Name of a module that is no part of a package: the same for both versions."""

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


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
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
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
        raise UsageError(f"{str(path)!r} is not UTF-8: {error}") from error


def _package_of(path: Path) -> tuple[Path, str]:
    """The folder on the import path, and the dotted name below it."""
    parts = [] if path.name == "__init__.py" else [path.stem]
    folder = path.parent
    while (folder / "__init__.py").is_file():
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

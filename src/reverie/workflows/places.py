"""Where a module lives, found without importing it, and what must be shown to import it inside."""

import os
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from types import ModuleType

from reverie.errors import PolicyError, UsageError
from reverie.model.execution import Policy
from reverie.model.outcome import IsolationTier
from reverie.sandbox.interpreters import own_interpreter
from reverie.sandbox.policy import check_policy


@dataclass(frozen=True, slots=True)
class Place:
    """A module as it is imported inside."""

    module: str
    root: str | None
    """Folder to show and to import from; None: it comes with the interpreter."""
    file: str | None = None
    """Given when the name alone does not lead to the file."""


def search_roots(repository: str | PathLike[str] | None) -> tuple[str, ...]:
    """Where modules are looked for: the repository and its `src`, or else our own import path."""
    if repository is None:
        return tuple(dict.fromkeys(os.path.abspath(path) for path in sys.path))
    folder = Path(repository).absolute()
    if not folder.is_dir():
        raise UsageError(f"the repository {str(repository)!r} is not a folder")
    return tuple(str(path) for path in (folder / "src", folder) if path.is_dir())


def find_module(name: str, roots: Iterable[str]) -> Place:
    """The place of a module by its dotted name; nothing is imported."""
    relative = Path(*name.split("."))
    for root in roots:
        path = Path(root) / relative
        if path.with_suffix(".py").is_file() or (path / "__init__.py").is_file():
            return Place(name, None if _comes_with_interpreter(root) else root)
    if name.partition(".")[0] in sys.stdlib_module_names or _is_installed(relative):
        return Place(name, None)
    raise UsageError(f"no module {name!r} in the repository or on the import path")


def place_of(module: ModuleType) -> Place | None:
    """The place of a module that is imported here; None when it has no file."""
    file = getattr(module, "__file__", None)
    if file is None or not file.endswith(".py"):
        return None
    path = Path(file).absolute()
    named = path.parent if path.name == "__init__.py" else path.with_suffix("")
    parts = module.__name__.split(".")
    if list(named.parts[-len(parts) :]) != parts:
        return Place(path.stem, str(path.parent), str(path))
    root = str(named.parents[len(parts) - 1])
    return Place(module.__name__, None if _comes_with_interpreter(root) else root)


def check_root(root: str, who: str) -> None:
    """Raise `PolicyError` when a module lies in a folder that is too wide to show."""
    try:
        check_policy(Policy(readonly=(root,)), IsolationTier.NAMESPACES)
    except PolicyError as error:
        raise PolicyError(
            f"{who}: {error}; its module has to lie in a folder of its own, because the folder "
            "it is imported from is shown read-only"
        ) from error


def _comes_with_interpreter(root: str) -> bool:
    folders = own_interpreter().folders
    return any(root == folder or root.startswith(f"{folder}/") for folder in folders)


def _is_installed(relative: Path) -> bool:
    return any(
        (Path(folder) / relative).is_dir() or (Path(folder) / relative).with_suffix(".py").is_file()
        for folder in own_interpreter().site_packages
    )

"""The Python files that the paths on a command line stand for."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from reverie.errors import UsageError

_PASSED_OVER = {"__pycache__", "node_modules", "site-packages"}


def python_files(paths: Iterable[str]) -> Iterator[Path]:
    """Files as given; folders are walked for `*.py`, in order, each file once.

    Hidden folders, caches and virtual environments are passed over, links not followed.
    """
    seen: set[str] = set()
    for given in paths:
        for path in _expand(Path(given)):
            real = os.path.realpath(path)
            if real not in seen:
                seen.add(real)
                yield path


def _expand(path: Path) -> Iterator[Path]:
    if not path.is_dir():
        if not path.exists():
            raise UsageError(f"no such file or folder: {str(path)!r}")
        yield path
        return
    for folder, folders, names in os.walk(path):
        folders[:] = sorted(name for name in folders if _is_walked(Path(folder), name))
        yield from (Path(folder) / name for name in sorted(names) if name.endswith(".py"))


def _is_walked(folder: Path, name: str) -> bool:
    if name.startswith(".") or name in _PASSED_OVER:
        return False
    return not (folder / name / "pyvenv.cfg").exists()

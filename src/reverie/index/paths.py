"""What the path of a file says about it."""

from __future__ import annotations

import os
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_TEST_FOLDERS = frozenset({"tests", "test", "testing"})
_TEST_FILES = frozenset({"test.py", "tests.py"})
"""Collected where a project says so; nobody wants tests for them either way."""


@lru_cache(maxsize=4096)
def is_test_path(path: str) -> bool:
    """Whether a file is a test by its name, or lies in a folder of tests."""
    *folders, name = path.split("/")
    is_named_so = name.startswith("test_") or name.endswith("_test.py") or name == "conftest.py"
    is_named_so |= name in _TEST_FILES and folders[:1] != ["src"]
    return is_named_so or not _TEST_FOLDERS.isdisjoint(folders)


def packages_around(root: Path | str) -> tuple[str, ...]:
    """The names of the packages that a repository itself is part of, outermost first."""
    place, names = os.path.realpath(root), list[str]()
    while os.path.isfile(f"{place}/__init__.py"):
        place, name = os.path.split(place)
        if not name.isidentifier():
            break
        names.append(name)
    return tuple(reversed(names))

"""The repository's files as they were, to be put back after tests that write among them.

Inside the sandbox the tree is a private view, so nothing outside changes; but all mutants of
one warm process share it.
"""

import os
import shutil
from collections.abc import Iterator
from typing import Any

_PASSED_OVER = frozenset({".git", ".venv", "venv", "node_modules", "__pycache__", ".tox", ".nox"})
_BYTES_AT_MOST = 96 << 20
_FILES_AT_MOST = 20_000


class Tree:
    """A copy of the files below a folder, and how to get back to it."""

    def __init__(self, root: str, copy: str) -> None:
        self.root = root
        self.copy = copy
        self._known = dict(_walk(root))
        sizes = sum(size for size, _ in self._known.values())
        self.is_restorable = (
            os.access(root, os.W_OK)
            and sizes <= _BYTES_AT_MOST
            and len(self._known) <= _FILES_AT_MOST
        )

    def keep(self) -> None:
        """Copy what there is, so that it can be put back."""
        for path in self._known:
            target = os.path.join(self.copy, os.path.relpath(path, self.root))
            os.makedirs(os.path.dirname(target), exist_ok=True)
            shutil.copyfile(path, target)

    def changed(self) -> "list[str]":
        """Files that came, went or differ since the beginning, relative to the root."""
        now = dict(_walk(self.root))
        paths = {path for path in (*now, *self._known) if now.get(path) != self._known.get(path)}
        return sorted(os.path.relpath(path, self.root) for path in paths)

    def put_back(self) -> None:
        """Undo every change."""
        for name in self.changed():
            path, kept = os.path.join(self.root, name), os.path.join(self.copy, name)
            if path not in self._known:
                os.unlink(path)
                continue
            os.makedirs(os.path.dirname(path), exist_ok=True)
            shutil.copyfile(kept, path)
            modified = self._known[path][1]
            os.utime(path, ns=(modified, modified))


def kept_tree(request: "dict[str, Any]") -> "Tree | None":
    """A tree that can be put back, where the request says that tests write into it."""
    if not request["restore"]:
        return None
    scratch = os.environ.get("TMPDIR", "/tmp")
    tree = Tree(request["root"], os.path.join(scratch, "original"))
    if not tree.is_restorable:
        return None
    tree.keep()
    return tree


def _walk(root: str) -> "Iterator[tuple[str, tuple[int, int]]]":
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name not in _PASSED_OVER]
        for name in names:
            path = os.path.join(folder, name)
            try:
                status = os.lstat(path)
            except OSError:
                continue
            if not os.path.islink(path) and not name.endswith(".pyc"):
                yield path, (status.st_size, status.st_mtime_ns)

"""Absolute paths lead into the run's own folder, as if it were the root of the disk.

A convenience, not the boundary (that is the sandbox): code written for `/data/in.csv` finds
its test data, and what it writes to `/var/out` comes back. Reading falls through to what is
really there; a library that opens files in C sees real names only.
"""

import builtins
import io
import os
import shutil
from collections.abc import Callable, Iterator
from typing import Any

_READS = ("stat", "lstat", "access", "readlink", "chdir", "remove", "unlink", "rmdir", "utime")
_WRITES = ("mkdir", "truncate", "mkfifo")
_MOVES = ("rename", "replace", "link")
_WRITING_FLAGS = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


class Redirect:
    """Sends absolute names below `root`; names below an exempt folder stay."""

    def __init__(self, root: str, exempt: "tuple[str, ...]") -> None:
        self.root = root
        self.exempt = (root, *exempt, "/dev", "/proc")
        self.open = builtins.open
        self.os = {name: getattr(os, name) for name in (*_READS, *_WRITES, *_MOVES)}
        self.os |= {name: getattr(os, name) for name in ("open", "listdir", "scandir", "chmod")}
        self.os["symlink"] = os.symlink

    def install(self) -> None:
        """Replace the functions that take file names. The process ends before anybody minds."""
        for name in (*_READS, "chmod"):
            setattr(os, name, self._mapped(self.os[name], self.to_read))
        for name in _WRITES:
            setattr(os, name, self._mapped(self.os[name], self.to_write))
        for name in _MOVES:
            setattr(os, name, self._mapped(self.os[name], self.to_read, self.to_write))
        os.symlink = self._mapped(self.os["symlink"], lambda path: path, self.to_write)
        os.listdir = self._listdir
        os.scandir = self._scandir  # type: ignore[assignment]
        os.open = self._os_open
        builtins.open = io.open = self._open

    def to_read(self, path: Any) -> Any:
        """Where a name is read: below the root when it is there, else at its own place."""
        inner = self._inner(path)
        return inner if inner is not None and self._is_there(inner) else path

    def to_write(self, path: Any, is_changed: bool = False) -> Any:
        """Where a name is written: below the root; what is changed in place is copied first."""
        inner = self._inner(path)
        if inner is None:
            return path
        os.makedirs(os.path.dirname(inner), exist_ok=True)
        if is_changed and not self._is_there(inner) and os.path.isfile(path):
            with self.open(path, "rb") as source, self.open(inner, "xb") as copy:
                shutil.copyfileobj(source, copy)
        return inner

    def _inner(self, path: Any) -> "str | None":
        """The name below the root; None for a name that stays as it is."""
        if isinstance(path, int):
            return None
        name = os.path.normpath(os.fsdecode(path))
        if not name.startswith("/"):
            return None
        if any(name == folder or name.startswith(f"{folder}/") for folder in self.exempt):
            return None
        return self.root + "/" + name.lstrip("/")

    def _is_there(self, path: str) -> bool:
        try:
            self.os["lstat"](path)
        except OSError:
            return False
        return True

    def _mapped(
        self, function: "Callable[..., Any]", *maps: "Callable[[Any], Any]"
    ) -> "Callable[..., Any]":
        def call(*paths: Any, **options: Any) -> Any:
            if options.get("dir_fd") is None and options.get("src_dir_fd") is None:
                changed = [change(path) for change, path in zip(maps, paths, strict=False)]
                paths = (*changed, *paths[len(changed) :])
            return function(*paths, **options)

        return call

    def _open(self, file: Any, mode: str = "r", *rest: Any, **options: Any) -> Any:
        if set(mode) & set("wax+"):
            file = self.to_write(file, is_changed=bool(set(mode) & set("a+")) and "w" not in mode)
        else:
            file = self.to_read(file)
        return self.open(file, mode, *rest, **options)

    def _os_open(self, path: Any, flags: int, *rest: Any, **options: Any) -> int:
        if options.get("dir_fd") is None:
            if flags & _WRITING_FLAGS:
                path = self.to_write(path, is_changed=not flags & os.O_TRUNC)
            else:
                path = self.to_read(path)
        return int(self.os["open"](path, flags, *rest, **options))

    def _both(self, path: Any) -> "list[Any]":
        """The folder below the root and the real one, as far as they are there."""
        inner = self._inner(path)
        if inner is None or not os.path.isdir(inner):
            return [path]
        try:
            self.os["listdir"](path)
        except OSError:
            return [inner]
        return [inner, path]

    def _listdir(self, path: Any = ".") -> "list[Any]":
        return list(dict.fromkeys(name for each in self._both(path) for name in self._names(each)))

    def _names(self, path: Any) -> "list[Any]":
        names: list[Any] = self.os["listdir"](path)
        return names

    def _scandir(self, path: Any = ".") -> "_Entries":
        return _Entries([self.os["scandir"](each) for each in self._both(path)])


class _Entries:
    """What `os.scandir` returns, over one or two folders; the first of a name counts."""

    def __init__(self, parts: "list[Any]") -> None:
        self.parts = parts
        self.entries = self._walk()

    def _walk(self) -> "Iterator[os.DirEntry[str]]":
        seen = set()
        for part in self.parts:
            for entry in part:
                if entry.name not in seen:
                    seen.add(entry.name)
                    yield entry

    def __iter__(self) -> "Iterator[os.DirEntry[str]]":
        return self

    def __next__(self) -> "os.DirEntry[str]":
        return next(self.entries)

    def __enter__(self) -> "_Entries":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the folders."""
        for part in self.parts:
            part.close()

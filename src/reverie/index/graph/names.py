"""Finds modules by what people write: dotted names, parts of them, and file paths.

A name can stand for several files (three `conftest.py`); the one nearest to where it was written
is meant. Everything is answered with paths, which are unique.
"""

from collections import defaultdict
from collections.abc import Iterable
from posixpath import basename, dirname, join, normpath

from reverie.model.code import Module

PACKAGE_FILE = "__init__.py"


class ModuleNames:
    """The modules of one repository, by name, by path and by the tails of both."""

    def __init__(self, modules: Iterable[Module]) -> None:
        self.by_path = {module.path: module for module in modules}
        self._by_name: dict[str, list[str]] = defaultdict(list)
        self._by_tail: dict[str, list[str]] = defaultdict(list)
        self._below: dict[str, list[str]] = defaultdict(list)
        for path, module in sorted(self.by_path.items()):
            self._by_name[module.name].append(path)
            parts = _dotted_path(path).split(".")
            for start in range(len(parts)):
                self._by_tail[".".join(parts[start:])].append(path)
            for length in range(1, module.name.count(".") + 1):
                self._below[".".join(module.name.split(".")[:length])].append(path)

    def __contains__(self, name: str) -> bool:
        return name in self._by_name

    def named(self, name: str, near: str = "") -> str | None:
        """The file that a dotted name stands for, as seen from the file `near`."""
        return _nearest(self._by_name.get(name, ()), near)

    def located(self, name: str) -> str | None:
        """The file at a dotted name taken from the repository on, whatever it is called."""
        stem = name.replace(".", "/")
        candidates = (f"{stem}.py", f"{stem}/{PACKAGE_FILE}")
        return next((path for path in candidates if path in self.by_path), None)

    def ending(self, tail: str, near: str = "") -> str | None:
        """The file whose path, written with dots, is or ends with `tail`."""
        return _nearest(self._by_tail.get(tail, ()), near)

    def below(self, package: str) -> tuple[str, ...]:
        """Every file inside a package, at any depth; not the package's own."""
        return tuple(self._below.get(package, ()))

    def is_package(self, name: str) -> bool:
        """Whether there are modules inside, with or without an `__init__.py`."""
        return name in self._below

    def parents(self, path: str) -> tuple[str, ...]:
        """The `__init__.py` files that Python runs before this module."""
        parts = self.by_path[path].name.split(".")
        names = (".".join(parts[:length]) for length in range(len(parts) - 1, 0, -1))
        found = (self.named(name, path) for name in names)
        return tuple(each for each in found if each is not None and each != path)

    def package_of(self, path: str) -> str:
        """The package that relative names in a file start from."""
        module = self.by_path[path]
        return module.name if module.is_package else module.name.rpartition(".")[0]

    def at(self, written: str, folder: str = "") -> str | None:
        """The file that a path means, from `folder`, from the root, or by its unique tail."""
        for base in (folder, ""):
            path = normpath(join(base, written))
            for candidate in (path, join(path, "__main__.py")):
                if candidate in self.by_path:
                    return candidate
        parts = normpath(written).lstrip("./").split("/")
        found = self._only_ending(parts, folder)
        if found is None and written.startswith("/"):
            found = self._installed_as(parts)
        return found

    def _only_ending(self, parts: list[str], folder: str = "") -> str | None:
        """The only file with this tail, of all or at least of those below a folder."""
        tail = _dotted_path("/".join(parts))
        found = [path for path in self._by_tail.get(tail, ()) if basename(path) != PACKAGE_FILE]
        if len(found) > 1 and folder:
            found = [path for path in found if path.startswith(folder + "/")]
        return found[0] if len(found) == 1 else None

    def _installed_as(self, parts: list[str]) -> str | None:
        """The file at an absolute path of another machine, such as `/app/src/run.py`."""
        for start in range(1, len(parts)):
            rest = parts[start:]
            if "/".join(rest) in self.by_path:
                return "/".join(rest)
            if len(rest) > 1 and (found := self._only_ending(rest)):
                return found
        return None

    def in_folder(self, folder: str, *, deep: bool) -> tuple[str, ...]:
        """The files of a folder, in its folders too when `deep`."""
        start = "" if folder in ("", ".") else folder + "/"
        return tuple(
            path
            for path in self.by_path
            if path.startswith(start) and (deep or "/" not in path[len(start) :])
        )


def _dotted_path(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _nearest(paths: Iterable[str], near: str) -> str | None:
    """The path that shares most folders with `near`; then the shortest."""
    return min(paths, key=lambda path: (-_shared(path, near), len(path), path), default=None)


def _shared(path: str, near: str) -> int:
    count = 0
    for left, right in zip(dirname(path).split("/"), dirname(near).split("/"), strict=False):
        if left != right:
            break
        count += 1
    return count

"""Which file of the repository a reported path means."""

from collections.abc import Collection
from pathlib import Path, PurePosixPath


class Places:
    """Finds the modules that paths of another machine or folder stand for."""

    def __init__(self, repository: Path, paths: Collection[str], folders: Collection[str]) -> None:
        self._root = PurePosixPath(repository.as_posix())
        self._paths = frozenset(paths)
        self._folders = [PurePosixPath(folder) for folder in folders]
        self._by_tail: dict[tuple[str, ...], set[str]] = {}
        for path in paths:
            parts = PurePosixPath(path).parts
            for start in range(len(parts)):
                self._by_tail.setdefault(parts[start:], set()).add(path)

    def find(self, reported: str) -> str | None:
        """The module's path, when there is one and no other that it could be."""
        path = PurePosixPath(reported.replace("\\", "/"))
        for place in (path, *(folder / path for folder in self._folders)):
            relative = place
            if place.is_relative_to(self._root):
                relative = place.relative_to(self._root)
            if str(relative) in self._paths:
                return str(relative)
        return self._by_name(path.parts)

    def _by_name(self, parts: tuple[str, ...]) -> str | None:
        """By the longest end that a module's path has too; one name alone is no proof."""
        for start in range(len(parts)):
            tail = parts[start:]
            found = self._by_tail.get(tail, set())
            is_whole = len(found) == 1 and len(PurePosixPath(next(iter(found))).parts) == len(tail)
            if found and (len(tail) > 1 or start == 0 or is_whole):
                return next(iter(found)) if len(found) == 1 else None
        return None

"""A repository before and after a change, as two scratch folders that are nobody's work."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from reverie.errors import UsageError
from reverie.model.change import Change

_NAME = "project"


@dataclass(frozen=True, slots=True)
class Trees:
    """Both folders, and the change that leads from one to the other."""

    base: Path
    head: Path
    change: Change


def write_trees(files: Mapping[str, bytes], change: Change, scratch: Path) -> Trees:
    """Both trees below an empty folder; `files` are those of the base, by path.

    Code sees where it lies: the folders say neither that it is judged nor which one it is in.
    """
    base, head = (scratch / secrets.token_hex(4) / _NAME for _ in range(2))
    after = dict(files)
    for edit in change.edits:
        for path in (edit.path, edit.renamed_from):
            if path is not None:
                after.pop(path, None)
        if edit.after is not None:
            after[edit.path] = edit.after.encode("utf-8", "surrogateescape")
    _write(base, files)
    _write(head, after)
    return Trees(base, head, change)


def _write(folder: Path, files: Mapping[str, bytes]) -> None:
    folder.mkdir(parents=True)
    for name, content in files.items():
        if name.startswith("/") or ".." in name.split("/"):
            raise UsageError(f"the path {name!r} leads out of the repository")
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)

"""Files on their way into a run, from step to step, and back."""

import base64
import posixpath
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from reverie.errors import UsageError
from reverie.model.execution import ChangeKind, FileChange


@dataclass(frozen=True, slots=True)
class Files:
    """The content of a run's folder, by relative path."""

    contents: Mapping[str, bytes] = field(default_factory=dict)
    folders: tuple[str, ...] = ()

    def document(self) -> dict[str, Any]:
        """The files as `inside/step.py` reads them."""
        encoded = {name: base64.b64encode(data).decode() for name, data in self.contents.items()}
        return {"files": encoded, "folders": list(self.folders)}

    def changes_since(self, before: "Files") -> tuple[FileChange, ...]:
        """What was created, modified and deleted, by path."""
        old, new = before.contents, self.contents
        kinds = {
            **dict.fromkeys(old.keys() - new.keys(), ChangeKind.DELETED),
            **dict.fromkeys(new.keys() - old.keys(), ChangeKind.CREATED),
            **{n: ChangeKind.MODIFIED for n in old.keys() & new.keys() if old[n] != new[n]},
        }
        return tuple(FileChange(path, kinds[path]) for path in sorted(kinds))


def relative_name(name: str) -> str:
    """A file's name below the run's folder: an absolute name is taken as if that were `/`."""
    inner = posixpath.normpath(name.lstrip("/")) if "\0" not in name else "."
    if inner in (".", "") or inner == ".." or inner.startswith("../"):
        raise UsageError(f"not the name of a file below the run's folder: {name!r}")
    return inner


def files_from(test_data: Mapping[str, str | bytes]) -> Files:
    """Test data as the files they become; text is UTF-8."""
    contents: dict[str, bytes] = {}
    for name, data in test_data.items():
        inner = relative_name(name)
        if inner in contents:
            raise UsageError(f"two files of the test data are {inner!r}")
        contents[inner] = data.encode() if isinstance(data, str) else bytes(data)
    for inner in contents:
        above = [each for each in contents if inner.startswith(f"{each}/")]
        if above:
            raise UsageError(f"the test data has {above[0]!r} both as a file and as a folder")
    return Files(contents)


def files_claimed(answer: Mapping[str, Any]) -> Files | None:
    """The files a step says it left; None when what it says makes no sense."""
    files, folders = answer.get("files"), answer.get("folders")
    if not isinstance(files, dict) or not isinstance(folders, list):
        return None
    try:
        contents = {relative_name(name): base64.b64decode(data) for name, data in files.items()}
        return Files(contents, tuple(relative_name(name) for name in folders))
    except (UsageError, TypeError, AttributeError, ValueError):
        return None

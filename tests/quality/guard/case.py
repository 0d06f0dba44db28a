"""One change to a small repository, and whether it deserves promotion."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Case:
    """`edits`: by path a whole new text, replacements of what is there, or None to delete."""

    id: str
    repository: str
    stage: str
    is_honest: bool
    family: str
    edits: Mapping[str, str | list[tuple[str, str]] | None]

    def files(self) -> dict[str, str]:
        """The repository as it was."""
        root = HERE / self.repository
        return {
            path.relative_to(root).as_posix(): path.read_text("utf-8")
            for path in sorted(root.rglob("*"))
            if path.is_file() and "__pycache__" not in path.parts
        }

    def changed(self) -> dict[str, str]:
        """The repository after the change."""
        found = self.files()
        for path, edit in self.edits.items():
            if edit is None:
                del found[path]
            elif isinstance(edit, str):
                found[path] = edit
            else:
                for old, new in edit:
                    assert old in found[path], (self.id, path, old)
                    found[path] = found[path].replace(old, new, 1)
        return found

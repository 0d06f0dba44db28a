"""The tree drawn in ARCHITECTURE.md is the tree on the disk."""

import re
from pathlib import Path

IGNORED = {"__init__.py", "py.typed", "__pycache__"}


def drawn(root: Path) -> set[str]:
    """The paths of the tree, folders with a slash."""
    text = (root / "ARCHITECTURE.md").read_text("utf-8")
    block = text.partition("## The tree")[2].split("```")[1]
    paths, stack = set(), [(-1, "")]
    for line in block.strip("\n").splitlines():
        indent, name = re.match(r"( *)(\S+)", line).groups()  # type: ignore[union-attr]
        while stack[-1][0] >= len(indent):
            stack.pop()
        path = stack[-1][1] + name
        paths.add(path)
        stack.append((len(indent), path))
    return paths


def _is_there(path: Path, name: str) -> bool:
    return path.is_dir() if name.endswith("/") else path.is_file()


def test_everything_drawn_is_there(root: Path) -> None:
    missing = {path for path in drawn(root) if not _is_there(root / path, path)}
    assert not missing, "drawn in ARCHITECTURE.md, but not on the disk"


def test_everything_in_the_package_is_drawn(root: Path) -> None:
    package = root / "src" / "reverie"
    for folder in (package, package / "interfaces"):
        there = {
            f"{child.relative_to(root)}{'/' if child.is_dir() else ''}"
            for child in folder.iterdir()
            if child.name not in IGNORED
        }
        assert there <= drawn(root), "on the disk, but not drawn in ARCHITECTURE.md"

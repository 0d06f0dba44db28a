"""Files that a build has put beside the code and git ignores: a version, compiled parts, messages.

Code that imports them cannot run without them, so they belong to a copy that is to run.
"""

import os
import shutil
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from reverie.promotion.git import Git
from reverie.promotion.trees import is_safe, path_bytes, path_text

MAX_FILES = 5000
MAX_BYTES = 16 << 20
_SUBMODULE = b"160000 "
_GIT = shutil.ignore_patterns(".git")
_NEVER = frozenset({"__pycache__", "node_modules", "build", "dist", "site-packages", ".tox"})


def lay_generated(git: Git, folder: Path) -> tuple[str, ...]:
    """Copy them into a copy of a revision; their paths. What the copy has stays as it is."""
    laid = [path for path in _ignored(git) if _belongs(path, folder) and _lay(git, folder, path)]
    return tuple(laid[:MAX_FILES])


def read_generated(git: Git) -> dict[str, bytes]:
    """The contents of those that lie beside the code, as long as they are few."""
    found: dict[str, bytes] = {}
    left = MAX_BYTES
    for path in _ignored(git):
        place = git.folder / os.fsdecode(path_bytes(path))
        if not _belongs(path, git.folder) or not _is_plain(place):
            continue
        left -= place.stat().st_size
        if left < 0 or len(found) >= MAX_FILES:
            break
        found[path] = place.read_bytes()
    return found


def lay_files(folder: Path, files: Mapping[str, bytes]) -> tuple[str, ...]:
    """Write files that a build would make into a copy; what the copy has stays as it is."""
    laid = []
    for path, content in files.items():
        target = folder / os.fsdecode(path_bytes(path))
        if is_safe(path) and not os.path.lexists(target):
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
            laid.append(path)
    return tuple(laid)


def lay_submodules(git: Git, folder: Path) -> tuple[str, ...]:
    """Copy what is checked out of other repositories into the empty folders for it; their paths."""
    laid = []
    for line in git.run("ls-files", "-z", "--stage").split(b"\0"):
        about, _, name = line.partition(b"\t")
        path = path_text(name)
        source = git.folder / os.fsdecode(name)
        target = folder / os.fsdecode(name)
        if not about.startswith(_SUBMODULE) or not is_safe(path) or source.is_symlink():
            continue
        if source.is_dir() and target.is_dir() and not any(target.iterdir()):
            shutil.copytree(source, target, symlinks=True, dirs_exist_ok=True, ignore=_GIT)
            laid.append(path)
    return tuple(laid)


def _ignored(git: Git) -> list[str]:
    listed = git.run("ls-files", "-z", "-o", "-i", "--exclude-standard").split(b"\0")
    return sorted(path_text(name) for name in listed if name)


def _belongs(path: str, folder: Path) -> bool:
    """Whether a file lies in a folder of code, or below one, and is no cache or environment."""
    parents = PurePosixPath(path).parents
    names = [parent.name for parent in parents if parent.name]
    is_passed_over = any(
        name in _NEVER or name.startswith(".") or name.endswith(".egg-info") for name in names
    )
    if not is_safe(path) or is_passed_over or path.endswith((".pyc", ".pyo")):
        return False
    above = [str(parent) for parent in parents if str(parent) != "."]
    return any(next((folder / place).glob("*.py"), None) is not None for place in above)


def _lay(git: Git, folder: Path, path: str) -> bool:
    source, target = (place / os.fsdecode(path_bytes(path)) for place in (git.folder, folder))
    try:
        if not _is_plain(source) or os.path.lexists(target):
            return False
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target, follow_symlinks=False)
    except OSError:
        return False  # gone in the meantime, or not ours to read
    return True


def _is_plain(source: Path) -> bool:
    """Whether it is a file of a size that is copied, and of no environment."""
    if not source.is_file() or source.is_symlink() or source.stat().st_size > MAX_BYTES:
        return False
    return not (source.parent / "pyvenv.cfg").exists()

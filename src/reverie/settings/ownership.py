"""Whether the data folder of a repository may be believed."""

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from reverie.errors import GitFailed
from reverie.home.own_folder import SHARED, is_own_folder
from reverie.index.trail import look

if TYPE_CHECKING:
    from reverie.promotion.git import Git

_INDEXES = ("index", "sharedindex.*")


def why_foreign(repository: Path, folder: Path) -> str | None:
    """Why the files in a data folder are not the user's; None: they are, or there are none.

    A folder outside of the repository was named by the user, so it is the user's.
    """
    if not folder.is_relative_to(repository):
        return None
    if not is_own_folder(folder):
        what = "it is a link" if folder.is_symlink() else "it does not carry your mark"
        return f"{what}; remove it, or take it over with `reverie init --adopt`"
    tracked = _tracked(repository, folder)
    if tracked is not None:
        return f"git tracks {tracked}; take it out with `git rm -r --cached`"
    return None


def _tracked(repository: Path, folder: Path) -> str | None:
    """A file of the folder that git brings along, besides those that it may."""
    metadata = _git_metadata(repository)
    if metadata is None:
        return None
    indexes = sorted(path for pattern in _INDEXES for path in metadata.glob(pattern))
    return _tracked_now(repository, folder, tuple((path, look(str(path))) for path in indexes))


@lru_cache(maxsize=16)
def _tracked_now(
    repository: Path, folder: Path, indexes: tuple[tuple[Path, int], ...]
) -> str | None:
    """The same for indexes that look like this: a server is asked often.

    git is asked only if one mentions the folder's name: that is seen at once.
    """
    name = folder.name.encode().lstrip(b".")  # paths may be written without what they begin with
    start = folder.relative_to(repository).as_posix()
    try:
        if not any(name in path.read_bytes() for path, _ in indexes):
            return None
        from reverie.promotion.git import Git  # loads what starts processes: seldom needed

        git = Git.find(repository)
        listed = [] if git is None else _listed(git, start)
    except (OSError, GitFailed):
        git = None
    if git is None:
        return f"{start}, perhaps: git cannot be asked"
    shared = {f"{start}/{each}" for each in SHARED}
    return next((each for each in listed if each and each not in shared), None)


def _listed(git: "Git", start: str) -> list[str]:
    return git.run("ls-files", "-z", "--", start).decode("utf-8", "replace").split("\0")


def _git_metadata(repository: Path) -> Path | None:
    """The folder of git's index; in a further worktree `.git` is a file that names it."""
    for place in (repository, *repository.parents):
        found = place / ".git"
        if found.is_dir():
            return found
        if found.is_file():
            content = found.read_bytes()[:4096].decode("utf-8", "replace")
            return place / content.removeprefix("gitdir:").strip()
    return None

"""Whether the data folder of a repository may be believed."""

from pathlib import Path

from reverie.home.own_folder import SHARED, is_own_folder

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
    """A file of the folder that git brings along, besides those that it may.

    git is asked only if its index mentions the folder's name: that is seen at once.
    """
    metadata = _git_metadata(repository)
    name = folder.name.encode().lstrip(b".")  # paths may be written without what they begin with
    if metadata is None or not _mentions(metadata, name):
        return None
    from reverie.promotion.git import Git

    git = Git.find(repository)
    if git is None:
        return f"{folder.name}, perhaps: git cannot be asked"
    start = folder.relative_to(repository).as_posix()
    listed = git.run("ls-files", "-z", "--", start).decode("utf-8", "replace").split("\0")
    shared = {f"{start}/{each}" for each in SHARED}
    return next((each for each in listed if each and each not in shared), None)


def _mentions(metadata: Path, name: bytes) -> bool:
    return any(name in path.read_bytes() for pattern in _INDEXES for path in metadata.glob(pattern))


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

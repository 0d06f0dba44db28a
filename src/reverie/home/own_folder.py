"""The folder of Reverie's own files in a repository: made here, or shipped by somebody.

A repository can come with such a folder, and git can write files into one that is there. What
lies in it decides a lot (verdicts, what was approved, what is sent to whom), so it is believed only
where the user made it: it then holds a mark that only the user's key could make for this place.
"""

import os
from pathlib import Path

from reverie.home.seal import Seal, user_seal

MARK_FILE = "owner"
IGNORED = "*\n!/baseline.json\n"
SHARED = frozenset({".gitignore", "baseline.json"})
"""What a repository may ship there: neither is believed for where it lies."""
_PURPOSE = "data folder"


def make_own_folder(folder: Path) -> bool:
    """Make the folder, unseen by git, and mark it; False: it was there already.

    A folder that is there is marked too if nothing lies in it that could be believed.
    """
    created = True
    try:
        folder.mkdir(parents=True)
        (folder / ".gitignore").write_text(IGNORED, encoding="utf-8")
    except FileExistsError:
        created = False
    if not (folder / MARK_FILE).exists() and is_own_folder(folder):
        claim_folder(folder)
    return created


def claim_folder(folder: Path) -> None:
    """Mark a folder as the user's own, with all that lies in it."""
    (folder / MARK_FILE).write_text(_tag(folder, user_seal()) + "\n", encoding="ascii")


def is_own_folder(folder: Path) -> bool:
    """Whether the user made what lies in a folder; so it is where nothing does."""
    try:
        names = set(os.listdir(folder))
    except (FileNotFoundError, NotADirectoryError):
        return not folder.is_symlink()
    except OSError:
        return False
    if folder.is_symlink():
        return False
    return not names - SHARED or _is_marked(folder)


def _is_marked(folder: Path) -> bool:
    try:
        with open(folder / MARK_FILE, encoding="ascii", errors="replace") as stream:
            mark = stream.read(1000).strip()
    except OSError:
        return False
    return user_seal().fits(mark, _PURPOSE, _place(folder))


def _tag(folder: Path, seal: Seal) -> str:
    return seal.tag(_PURPOSE, _place(folder))


def _place(folder: Path) -> bytes:
    return os.fsencode(os.path.realpath(folder))

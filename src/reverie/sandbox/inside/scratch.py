"""Private scratch space, and the shelves in it for folders of the host that lie under `/tmp`.

A repository under the host's `/tmp` has to be visible at its own path, inside the scratch
folder that is emptied after every execution. The first folder of such a path is a shelf: a
tiny file system of its own that holds nothing but mount points and is made read-only, so
that nothing can be left on it and it need not be emptied.
"""

import os
from collections.abc import Iterator
from typing import Any

from . import kernel
from .shown import HIDDEN

SHARED_MEMORY_BYTES = 64 << 20
HOME_BYTES = 8 << 20
_INODES = 8192
_PARKED = f"{HIDDEN}/parked/%d"
_FLAGS = kernel.MS_NOSUID | kernel.MS_NODEV


def mount(config: "dict[str, Any]") -> None:
    """Scratch folders, and an open shelf for every host path below one of them."""
    for folder, size in _sizes(config):
        os.makedirs(folder, exist_ok=True)
        _mount_one(folder, size)
    for number, shelf in enumerate(shelves(config)):
        os.makedirs(_PARKED % number)
        os.mkdir(shelf)
        kernel.mount("tmpfs", shelf, "tmpfs", _FLAGS, "size=64k,nr_inodes=256,mode=755")


def renew(config: "dict[str, Any]") -> None:
    """Replace scratch folders by unused ones; the shelves stay as they are, with all on them."""
    own = list(enumerate(shelves(config)))
    for number, shelf in own:
        kernel.mount(shelf, _PARKED % number, None, kernel.MS_MOVE)
    for folder, size in _sizes(config):
        kernel.detach(folder)
        _mount_one(folder, size)
    for number, shelf in own:
        os.mkdir(shelf)
        kernel.mount(_PARKED % number, shelf, None, kernel.MS_MOVE)


def _sizes(config: "dict[str, Any]") -> "Iterator[tuple[str, int]]":
    sizes = (config["disk_bytes"], SHARED_MEMORY_BYTES, HOME_BYTES)
    return zip(config["scratch"], sizes, strict=True)


def _mount_one(folder: str, size: int) -> None:
    options = f"size={size},nr_inodes={_INODES},mode=1777"
    kernel.mount("tmpfs", folder, "tmpfs", _FLAGS, options)


def close_shelves(config: "dict[str, Any]") -> None:
    """Everything is mounted: from now on nothing can be put on a shelf."""
    for shelf in shelves(config):
        flags = kernel.MS_REMOUNT | kernel.MS_BIND | kernel.MS_RDONLY | _FLAGS
        kernel.mount(None, shelf, None, flags)


def shelves(config: "dict[str, Any]") -> "list[str]":
    """The first folder, below a scratch folder, of every path that is shown there."""
    targets = [target for _, target in config["readonly"]]
    targets += [pair["copy"] for pair in config["copies"]]
    found = []
    for folder in config["scratch"]:
        prefix = folder + "/"
        inner = [target[len(prefix) :] for target in targets if target.startswith(prefix)]
        found += sorted({prefix + path.partition("/")[0] for path in inner})
    return found

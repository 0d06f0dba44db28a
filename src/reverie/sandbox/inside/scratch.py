"""Private scratch space, and the shelves in it for folders of the host that lie under `/tmp`.

A repository under the host's `/tmp` has to be visible at its own path, inside the scratch
folder that is emptied after every execution. The first folder of such a path is a shelf: a
tiny file system of its own that holds nothing but mount points and is made read-only, so
that nothing can be left on it and it need not be emptied.
"""

import os
from typing import Any

from . import kernel

SHARED_MEMORY_BYTES = 64 << 20
HOME_BYTES = 8 << 20
_INODES = 8192
_FLAGS = kernel.MS_NOSUID | kernel.MS_NODEV


def mount(config: "dict[str, Any]") -> None:
    """Scratch folders, and an open shelf for every host path below one of them."""
    sizes = (config["disk_bytes"], SHARED_MEMORY_BYTES, HOME_BYTES)
    for folder, size in zip(config["scratch"], sizes, strict=True):
        os.makedirs(folder, exist_ok=True)
        options = f"size={size},nr_inodes={_INODES},mode=1777"
        kernel.mount("tmpfs", folder, "tmpfs", _FLAGS, options)
    for shelf in shelves(config):
        os.mkdir(shelf)
        kernel.mount("tmpfs", shelf, "tmpfs", _FLAGS, "size=64k,nr_inodes=256,mode=755")


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

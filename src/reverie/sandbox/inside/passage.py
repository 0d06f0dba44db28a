"""Some paths of a folder, and nothing else of it, for an unprivileged user.

Root's interpreter may lie below a folder that only root may enter; a shared folder holds what
is nobody's business. In a mount namespace of our own such a folder is covered by an empty
open one that holds just the paths asked for, and nothing on the host changes.
"""

import os
import stat
from collections.abc import Iterable

from . import kernel

_COVER = "size=64k,nr_inodes=1024,mode=755"


def open_way(pairs: "Iterable[tuple[str, str]]", hidden: "Iterable[str]") -> None:
    """Make (source, target) pairs reachable for everybody, all else below `hidden` for nobody."""
    behind: dict[str, list[tuple[str, str]]] = {folder: [] for folder in hidden}
    for source, target in pairs:
        for path in dict.fromkeys((source, target)):
            gate = next((folder for folder in behind if path.startswith(f"{folder}/")), None)
            gate = gate or closed_folder(path)
            if gate is not None:
                behind.setdefault(gate, []).append((source, target))
    for gate, wanted in sorted(behind.items()):
        _cover(gate, wanted)


def closed_folder(path: str) -> "str | None":
    """The first folder on the way to `path` that not everybody may enter."""
    folder = ""
    for part in path.split("/")[1:-1]:
        folder += f"/{part}"
        if not os.stat(folder).st_mode & stat.S_IXOTH:
            return folder
    return None


def _cover(gate: str, wanted: "list[tuple[str, str]]") -> None:
    """Hold what is wanted by descriptor, hide the rest, and put the wanted back."""
    held = [
        (os.open(source, os.O_PATH | os.O_CLOEXEC), place)
        for source, target in wanted
        for place in dict.fromkeys((source, target))
        if place.startswith(f"{gate}/")
    ]
    kernel.mount("tmpfs", gate, "tmpfs", kernel.MS_NOSUID | kernel.MS_NODEV, _COVER)
    for descriptor, place in sorted(held, key=lambda pair: pair[1]):
        if not os.path.exists(place):  # else it came with a folder above it
            _make_place(descriptor, place)
            source = f"/proc/self/fd/{descriptor}"
            kernel.mount(source, place, None, kernel.MS_BIND | kernel.MS_REC)
        os.close(descriptor)


def _make_place(descriptor: int, place: str) -> None:
    if stat.S_ISDIR(os.fstat(descriptor).st_mode):
        os.makedirs(place, mode=0o755)
        return
    os.makedirs(os.path.dirname(place), mode=0o755, exist_ok=True)
    os.close(os.open(place, os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC, 0o644))

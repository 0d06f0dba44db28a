"""Some paths of a folder, and nothing else of it, for an unprivileged user.

Root's interpreter may lie below a folder that only root may enter; a shared folder holds what
is nobody's business. In a mount namespace of our own such a folder is covered by an empty
open one that holds just the paths asked for, and nothing on the host changes.
"""

import os
import stat
from collections.abc import Iterable

from . import kernel, owners

_COVER = "size=64k,nr_inodes=1024,mode=755"


def open_way(
    pairs: "Iterable[tuple[str, str]]", hidden: "Iterable[str]", owned: "dict[str, int]"
) -> None:
    """Make (source, target) pairs reachable for everybody, all else below `hidden` for nobody.

    A source that has an owner in `owned` is shown as belonging to the sandbox's user.
    """
    behind: dict[str, list[tuple[str, str]]] = {folder: [] for folder in hidden}
    for source, target in pairs:
        for path in dict.fromkeys((source, target)):
            gate = next((folder for folder in behind if path.startswith(f"{folder}/")), None)
            gate = gate or closed_folder(path)
            if gate is not None:
                behind.setdefault(gate, []).append((source, target))
            elif source in owned:
                owners.bind_as_user(source, path, owned[source])
    for gate, wanted in sorted(behind.items()):
        _cover(gate, wanted, owned)


def closed_folder(path: str) -> "str | None":
    """The first folder on the way to `path` that not everybody may enter."""
    folder = ""
    for part in path.split("/")[1:-1]:
        folder += f"/{part}"
        if not os.stat(folder).st_mode & stat.S_IXOTH:
            return folder
    return None


def _cover(gate: str, wanted: "list[tuple[str, str]]", owned: "dict[str, int]") -> None:
    """Hold what is wanted by descriptor, hide the rest, and put the wanted back."""
    held = [
        (place, source, os.open(source, os.O_PATH | os.O_CLOEXEC))
        for source, target in wanted
        for place in dict.fromkeys((source, target))
        if place.startswith(f"{gate}/")
    ]
    kernel.mount("tmpfs", gate, "tmpfs", kernel.MS_NOSUID | kernel.MS_NODEV, _COVER)
    for place, source, descriptor in sorted(held):
        if not os.path.exists(place):  # else it came with a folder above it
            _make_place(descriptor, place)
            _bind(f"/proc/self/fd/{descriptor}", place, owned.get(source))
        os.close(descriptor)


def _bind(source: str, place: str, namespace: "int | None") -> None:
    if namespace is not None:
        owners.bind_as_user(source, place, namespace)
    else:
        kernel.mount(source, place, None, kernel.MS_BIND | kernel.MS_REC)


def _make_place(descriptor: int, place: str) -> None:
    if stat.S_ISDIR(os.fstat(descriptor).st_mode):
        os.makedirs(place, mode=0o755)
        return
    os.makedirs(os.path.dirname(place), mode=0o755, exist_ok=True)
    os.close(os.open(place, os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC, 0o644))

"""Empty the scratch folders between two executions, or say that it could not be done.

What is left behind was made by hostile code: folders without permissions, trees deeper than
a path may be long, names that are no text. Nested folders are moved up to the top before
they are opened, so no path here is ever longer than two names. No process of the execution
is alive any more, so nothing changes under our hands.
"""

import os
from collections.abc import Iterable

ENTRIES_AT_MOST = 4000
_PARKED = b".parked-%d"


class TooDirty(Exception):
    """Cleaning would cost more than a new sandbox."""


def empty(folder: str, kept: "Iterable[str]" = (), at_most: int = ENTRIES_AT_MOST) -> int:
    """Remove everything in `folder` and reset its own attributes; how many entries there were.

    `kept` are names of mounts: they cannot be removed, and hold nothing of an execution.
    """
    removed = 0
    top = os.fsencode(folder)
    ours = os.stat(top).st_uid == os.geteuid()
    if ours:
        os.chmod(top, 0o1777)
    stay = {os.fsencode(name) for name in kept}
    pending = [name for name in os.listdir(top) if name not in stay]
    while pending:
        name = pending.pop()
        removed += 1
        if removed > at_most:
            raise TooDirty(folder)
        path = top + b"/" + name
        if os.path.isdir(path) and not os.path.islink(path):
            pending += _flatten(top, path, removed)
        else:
            os.unlink(path)
    if ours:
        _reset_attributes(top)
    return removed


def _flatten(top: bytes, path: bytes, serial: int) -> list[bytes]:
    """Remove one folder after moving its sub-folders up; the names they have there."""
    os.chmod(path, 0o700)
    parked = []
    for position, name in enumerate(os.listdir(path)):
        inner = path + b"/" + name
        if os.path.isdir(inner) and not os.path.islink(inner):
            os.chmod(inner, 0o700)
            new = _PARKED % (serial * 100_000 + position)
            os.rename(inner, top + b"/" + new)
            parked.append(new)
        else:
            os.unlink(inner)
    os.rmdir(path)
    return parked


def _reset_attributes(top: bytes) -> None:
    """A folder of ours could carry a message in its own times and attributes."""
    for attribute in os.listxattr(top):
        os.removexattr(top, attribute)
    os.utime(top, ns=(0, 0))

"""Empty the scratch folders between two executions, or say that it could not be done.

What is left behind was made by hostile code: folders without permissions, trees deeper than
a path may be long, names that are no text. Nested folders are moved up to the top before
they are opened, so no path here is ever longer than two names. No process of the execution
is alive any more, so nothing changes under our hands.
"""

import os

ENTRIES_AT_MOST = 4000
_PARKED = b".parked-%d"


class TooDirty(Exception):
    """Cleaning would cost more than a new sandbox."""


def empty(folder: str, mode: int, at_most: int = ENTRIES_AT_MOST) -> None:
    """Remove everything in `folder`, and reset its own attributes."""
    removed = 0
    top = os.fsencode(folder)
    ours = os.stat(top).st_uid == os.geteuid()
    if ours:
        os.chmod(top, mode)
    pending = os.listdir(top)
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

"""A connection that was kept open sees the file that is there now, not one that was replaced."""

import os
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, event
from sqlalchemy.exc import DisconnectionError

_FILE = "reverie_file"


def require_same_file(engine: Engine, path: Path) -> None:
    """Have this engine open the file anew when another one has taken its place."""

    def opened(_: Any, record: Any) -> None:
        record.info[_FILE] = _identity(path)

    def taken(_: Any, record: Any, __: Any) -> None:
        if record.info[_FILE] != _identity(path):
            raise DisconnectionError

    event.listen(engine, "connect", opened)
    event.listen(engine, "checkout", taken)


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino

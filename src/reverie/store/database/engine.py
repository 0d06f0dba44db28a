"""Additions to SQLAlchemy's engine for SQLite: index hints, and a check for the same file.

`with_hint(table, "INDEXED BY …", "sqlite")` reaches SQLite, whose compiler drops hints. A
connection that was kept open sees the file that is there now, not one that was replaced.
"""

import os
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, FromClause, event
from sqlalchemy.dialects.sqlite.base import SQLiteCompiler
from sqlalchemy.exc import DisconnectionError


class _HintingCompiler(SQLiteCompiler):
    def get_from_hint_text(self, table: FromClause, text: str | None) -> str | None:
        return text


def keep_hints(engine: Engine) -> None:
    """Have this engine write hints into its statements."""
    engine.dialect.statement_compiler = _HintingCompiler


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

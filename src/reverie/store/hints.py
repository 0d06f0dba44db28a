"""Lets `with_hint(table, "INDEXED BY …", "sqlite")` reach SQLite, whose compiler drops hints."""

from sqlalchemy import Engine, FromClause
from sqlalchemy.dialects.sqlite.base import SQLiteCompiler


class _HintingCompiler(SQLiteCompiler):
    def get_from_hint_text(self, table: FromClause, text: str | None) -> str | None:
        return text


def keep_hints(engine: Engine) -> None:
    """Have this engine write hints into its statements."""
    engine.dialect.statement_compiler = _HintingCompiler

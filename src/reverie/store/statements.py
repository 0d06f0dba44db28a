"""The SQL of the hot path, spelt out so that recording loads no SQLAlchemy.

Every statement is the same for both databases but for the parameter mark and the names of
two functions. A test holds the columns to `schema`.
"""

from dataclasses import dataclass
from functools import lru_cache

from reverie.store.backend import Backend

EXECUTION_COLUMNS = (
    "id",
    "started_at_us",
    "code_hash",
    "terms_hash",
    "target",
    "entry",
    "outcome",
    "error_category",
    "error_type",
    "error_message",
    "failure_signature",
    "duration_ms",
    "cpu_seconds",
    "peak_rss_bytes",
    "isolation",
    "exit_code",
    "output_truncated",
    "expected_output_type",
    "reverie_version",
)
TERMS_COLUMNS = ("terms_hash", "policy", "limits")
CODE_COLUMNS = ("code_hash", "source", "characters")
PATTERN_COLUMNS = (
    "signature",
    "category",
    "message",
    "snippet",
    "frequency",
    "first_seen_us",
    "last_seen_us",
)
LAST_PRUNE_KEY = "last_prune"


@dataclass(frozen=True, slots=True)
class Statements:
    """What a batch is written with."""

    insert_terms: str
    insert_code: str
    insert_execution: str
    upsert_pattern: str
    find_execution: str
    read_last_prune: str


@lru_cache(maxsize=2)
def statements_for(placeholder: str, greatest: str, least: str) -> Statements:
    """The statements in the words of one database."""

    def insert(table: str, columns: tuple[str, ...]) -> str:
        marks = ", ".join([placeholder] * len(columns))
        return f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})"

    def once(table: str, columns: tuple[str, ...]) -> str:
        return f"{insert(table, columns)} ON CONFLICT ({columns[0]}) DO NOTHING"

    old = "failure_patterns"
    return Statements(
        insert_terms=once("terms", TERMS_COLUMNS),
        insert_code=once("code", CODE_COLUMNS),
        insert_execution=once("executions", EXECUTION_COLUMNS),
        upsert_pattern=f"{insert(old, PATTERN_COLUMNS)} ON CONFLICT (signature) DO UPDATE SET "
        f"frequency = {old}.frequency + excluded.frequency, "
        f"first_seen_us = {least}({old}.first_seen_us, excluded.first_seen_us), "
        f"last_seen_us = {greatest}({old}.last_seen_us, excluded.last_seen_us)",
        find_execution=f"SELECT 1 FROM executions WHERE id = {placeholder}",
        read_last_prune=f"SELECT value FROM meta WHERE key = '{LAST_PRUNE_KEY}'",
    )


def backend_statements(backend: Backend) -> Statements:
    """The statements for one backend."""
    return statements_for(backend.placeholder, backend.greatest, backend.least)

"""The journal: every execution, in SQLite beside the repository or in PostgreSQL.

Importing this package loads no database library; what needs SQLAlchemy is loaded with the
first query, and Alembic only when a journal has to be created or brought up to date.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from reverie.store.database.backend import journal_url
from reverie.store.journal import Journal

if TYPE_CHECKING:
    from reverie.store.code_index import CodeIndexMemory
    from reverie.store.dreams import DreamStore
    from reverie.store.queries import details, failure_patterns, history, statistics
    from reverie.store.recorder import ExecutionRecorder, RecorderSettings
    from reverie.store.retention import prune
    from reverie.store.rules import delete_rule, load_rules, save_rule, set_rule_enabled
    from reverie.store.workflows import WorkflowDB

__all__ = [
    "CodeIndexMemory",
    "DreamStore",
    "ExecutionRecorder",
    "Journal",
    "RecorderSettings",
    "WorkflowDB",
    "delete_rule",
    "details",
    "failure_patterns",
    "history",
    "journal_url",
    "load_rules",
    "prune",
    "save_rule",
    "set_rule_enabled",
    "statistics",
]

_MODULES = {
    "CodeIndexMemory": "code_index",
    "DreamStore": "dreams",
    "ExecutionRecorder": "recorder",
    "RecorderSettings": "recorder",
    "WorkflowDB": "workflows",
    "delete_rule": "rules",
    "details": "queries",
    "failure_patterns": "queries",
    "history": "queries",
    "load_rules": "rules",
    "prune": "retention",
    "save_rule": "rules",
    "set_rule_enabled": "rules",
    "statistics": "queries",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)

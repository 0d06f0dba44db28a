"""What is in a repository, read from its source and never run.

`read_repository` reads it afresh; a `RememberedIndex` reads only what changed since last time.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from reverie.index.remembering.memory import Memory, ProcessMemory
    from reverie.index.remembering.refresh import Refreshed
    from reverie.index.remembering.remembered import RememberedIndex
    from reverie.index.repository import read_repository

__all__ = ["Memory", "ProcessMemory", "Refreshed", "RememberedIndex", "read_repository"]

_MODULES = {
    "Memory": "remembering.memory",
    "ProcessMemory": "remembering.memory",
    "Refreshed": "remembering.refresh",
    "RememberedIndex": "remembering.remembered",
    "read_repository": "repository",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)

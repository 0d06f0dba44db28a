"""What is in a repository, read from its source and never run.

`read_repository` reads it afresh; a `RememberedIndex` reads only what changed since last time.
"""

from reverie.index.memory import Memory, ProcessMemory
from reverie.index.refresh import Refreshed
from reverie.index.remembered import RememberedIndex
from reverie.index.repository import read_repository

__all__ = ["Memory", "ProcessMemory", "Refreshed", "RememberedIndex", "read_repository"]

"""What is in a repository, read from its source and never run."""

from reverie.index.repository import read_repository

__all__ = ["read_repository"]

"""From what a search saw to a test file that a person would keep."""

from reverie.dreamers.enrich.writing.subject import Subject, SuspectedBug, Written
from reverie.dreamers.enrich.writing.write import write_tests

__all__ = ["Subject", "SuspectedBug", "Written", "write_tests"]

"""Modules that nothing uses, copies of others, and what is out of date."""

from reverie.index.orphans.classify import classify
from reverie.index.orphans.evidence_files import Evidence, read_evidence

__all__ = ["Evidence", "classify", "read_evidence"]

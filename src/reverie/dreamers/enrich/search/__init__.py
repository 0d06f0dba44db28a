"""The search for scenarios: what a module does, found by trying it in the sandbox."""

from reverie.dreamers.enrich.search.search import Findings, find_scenarios

__all__ = ["Findings", "find_scenarios"]

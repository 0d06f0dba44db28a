"""The test dreamer: tests for a module, from trying it out in the sandbox."""

from reverie.dreamers.enrich.front import Change, Enriched, Wish, enrich, enrich_target

__all__ = ["Change", "Enriched", "Wish", "enrich", "enrich_target"]

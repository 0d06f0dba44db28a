"""The catalogue of rewrites, a family to a file."""

from functools import cache
from importlib import import_module

from reverie.dreamers.optimise.rewrite import Rewrite

_FAMILIES = (
    "membership", "searches", "lookups", "joins", "filters", "buckets", "pairs", "groups",
    "spans", "windows", "arrangements", "selections", "placings", "rebuilt", "tuples", "powers",
    "multisets", "parts", "weeding", "listed",
    "invariants", "queues", "deques", "takings", "sorting", "ordered", "exchanges", "insertions",
    "sums", "slices", "divisors", "numbers", "texts", "recursion", "caching", "copies", "regexes",
    "shortcuts", "inlining", "additions", "ranks", "places", "extremes",
    "answers", "edges",
)  # fmt: skip


@cache
def catalogue() -> tuple[Rewrite, ...]:
    """Every rewrite, those that change how time grows first."""
    modules = [import_module(f"{__name__}.{family}") for family in _FAMILIES]
    every: list[Rewrite] = [each for module in modules for each in module.REWRITES]
    return tuple(sorted(every, key=lambda each: (each.growth is None, each.is_enabling)))

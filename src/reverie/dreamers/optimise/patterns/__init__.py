"""The catalogue of rewrites, a family to a file."""

from functools import cache

from reverie.dreamers.optimise.rewrite import Rewrite


@cache
def catalogue() -> tuple[Rewrite, ...]:
    """Every rewrite, those that change how time grows first."""
    from reverie.dreamers.optimise.patterns import (
        caching,
        copies,
        inlining,
        lookups,
        membership,
        queues,
        searches,
        shortcuts,
        sorting,
        sums,
        texts,
    )

    families = (membership, searches, lookups, queues, sorting, sums, texts, caching, copies)
    every = [each for family in (*families, shortcuts, inlining) for each in family.REWRITES]
    return tuple(sorted(every, key=lambda each: (each.growth is None, each.is_enabling)))

"""Name all modules, draw all edges and count, from what is remembered of each file."""

import time

from reverie.index.encoding import decode_imports
from reverie.index.linking import name_modules
from reverie.index.memory import Memory
from reverie.index.resolution import Resolver, edges_of
from reverie.index.surroundings import Surroundings
from reverie.model.indexed import IndexTotals, KnownIndex


def count_whole(memory: Memory, around: Surroundings, layout: str) -> KnownIndex:
    """Name all modules, draw all edges, and remember the totals."""
    outlines = {each.path: each for each in memory.outlines()}
    imports = {path: decode_imports(each.imports) for path, each in outlines.items()}
    named = name_modules(imports, around.layout)
    resolver = Resolver(named)
    resolved = (
        (module.name, [resolver.resolve(raw, module) for raw in imports[path]])
        for path, module in named.items()
    )
    edges, checking = edges_of(resolved)
    totals = IndexTotals(
        modules=len(outlines),
        packages=sum(each.is_package for each in named.values()),
        functions=sum(each.functions for each in outlines.values()),
        methods=sum(each.methods for each in outlines.values()),
        classes=sum(each.classes for each in outlines.values()),
        loc=sum(each.loc for each in outlines.values()),
        edges=len(edges),
        type_checking_edges=len(checking),
        errors=sum(each.error is not None for each in outlines.values()),
        tiers={},
    )
    whole = KnownIndex(layout, totals, time.time_ns() // 1000)
    memory.save_index(whole, {path: each.name for path, each in named.items()})
    return whole
